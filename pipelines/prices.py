"""Numbers that a program has given to hypotheses, kept from one iteration to the next.

    <hash of sentence and hypothesis> TAB <its numbers> TAB <checksum of the line so far>

A file has a line for each pair of sentence and hypothesis.  One task at a time has the file open.
Lines are appended; a line that a killed run or a power cut left unfinished is cut off, a damaged
line is overwritten with blanks, and the program is asked for both again.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Mapping
from types import TracebackType

from xxhash import xxh3_64_hexdigest, xxh3_128_hexdigest

from campanula.formats.atomic import flush_to_disk, reporting

# key of a hypothesis (pair_of), tab, its numbers, tab, checksum of what is before that tab
LINE = re.compile(rb"(([0-9a-f]{32})\t([^\t\n]+))\t([0-9a-f]{16})\n")


class Prices:
    """`with Prices(path, say) as prices:` waits until no other task has the file open.

    `say` gets a line where lines of the file are damaged.
    """

    def __init__(self, path: str, say: Callable[[str], None]) -> None:
        self._path = path
        self._say = say
        self._numbers: dict[str, str] = {}

    def __enter__(self) -> Prices:
        # neither "a", which writes at the end alone, nor "w", which would empty the file
        created = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        self._file = open(created, "r+b")
        # waits: two tasks side by side would pay for the same hypotheses twice
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._read()
        return self

    def _read(self) -> None:
        """Read the good lines; overwrite damaged ones in place, so that good ones do not move.

        A crash while lines are moved could lose good ones.
        """
        place = damaged = 0
        for line in self._file.readlines():
            match = LINE.fullmatch(line)
            if match is not None and xxh3_64_hexdigest(match[1]) == match[4].decode():
                self._numbers[match[2].decode()] = match[3].decode()
            elif not line.endswith(b"\n"):  # the last line, unfinished
                self._file.truncate(place)
            elif line.strip(b" \n"):  # blanks are a line that was damaged before
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
        return pair in self._numbers

    def __getitem__(self, pair: str) -> str:
        return self._numbers[pair]

    def add(self, prices: Mapping[str, str]) -> None:
        """Add the numbers of pairs; raises DataError when they cannot be written."""
        lines = (f"{pair}\t{numbers}".encode() for pair, numbers in prices.items())
        with reporting(self._path):
            self._append(b"".join(b"%b\t%b\n" % (s, xxh3_64_hexdigest(s).encode()) for s in lines))
        self._numbers.update(prices)

    def _append(self, data: bytes) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._file.flush()
        # another program's numbers may have cost much: they are to survive a crash of the machine
        flush_to_disk(self._file.fileno())


def pair_of(sid: int, hypothesis: str) -> str:
    """Key of a hypothesis of a sentence: a 128-bit hash of both."""
    # 128 bits, so that no two hypotheses get the same price by chance; for damage 64 are enough
    return xxh3_128_hexdigest(f"{sid}\t{hypothesis}".encode())
