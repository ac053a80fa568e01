"""Scores of a sentence's hypotheses under the weights of its own features, compiled.

Sentences come in random order, so what the next one needs is in no cache, and waiting for it would
take longer than the arithmetic.  While one is scored, the codes and the weights of the next one are
fetched, and the places where these stand of the one after it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit, prefetch
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Sets

INLINED: Any = {**LEAN, "inline": "always"}
"""Options of what is called for every hypothesis: a call would hand over all fields of a record."""

LINE = 64  # bytes that come to the cache at once
TOGETHER = 4  # hypotheses whose sums go side by side


class Ahead(NamedTuple):
    """What comes after a sentence: the next, the one after it, and the weights u (n_features,)."""

    following: Index
    after_that: Index
    u: Floats


@njit(**INLINED)
def gather(sets: Sets, i: Index, u: Floats, own: Floats) -> None:
    """Write the weights of the features of sentence i to own."""
    start = sets.table_pointer[i]
    for k in range(sets.table_pointer[i + 1] - start):
        own[k] = u[sets.table[start + k]]


@njit(**INLINED)
def _fetch_places(sets: Sets, i: Index) -> None:
    """Have come where the codes and the weights of sentence i stand."""
    for place in range(sets.table_pointer[i], sets.table_pointer[i + 1], LINE // 4):
        prefetch(sets.table, place)
    for place in range(sets.pointer[i], sets.pointer[i + 1], LINE // 8):
        prefetch(sets.binary_pointer, place)


@njit(**INLINED)
def _fetch_part(sets: Sets, ahead: Ahead, part: Index, parts: Index) -> None:
    """Have a part, of so many, of the codes and weights of the next sentence come."""
    i, width = ahead.following, LINE // sets.binary_code.itemsize
    start, end = sets.table_pointer[i], sets.table_pointer[i + 1]
    share = (end - start) // parts + 1
    for place in range(start + part * share, min(start + (part + 1) * share, end)):
        prefetch(ahead.u, sets.table[place])
    start = sets.binary_pointer[sets.pointer[i]]
    end = sets.binary_pointer[sets.pointer[i + 1]]
    share = (end - start) // (width * parts) + 1
    for line in range(part * share, (part + 1) * share):
        prefetch(sets.binary_code, min(start + line * width, end))


@njit(**INLINED)
def _valued(sets: Sets, j: Index, own: Floats) -> float:
    """The part of a score that comes of features with a value."""
    total = 0.0
    for e in range(sets.valued_pointer[j], sets.valued_pointer[j + 1]):
        total += own[sets.valued_code[e]] * sets.value[e]
    return total


@njit(**INLINED)
def _binary(sets: Sets, start: Index, end: Index, own: Floats, total: float) -> float:
    """The total, and the weights of binary entries start to end."""
    for e in range(start, end):
        total += own[sets.binary_code[e]]
    return total


@njit(**INLINED)
def score_row(sets: Sets, j: Index, own: Floats) -> float:
    """Score of hypothesis j: its valued features, then its binary ones, by their ids."""
    start, end = sets.binary_pointer[j], sets.binary_pointer[j + 1]
    return _binary(sets, start, end, own, _valued(sets, j, own))


@njit(**INLINED)
def _score_four(sets: Sets, j: Index, own: Floats, score: Floats) -> None:
    """Write the scores of hypotheses j to j + 3, each a sum in order; additions need not wait."""
    pointer, code = sets.binary_pointer, sets.binary_code
    a, b, c, d, end = (
        pointer[j], pointer[j + 1], pointer[j + 2], pointer[j + 3], pointer[j + 4],
    )  # fmt: skip
    shortest = min(min(b - a, c - b), min(d - c, end - d))
    one, two = _valued(sets, j, own), _valued(sets, j + 1, own)
    three, four = _valued(sets, j + 2, own), _valued(sets, j + 3, own)
    for e in range(shortest):
        one += own[code[a + e]]
        two += own[code[b + e]]
        three += own[code[c + e]]
        four += own[code[d + e]]
    score[0] = _binary(sets, a + shortest, b, own, one)
    score[1] = _binary(sets, b + shortest, c, own, two)
    score[2] = _binary(sets, c + shortest, d, own, three)
    score[3] = _binary(sets, d + shortest, end, own, four)


@njit(**LEAN)
def score_rows(
    sets: Sets, i: Index, start: Index, own: Floats, score: Floats, ahead: Ahead
) -> None:
    """Write the scores of the hypotheses of sentence i, from place `start` on."""
    first, size = sets.pointer[i], sets.pointer[i + 1] - sets.pointer[i]
    _fetch_places(sets, ahead.after_that)
    parts = (size - start) // TOGETHER + 1
    for part in range(parts - 1):
        _fetch_part(sets, ahead, part, parts)
        place = start + part * TOGETHER
        _score_four(sets, first + place, own, score[place : place + TOGETHER])
    _fetch_part(sets, ahead, parts - 1, parts)
    for place in range(start + (parts - 1) * TOGETHER, size):
        score[place] = score_row(sets, first + place, own)
