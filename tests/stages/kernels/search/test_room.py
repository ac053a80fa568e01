"""Room to work grows where it must, and stays where it need not."""

from __future__ import annotations

from campanula.stages.kernels.search.room import (
    FIRST_CUBES,
    room_to_work,
    with_more_cubes,
    with_room_for,
)
from tests.stages.kernels.search.sentences import sentence_of


def test_room_for_a_stack_is_made_once():
    sentence = sentence_of(3)
    work = with_room_for(100, 7, sentence, room_to_work(sentence))
    assert len(work.stack.key) >= 100
    assert len(work.heap.value) > 107
    again = with_room_for(90, 10, sentence, work)
    assert again.stack.key.ctypes.data == work.stack.key.ctypes.data
    assert again.heap.value.ctypes.data == work.heap.value.ctypes.data


def test_more_grids_leave_the_rest_as_it_is():
    work = room_to_work(sentence_of(3))
    larger = with_more_cubes(work)
    assert len(larger.cubes.info) == len(larger.cubes.value) == 2 * FIRST_CUBES
    assert larger.drawn.grid.ctypes.data == work.drawn.grid.ctypes.data
