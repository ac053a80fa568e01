"""One stack: what tells nodes apart, and the arcs of each."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.records import END, NEXT, NODE_BEFORE, OPTION, START
from campanula.stages.kernels.search.records import (
    ARCS,
    COLUMNS_OF_CUBES,
    CUBE_GAP,
    CUBE_LENGTH,
    CUBE_MASK,
    CUBE_START,
    LAST_START,
    STATES,
    TARGETS,
    Cubes,
    Hypotheses,
    Nodes,
)
from campanula.stages.kernels.search.room import room_for_drawn, room_for_stack
from campanula.stages.kernels.search.stacks import add_arc, empty_stack, node_of, target_of


def grid(gap, mask, start, length):
    """A grid that leads to a coverage by the words from `start` on."""
    info = np.zeros((1, COLUMNS_OF_CUBES), np.int64)
    info[0, [CUBE_GAP, CUBE_MASK, CUBE_START, CUBE_LENGTH]] = gap, mask, start, length
    return Cubes(info, np.zeros((1, 2)))


def new_stack():
    """An empty stack with room for 8 nodes."""
    stack = room_for_stack(8, True, True)
    for slots in (stack.target_slots, stack.state_slots, stack.history_slots, stack.lm_slots):
        slots[:] = 3
    empty_stack(stack, 1)
    return stack


def test_grids_that_lead_to_the_same_coverage_and_end_share_a_group():
    stack = new_stack()
    first = target_of(0, False, False, grid(2, 0b10, 3, 1), stack)
    assert target_of(0, False, False, grid(2, 0b10, 3, 1), stack) == first
    assert target_of(0, False, False, grid(2, 0b10, 1, 1), stack) != first  # another end
    assert target_of(0, False, False, grid(2, 0b100, 3, 1), stack) != first
    assert stack.size[TARGETS] == 3


def test_the_start_matters_where_a_swap_can_follow():
    stack = new_stack()
    one = target_of(0, False, True, grid(2, 0b110, 3, 2), stack)
    two = target_of(0, False, True, grid(2, 0b110, 4, 1), stack)
    # word 2 is free, so that a swap may follow the one; word 3 is covered before the other
    assert one != two
    assert stack.targets[[one, two], LAST_START].tolist() == [3, -1]
    assert target_of(0, False, False, grid(2, 0b110, 3, 2), stack) == two


def test_whole_translations_are_one_group():
    stack = new_stack()
    ends = {target_of(0, True, True, grid(5, 0, start, 5 - start), stack) for start in range(5)}
    assert ends == {0}


def test_arcs_of_a_node_are_a_list_and_the_best_is_remembered():
    stack = new_stack()
    state, arc, history = (np.zeros(1, np.int32) for _ in range(3))
    hypotheses = Hypotheses(
        np.array([1, 1, 0, 1, 1]),
        Nodes(np.zeros(1), state, arc, history, np.zeros((1, 3))),
        np.zeros((1, 6), np.int64),
        np.zeros(4, np.int64),
        np.zeros((9, 5), np.int32),
        np.zeros((9, 2)),
        np.zeros((1, 4), np.int64),
        np.zeros((1, 1), np.int32),
    )
    cubes = grid(2, 0, 1, 1)
    drawn = room_for_drawn(3, 1)
    for x, (option, score) in enumerate([(7, -3.0), (8, -1.0), (9, -2.0)]):
        drawn.grid[x], drawn.node[x], drawn.option[x] = 0, 0, option
        new = node_of(0, 5, 6, 0, stack)
        add_arc(new, x, score, score - 10, drawn, cubes, hypotheses, stack)
    assert stack.size[STATES] == 1
    assert hypotheses.size[ARCS] == 3
    assert stack.score[0].tolist() == [-1.0, -11.0]
    assert stack.newest[0].tolist() == [8, 2]
    columns = [NODE_BEFORE, OPTION, START, END, NEXT]
    assert hypotheses.link[:3, columns].tolist() == [[0, o, 1, 2, o - 8] for o in (7, 8, 9)]
    assert node_of(0, 5, 7, 0, stack) == 1
