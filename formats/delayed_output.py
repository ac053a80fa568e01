"""Bytes that wait in a temporary file until they can be written to their output.

A command that adds names to an inventory knows the new inventory's digest only at its end, and the
header of its stream, which comes before the records, has that digest.  The file has no name; it is
gone when it is closed or the process ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from campanula.formats.atomic import reporting
from campanula.formats.files import CHUNK, Output


class DelayedOutput:
    """Bytes to be written to an output later; raises DataError that names the output."""

    def __init__(self, output: Output) -> None:
        import tempfile  # few streams wait, and it takes 3 ms to load

        self._name = output.name
        # beside the output, where there has to be room: the system's folder may be in memory
        folder = os.path.dirname(os.path.realpath(output.name)) if output.is_file else None
        with reporting(self._name):
            self._file = tempfile.TemporaryFile(dir=folder, buffering=CHUNK)  # noqa: SIM115

    def write(self, data: bytes | memoryview) -> None:
        """Append bytes."""
        with reporting(self._name):
            self._file.write(data)

    def chunks(self) -> Iterator[bytes]:
        """Yield all bytes written, in chunks."""
        with reporting(self._name):
            self._file.seek(0)
        while chunk := self._file.read(CHUNK):
            yield chunk

    def close(self) -> None:
        """Remove the file; errors are ignored, since `write` has reported them."""
        with suppress(OSError):
            self._file.close()
