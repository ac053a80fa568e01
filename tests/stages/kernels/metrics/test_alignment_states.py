"""States of the search for alignments: the cheapest of equals, and of too many."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.metrics import alignment_states as states
from campanula.stages.kernels.metrics.alignment_states import (
    N_COSTS,
    SIZE,
    WAS_CUT,
    GrowingState,
    Layer,
)

N_REF = 5


def add(layer: Layer, step: GrowingState, taken: list[int], cost: list[int], last: int) -> None:
    step.taken[:] = taken
    step.cost[:] = cost
    states.add(layer, step, N_REF, last)


def content(layer: Layer) -> list[tuple[list[int], list[int], int]]:
    size = layer.size[SIZE]
    rows = zip(layer.taken[:size], layer.cost[:size], layer.last[:size], strict=True)
    return [(taken.tolist(), cost.tolist(), int(last)) for taken, cost, last in rows]


def test_of_equal_states_the_cheapest_is_kept() -> None:
    rng = np.random.default_rng(1)
    layer, step = states.new_layer(8, N_REF), states.new_step(N_REF)
    for _ in range(20):
        states.clear(layer)
        cheapest: dict[tuple[tuple[int, ...], int], list[int]] = {}
        for _ in range(60):
            taken = [int(each) for each in rng.integers(0, 2, N_REF) * [1, 1, 0, 0, 1]]
            cost, last = rng.integers(0, 3, N_COSTS).tolist(), int(rng.integers(-2, 0))
            add(layer, step, taken, cost, last)
            key = tuple(taken), last
            cheapest[key] = min(cost, cheapest.get(key, cost))
        expected = [(list(taken), cost, last) for (taken, last), cost in cheapest.items()]
        assert content(layer) == expected
        assert not layer.size[WAS_CUT]


def test_what_costs_more_than_the_bound_is_not_added() -> None:
    layer, step = states.new_layer(8, N_REF), states.new_step(N_REF)
    step.bound[:] = [1, 2, 0, 0, 0]
    step.bounded[0] = 2
    costs = [[1, 2, 9, 9, 9], [0, 9, 9, 9, 9], [1, 3, 0, 0, 0], [2, 0, 0, 0, 0]]
    for number, cost in enumerate(costs):
        add(layer, step, [number, 0, 0, 0, 0], cost, -2)
    assert [cost for _, cost, _ in content(layer)] == costs[:2]


def test_a_cut_keeps_the_cheapest_and_the_first_of_equals() -> None:
    rng = np.random.default_rng(2)
    for width in (1, 3, 8):
        layer, step = states.new_layer(width, N_REF), states.new_step(N_REF)
        rows = []
        for number in range(4 * width):
            taken = [number % 4, number // 4 % 4, number // 16, 0, 0]
            cost = rng.integers(0, 2, N_COSTS).tolist()
            rows.append((taken, cost, number % 3))
            add(layer, step, *rows[-1])
        places = sorted(range(len(rows)), key=lambda place: rows[place][1])[:width]
        states.cut(layer, N_REF)
        assert content(layer) == [rows[place] for place in sorted(places)]
        assert layer.size[WAS_CUT]
        for taken, _, last in content(layer):  # and they are found again
            add(layer, step, taken, [0] * N_COSTS, last)
        assert content(layer) == [(taken, [0] * N_COSTS, last) for taken, _, last in content(layer)]
        assert layer.size[SIZE] == width


def test_a_layer_that_is_not_too_wide_is_not_cut() -> None:
    layer, step = states.new_layer(4, N_REF), states.new_step(N_REF)
    add(layer, step, [1, 0, 0, 0, 0], [1] * N_COSTS, 3)
    before = content(layer)
    states.cut(layer, N_REF)
    assert content(layer) == before
    assert not layer.size[WAS_CUT]
