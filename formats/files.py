r"""Input and output files of the stages: outputs are atomic, inputs may be compressed.

An output file gets its name when all of it is on disk (atomic.py); an exception leaves no file.
An input named `-` is stdin; an output of None or `-` is stdout, which may be any object that Python
has there: that of a notebook takes text alone.  A line ends at `\n` (a `\r` before it is dropped)
and nowhere else: U+2028, U+0085 and similar characters are text.
"""

from __future__ import annotations

import codecs
import io
import os
import stat
import sys
from codecs import BOM_UTF8
from collections.abc import Container, Iterator
from typing import IO, BinaryIO, TextIO, cast

from campanula.formats import atomic, signals
from campanula.formats.atomic import reporting
from campanula.formats.compressing import compressor_for
from campanula.formats.decompressing import HEAD, decompressed
from campanula.formats.errors import DataError, LineError, unreadable
from campanula.formats.foreign.refusing import beginning, refuse
from campanula.formats.foreign.texts import ANY
from campanula.formats.lines import decoded, line_batches, line_fault
from campanula.formats.output_paths import STDOUT, descriptor_of, is_replaceable

CHUNK = 1 << 20  # bytes read or written at a time
FLUSHED = 1 << 22  # bytes that are put on disk at a time while more are made


def display_name(path: str) -> str:
    """Return the name of an input in a message."""
    return "stdin" if path == "-" else path


def is_file(path: str) -> bool:
    """Whether an input is a regular file, which can be read again; `-` is stdin."""
    return path != "-" and os.path.isfile(path)


def open_input(path: str) -> BinaryIO:
    """Open a file or stdin for reading bytes; compression is recognised by the first bytes.

    Raises DataError when the file does not exist, is a directory or may not be read.
    """
    try:
        raw = _standard_input() if path == "-" else open(path, "rb", buffering=CHUNK)  # noqa: SIM115
        head = raw.peek(HEAD) if isinstance(raw, io.BufferedReader) else b""
    except OSError as error:
        raise unreadable(display_name(path), error) from error
    except ValueError as error:  # a NUL in the path, which may come from a file's content
        raise unreadable(repr(path), error) from error
    return decompressed(raw, head)


def open_expecting(path: str, expected: str, fits: Container[str]) -> BinaryIO:
    """Open as `open_input` does; raises DataError, too, for a well-known kind not in `fits`."""
    file = open_input(path)
    try:
        refuse(beginning(file), display_name(path), expected, fits)
    except DataError:
        if path != "-":
            file.close()
        raise
    return file


def refuse_no_file(path: str) -> None:
    """Raise DataError for a device or a pipe where a folder of ours has a file.

    Opening a pipe could wait forever, and a device may have no end.  Raises OSError if there is no
    file.
    """
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise DataError(path, None, "expected a file, found a pipe or a device")


def refuse_piped(path: str) -> None:
    """Raise DataError for a device or a pipe where a file is read several times.

    The second reader of a pipe would wait forever, or read nothing.  A missing file is no error
    here: opening it raises one.
    """
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        problem = "is read several times: expected a file, found a pipe or a device"
        raise DataError(path, None, problem)


def read_head(path: str, size: int) -> bytes:
    """Return the first `size` bytes of a file, fewer if it is shorter; raises DataError."""
    with open_input(path) as file:
        try:
            return file.read(size)
        except (EOFError, OSError) as error:
            raise unreadable(display_name(path), error) from error


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise DataError("stdin", None, "cannot be read: it is closed")
    if hasattr(sys.stdin, "buffer"):
        return sys.stdin.buffer
    return io.BytesIO(sys.stdin.read().encode("utf-8", "surrogateescape"))


def read_lines(path: str, expected: str = "text", fits: Container[str] = ANY) -> Iterator[str]:
    """Yield the lines of a UTF-8 text file, without line ends; a byte order mark is dropped.

    expected: what the file should be, for messages; fits: well-known kinds of file that are
    accepted.  Raises DataError, with the line, for bytes that are not UTF-8 and for a line that is
    too long; for a damaged compressed file; and for a well-known kind that is not accepted.
    """
    name = display_name(path)
    number = 0
    with open_expecting(path, expected, fits) as file:
        try:
            for batch in line_batches(file):
                if number == 0:
                    batch[0] = batch[0].removeprefix(BOM_UTF8)
                for line in decoded(batch):
                    yield line
                    number += 1
        except (UnicodeDecodeError, LineError, EOFError, OSError) as error:
            raise line_fault(name, number + 1, error) from error


def _standard_output(binary: bool) -> IO[bytes]:
    if sys.stdout is None:
        raise DataError("stdout", None, "cannot be written: it is closed; name a file with -o")
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()  # text printed before must come first
        return sys.stdout.buffer
    if binary:
        raise DataError("stdout", None, "takes text alone here; name a file with -o")
    return cast(IO[bytes], _Text(sys.stdout))


