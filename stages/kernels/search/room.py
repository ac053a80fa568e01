"""Arrays that the search works in; they are reused from stack to stack, and grow if they must."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import free_slots
from campanula.stages.kernels.records import Sentence
from campanula.stages.kernels.search.records import (
    COLUMNS_OF_CUBES,
    Candidates,
    Cubes,
    Drawn,
    Stack,
    Work,
)
from campanula.stages.kernels.search.steps import no_steps

TOGETHER = 128  # candidates drawn before the language models are asked about all of them
FIRST_CUBES = 512  # grids that the first arrays hold


@njit(cache=True, nogil=True)
def room_for_cubes(n: int) -> Cubes:
    """Return room for n grids."""
    return Cubes(np.empty((n, COLUMNS_OF_CUBES), np.int64), np.empty((n, 2)))


@njit(cache=True, nogil=True)
def room_for_heap(n: int) -> Candidates:
    """Return room for n candidates in the heap, and for the -inf behind the last."""
    return Candidates(np.empty(n + 1), np.empty(n + 1, np.int64), np.zeros(1, np.int64))


@njit(cache=True, nogil=True)
def room_for_drawn(n: int, n_lms: int) -> Drawn:
    """Return room for n candidates that are drawn together."""
    ints = np.empty((3, n), np.int64)
    return Drawn(
        np.empty(n),
        ints[0],
        ints[1],
        ints[2],
        np.empty((n_lms, n)),
        np.empty((n_lms, n), np.int64),
        np.empty(n),
    )


@njit(cache=True, nogil=True)
def room_for_stack(most: int, seamed: bool, several: bool) -> Stack:
    """Return room for `most` nodes; seamed: with histories; several: with several models' states.

    Each candidate may be a node, a group, a history and a row of states of its own.
    """
    return Stack(
        np.zeros(3, np.int64),
        np.empty((most, 4), np.int64),
        np.empty((most, 4), np.int64),
        np.empty((most, 2)),
        np.empty((most, 2), np.int32),
        free_slots(most),
        free_slots(most),
        free_slots(most if seamed else 0),
        free_slots(most if several else 0),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most),
    )


@njit(cache=True, nogil=True)
def room_to_work(sentence: Sentence) -> Work:
    """Return the arrays for a sentence, without room for candidates: their number is not known."""
    n_lms = len(sentence.lm.begin)
    return Work(
        room_for_cubes(FIRST_CUBES),
        room_for_heap(0),
        room_for_drawn(TOGETHER, n_lms),
        no_steps(TOGETHER),
        room_for_stack(0, False, False),
    )


@njit(cache=True, nogil=True)
def with_more_cubes(work: Work) -> Work:
    """Return the arrays with room for twice as many grids; the grids in them are dropped."""
    # not grown: the caller makes all grids again, so none need be copied
    _, heap, drawn, steps, stack = work
    return Work(room_for_cubes(2 * len(work.cubes.info)), heap, drawn, steps, stack)


@njit(cache=True, nogil=True)
def with_room_for(most: int, n_cubes: int, sentence: Sentence, work: Work) -> Work:
    """Return the arrays with room for a stack of `most` candidates of n_cubes grids."""
    cubes, heap, drawn, steps, stack = work
    # each candidate drawn adds one cell at most to the first ones; <= leaves room for the -inf
    if len(heap.value) <= most + n_cubes:
        heap = room_for_heap(2 * (most + n_cubes))
    if len(stack.key) < most:
        seamed = sentence.seams.active != 0
        several = len(sentence.lm.begin) > 1
        stack = room_for_stack(most, seamed, several)
    return Work(cubes, heap, drawn, steps, stack)
