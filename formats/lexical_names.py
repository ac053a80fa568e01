"""Names of lexical features: a prefix and the words that the feature speaks of.

    uni_the  bigram_of~the  trigram_one~of~the      n-grams of the translation
    pair_Haus~~house                                a source and a target word of one block
    trigger_not~~but                                a target word, and one anywhere after it

Each counts how often it occurs.  In a word, `%`, `=`, `|`, `~`, `,`, blanks of any kind and control
characters are written as %XX, byte by byte of their UTF-8 form, as in names of sparse features.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote

from formats.errors import DataError
from formats.sparse_names import escaped

TEMPLATES = {"uni": (1, "~"), "bigram": (2, "~"), "trigram": (3, "~")}
TEMPLATES |= {"pair": (2, "~~"), "trigger": (2, "~~")}  # number of words, what joins them
EXAMPLES = "uni_the, bigram_of~the, trigram_one~of~the, pair_Haus~~house or trigger_not~~but"


class LexicalFeature(NamedTuple):
    """A template and its words."""

    template: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the feature."""
        _, between = TEMPLATES[self.template]
        return f"{self.template}_{between.join(map(escaped, self.words))}"


def parse_name(name: str) -> LexicalFeature:
    """Feature of a name; raises ValueError for what is no name of one."""
    template, _, rest = name.partition("_")
    arity, between = TEMPLATES.get(template, (0, "~"))
    words = tuple(unquote(part) for part in rest.split(between))
    feature = LexicalFeature(template, words)
    if len(words) != arity or "" in words or feature.name != name:
        raise ValueError(f"expected a feature such as {EXAMPLES}, found {name!r}")
    return feature


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
