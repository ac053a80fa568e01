"""Weights streams: what is written is mapped as it was; whatever is damaged is refused."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.weight_stream import (
    ALIGNMENT,
    MAX_WEIGHTS,
    is_weight_stream,
    read_weight_stream,
    write_weight_stream,
)

DIGEST = "0123456789abcdef" * 2


def written(path: Path, theta: Floats, signature: str = "how") -> bytes:
    reference = InventoryReference(len(theta), DIGEST)
    write_weight_stream(str(path), reference, theta, signature)
    return path.read_bytes()


@pytest.mark.parametrize("n", [0, 1, 17, (1 << 20) + 1])
def test_round_trip(tmp_path: Path, n: int) -> None:
    theta = np.random.default_rng(n).normal(size=n)
    for signature in ("", "x" * 77, "long" * 10_000):
        data = written(tmp_path / "w", theta, signature)
        found = read_weight_stream(str(tmp_path / "w"))
        assert np.array_equal(found.theta, theta)
        assert (found.reference.names, found.reference.digest) == (n, DIGEST)
        assert found.signature == signature
        assert n == 0 or data.index(theta.tobytes()) % ALIGNMENT == 0
    assert is_weight_stream(str(tmp_path / "w"))


def test_the_weights_of_a_prefix_are_0_beyond_it(tmp_path: Path) -> None:
    written(tmp_path / "w", np.ones(3))
    found = read_weight_stream(str(tmp_path / "w"))
    assert found.vector(3) is found.theta
    assert found.vector(5).tolist() == [1, 1, 1, 0, 0]


def test_every_proper_prefix_and_more_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "w"
    data = written(path, np.arange(3.0))
    for damaged in [*(data[:size] for size in range(len(data))), data + b"\x00"]:
        path.write_bytes(damaged)
        with pytest.raises(DataError):
            read_weight_stream(str(path))


@pytest.mark.parametrize("flip", [0x01, 0x80, 0xFF])
def test_every_flipped_byte_is_an_error(tmp_path: Path, flip: int) -> None:
    path = tmp_path / "w"
    data = written(path, np.arange(3.0))
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= flip
        path.write_bytes(damaged)
        with pytest.raises(DataError):
            read_weight_stream(str(path))


def test_compressed_and_from_stdin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theta = np.arange(1000.0)
    data = written(tmp_path / "w", theta)
    (tmp_path / "w.gz").write_bytes(gzip.compress(data))
    assert is_weight_stream(str(tmp_path / "w.gz"))
    assert np.array_equal(read_weight_stream(str(tmp_path / "w.gz")).theta, theta)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    assert is_weight_stream("-")
    assert np.array_equal(read_weight_stream("-").theta, theta)


def test_from_a_file_that_is_stdin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theta = np.arange(1000.0)
    written(tmp_path / "w", theta)
    with open(tmp_path / "w") as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert is_weight_stream("-")
        assert np.array_equal(read_weight_stream("-").theta, theta)


def test_text_is_none(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("LM0 1.0\n")
    assert not is_weight_stream(str(tmp_path / "w"))
    with pytest.raises(DataError, match="expected a weights stream"):
        read_weight_stream(str(tmp_path / "w"))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_weights_are_finite(tmp_path: Path, bad: float) -> None:
    with pytest.raises(DataError, match="w: feature #1: expected a finite weight, found"):
        written(tmp_path / "w", np.array([0.0, bad]))
    assert list(tmp_path.iterdir()) == []


def test_more_than_a_stream_holds(tmp_path: Path) -> None:
    theta = np.broadcast_to(0.0, MAX_WEIGHTS + 1)
    with pytest.raises(DataError, match="expected at most 536870911 weights"):
        written(tmp_path / "w", theta)
    with pytest.raises(ValueError, match="3 weights for an inventory of 4 names"):
        write_weight_stream(None, InventoryReference(4, DIGEST), np.zeros(3), "")


def test_the_digest_is_of_inventory_and_values(tmp_path: Path) -> None:
    written(tmp_path / "w", np.arange(3.0), "one")
    one = read_weight_stream(str(tmp_path / "w"))
    written(tmp_path / "w2", np.arange(3.0), "two")
    two = read_weight_stream(str(tmp_path / "w2"))
    assert one.digest() == two.digest()
    assert one.checksum != two.checksum
