"""Names of lexical features: a template and the words that it speaks of.

    unigram:the  bigram:of:the  trigram:one:of:the      n-grams of the translation
    pair:Haus:house                                     a source and a target word of one block
    trigger:not:but                                     a target word, and one anywhere after it

Each counts how often it occurs.  A character of a word that would break the name, or a line of
weights or of an n-best list (blanks, `:`, `=`, `|`, `%`), is written as %XX of its UTF-8 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, unquote

from formats.errors import DataError

TEMPLATES = {"unigram": 1, "bigram": 2, "trigram": 3, "pair": 2, "trigger": 2}
UNSAFE = re.compile(r"[\s\x00-\x1f%:=|]")


class LexicalFeature(NamedTuple):
    """A template and its words."""

    template: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the feature."""
        return ":".join((self.template, *map(written, self.words)))


def written(word: str) -> str:
    """A word as it stands in a name."""
    return UNSAFE.sub(lambda found: quote(found.group(), safe=""), word)


def parse_name(name: str) -> LexicalFeature:
    """Feature of a name; raises ValueError for what is no name of one."""
    template, *parts = name.split(":")
    if TEMPLATES.get(template) != len(parts):
        expected = ", ".join(f"{t}:{':'.join('W' * n)}" for t, n in TEMPLATES.items())
        raise ValueError(f"expected a feature name ({expected}), found {name!r}")
    feature = LexicalFeature(template, tuple(unquote(part) for part in parts))
    if "" in feature.words or feature.name != name:
        raise ValueError(f"expected words with blanks and :=|% as %XX, found {name!r}")
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
