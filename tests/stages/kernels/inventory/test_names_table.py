"""The table finds what was added and nothing else, whatever its fingerprints and its damage."""

import numpy as np
import pytest

from campanula.formats.records.texts import Texts
from campanula.stages.inventories.lookup import as_bytes, mask_of
from campanula.stages.kernels.inventory.names_table import (
    Store,
    add_all,
    fill,
    find_all,
    slots_for,
)

NAMES = [f"f{k * k}" for k in range(40)]
TEXTS = Texts.of(NAMES)
TEXT = as_bytes(TEXTS.blob)


def empty_store(n=100):
    return Store(np.zeros(40 * n, np.uint8), np.zeros(n, np.int64), np.zeros(n, np.uint64))


@pytest.mark.parametrize("bits", [64, 3, 1])
def test_added_then_found(bits):
    store, table = empty_store(), np.zeros(slots_for(100), np.uint32)
    out = np.full(40, -1, np.int32)
    with np.errstate(over="ignore"):
        assert add_all(table, store, 0, mask_of(bits), TEXT, TEXTS.pointer, out) == (40, 40)
        assert out.tolist() == list(range(40))
        assert add_all(table, store, 40, mask_of(bits), TEXT, TEXTS.pointer, out) == (40, 40)
        whole = Store(store.text, store.end[:40], store.fingerprint[:40])
        find_all(table, whole, mask_of(bits), TEXT, TEXTS.pointer, out)
        assert out.tolist() == list(range(40))
        prefix = Store(store.text, store.end[:7], store.fingerprint[:7])
        find_all(table, prefix, mask_of(bits), TEXT, TEXTS.pointer, out)
        assert out.tolist() == [*range(7), *[-1] * 33]
    assert store.text.tobytes().startswith("".join(f"{name}\n" for name in NAMES).encode())
    again = np.zeros(len(table), np.uint32)
    fill(again, store.fingerprint[:40])
    assert np.array_equal(again, table)


def test_a_full_table_takes_no_more():
    table, out = np.zeros(16, np.uint32), np.full(40, -1, np.int32)
    with np.errstate(over="ignore"):
        done = add_all(table, empty_store(), 0, mask_of(64), TEXT, TEXTS.pointer, out)
    assert done == (7, 7)
    assert out.tolist() == [*range(7), *[-1] * 33]


def test_slots():
    assert [slots_for(n) for n in (0, 7, 8, 21, 22, 45_000_000)] == [16, 16, 32, 32, 64, 1 << 26]


@pytest.mark.parametrize("entry", [0xFFFFFFFF, 1, 40])
def test_a_damaged_table_ends_the_search(entry):
    """No free slot, numbers of no name, ends outside the text: not found, or found."""
    store = empty_store()
    for ends in (-(1 << 62), 1 << 62, 5):
        store.end[:] = ends
        out = np.full(40, -1, np.int32)
        with np.errstate(over="ignore"):
            table = np.full(16, entry, np.uint32)
            find_all(table, store, mask_of(64), TEXT, TEXTS.pointer, out)
        assert out.tolist() == [-1] * 40
