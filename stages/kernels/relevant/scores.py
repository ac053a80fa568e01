"""Scores of a sentence's hypotheses under the weights of its own features, compiled.

Sentences come in random order, so the memory that the next one needs is in no cache, and waiting
for it would take longer than the arithmetic.  So while one sentence is scored, a prefetch with
every few additions asks for the next sentence's codes and the weights of its rare features, and for
the places of the features of the one after it (without which its weights could not be asked for).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit, prefetch
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Sets

INLINED: Any = {**LEAN, "inline": "always"}
"""Options of functions called for every hypothesis: a call would pass all fields of a record."""

LINE = 64  # bytes of a line of memory, which comes to the cache as a whole
TOGETHER = 4  # hypotheses scored side by side: an addition need not wait for the one before


class Upcoming(NamedTuple):
    """The next sentence, the one after it, and the weights u (n_features,) of their features."""

    following: Index
    after_that: Index
    u: Floats


class Coming(NamedTuple):
    """The memory still to be fetched for the two sentences after the one that is scored.

    For the next one: the weights of rare[weight:last_weight] and codes code:last_code; for the one
    after it: common[common:last_common] and rare[rare:last_rare].
    """

    weight: Index
    last_weight: Index
    code: Index
    last_code: Index
    common: Index
    last_common: Index
    rare: Index
    last_rare: Index


@njit(**INLINED)
def place_of(sets: Sets, i: Index, code: Index) -> int:
    """Return the place of the weight of a feature of sentence i, given its code."""
    start, end = sets.common_pointer[i], sets.common_pointer[i + 1]
    if start + code < end:
        return int(sets.common[start + code])
    return int(sets.rare[sets.rare_pointer[i] + start + code - end])


@njit(**INLINED)
def gather(sets: Sets, i: Index, u: Floats, own: Floats) -> None:
    """Write the weights of the features of sentence i to own."""
    start = sets.common_pointer[i]
    n_common = sets.common_pointer[i + 1] - sets.common_pointer[i]
    for k in range(n_common):
        own[k] = u[sets.common[start + k]]
    start = sets.rare_pointer[i]
    n_rare = sets.rare_pointer[i + 1] - sets.rare_pointer[i]
    for k in range(n_rare):
        own[n_common + k] = u[sets.rare[start + k]]


@njit(**INLINED)
def _fetch_pointers(sets: Sets, i: Index) -> None:
    """Fetch the pointers and gains of the hypotheses of sentence i."""
    # a line of memory at a time: 8 numbers of 8 bytes
    for place in range(sets.pointer[i], sets.pointer[i + 1], LINE // 8):
        prefetch(sets.binary_pointer, place)
        prefetch(sets.valued_pointer, place)
        prefetch(sets.gain, place)


@njit(**INLINED)
def _fetch_values(sets: Sets, i: Index) -> None:
    """Fetch the values of sentence i and their codes."""
    first, last = sets.pointer[i], sets.pointer[i + 1]
    for place in range(sets.valued_pointer[first], sets.valued_pointer[last], LINE // 8):
        prefetch(sets.value, place)
        prefetch(sets.valued_code, place)


@njit(**INLINED)
def _valued(sets: Sets, j: Index, own: Floats) -> float:
    """Return the part of a score that valued features make."""
    total = 0.0
    for e in range(sets.valued_pointer[j], sets.valued_pointer[j + 1]):
        total += own[sets.valued_code[e]] * sets.value[e]
    return total


@njit(**INLINED)
def _binary(sets: Sets, start: Index, end: Index, own: Floats, total: float) -> float:
    """Return the total with the weights of binary entries start to end added, one by one."""
    for e in range(start, end):
        total += own[sets.binary_code[e]]
    return total


@njit(**INLINED)
def score_row(sets: Sets, j: Index, own: Floats) -> float:
    """Return the score of hypothesis j: valued features first, then binary ones, by their ids."""
    start, end = sets.binary_pointer[j], sets.binary_pointer[j + 1]
    return _binary(sets, start, end, own, _valued(sets, j, own))


@njit(**INLINED)
def _fetch(sets: Sets, u: Floats, to: Coming, step: Index) -> Coming:
    """Fetch the next rare weight, and in some steps a line of codes or of places."""
    weight, code, common, rare = to.weight, to.code, to.common, to.rare
    # a weight a step, and lines in every fourth or eighth: few at a time, as a processor waits
    # when too many are under way; a prefetch behind the end does no harm, and needs no test
    if weight < to.last_weight:
        prefetch(u, sets.rare[weight])
        weight += 1
    if step & 3 == 0:
        prefetch(sets.binary_code, code)
        code = min(code + LINE // sets.binary_code.itemsize, to.last_code)
        prefetch(sets.rare, rare)
        rare = min(rare + LINE // 4, to.last_rare)
    if step & 7 == 2:
        prefetch(sets.common, common)
        common = min(common + LINE // 2, to.last_common)
    return Coming(
        weight, to.last_weight, code, to.last_code, common, to.last_common, rare, to.last_rare
    )


@njit(**INLINED)
def _fetch_rest(sets: Sets, u: Floats, to: Coming) -> None:
    """Fetch all that is left, as of a sentence with fewer additions than the next one needs."""
    for place in range(to.weight, to.last_weight):
        prefetch(u, sets.rare[place])
    for place in range(to.code, to.last_code, LINE // sets.binary_code.itemsize):
        prefetch(sets.binary_code, place)
    for place in range(to.common, to.last_common, LINE // 2):
        prefetch(sets.common, place)
    for place in range(to.rare, to.last_rare, LINE // 4):
        prefetch(sets.rare, place)


@njit(**INLINED)
def _coming(sets: Sets, ahead: Upcoming) -> Coming:
    """Return all that is to be fetched while a sentence is scored."""
    following, after = ahead.following, ahead.after_that
    return Coming(
        sets.rare_pointer[following],
        sets.rare_pointer[following + 1],
        sets.binary_pointer[sets.pointer[following]],
        sets.binary_pointer[sets.pointer[following + 1]],
        sets.common_pointer[after],
        sets.common_pointer[after + 1],
        sets.rare_pointer[after],
        sets.rare_pointer[after + 1],
    )


@njit(**INLINED)
def _score_four(sets: Sets, j: Index, own: Floats, score: Floats, u: Floats, to: Coming) -> Coming:
    """Write the scores of hypotheses j to j + 3, each a sum in the order of score_row."""
    pointer, code = sets.binary_pointer, sets.binary_code
    a, b, c, d, end = (
        pointer[j], pointer[j + 1], pointer[j + 2], pointer[j + 3], pointer[j + 4],
    )  # fmt: skip
    # as far as all four have entries side by side, then each by itself
    shortest = min(min(b - a, c - b), min(d - c, end - d))
    one, two = _valued(sets, j, own), _valued(sets, j + 1, own)
    three, four = _valued(sets, j + 2, own), _valued(sets, j + 3, own)
    for e in range(shortest):
        to = _fetch(sets, u, to, e)
        one += own[code[a + e]]
        two += own[code[b + e]]
        three += own[code[c + e]]
        four += own[code[d + e]]
    score[0] = _binary(sets, a + shortest, b, own, one)
    score[1] = _binary(sets, b + shortest, c, own, two)
    score[2] = _binary(sets, c + shortest, d, own, three)
    score[3] = _binary(sets, d + shortest, end, own, four)
    return to


@njit(**LEAN)
def score_rows(sets: Sets, i: Index, own: Floats, score: Floats, ahead: Upcoming) -> None:
    """Write the scores of the hypotheses of sentence i, and fetch memory for the next two."""
    first = sets.pointer[i]
    size = sets.pointer[i + 1] - sets.pointer[i]
    _fetch_pointers(sets, ahead.after_that)
    _fetch_values(sets, ahead.following)
    to = _coming(sets, ahead)
    fours = size - size % TOGETHER
    for place in range(0, fours, TOGETHER):
        four = score[place : place + TOGETHER]
        to = _score_four(sets, first + place, own, four, ahead.u, to)
    for place in range(fours, size):
        score[place] = score_row(sets, first + place, own)
    _fetch_rest(sets, ahead.u, to)
