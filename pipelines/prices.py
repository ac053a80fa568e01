"""Prices that a program has given, kept from one iteration to the next: a line a pair.

    <hash of sentence and hypothesis> TAB <its numbers>

One task at a time has the file.  Lines are appended; what follows the first line that is not whole,
which a killed run may leave, is cut off and asked for again.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Mapping
from types import TracebackType

from xxhash import xxh3_128_hexdigest

LINE = re.compile(rb"([0-9a-f]{32})\t([^\t\n]+)\n")


class Prices:
    """`with Prices(path) as prices:`, which waits until no other task has them."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: dict[str, str] = {}

    def __enter__(self) -> Prices:
        self._file = open(self._path, "a+b")
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._file.seek(0)
        whole = 0
        for line in self._file:
            found = LINE.fullmatch(line)
            if found is None:
                break
            self._known[found[1].decode()] = found[2].decode()
            whole += len(line)
        self._file.truncate(whole)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __contains__(self, pair: str) -> bool:
        return pair in self._known

    def __getitem__(self, pair: str) -> str:
        return self._known[pair]

    def add(self, prices: Mapping[str, str]) -> None:
        """Add the numbers of pairs."""
        self._file.write(b"".join(f"{pair}\t{said}\n".encode() for pair, said in prices.items()))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._known.update(prices)


def pair_of(sid: int, hypothesis: str) -> str:
    """The name of a sentence's hypothesis."""
    return xxh3_128_hexdigest(f"{sid}\t{hypothesis}".encode())
