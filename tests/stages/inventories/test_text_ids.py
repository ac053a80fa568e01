"""Texts get the numbers of a dictionary, however often the hash table grows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ints
from campanula.stages.inventories.text_ids import TextIds
from campanula.stages.kernels.inventory.names_table import Store, slots_for


def texts_of(numbers: Iterable[int]) -> tuple[Bytes, Ints]:
    """Texts of numbers, as one array of bytes and pointers."""
    texts = [str(number).encode() for number in numbers]
    text = np.frombuffer(bytearray(b"".join(texts)), np.uint8)
    return text, pointer_of([len(text) for text in texts])


@pytest.mark.parametrize("bits", [64, 3])
def test_numbers_are_those_of_a_dictionary(bits: int) -> None:
    rng = np.random.default_rng(bits)
    store = Store(np.zeros(4000, np.uint8), np.zeros(200, np.int64), np.zeros(200, np.uint64))
    asked: list[tuple[int, int]] = []

    def reserve(more: int, n_bytes: int) -> Store:
        asked.append((more, n_bytes))
        return store

    ids = TextIds(bits=bits)
    numbers: dict[int, int] = {}
    for _ in range(4):
        batch = rng.integers(100, 200, 40).tolist()
        expected = [numbers.setdefault(number, len(numbers)) for number in batch]
        assert ids.add(*texts_of(batch), reserve).tolist() == expected
        assert len(ids) == len(numbers)
    assert len(ids.table) == slots_for(len(numbers))
    assert asked[0] == (40, 4 * 40)
    assert store.text[: 4 * len(numbers)].tobytes() == b"".join(b"%d\n" % n for n in numbers)


def test_texts_of_before_keep_their_numbers() -> None:
    store = Store(np.zeros(999, np.uint8), np.zeros(99, np.int64), np.zeros(99, np.uint64))
    before = TextIds()
    before.add(*texts_of(range(10)), lambda *more: store)
    ids = TextIds(len(before), before.table)
    assert ids.add(*texts_of([7, 50, 3]), lambda *more: store).tolist() == [7, 10, 3]
