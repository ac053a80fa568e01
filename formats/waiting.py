"""Records of a stream that wait for what its header has to say, in a temporary file.

What adds names to an inventory knows at its end which inventory that is.  The file has no name and
is gone when it is closed, or with the process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from campanula.formats.atomic import reporting
from campanula.formats.files import CHUNK, Output


class Waiting:
    """Bytes to be written to an output later; raises DataError as the output does."""

    def __init__(self, output: Output) -> None:
        import tempfile  # few streams wait, and it takes 3 ms to load

        self._name = output.name
        folder = os.path.dirname(os.path.realpath(output.name)) if output.is_file else None
        with reporting(self._name):
            self._file = tempfile.TemporaryFile(dir=folder, buffering=CHUNK)  # noqa: SIM115

    def write(self, data: bytes | memoryview) -> None:
        """Add some bytes."""
        with reporting(self._name):
            self._file.write(data)

    def parts(self) -> Iterator[bytes]:
        """All that was written, part by part."""
        with reporting(self._name):
            self._file.seek(0)
        while part := self._file.read(CHUNK):
            yield part

    def close(self) -> None:
        """Remove the file; that it could not be written has been said."""
        with suppress(OSError):
            self._file.close()
