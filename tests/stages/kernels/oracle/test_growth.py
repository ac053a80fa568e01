"""The growing graph of the oracle search: a dictionary of states beside its table of them."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.oracle.growth import (
    add_arcs,
    node_of,
    release,
    seed,
    with_arc_room,
    with_node_room,
)
from campanula.stages.kernels.oracle.records import (
    N_NODES,
    Limits,
    NGrams,
    OptionClasses,
    OracleTask,
    Tails,
)
from campanula.stages.kernels.oracle.stacks import empty_stacks
from campanula.stages.kernels.oracle.tail_cache import empty_cache
from campanula.stages.kernels.records import NEXT, NODE_BEFORE


def task_of(member_start: Ints, member: Ids, n_best: int) -> OracleTask:
    """A task with the members of classes, and nothing else."""
    ids, ints, rows = np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros((0, 0), np.int32)
    classes = OptionClasses(rows, rows, ints, ids, member_start, member)
    ngrams = NGrams(ids, ids, ids, ids, ids, ids, ids, ints)
    tails = Tails(rows.astype(np.int64), ids, ids, ids, rows)
    limits = Limits(swap=True, beam=1, n_best=n_best)
    return OracleTask(classes, ngrams, tails, np.zeros(0), limits, empty_cache(0, 0))


@pytest.mark.parametrize("n_words", [0, 3])
def test_a_state_is_one_node_however_often_it_is_met(n_words: int) -> None:
    rng, growth = np.random.default_rng(n_words), seed(n_words)
    known = {(0,) * (6 + n_words): 0}
    for _ in range(6000):
        growth = with_node_room(growth, 1)
        place = rng.integers(4, size=6).astype(np.int32)
        used = rng.integers(2, size=n_words) << 40
        state = (*place.tolist(), *used.tolist())
        node = node_of(growth, place, used, 0.5)
        assert node == known.setdefault(state, len(known))
        assert growth.size[N_NODES] == len(known)
    nodes = growth.nodes
    for state, node in known.items():
        assert (*nodes.place[node].tolist(), *nodes.used[nodes.row[node]].tolist()) == state


def test_sets_of_a_stack_that_is_done_are_those_of_later_nodes() -> None:
    growth, stacks = seed(2), empty_stacks(3000)
    for place in range(1, 3000):
        growth = with_node_room(growth, 2)
        for used in ([place, 1], [place, 2]):
            key = np.full(6, place, np.int32)
            node = node_of(growth, key, np.array(used), 0.5)
            assert growth.nodes.used[growth.nodes.row[node]].tolist() == used
            growth.nodes.following[node] = stacks.head[place]
            stacks.head[place] = node
            assert node_of(growth, key, np.array(used), 0.5) == node
        release(growth, stacks, place)
    assert len(growth.nodes.used) == 64
    assert growth.size[N_NODES] == 5999


def test_a_new_node_has_no_arcs_and_belongs_to_no_stack() -> None:
    growth = seed(1)
    node = node_of(growth, np.ones(6, np.int32), np.ones(1, np.int64), 0.25)
    nodes = growth.nodes
    assert (nodes.estimate[node], nodes.arc[node], nodes.following[node]) == (0.25, -1, -1)


def test_arcs_are_linked_newest_first_and_keep_their_places_as_the_graph_grows() -> None:
    growth, newest = seed(0), -1
    task = task_of(np.array([0, 2, 5]), np.arange(10, 15, dtype=np.int32), n_best=2)
    step = np.array([1, 2, 3, 0, 0, 0])
    for k in range(3000):
        growth = with_arc_room(growth, 2)
        newest = add_arcs(growth, k, step, task, 1, k / 10, newest)
    link, found = growth.arcs.link, []
    while newest >= 0:
        assert growth.arcs.value[newest] == link[newest, NODE_BEFORE] / 10
        found.append(link[newest, :4].tolist())
        newest = link[newest, NEXT]
    assert found[::-1] == [[k, option, 1, 3] for k in range(3000) for option in (12, 13)]
    assert growth.size.tolist() == [1, 6000, 1, 0]
