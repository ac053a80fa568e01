import numpy as np

from campanula.stages.tuning.relevant import orders
from campanula.stages.tuning.relevant.orders import SentenceOrders


def test_an_order_in_memory_is_a_permutation_an_epoch_by_one_generator():
    order, rng = SentenceOrders(10, True, 3), np.random.default_rng(3)
    for _ in range(3):
        (found,) = order.epoch()
        assert found.tolist() == rng.permutation(10).tolist()
    assert order.kind == "random"


def test_beyond_memory_blocks_are_permuted_and_each_within(monkeypatch):
    monkeypatch.setattr(orders, "BLOCK", 4)
    order, rng = SentenceOrders(10, True, 3, in_blocks=True), np.random.default_rng(3)
    for _ in range(2):
        found = [part.tolist() for part in order.epoch()]
        expected = [
            (4 * b + rng.permutation(min(4, 10 - 4 * b))).tolist()
            for b in rng.permutation(3).tolist()
        ]
        assert found == expected
        assert sorted(i for part in found for i in part) == list(range(10))
    assert order.kind == "blocks"


def test_without_shuffling_it_is_that_of_the_corpus():
    order = SentenceOrders(3, False, 3, in_blocks=True)
    assert [part.tolist() for part in order.epoch()] == [[0, 1, 2]]
    assert order.kind == "corpus"
