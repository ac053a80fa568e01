import numpy as np

from campanula.stages.tuning.solvers.orders import orders


def test_lists_come_as_they_stand():
    assert [order.tolist() for order in orders(3, 2, shuffle=False, seed=1)] == [[0, 1, 2]] * 2


def test_shuffled_lists_come_in_another_order_each_time_and_in_the_same_ones_for_a_seed():
    first, again = (list(orders(20, 3, shuffle=True, seed=4)) for _ in range(2))
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))
    assert not np.array_equal(first[0], first[1])
    assert all(sorted(order.tolist()) == list(range(20)) for order in first)
