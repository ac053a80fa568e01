r"""Files as the stages see them: whole or not at all, plain or compressed, lines that end in \n.

An output to a path is written beside it and renamed when all of it is there; an exception leaves
nothing.  An input named `-` is stdin, an output of None or `-` is stdout.  A line ends at `\n`
(a `\r` before it is dropped) and nowhere else: U+2028, U+0085 and their kin are text.
"""

from __future__ import annotations

import io
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO, cast

from campanula.formats.compression import HEAD, decompressed
from campanula.formats.errors import DataError

CHUNK = 1 << 20


def display_name(path: str) -> str:
    """Name of an input or output in a message."""
    return "stdin" if path == "-" else path


def open_input(path: str) -> BinaryIO:
    """Open a file or stdin for reading bytes; gzip, xz and zstd are told by their first bytes.

    Raises DataError when there is no such file, it is a directory or may not be read.
    """
    try:
        raw = sys.stdin.buffer if path == "-" else open(path, "rb", buffering=CHUNK)  # noqa: SIM115
        head = raw.peek(HEAD) if isinstance(raw, io.BufferedReader) else b""
    except OSError as error:
        raise DataError(display_name(path), None, f"cannot be read: {error.strerror}") from error
    return decompressed(cast(BinaryIO, raw), head)


def read_lines(path: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 text file, without their ends; a byte order mark is dropped.

    Raises DataError for bytes that are not UTF-8 (by line) and for a damaged gzip file.
    """
    name, number = display_name(path), 0
    with open_input(path) as file:
        try:
            for number, raw in enumerate(file, 1):
                if number == 1:
                    raw = raw.removeprefix(BOM_UTF8)
                yield raw.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as error:
            raise DataError(name, f"line {number}", utf8_problem(error)) from error
        except (EOFError, OSError) as error:
            problem = getattr(error, "strerror", None) or str(error)
            raise DataError(name, f"line {number + 1}", f"cannot be read: {problem}") from error


def utf8_problem(error: UnicodeDecodeError) -> str:
    """What a message says of a line that is not UTF-8."""
    found = error.object[error.start]
    return f"expected UTF-8, found byte 0x{found:02x} at column {error.start + 1}"


class Output:
    """A binary output, all or nothing: `with Output(path) as out: out.write(data)`.

    A path is written beside itself and renamed on success.  What is no regular file (a device, a
    pipe, stdout) is written directly, since it cannot be replaced.
    """

    def __init__(self, path: str | None) -> None:
        self.name = "stdout" if path in (None, "-") else str(path)
        self._target: str | None = None
        self._temporary: str | None = None
        self._is_stdout = path in (None, "-")
        if path is None or path == "-":
            self._file: IO[bytes] = sys.stdout.buffer
            return
        try:
            if os.path.exists(path) and not os.path.isfile(path):
                self._file = open(path, "wb")  # noqa: SIM115
                return
            self._target = os.path.realpath(path)
            folder, base = os.path.split(self._target)
            self._temporary = os.path.join(folder, f".{base}.{os.getpid()}.tmp")
            self._file = open(self._temporary, "wb", buffering=CHUNK)  # noqa: SIM115
        except OSError as error:
            raise DataError(self.name, None, f"cannot be written: {error.strerror}") from error

    @classmethod
    def check(cls, path: str | None) -> None:
        """Raise DataError for a path that is a directory or in none, before long work."""
        if path is None or path == "-":
            return
        if os.path.isdir(path):
            raise DataError(path, None, "cannot be written: Is a directory")
        if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise DataError(path, None, "cannot be written: No such file or directory")

    def write(self, data: bytes | memoryview) -> None:
        """Write some bytes; raises DataError when the disk is full, BrokenPipeError as it is."""
        with self._reporting():
            self._file.write(data)

    def write_line(self, text: str) -> None:
        """Write a line of text."""
        self.write(text.encode("utf-8") + b"\n")

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn what goes wrong with the file into a DataError; BrokenPipeError stays as it is."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            raise DataError(self.name, None, f"cannot be written: {error.strerror}") from error

    def _finish(self) -> None:
        with self._reporting():
            self._file.flush()
            if not self._is_stdout:
                self._file.close()
            if self._temporary is not None and self._target is not None:
                os.replace(self._temporary, self._target)

    def _abandon(self) -> None:
        if self._is_stdout:
            return
        try:
            self._file.close()
        except OSError:
            pass  # what failed before is the error to report
        finally:
            if self._temporary is not None and os.path.exists(self._temporary):
                os.unlink(self._temporary)

    def __enter__(self) -> Output:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            self._abandon()
            return
        try:
            self._finish()
        except BaseException:
            self._abandon()
            raise
