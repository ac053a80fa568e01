"""Prices are kept, by one task at a time, and what is not whole is asked for again."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from campanula.pipelines.prices import Prices, pair_of


def test_prices_are_kept(tmp_path: Path) -> None:
    path = os.fspath(tmp_path / "prices")
    one, two = pair_of(0, "a b"), pair_of(1, "a b")
    assert one != two
    with Prices(path) as prices:
        assert one not in prices
        prices.add({one: "0.5"})
        assert prices[one] == "0.5"
    with Prices(path) as prices:
        prices.add({two: "1 2 3"})
    with Prices(path) as prices:
        assert (prices[one], prices[two]) == ("0.5", "1 2 3")


@pytest.mark.parametrize("cut", range(1, 40))
def test_what_a_killed_run_leaves_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "prices"
    one, two = pair_of(0, "a"), pair_of(0, "b")
    with Prices(os.fspath(path)) as prices:
        prices.add({one: "0.25"})
        prices.add({two: "0.75"})
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut] if cut < 39 else whole[:38] + b"\0\0\0\0")
    with Prices(os.fspath(path)) as prices:
        assert prices[one] == "0.25"
        assert two not in prices
        prices.add({two: "0.75"})
    assert path.read_bytes() == whole


def test_another_task_waits(tmp_path: Path) -> None:
    path = os.fspath(tmp_path / "prices")
    order: list[str] = []

    def second() -> None:
        with Prices(path) as prices:
            order.append(prices[pair_of(0, "a")])

    with Prices(path) as prices:
        other = threading.Thread(target=second)
        other.start()
        other.join(0.2)
        assert other.is_alive()
        order.append("first")
        prices.add({pair_of(0, "a"): "1"})
    other.join(10)
    assert order == ["first", "1"]
