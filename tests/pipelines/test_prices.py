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
    with Prices(path, print) as prices:
        assert one not in prices
        prices.add({one: "0.5"})
        assert prices[one] == "0.5"
    with Prices(path, print) as prices:
        prices.add({two: "1 2 3"})
    with Prices(path, print) as prices:
        assert (prices[one], prices[two]) == ("0.5", "1 2 3")


@pytest.mark.parametrize("cut", range(1, 57))
def test_what_a_killed_run_leaves_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "prices"
    one, two = pair_of(0, "a"), pair_of(0, "b")
    with Prices(os.fspath(path), print) as prices:
        prices.add({one: "0.25"})
        prices.add({two: "0.75"})
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut] if cut < 56 else whole[:56] + b"\0\0\0\0")
    with Prices(os.fspath(path), print) as prices:
        assert prices[one] == "0.25"
        assert two not in prices
        prices.add({two: "0.75"})
    assert path.read_bytes() == whole


def test_a_changed_digit_is_asked_for_again_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "prices"
    pairs = [pair_of(0, text) for text in "abc"]
    with Prices(os.fspath(path), print) as prices:
        prices.add(dict(zip(pairs, ("0.25", "0.5", "0.75"), strict=True)))
    before = path.read_bytes()
    path.write_bytes(before.replace(b"0.5\t", b"0.6\t"))
    words: list[str] = []
    with Prices(os.fspath(path), words.append) as prices:
        assert [pair in prices for pair in pairs] == [True, False, True]
        assert prices[pairs[2]] == "0.75"
    assert words == [f"{path}: 1 prices are damaged, and asked for again"]
    with Prices(os.fspath(path), words.append) as prices:
        assert (pairs[0] in prices, pairs[1] in prices) == (True, False)
        prices.add({pairs[1]: "0.5"})
    first, second, third = before.splitlines(keepends=True)
    # good lines stay where they are: nothing that is kept is written a second time
    assert path.read_bytes() == first + b" " * (len(second) - 1) + b"\n" + third + second
    assert len(words) == 1


def test_another_task_waits(tmp_path: Path) -> None:
    path = os.fspath(tmp_path / "prices")
    order: list[str] = []

    def second() -> None:
        with Prices(path, print) as prices:
            order.append(prices[pair_of(0, "a")])

    with Prices(path, print) as prices:
        other = threading.Thread(target=second)
        other.start()
        other.join(0.2)
        assert other.is_alive()
        order.append("first")
        prices.add({pair_of(0, "a"): "1"})
    other.join(10)
    assert order == ["first", "1"]
