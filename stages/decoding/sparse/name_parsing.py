"""Parsing of the names of sparse features into arrays: kinds, keys, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVarTuple

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

Results = TypeVarTuple("Results")

NO_PHRASE = -2  # number of words of a side that a kind of feature does not have
ANY_NUMBER = -1  # number of words of a side that is a whole phrase
N_CHARACTERS = 0x110000  # Unicode code points


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """Return the grammar of names for the kernels.

    Its table of characters is filled by `answered` when a character occurs first, since asking
    Python about all of Unicode would take long.
    """
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
    """Return the names parsed; name x is text[pointer[x]:pointer[x + 1]]."""
    from campanula.stages.kernels.sparse import names

    (parsed,) = answered(lambda rules: names.parse_names(text, pointer, rules, seed))
    return parsed


def answered(kernel: Callable[[Grammar], tuple[*Results, bool]]) -> tuple[*Results]:
    """Return the results of a kernel that needs to know which characters are plain.

    A kernel cannot call Python: it marks unknown characters ASKED, says that its results are not
    complete, and is called again.
    """
    from campanula.stages.kernels.sparse import names

    rules = grammar()
    while not (results := kernel(rules))[-1]:
        asked = np.flatnonzero(rules.plain == names.ASKED)
        rules.plain[asked] = [is_plain(chr(code)) for code in asked.tolist()]
    return results[:-1]


def open_kinds(templates: Iterable[str]) -> Flags:
    """Return the mask (n_kinds,) of the kinds of features that the templates have."""
    on = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
    return np.array([prefix in on for prefix in PREFIXES])


def text_of(names: Iterable[str]) -> tuple[Bytes, Ints]:
    """Return the names as one text in UTF-8, and where each begins (n + 1,)."""
    names = list(names)
    joined = "".join(names)
    if joined.isascii():  # characters are bytes, so no name is encoded by itself
        lengths = np.fromiter(map(len, names), np.int64, len(names))
    else:
        lengths = np.fromiter((len(name.encode()) for name in names), np.int64, len(names))
    return bytes_of(joined.encode()), pointer_of(lengths)


def bytes_of(text: bytes) -> Bytes:
    """Return the bytes as a writable array: kernels are compiled for writable arrays alone."""
    return np.frombuffer(bytearray(text), np.uint8)
