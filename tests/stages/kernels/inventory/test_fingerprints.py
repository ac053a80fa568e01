"""Fingerprints are those of the slow way, byte by byte, wherever a name stands in a text."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.records.texts import Texts
from campanula.stages.inventories.lookup import as_bytes, mask_of
from campanula.stages.kernels.inventory.fingerprints import fingerprints
from tests.naive import fingerprints as naive


def of(names, bits=64):
    texts = Texts.of(names)
    out = np.empty(len(names), np.uint64)
    with np.errstate(over="ignore"):
        fingerprints(as_bytes(texts.blob), texts.pointer, mask_of(bits), out)
    return out.tolist()


@given(st.lists(st.text(max_size=40), max_size=8))
def test_equal_to_the_twin(names):
    assert of(names) == [naive.fingerprint(name) for name in names]
    assert of(names, 5) == [naive.fingerprint(name) & 31 for name in names]


def test_they_differ():
    names = [f"{a}{'x' * n}{b}" for a in "abcdefgh" for n in range(20) for b in "12345678"]
    assert len(set(of(names))) == len(names)
    low = np.bincount(np.array(of(names), np.uint64).astype(np.int64) & 63, minlength=64)
    assert low.max() < 3 * len(names) / 64
