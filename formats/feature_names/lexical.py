"""Lists of sparse features, one name a line, and the lexical ones among them.

    uni_the  bigram_of~the  trigram_one~of~the      n-grams of the translation
    pair_Haus~~house                                a source and a target word of one block
    trigger_not~~but                                a target word, and one anywhere after it

These count how often words occur.  Names are those of campanula.formats.feature_names.sparse.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import WORDS, sparse_name, split_name

PREFIXES = ("uni", "bigram", "trigram", "pair", "trigger")
EXAMPLES = "uni_the, bigram_of~the, pair_Haus~~house, trigger_not~~but or block_Haus~~house"


class LexicalFeature(NamedTuple):
    """A kind of feature and its words."""

    prefix: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the feature."""
        phrases = [self.words] if len(WORDS[self.prefix]) == 1 else [(w,) for w in self.words]
        return sparse_name(self.prefix, "", *phrases)


def parse_name(name: str) -> LexicalFeature | None:
    """Lexical feature of a name, None for any other."""
    feature = split_name(name)
    if feature is None or feature.prefix not in PREFIXES:
        return None
    return LexicalFeature(feature.prefix, tuple(w for phrase in feature.phrases for w in phrase))


def read_feature_list(lines: Iterable[str], source: str) -> list[str]:
    """Names of a list, one a line; raises DataError that names the line of what is none.

    An empty line is none, nor is a comment, which starts with `# `.
    """
    names: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t") or line == "#" or line.startswith("# "):
            continue
        try:
            name = line.strip(" \t")
            if split_name(name) is None:
                raise ValueError(f"expected a sparse feature such as {EXAMPLES}, found {name!r}")
            if name in names:
                raise ValueError(f"feature {name!r} stands here for the second time")
        except ValueError as error:
            raise DataError(source, f"line {number}", str(error)) from error
        names[name] = None
    return list(names)
