"""Prices that a program has given, kept from one iteration to the next: a line a pair.

    <hash of sentence and hypothesis> TAB <its numbers> TAB <checksum of the line so far>

One task at a time has the file.  Lines are appended; one that a killed run or a power cut has left
unfinished is cut off, one that was damaged is blanked out, and both are asked for again.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Mapping
from types import TracebackType

from xxhash import xxh3_64_hexdigest, xxh3_128_hexdigest

from campanula.formats.atomic import flush_to_disk, reporting

LINE = re.compile(rb"(([0-9a-f]{32})\t([^\t\n]+))\t([0-9a-f]{16})\n")


class Prices:
    """`with Prices(path, say) as prices:`, which waits until no other task has them.

    `say` gets a line when some are damaged.
    """

    def __init__(self, path: str, say: Callable[[str], None]) -> None:
        self._path = path
        self._say = say
        self._known: dict[str, str] = {}

    def __enter__(self) -> Prices:
        created = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        self._file = open(created, "r+b")
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._read()
        return self

    def _read(self) -> None:
        """Take the good lines; blank out the others, where they stand: good ones are not moved."""
        place = damaged = 0
        for line in self._file.readlines():
            found = LINE.fullmatch(line)
            if found is not None and xxh3_64_hexdigest(found[1]) == found[4].decode():
                self._known[found[2].decode()] = found[3].decode()
            elif not line.endswith(b"\n"):  # unfinished, and the last
                self._file.truncate(place)
            elif line.strip(b" \n"):
                damaged += 1
                self._file.seek(place)
                self._file.write(b" " * (len(line) - 1) + b"\n")
            place += len(line)
        self._file.flush()
        if damaged:
            self._say(f"{self._path}: {damaged} prices are damaged, and asked for again")

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
        """Add the numbers of pairs; raises DataError when they cannot be written."""
        lines = (f"{pair}\t{numbers}".encode() for pair, numbers in prices.items())
        with reporting(self._path):
            self._append(b"".join(b"%b\t%b\n" % (s, xxh3_64_hexdigest(s).encode()) for s in lines))
        self._known.update(prices)

    def _append(self, data: bytes) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._file.flush()
        flush_to_disk(self._file.fileno())


def pair_of(sid: int, hypothesis: str) -> str:
    """The name of a sentence's hypothesis."""
    return xxh3_128_hexdigest(f"{sid}\t{hypothesis}".encode())
