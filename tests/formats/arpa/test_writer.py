"""ARPA text of a model of two orders, by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from campanula.formats.arpa import writer as arpa_writer
from campanula.formats.arpa.writer import arpa_parts, by_template
from campanula.formats.arrays.types import Floats, Ints


@dataclass
class Order:
    prefix: Ints
    word: Ints
    log_prob: Floats
    log_backoff: Floats


ORDERS = [
    Order(np.zeros(3, np.int64), np.arange(3), np.array([-1.5, 0, -0.25]), np.array([0, -0.5, 0])),
    Order(np.array([1, 1, 2]), np.array([0, 2, 2]), np.array([-1 / 3, -2, -1e-5]), np.zeros(3)),
]
TEXT = """\\data\\
ngram 1=3
ngram 2=3

\\1-grams:
-1.5\tä\t0
0\t<s>\t-0.5
-0.25\tb%s\t0

\\2-grams:
-0.33333333\t<s> ä
-2\t<s> b%s
-1e-05\tb%s b%s

\\end\\
"""


def text_of(vocabulary: list[str], orders: list[Order]) -> str:
    return b"".join(by_template(vocabulary, part) for part in arpa_parts(orders)).decode()


@pytest.mark.parametrize("lines", [1, 2, 100])
def test_layout_and_numbers(monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
    monkeypatch.setattr(arpa_writer, "LINES", lines)
    assert text_of(["ä", "<s>", "b%s"], ORDERS) == TEXT


def test_three_orders_follow_their_prefixes() -> None:
    third = Order(np.array([2]), np.array([0]), np.array([-1.0]), np.zeros(1))
    text = text_of(["x", "<s>", "y"], [*ORDERS, third])
    assert text.endswith("\\3-grams:\n-1\ty y x\n\n\\end\\\n")
