"""Files and folders that are there whole or not at all, after a power cut, too.

Written beside their place under a random name, flushed to disk, renamed, and the folder flushed
(fsync): without the first flush a name may be kept and its bytes lost, without the second the name
(Pillai et al. 2014, "All file systems are not created equal").  What is replaced keeps its mode.
An exception leaves nothing, and so do SIGTERM and SIGHUP in a command.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from campanula.formats import leaving
from campanula.formats.errors import DataError

LONGEST = 200  # bytes of a file's name that its temporary name repeats; 255 may be all there are
UNABLE = (errno.EINVAL, errno.ENOTSUP)
"""What file systems say that have nothing to flush to."""

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def reporting(name: str) -> Iterator[None]:
    """Turn what goes wrong with an output into a DataError; BrokenPipeError stays as it is."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise DataError(name, None, problem) from error


def temporary_name(path: str) -> str:
    """A name beside `path` for what is not whole yet, which nobody can foresee."""
    folder, base = os.path.split(path)
    stem = os.fsdecode(os.fsencode(base)[:LONGEST])
    return os.path.join(folder, f".{stem}.{os.urandom(6).hex()}.tmp")


def create(unfinished: str, path: str) -> int:
    """Open a new file for writing that will replace `path`, with the mode of what is there."""
    mode = _mode_of(path)
    descriptor = os.open(unfinished, NEW, 0o666 if mode is None else 0o600)
    if mode is not None:
        with suppress(PermissionError):  # a file system without modes
            os.fchmod(descriptor, mode)
    return descriptor


def _mode_of(path: str) -> int | None:
    """Permissions of a regular file, or None."""
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


def flush_folder(path: str) -> None:
    """Wait until the names in a folder are on disk; one that may not be read is left out."""
    try:
        descriptor = os.open(path or os.curdir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return
    try:
        flush_to_disk(descriptor)
    finally:
        os.close(descriptor)


def put(unfinished: str, path: str) -> None:
    """Give a file that is on disk its name, for good; a name that may be lost is taken back."""
    os.replace(unfinished, path)
    _flush_or_take_back(path)


def _flush_or_take_back(path: str) -> None:
    try:
        flush_folder(os.path.dirname(path))
    except OSError:
        remove_folder(path)
        raise


def make_folder(path: str, mode: int = 0o777) -> None:
    """Make a folder, and those around it, as far as they are not there, for good."""
    if os.path.isdir(path):
        return
    around = os.path.dirname(os.path.abspath(path))
    make_folder(around)
    with suppress(FileExistsError):
        os.mkdir(path, mode)
    flush_folder(around)


def output_folder(path: str) -> None:
    """Make a folder for outputs, if it is not there; raises DataError when it cannot be made."""
    with reporting(path):
        make_folder(path)
        if not os.path.isdir(path):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def remove(path: str) -> None:
    """Remove a file that may have gone."""
    with suppress(FileNotFoundError):
        os.unlink(path)


@contextmanager
def atomic_file(path: str) -> Iterator[str]:
    """`with atomic_file(path) as unfinished:` for what another function writes to a path.

    The file is put in its place when the block has ended well; an exception leaves nothing.
    Raises DataError when it cannot be written.
    """
    unfinished = temporary_name(path)
    act = leaving.expect(lambda: remove(unfinished))
    try:
        with reporting(path):
            yield unfinished
            _flush_file(unfinished, _mode_of(path))
            put(unfinished, path)
    except BaseException:
        remove(unfinished)
        raise
    finally:
        leaving.forget(act)


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
    """`with atomic_folder(path) as unfinished:` for the files of a folder.

    The folder is put in its place when the block has ended well, and what was there is removed; an
    exception leaves nothing.  Raises DataError when it cannot be written.
    """
    unfinished, before = temporary_name(path), temporary_name(path)
    act = leaving.expect(lambda: _undo(path, unfinished, before))
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
        leaving.forget(act)


def _undo(path: str, unfinished: str, before: str) -> None:
    """Remove what is left beside a folder; what was in its place comes back if nothing is there."""
    remove_folder(unfinished)
    if os.path.lexists(before) and not os.path.lexists(path):
        os.rename(before, path)
    remove_folder(before)


def _flush_all(path: str) -> None:
    """Flush a folder with all that is in it."""
    for folder, _, names in os.walk(path):
        for name in names:
            _flush_file(os.path.join(folder, name))
        flush_folder(folder)


def remove_folder(path: str) -> None:
    """Remove a folder that may have gone, or a file."""
    import shutil

    if os.path.islink(path) or not os.path.isdir(path):
        with suppress(OSError):
            os.unlink(path)
        return
    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A folder for what is not kept, which goes when the block ends, and with a signal."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="campanula-") as folder:
        act = leaving.expect(lambda: remove_folder(folder))
        try:
            yield folder
        finally:
            leaving.forget(act)
