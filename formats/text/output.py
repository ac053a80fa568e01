r"""A text output that is compressed when its path ends in .gz.

The compressed file is a chain of gzip members of a fixed size of text each, made in threads: the
same bytes for any number of processors, and for any day (no time stamp).
"""

from __future__ import annotations

import gzip
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

from campanula.formats.files import Output

MEMBER = 1 << 20
LEVEL = 6


def is_compressed(path: str | None) -> bool:
    """Whether what is written to a path is compressed."""
    return path is not None and path.endswith(".gz")


class TextOutput(Output):
    """`with TextOutput(path) as out: out.write(data)`; all or nothing as Output."""

    def __init__(self, path: str | None) -> None:
        super().__init__(path)
        self._compressed = is_compressed(path)
        self._text = bytearray()
        self._threads = min(4, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(self._threads)
        self._members: deque[Future[bytes]] = deque()
        self._empty = True

    def write(self, data: bytes | memoryview) -> None:
        """Write some bytes of text."""
        if not self._compressed:
            super().write(data)
            return
        self._text += data
        while len(self._text) >= MEMBER:
            self._compress(bytes(self._text[:MEMBER]))
            del self._text[:MEMBER]

    def finish(self) -> None:
        """Write what is still held back; what can fail has then failed.

        For outputs that belong together: finish all of them before the first is closed.
        """
        if self._compressed and (self._text or self._empty):
            self._compress(bytes(self._text))
            self._text.clear()
        self._drain(0)
        self.flush()

    def _compress(self, text: bytes) -> None:
        self._empty = False
        self._members.append(self._pool.submit(gzip.compress, text, LEVEL, mtime=0))
        self._drain(2 * self._threads)

    def _drain(self, held: int) -> None:
        while len(self._members) > held:
            super().write(self._members.popleft().result())

    def __enter__(self) -> TextOutput:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            if kind is None:
                self.finish()
        except BaseException as failure:
            super().__exit__(type(failure), failure, failure.__traceback__)
            raise
        finally:
            self._pool.shutdown(cancel_futures=True)
        super().__exit__(kind, *rest)
