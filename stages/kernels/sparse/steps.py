"""Steps of derivations: a block at its place in one, and what stands before it."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import LENGTH, PLACE
from campanula.stages.kernels.sparse.weights import marks_key, target_key
from campanula.stages.kernels.wide import wide


class Steps(NamedTuple):
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


@njit(**LEAN)
def words_of(step: int, steps: Steps) -> tuple[int, int]:
    """Where the target words of a step begin and end."""
    option = steps.option[step]
    begin = wide(steps.info[option, PLACE])
    return begin, begin + wide(steps.info[option, LENGTH])


@njit(**LEAN)
def is_first(step: int, steps: Steps) -> bool:
    """Whether a step is the first of its derivation."""
    return bool(step == 0 or steps.hyp[step] != steps.hyp[step - 1])


@njit(**LEAN)
def place_before(step: int, steps: Steps) -> tuple[int, int]:
    """Source words of the step before, the first and the one after the last; -1 and 0 for none."""
    if is_first(step, steps):
        return -1, 0
    return steps.start[step - 1], steps.end[step - 1]


@njit(**LEAN)
def source_phrase(step: int, steps: Steps) -> int:
    """Key of a step's source phrase."""
    return int(marks_key(steps.source, steps.start[step], steps.end[step]))


@njit(**LEAN)
def target_phrase(step: int, steps: Steps) -> int:
    """Key of a step's target phrase."""
    begin, end = words_of(step, steps)
    return int(target_key(steps.word, begin, end, steps.mark))
