"""Lists of lexical features: names of some sparse features, one a line.

    uni_the  bigram_of~the  trigram_one~of~the      n-grams of the translation
    pair_Haus~~house                                a source and a target word of one block
    trigger_not~~but                                a target word, and one anywhere after it

Each counts how often it occurs.  Names are those of formats.sparse_names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from formats.errors import DataError
from formats.sparse_names import WORDS, sparse_name, split_name

PREFIXES = ("uni", "bigram", "trigram", "pair", "trigger")
EXAMPLES = "uni_the, bigram_of~the, trigram_one~of~the, pair_Haus~~house or trigger_not~~but"


class LexicalFeature(NamedTuple):
    """A kind of feature and its words."""

    prefix: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the feature."""
        phrases = [self.words] if len(WORDS[self.prefix]) == 1 else [(w,) for w in self.words]
        return sparse_name(self.prefix, "", *phrases)


def parse_name(name: str) -> LexicalFeature:
    """Feature of a name; raises ValueError for what is no name of one."""
    feature = split_name(name)
    if feature is None or feature.prefix not in PREFIXES:
        raise ValueError(f"expected a feature such as {EXAMPLES}, found {name!r}")
    return LexicalFeature(feature.prefix, tuple(w for phrase in feature.phrases for w in phrase))


def read_feature_list(lines: Iterable[str], source: str) -> list[LexicalFeature]:
    """Features of a list, one name a line; raises DataError that names the line.

    An empty line is none, nor is a comment, which starts with `# `.
    """
    features: dict[LexicalFeature, None] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t") or line == "#" or line.startswith("# "):
            continue
        try:
            feature = parse_name(line.strip(" \t"))
            if feature in features:
                raise ValueError(f"feature {feature.name!r} stands here for the second time")
        except ValueError as error:
            raise DataError(source, f"line {number}", str(error)) from error
        features[feature] = None
    return list(features)
