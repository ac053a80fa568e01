"""Files and folders that appear under their name whole or not at all, even after a power cut.

They are written beside their place under a random name, flushed to disk (fsync), renamed, and the
folder is flushed: without the first flush the name may survive and the bytes be lost, without the
second the name may be lost (Pillai et al. 2014, "All file systems are not created equal").  A file
that is replaced hands on its mode.  After an exception, SIGTERM or SIGHUP in a command, no
unfinished file is left.
"""

from __future__ import annotations

import errno
import functools
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from campanula.formats import signals
from campanula.formats.errors import DataError

LONGEST = 200  # bytes of the name that a temporary name repeats; file systems allow 255 in all
UNABLE = (errno.EINVAL, errno.ENOTSUP)
"""Errors of fsync on file systems that do not support it."""

SYNC_FILE_RANGE_WRITE = 2  # of sync_file_range(2): what is not being written yet is begun

# a new file of ours alone: never an old one, and never through a link
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def reporting(name: str) -> Iterator[None]:
    """Turn an OSError about an output into a DataError; BrokenPipeError stays as it is."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise DataError(name, None, problem) from error


def temporary_name(path: str) -> str:
    """Return a random path beside `path`, for the unfinished file; nobody can guess it."""
    folder, base = os.path.split(path)
    stem = os.fsdecode(os.fsencode(base)[:LONGEST])
    return os.path.join(folder, f".{stem}.{os.urandom(6).hex()}.tmp")


def create(unfinished: str, path: str) -> int:
    """Create the file that will replace `path`, with the mode of `path`; return its descriptor."""
    mode = _mode_of(path)
    # 0o600 until the mode is set: nobody else may read a private file meanwhile
    descriptor = os.open(unfinished, NEW, 0o666 if mode is None else 0o600)
    if mode is not None:
        with suppress(PermissionError):  # a file system without modes
            os.fchmod(descriptor, mode)
    return descriptor


def _mode_of(path: str) -> int | None:
    """Return the permissions of a regular file, or None for anything else."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mode & 0o777 if stat.S_ISREG(status.st_mode) else None


def flush_to_disk(descriptor: int) -> None:
    """Wait until an open file, or the names of an open folder, are on disk."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNABLE:
            raise


def begin_flushing(descriptor: int) -> None:
    """Let the system begin to write an open file to disk, so that `flush_to_disk` waits less.

    It is all the same whether it can: where it fails, or the system has no such function, all is
    left to `flush_to_disk`.
    """
    begin = _sync_file_range()
    if begin is not None:
        # from place 0, and 0 for all to the end
        begin(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE)


@functools.cache
def _sync_file_range() -> Callable[[int, int, int, int], int] | None:
    """Return Linux's function of this name, which Python does not have; None on other systems."""
    import ctypes  # few outputs are so large

    function = getattr(ctypes.CDLL(None), "sync_file_range", None)
    if function is not None:
        function.argtypes = (ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)
    return function


def flush_folder(path: str) -> None:
    """Wait until the names in a folder are on disk; skip a folder without read permission."""
    try:
        descriptor = os.open(path or os.curdir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return
    try:
        flush_to_disk(descriptor)
    finally:
        os.close(descriptor)


def put(unfinished: str, path: str) -> None:
    """Rename a flushed file to `path`, durably; if the folder cannot be flushed, remove it."""
    os.replace(unfinished, path)
    _flush_or_take_back(path)


def _flush_or_take_back(path: str) -> None:
    try:
        flush_folder(os.path.dirname(path))
    except OSError:
        remove_folder(path)
        raise


def make_folder(path: str, mode: int = 0o777) -> None:
    """Make a folder, and the missing folders above it, durably."""
    if os.path.isdir(path):
        return
    around = os.path.dirname(os.path.abspath(path))
    make_folder(around)
    # another process may make the same folder at this moment
    with suppress(FileExistsError):
        os.mkdir(path, mode)
    flush_folder(around)


def output_folder(path: str) -> None:
    """Make a folder for outputs unless it exists; raises DataError when it cannot be made."""
    with reporting(path):
        make_folder(path)
        if not os.path.isdir(path):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def remove(path: str) -> None:
    """Remove a file; no error if there is none."""
    with suppress(FileNotFoundError):
        os.unlink(path)


@contextmanager
def atomic_file(path: str) -> Iterator[str]:
    """`with atomic_file(path) as unfinished:` for a file that another function writes by its path.

    The block writes to the path `unfinished`, which is renamed to `path` when the block ends well;
    an exception leaves no file.  Raises DataError when the file cannot be written.
    """
    unfinished = temporary_name(path)
    with signals.cleanup(lambda: remove(unfinished)):
        try:
            with reporting(path):
                yield unfinished
                _flush_file(unfinished, _mode_of(path))
                put(unfinished, path)
        except BaseException:
            remove(unfinished)
            raise


def _flush_file(path: str, mode: int | None = None) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if mode is not None:
            with suppress(PermissionError):
                os.fchmod(descriptor, mode)
        flush_to_disk(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_folder(path: str) -> Iterator[str]:
    """`with atomic_folder(path) as unfinished:` for a folder of files.

    The block writes files into `unfinished`, which is renamed to `path` when the block ends well; a
    folder that was there before is removed.  After an exception `path` is as it was.  Raises
    DataError when the folder cannot be written.
    """
    unfinished = temporary_name(path)
    before = temporary_name(path)  # rename cannot replace a folder with files, so the old one moves
    with signals.cleanup(lambda: _undo(path, unfinished, before)):
        try:
            with reporting(path):
                os.mkdir(unfinished)
                yield unfinished
                _flush_all(unfinished)
                with suppress(FileNotFoundError):
                    os.rename(path, before)
                os.rename(unfinished, path)
                _flush_or_take_back(path)
        finally:
            _undo(path, unfinished, before)


def _undo(path: str, unfinished: str, before: str) -> None:
    """Remove the temporary folders; the old folder moves back to `path` if `path` is missing."""
    remove_folder(unfinished)
    if os.path.lexists(before) and not os.path.lexists(path):
        os.rename(before, path)
    remove_folder(before)


def _flush_all(path: str) -> None:
    """Flush all files and folders below a folder, and itself."""
    for folder, _, names in os.walk(path):
        for name in names:
            _flush_file(os.path.join(folder, name))
        flush_folder(folder)


def remove_folder(path: str) -> None:
    """Remove a folder with its files, or a file; no error if there is none."""
    import shutil

    # a link to a folder is removed itself, never what it leads to
    if os.path.islink(path) or not os.path.isdir(path):
        with suppress(OSError):
            os.unlink(path)
        return
    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def temporary_folder() -> Iterator[str]:
    """`with temporary_folder() as folder:`; removed with the block, or by SIGTERM and SIGHUP."""
    import tempfile

    with (
        tempfile.TemporaryDirectory(prefix="campanula-") as folder,
        signals.cleanup(lambda: remove_folder(folder)),
    ):
        yield folder
