"""The heap of the arcs into a node."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.stages.kernels.graph.waiting import drop, nothing_waits, put, sink


def filled(head):
    waiting = nothing_waits(len(head))
    waiting.head[:] = head
    for arc in np.random.default_rng(len(head)).permutation(len(head)):
        put(waiting, arc)
    return waiting


@given(st.lists(st.integers(-2, 2), min_size=1, max_size=20))
def test_the_heap_gives_the_best_arc_first_and_of_equals_the_first(head):
    waiting, taken = filled(head), []
    while waiting.size[0] > 0:
        taken.append(int(waiting.heap[0]))
        drop(waiting)
    assert taken == sorted(range(len(head)), key=lambda arc: (-head[arc], arc))


@given(st.lists(st.integers(-2, 2), min_size=2, max_size=20))
def test_an_arc_whose_head_is_lower_sinks(head):
    waiting = filled(head)
    first = int(waiting.heap[0])
    head[first] = -3
    waiting.head[first] = -3.0
    sink(waiting)
    assert waiting.heap[0] == min(range(len(head)), key=lambda arc: (-head[arc], arc))
    assert sorted(waiting.heap.tolist()) == list(range(len(head)))
