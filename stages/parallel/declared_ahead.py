"""Feature names declared by records that were read ahead, for processes that work on later records.

Writer puts the names that a record declares in front of its other keys, and only there are they
seen.  If a record of another writer has them elsewhere, the table of names becomes longer than was
counted here; the results that were made ahead are then not used (`are_right`).
"""

from __future__ import annotations

import os

import msgpack

from campanula.formats.messages import BROKEN, LIMITS, MAX_MESSAGE, RawMessages
from campanula.formats.records.names import Names
from campanula.stages.parallel.forks import nameless_file

KEY = b"\xa5names"
MANY = 0xDE  # first byte of a msgpack map whose number of keys follows in two bytes


class DeclaredAhead:
    """A table of names, and the names declared after it, in a file in memory that forks share.

    grows: whether records declare names; lists against an inventory declare none.
    """

    def __init__(self, names: Names, grows: bool) -> None:
        self._names = names
        self._grows = grows
        self.count = len(names) if grows else 0  # names in the table and in the file
        self.size = 0  # bytes in the file
        self._file = nameless_file()
        self._n_learned = self.count  # names in this process's table that the file accounts for
        self._place = 0  # bytes of the file that this process has read

    def close(self) -> None:
        """Close the file; it goes when all forks have closed it."""
        os.close(self._file)

    def look(self, messages: RawMessages) -> None:
        """Write the names that messages declare to the file."""
        start = 0
        for end in messages.ends:
            if self._grows and _declares(messages.data, start):
                self._declare(messages.data[start:end])
            start = end

    def _declare(self, message: bytes) -> None:
        try:
            fresh = msgpack.unpackb(message, **LIMITS)["names"]
            data = msgpack.packb(fresh)
            self.count += len(fresh)
        except BROKEN:  # the reader of this record reports the fault, and nothing follows it
            return
        os.pwrite(self._file, data, self.size)
        self.size += len(data)

    def learn(self, size: int) -> None:
        """Add the names in the first `size` bytes of the file to the table of this process.

        Names of records that this process has unpacked itself are in the table already.  Raises
        ColumnError for a name that is declared twice.
        """
        unpacker = msgpack.Unpacker(max_buffer_size=MAX_MESSAGE, **LIMITS)
        unpacker.feed(os.pread(self._file, size - self._place, self._place))
        self._place = size
        for fresh in unpacker:
            self._names.extend(fresh[max(0, len(self._names) - self._n_learned) :])
            self._n_learned += len(fresh)

    def are_right(self, count: int) -> bool:
        """Whether the table has `count` names now: those counted before a message was read."""
        return not self._grows or len(self._names) == count


def _declares(data: bytes, start: int) -> bool:
    """Whether the msgpack map at `start` has the key `names` first."""
    # a map begins with one byte, which holds up to 15 keys, or with MANY and two bytes
    return data.startswith(KEY, start + (3 if data[start] == MANY else 1))
