r"""Write an n-gram model as ARPA text, as KenLM's lmplz lays it out.

    \data\, ngram N=COUNT, then \N-grams: with log10(p) TAB words TAB log10(backoff), \end\

The longest n-grams have no backoff; a shorter n-gram that is no other's context has backoff 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np

from campanula.formats.arrays.types import Floats, Ints

LINES = 1 << 14  # n-grams handed on at a time
NONE = np.zeros(0)  # the back-off weights of the longest n-grams


class NgramOrder(Protocol):
    """All K n-grams of one length, as a trie: every array is (K,).

    prefix: where the n-gram without its last word stands in the order below; word: the last word;
    log_prob, log_backoff: base 10.
    """

    @property
    def prefix(self) -> Ints: ...
    @property
    def word(self) -> Ints: ...
    @property
    def log_prob(self) -> Floats: ...
    @property
    def log_backoff(self) -> Floats: ...


@dataclass(frozen=True, slots=True)
class NgramLines:
    """Some n-grams of one length, one line each: words (size, n), log10s (size,).

    log_backoff is (0,) for the longest n-grams, which have none.
    """

    words: Ints
    log_prob: Floats
    log_backoff: Floats


Part = bytes | NgramLines


def arpa_parts(orders: Sequence[NgramOrder]) -> Iterator[Part]:
    """Yield the parts of a file in order: headings as bytes, n-grams by the thousand."""
    yield head([len(order.word) for order in orders])
    for n in range(1, len(orders) + 1):
        yield title(n)
        for begin in range(0, len(orders[n - 1].word), LINES):
            yield _lines(orders, n, slice(begin, begin + LINES))
    yield END


def head(counts: Sequence[int]) -> bytes:
    """Return the beginning of a file with `counts[n - 1]` n-grams of each length n."""
    lines = [f"ngram {n}={count}\n" for n, count in enumerate(counts, 1)]
    return ("\\data\\\n" + "".join(lines)).encode()


def title(n: int) -> bytes:
    """Return the heading of the n-grams of length n."""
    return f"\n\\{n}-grams:\n".encode()


END = b"\n\\end\\\n"


def by_template(vocabulary: Sequence[str], part: Part) -> bytes:
    """Return the text of a part.

    All lines are formatted by one template, which is the fastest way in plain Python.
    """
    if isinstance(part, bytes):
        return part
    columns: list[list[float] | list[str]] = [part.log_prob.tolist()]
    columns += [[vocabulary[i] for i in column] for column in part.words.T.tolist()]
    line = "%.8g\t" + " ".join(["%s"] * part.words.shape[1])
    if len(part.log_backoff):
        columns.append(part.log_backoff.tolist())
        line += "\t%.8g"
    template = (line + "\n") * len(part.words)
    return (template % tuple(chain.from_iterable(zip(*columns, strict=True)))).encode("utf-8")


def _lines(orders: Sequence[NgramOrder], n: int, rows: slice) -> NgramLines:
    """Return the n-grams of length n in `rows`; their words come from the prefixes, last first."""
    order = orders[n - 1]
    columns = [order.word[rows]]
    prefix = order.prefix[rows]
    for shorter in reversed(orders[: n - 1]):
        columns.append(shorter.word[prefix])
        prefix = shorter.prefix[prefix]
    backoff = order.log_backoff[rows] if n < len(orders) else NONE
    return NgramLines(np.stack(columns[::-1], axis=1), order.log_prob[rows], backoff)