class _Text(io.RawIOBase):
    """A binary file whose bytes, which are UTF-8, are written to a file that takes text alone."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def write(self, data: bytes | memoryview) -> int:  # type: ignore[override]
        self._file.write(self._decoder.decode(bytes(data)))
        return len(data)

    def flush(self) -> None:
        self._file.flush()


def flush_stdout() -> None:
    """Flush stdout unless it is None; raises DataError when it cannot be written."""
    if sys.stdout is not None:
        with reporting("stdout"):
            sys.stdout.flush()


class Output:
    """An output of bytes, written whole or not at all: `with Output(path) as out: out.write(data)`.

    A regular file is written beside `path` and renamed on success.  A device, a pipe or stdout is
    written directly, since it cannot be replaced.  Unless it is binary, its bytes are text in
    UTF-8, compressed if the path ends in .gz, .bz2, .xz or .zst.  An output that is not `durable`
    is not flushed to disk: its owner does that, such as an atomic folder with all its files.
    """

    def __init__(self, path: str | None, binary: bool = False, durable: bool = True) -> None:
        self._durable = durable
        self._waiting = 0  # bytes written since the system was last asked to put them on disk
        self.name = "stdout" if path in (None, "-") else str(path)
        self._target: str | None = None
        self._temporary: str | None = None
        self._cleanup = -1  # number of the clean-up for signals
        self._compressor = None if binary else compressor_for(path)
        number = descriptor_of(path)
        self._is_stdout = number == STDOUT
        if path is None or number == STDOUT:
            self._file: IO[bytes] = _standard_output(binary)
            return
        with reporting(self.name):
            if number is not None:
                self._file = open(os.dup(number), "wb")  # noqa: SIM115
                return
            if not is_replaceable(path):
                self._file = open(path, "wb")  # noqa: SIM115
                return
            self._target = os.path.realpath(path)
            self._file = self._beside(self._target)

    def _beside(self, target: str) -> IO[bytes]:
        """Open the temporary file beside `target` that becomes the output."""
        self._temporary = temporary = atomic.temporary_name(target)
        self._cleanup = signals.add_cleanup(lambda: atomic.remove(temporary))
        try:
            return open(atomic.create(temporary, target), "wb", buffering=CHUNK)
        except BaseException:
            signals.remove_cleanup(self._cleanup)
            raise

    @classmethod
    def check(cls, path: str | None) -> None:
        """Raise DataError, before long work, for a path that is a directory or has no folder."""
        if path is None or path == "-":
            return
        if os.path.isdir(path):
            raise DataError(path, None, "cannot be written: Is a directory")
        if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise DataError(path, None, "cannot be written: No such file or directory")

    @property
    def is_file(self) -> bool:
        """Whether the output is a regular file, so that temporary files can stand beside it."""
        return self._target is not None

    def write(self, data: bytes | memoryview) -> None:
        """Write bytes; raises DataError when they cannot be written, and BrokenPipeError."""
        if self._compressor is not None:
            data = self._compressor.compress(data)
        with reporting(self.name):
            self._file.write(data)
        self._waiting += len(data)
        if self._waiting >= FLUSHED and self._temporary is not None and self._durable:
            self._waiting = 0
            atomic.begin_flushing(self._file.fileno())

    def write_line(self, text: str) -> None:
        """Write a line of text."""
        self.write(text.encode("utf-8") + b"\n")

    def finish(self) -> None:
        """Flush all bytes to the operating system, the last write; raises as `write` does.

        Outputs that belong together are all finished before the first is closed.
        """
        with reporting(self.name):
            if self._compressor is not None:
                self._file.write(self._compressor.finish())
            self._file.flush()

    def _put_in_place(self) -> None:
        self.finish()
        with reporting(self.name):
            if self._temporary is not None and self._durable:
                atomic.flush_to_disk(self._file.fileno())
            if not self._is_stdout:
                self._file.close()
            if self._temporary is not None and self._target is not None:
                put = atomic.put if self._durable else os.replace
                put(self._temporary, self._target)
                signals.remove_cleanup(self._cleanup)

    def _abandon(self) -> None:
        if self._compressor is not None:
            self._compressor.close()
        if self._is_stdout:
            return
        try:
            self._file.close()
        except OSError:
            pass  # the earlier failure is the error to report
        finally:
            if self._temporary is not None:
                atomic.remove(self._temporary)
                signals.remove_cleanup(self._cleanup)

    def __enter__(self) -> Output:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            self._abandon()
            return
        try:
            self._put_in_place()
        except BaseException:
            self._abandon()
            raise
