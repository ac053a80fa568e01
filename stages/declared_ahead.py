"""Names that records declare which are read ahead, for the processes that work on later ones.

A record that declares names has them in front, as Writer puts them.  Where one has them elsewhere,
the table of names turns out longer than was seen, and nothing that is made ahead is right.
"""

from __future__ import annotations

import os

import msgpack

from campanula.formats.messages import BROKEN, LIMITS, MAX_MESSAGE, RawMessages
from campanula.formats.records.names import Names
from campanula.stages.forks import nameless_file

KEY = b"\xa5names"
MANY = 0xDE  # begins a map whose number of keys follows in two bytes


class DeclaredAhead:
    """A table of names, and those that were declared since, in a file that forks share.

    grows: whether records declare names.
    """

    def __init__(self, names: Names, grows: bool) -> None:
        self._names, self._grows = names, grows
        self.count = len(names) if grows else 0  # of all that are declared
        self.size = 0  # of the file, in bytes
        self._file = nameless_file()
        self._heard = self.count  # names that this process knows, or had from the file
        self._place = 0  # up to which it has read the file

    def close(self) -> None:
        """Leave the file."""
        os.close(self._file)

    def look(self, messages: RawMessages) -> None:
        """Take in the names of messages."""
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
        except BROKEN:  # who reads it in its turn says what is wrong, and goes no further
            return
        os.pwrite(self._file, data, self.size)
        self.size += len(data)

    def learn(self, size: int) -> None:
        """Have the names that the file has up to a size; raises ColumnError for one known before.

        What this process has read itself is in its table already.
        """
        unpacker = msgpack.Unpacker(max_buffer_size=MAX_MESSAGE, **LIMITS)
        unpacker.feed(os.pread(self._file, size - self._place, self._place))
        self._place = size
        for fresh in unpacker:
            self._names.extend(fresh[max(0, len(self._names) - self._heard) :])
            self._heard += len(fresh)

    def are_right(self, count: int) -> bool:
        """Whether the table has as many names now as were seen before a message."""
        return not self._grows or len(self._names) == count


def _declares(data: bytes, start: int) -> bool:
    """Whether the map that begins there has names in front."""
    return data.startswith(KEY, start + (3 if data[start] == MANY else 1))
