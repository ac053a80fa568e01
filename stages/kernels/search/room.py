"""Room for what the search works with; it stays from stack to stack, and grows where it must."""

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

TOGETHER = 128  # candidates that are drawn before the language models are asked about them
FIRST_CUBES = 512  # grids for which there is room at first


@njit(cache=True, nogil=True)
def room_for_cubes(n: int) -> Cubes:
    """Room for n grids."""
    return Cubes(np.empty((n, COLUMNS_OF_CUBES), np.int64), np.empty((n, 2)))


@njit(cache=True, nogil=True)
def room_for_heap(n: int) -> Candidates:
    """Room for n candidates in the heap, and for what ends it."""
    return Candidates(np.empty(n + 1), np.empty(n + 1, np.int64), np.zeros(1, np.int64))


@njit(cache=True, nogil=True)
def room_for_drawn(n: int, n_lms: int) -> Drawn:
    """Room for n candidates that are drawn together."""
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
    """Room for `most` nodes; `seamed`: with histories; `several`: with states of several models."""
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
    """Room to work on a sentence, none yet for candidates."""
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
    """The same with room for twice as many grids; what these were is lost."""
    _, heap, drawn, steps, stack = work
    return Work(room_for_cubes(2 * len(work.cubes.info)), heap, drawn, steps, stack)


@njit(cache=True, nogil=True)
def with_room_for(most: int, n_cubes: int, sentence: Sentence, work: Work) -> Work:
    """The same with room for a stack of `most` candidates of so many grids; it is not filled."""
    cubes, heap, drawn, steps, stack = work
    if len(heap.value) <= most + n_cubes:
        heap = room_for_heap(2 * (most + n_cubes))
    if len(stack.key) < most:
        seamed, several = sentence.seams.active != 0, len(sentence.lm.begin) > 1
        stack = room_for_stack(most, seamed, several)
    return Work(cubes, heap, drawn, steps, stack)
