r"""Write an n-gram model as ARPA text, as KenLM's lmplz lays it out.

    \data\, ngram N=COUNT, then \N-grams: with log10(p) TAB words TAB log10(backoff), \end\

The longest n-grams have no backoff; a shorter one that is no context has backoff 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Protocol

from campanula.formats.arrays.types import Floats, Ints

LINES = 1 << 14


class NgramOrder(Protocol):
    """N-grams of one length (K,): place of the prefix in the order below, last word, log10s."""

    @property
    def prefix(self) -> Ints: ...
    @property
    def word(self) -> Ints: ...
    @property
    def log_prob(self) -> Floats: ...
    @property
    def log_backoff(self) -> Floats: ...


def arpa_text(words: Sequence[str], orders: Sequence[NgramOrder]) -> Iterator[bytes]:
    """Yield the file in pieces of some thousand lines."""
    counts = [f"ngram {n}={len(order.word)}\n" for n, order in enumerate(orders, 1)]
    yield ("\\data\\\n" + "".join(counts)).encode()
    for n in range(1, len(orders) + 1):
        yield f"\n\\{n}-grams:\n".encode()
        for begin in range(0, len(orders[n - 1].word), LINES):
            yield _lines(words, orders, n, slice(begin, begin + LINES)).encode("utf-8")
    yield b"\n\\end\\\n"


def _lines(words: Sequence[str], orders: Sequence[NgramOrder], n: int, part: slice) -> str:
    """Lines of some n-grams of one length; one template for all of them, it is the fastest way."""
    order = orders[n - 1]
    columns: list[list[float] | list[str]] = [order.log_prob[part].tolist()]
    columns += [[words[i] for i in column.tolist()] for column in _word_columns(orders, n, part)]
    line = "%.8g\t" + " ".join(["%s"] * n)
    if n < len(orders):
        columns.append(order.log_backoff[part].tolist())
        line += "\t%.8g"
    template = (line + "\n") * len(columns[0])
    return template % tuple(chain.from_iterable(zip(*columns, strict=True)))


def _word_columns(orders: Sequence[NgramOrder], n: int, part: slice) -> list[Ints]:
    """Word numbers of some n-grams: the first words, the second words, ..."""
    columns = [orders[n - 1].word[part]]
    prefix = orders[n - 1].prefix[part]
    for order in reversed(orders[: n - 1]):
        columns.append(order.word[prefix])
        prefix = order.prefix[prefix]
    return columns[::-1]
