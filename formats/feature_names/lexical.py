"""Lists of sparse features, one name per line, and the lexical features among them.

    uni_the  bigram_of~the  trigram_one~of~the      n-grams of the translation
    pair_Haus~~house                                a source and a target word of one block
    trigger_not~~but                                a target word, and one anywhere after it

Lexical features count how often words occur.  Names are spelled as in feature_names/sparse.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from campanula.formats.errors import DataError, repeated
from campanula.formats.feature_names.sparse import WORDS, sparse_name, split_name

PREFIXES = ("uni", "bigram", "trigram", "pair", "trigger")
EXAMPLES = "uni_the, bigram_of~the, pair_Haus~~house, trigger_not~~but or block_Haus~~house"


class LexicalFeature(NamedTuple):
    """A lexical feature: the prefix of its kind, and its words in the order of the name."""

    prefix: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the feature, words escaped."""
        phrases = [self.words] if len(WORDS[self.prefix]) == 1 else [(w,) for w in self.words]
        return sparse_name(self.prefix, "", *phrases)


def parse_name(name: str) -> LexicalFeature | None:
    """Return the lexical feature with this name; None if it is not the name of one."""
    feature = split_name(name)
    if feature is None or feature.prefix not in PREFIXES:
        return None
    return LexicalFeature(feature.prefix, tuple(w for phrase in feature.phrases for w in phrase))


def read_feature_list(lines: Iterable[str], source: str) -> list[str]:
    """Return the names of a list, one per line; empty lines and comments (`# `) are skipped.

    Raises DataError that names the line of a text that is no sparse feature, or of a repeated one.
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
                raise ValueError(repeated("feature", name))
        except ValueError as error:
            raise DataError(source, f"line {number}", str(error)) from error
        names[name] = None
    return list(names)
