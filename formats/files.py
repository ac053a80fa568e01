r"""Files as the stages see them: whole or not at all, plain or compressed, lines that end in \n.

An output to a path is written beside it and renamed when all of it is there; an exception leaves
nothing.  An input named `-` is stdin, an output of None or `-` is stdout, which may be anything
that Python has put there: a notebook's takes text alone.  A line ends at `\n` (a `\r` before it is
dropped) and nowhere else: U+2028, U+0085 and their kin are text.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, BinaryIO, TextIO, cast

from campanula.formats.compression import HEAD, decompressed
from campanula.formats.errors import DataError, LineError
from campanula.formats.lines import raw_lines

CHUNK = 1 << 20
LONGEST = 200  # bytes of a file's name that its temporary name repeats; 255 may be all there are


def display_name(path: str) -> str:
    """Name of an input or output in a message."""
    return "stdin" if path == "-" else path


def open_input(path: str) -> BinaryIO:
    """Open a file or stdin for reading bytes; gzip, xz and zstd are told by their first bytes.

    Raises DataError when there is no such file, it is a directory or may not be read.
    """
    try:
        raw = _standard_input() if path == "-" else open(path, "rb", buffering=CHUNK)  # noqa: SIM115
        head = raw.peek(HEAD) if isinstance(raw, io.BufferedReader) else b""
    except OSError as error:
        raise DataError(display_name(path), None, f"cannot be read: {error.strerror}") from error
    return decompressed(raw, head)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise DataError("stdin", None, "cannot be read: it is closed")
    if hasattr(sys.stdin, "buffer"):
        return sys.stdin.buffer
    return io.BytesIO(sys.stdin.read().encode("utf-8", "surrogateescape"))


def read_lines(path: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 text file, without their ends; a byte order mark is dropped.

    Raises DataError for bytes that are not UTF-8 and for a line that is too long (by line), and for
    a damaged gzip file.
    """
    name, number = display_name(path), 0
    with open_input(path) as file:
        try:
            for number, raw in enumerate(raw_lines(file), 1):
                if number == 1:
                    raw = raw.removeprefix(BOM_UTF8)
                yield raw.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as error:
            raise DataError(name, f"line {number}", utf8_problem(error)) from error
        except LineError as error:
            raise DataError(name, f"line {number + 1}", str(error)) from error
        except (EOFError, OSError) as error:
            problem = getattr(error, "strerror", None) or str(error)
            raise DataError(name, f"line {number + 1}", f"cannot be read: {problem}") from error


def utf8_problem(error: UnicodeDecodeError) -> str:
    """What a message says of a line that is not UTF-8."""
    found = error.object[error.start]
    return f"expected UTF-8, found byte 0x{found:02x} at column {error.start + 1}"


def _standard_output(binary: bool) -> IO[bytes]:
    if sys.stdout is None:
        raise DataError("stdout", None, "cannot be written: it is closed; name a file with -o")
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()  # text that is on its way there goes first
        return sys.stdout.buffer
    if binary:
        raise DataError("stdout", None, "takes text alone here; name a file with -o")
    return cast(IO[bytes], _Text(sys.stdout))


class _Text(io.RawIOBase):
    """Bytes of UTF-8 for a file that takes text alone."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def write(self, data: bytes | memoryview) -> int:  # type: ignore[override]
        self._file.write(self._decoder.decode(bytes(data)))
        return len(data)

    def flush(self) -> None:
        self._file.flush()


def flush_stdout() -> None:
    """Flush stdout, if there is one; raises DataError when it cannot be written."""
    if sys.stdout is not None:
        with _reporting("stdout"):
            sys.stdout.flush()


@contextmanager
def _reporting(name: str) -> Iterator[None]:
    """Turn what goes wrong with an output into a DataError; BrokenPipeError stays as it is."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(name, None, f"cannot be written: {error.strerror}") from error


def temporary_name(path: str) -> str:
    """A name beside `path` for what is not whole yet, which nobody can foresee."""
    folder, base = os.path.split(path)
    stem = os.fsdecode(os.fsencode(base)[:LONGEST])
    return os.path.join(folder, f".{stem}.{os.urandom(6).hex()}.tmp")


@contextmanager
def atomic_file(path: str) -> Iterator[str]:
    """`with atomic_file(path) as unfinished:` for what another function writes to a path.

    The file is renamed to `path` when the block has ended well; an exception leaves nothing.
    """
    unfinished = temporary_name(path)
    try:
        yield unfinished
        os.replace(unfinished, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)
        raise


@contextmanager
def atomic_folder(path: str) -> Iterator[str]:
    """`with atomic_folder(path) as unfinished:` for the files of a folder.

    The folder is renamed to `path` when the block has ended well, and replaces what was there; an
    exception leaves nothing.
    """
    import shutil

    unfinished = temporary_name(path)
    os.mkdir(unfinished)
    try:
        yield unfinished
        shutil.rmtree(path, ignore_errors=True)
        os.rename(unfinished, path)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


class Output:
    """An output of bytes, all or nothing: `with Output(path) as out: out.write(data)`.

    A path is written beside itself and renamed on success.  What is no regular file (a device, a
    pipe, stdout) is written directly, since it cannot be replaced.  Unless it is binary, its bytes
    are text in UTF-8.
    """

    def __init__(self, path: str | None, binary: bool = False) -> None:
        self.name = "stdout" if path in (None, "-") else str(path)
        self._target: str | None = None
        self._temporary: str | None = None
        self._is_stdout = path in (None, "-")
        if path is None or path == "-":
            self._file: IO[bytes] = _standard_output(binary)
            return
        try:
            if os.path.exists(path) and not os.path.isfile(path):
                self._file = open(path, "wb")  # noqa: SIM115
                return
            self._target = os.path.realpath(path)
            self._temporary = temporary_name(self._target)
            self._file = open(self._temporary, "xb", buffering=CHUNK)  # noqa: SIM115
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
        with _reporting(self.name):
            self._file.write(data)

    def write_line(self, text: str) -> None:
        """Write a line of text."""
        self.write(text.encode("utf-8") + b"\n")

    def flush(self) -> None:
        """Hand all that was written to the system; raises as `write` does."""
        with _reporting(self.name):
            self._file.flush()

    def _finish(self) -> None:
        with _reporting(self.name):
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
