"""Steps of derivations, each a block at its place in a derivation, and the features that fire."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import LENGTH, PLACE
from campanula.stages.kernels.sparse.weights import marks_key, target_key
from campanula.stages.kernels.wide import wide

FIRED_KIND, STEP, A, B, C = range(5)  # columns of FiredRows.row


class DerivationSteps(NamedTuple):
    """Steps of the derivations of one sentence, in order.

    hyp, option, start, end (m,): hypothesis, option, first source word and word after the last;
    info and word are those of the options (records.Options, OptionStore); source (n,) are
    fingerprints of the sentence's words, mark (n_words,) those of target words by number.
    """

    hyp: Ints
    option: Ints
    start: Ints
    end: Ints
    info: Ids
    word: Ids
    source: Ints
    mark: Ints


class FiredRows(NamedTuple):
    """Features that fire, the first size[0] of key (n,) and row (n, 5).

    A row has the kind, the step, and up to three numbers more: that of an orientation, a jump or a
    length, or those of words, source words by their place in the block, target words by number.
    """

    key: Ints
    row: Ids
    size: Ints  # an array of one, because a kernel cannot change a number of a tuple


@njit(cache=True, nogil=True)
def no_fired(most: int) -> FiredRows:
    """Return arrays for at most `most` features, none of which has fired."""
    key = np.empty(most, np.int64)
    row = np.empty((most, C + 1), np.int32)
    return FiredRows(key, row, np.zeros(1, np.int64))


@njit(**LEAN)
def put(fired: FiredRows, key: int, kind: int, step: int, a: int, b: int, c: int) -> None:
    """Append a feature: its key, and its row of kind, step, a, b and c."""
    # the caller has counted features (n_local, n_features), so that the arrays are long enough
    n = fired.size[0]
    fired.key[n] = key
    fired.row[n, FIRED_KIND] = kind
    fired.row[n, STEP] = step
    fired.row[n, A] = a
    fired.row[n, B] = b
    fired.row[n, C] = c
    fired.size[0] = n + 1


@njit(**LEAN)
def words_of(step: int, steps: DerivationSteps) -> tuple[int, int]:
    """Places in steps.word where the target words of a step begin and end."""
    option = steps.option[step]
    begin = wide(steps.info[option, PLACE])
    return begin, begin + wide(steps.info[option, LENGTH])


@njit(**LEAN)
def is_first(step: int, steps: DerivationSteps) -> bool:
    """Whether a step is the first of its derivation."""
    return bool(step == 0 or steps.hyp[step] != steps.hyp[step - 1])


@njit(**LEAN)
def place_before(step: int, steps: DerivationSteps) -> tuple[int, int]:
    """Source words of the step before, the first and the one after the last; -1 and 0 for none."""
    if is_first(step, steps):
        return -1, 0
    return steps.start[step - 1], steps.end[step - 1]


@njit(**LEAN)
def source_phrase(step: int, steps: DerivationSteps) -> int:
    """Key of a step's source phrase."""
    return int(marks_key(steps.source, steps.start[step], steps.end[step]))


@njit(**LEAN)
def target_phrase(step: int, steps: DerivationSteps) -> int:
    """Key of a step's target phrase."""
    begin, end = words_of(step, steps)
    return int(target_key(steps.word, begin, end, steps.mark))
