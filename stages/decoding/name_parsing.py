"""Names of sparse features as arrays of what they are made of: kinds, keys, words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Flags, Ints
from campanula.formats.feature_names.sparse import (
    BY_PREFIX,
    COUNT,
    HIERARCHICAL_ORIENTATION,
    HIERARCHICAL_ORIENTATIONS,
    JUMP,
    ORIENTATION,
    ORIENTATIONS,
    PREFIXES,
    TEMPLATES,
    WORDS,
    is_plain,
)

if TYPE_CHECKING:
    from campanula.stages.kernels.sparse.names import Grammar, Parsed

NO_PHRASE = -2
ANY_NUMBER = -1
N_CHARACTERS = 0x110000


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """What names look like, as the kernels take it; its table of characters fills as they come."""
    from campanula.stages.kernels.sparse import names

    heads = {"": names.NO_HEAD, COUNT: names.COUNT, JUMP: names.JUMP, ORIENTATION: names.LETTER}
    heads[HIERARCHICAL_ORIENTATION] = names.OTHER_LETTER
    words = np.full((len(PREFIXES), 2), NO_PHRASE, np.int64)
    side = np.zeros((len(PREFIXES), 2), np.int64)
    for kind, prefix in enumerate(PREFIXES):
        sides = BY_PREFIX[prefix].sides
        words[kind, : len(sides)] = WORDS.get(prefix, (ANY_NUMBER,) * len(sides))
        side[kind, : len(sides)] = ["st".index(letter) for letter in sides]
    prefixes = [prefix.encode() for prefix in PREFIXES]
    return names.Grammar(
        bytes_of(b"".join(prefixes)),
        pointer_of([len(prefix) for prefix in prefixes]),
        np.array([heads[BY_PREFIX[prefix].head] for prefix in PREFIXES]),
        bytes_of(f"{ORIENTATIONS}{HIERARCHICAL_ORIENTATIONS}".encode()),
        words,
        side,
        np.full(N_CHARACTERS, names.UNKNOWN, np.uint8),
    )


def parsed_names(text: Bytes, pointer: Ints, seed: int = 0) -> Parsed:
    """Names taken apart: text[pointer[x]:pointer[x + 1]] is name x."""
    from campanula.stages.kernels.sparse import names

    rules = grammar()
    parsed, known = names.parse_names(text, pointer, rules, seed)
    while not known:
        answer(rules)
        parsed, known = names.parse_names(text, pointer, rules, seed)
    return parsed


def answer(rules: Grammar) -> None:
    """Say of the characters that are asked for which of them are plain."""
    from campanula.stages.kernels.sparse import names

    asked = np.flatnonzero(rules.plain == names.ASKED)
    rules.plain[asked] = [is_plain(chr(code)) for code in asked.tolist()]


def open_kinds(templates: Iterable[str]) -> Flags:
    """Which kinds of features (n_kinds,) are on with some templates."""
    on = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
    return np.array([prefix in on for prefix in PREFIXES])


def text_of(names: Iterable[str]) -> tuple[Bytes, Ints]:
    """Texts as one, in UTF-8, and where each begins (n + 1,)."""
    names = list(names)
    joined = "".join(names)
    if joined.isascii():
        lengths = np.fromiter(map(len, names), np.int64, len(names))
    else:
        lengths = np.fromiter((len(name.encode()) for name in names), np.int64, len(names))
    return bytes_of(joined.encode()), pointer_of(lengths)


def bytes_of(text: bytes) -> Bytes:
    """Bytes as an array that can be written to, as the kernels want all of theirs."""
    return np.frombuffer(bytearray(text), np.uint8)
