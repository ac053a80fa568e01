"""Arrays in a folder, one .npy file per array, as an entry of a cache.

Arrays are mapped from disk when they are read.  An entry is written beside its place and renamed
when it is whole, so a reader sees all of it or nothing.  Kernels use numbers of the arrays as
indices without checks, so a damaged or forged entry could make them read or write anywhere:
every file is checked against the entry's seal as it is mapped, and folder and files must belong to
this user and not be writable by others.  The check reads each byte once, at 4 GB per second and
core from the page cache.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from campanula.formats import seal
from campanula.formats.atomic import atomic_folder, make_folder, remove_folder, reporting
from campanula.formats.errors import DataError

Arrays = dict[str, NDArray[np.generic]]

SEAL = "seal"
DAY = 86400.0  # seconds; an unfinished entry that is older was left by a killed process
PRIVATE = 0o700  # mode of the cache's folders: for this user alone


class DamagedEntry(Exception):
    """An entry of the cache has changed since it was made, or others could have changed it."""


def default_cache() -> str:
    """Return the cache folder of this user: $XDG_CACHE_HOME/campanula or ~/.cache/campanula."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "campanula")


def read_arrays(folder: str) -> Arrays | None:
    """Map the arrays of a cache entry; None when there is no such entry.

    Raises DamagedEntry, with the reason, when the files do not match the seal or are not private.
    """
    try:
        _check_owner(folder)
        # sorted, so that which fault is named first does not depend on the file system
        names = sorted(name for name in os.listdir(folder) if name != SEAL)
        paths = [os.path.join(folder, name) for name in names]
        for path in paths:
            _check_owner(path)
        fault = seal.fault(os.path.join(folder, SEAL), os.path.basename(folder), paths)
        if fault is not None:
            raise DamagedEntry(fault)
        # mode "c", copy on write: the kernels are compiled for writable arrays
        mapped = {
            os.path.basename(path).removesuffix(".npy"): np.asarray(
                np.load(path, mmap_mode="c", allow_pickle=False)
            )
            for path in paths
        }
    except FileNotFoundError as error:
        if os.path.isdir(folder):
            raise DamagedEntry(f"{os.path.basename(error.filename)} is missing") from error
        return None
    except NotADirectoryError:
        return None
    except (OSError, ValueError, EOFError) as error:
        raise DamagedEntry(str(error)) from error
    return mapped


def kept_arrays(folder: str) -> Arrays | None:
    """Map the arrays of a cache entry; None if there is none, or it is damaged.

    A line on stderr says that a damaged entry will be made again.
    """
    try:
        return read_arrays(folder)
    except DamagedEntry as damage:
        if sys.stderr is not None:
            print(f"{folder}: damaged, and made again: {damage}", file=sys.stderr)
        return None


def write_arrays(arrays: Arrays, folder: str) -> Arrays:
    """Store the arrays as a cache entry and return them; a read-only cache is no error."""
    with suppress(DataError):
        store_arrays(arrays, folder)
    return arrays


def store_arrays(arrays: Arrays, folder: str) -> None:
    """Store the arrays as a cache entry; raises DataError when it cannot be written."""
    with reporting(folder):
        around = os.path.dirname(folder)
        make_folder(around, PRIVATE)
        _sweep(around)
        with atomic_folder(folder) as unfinished:
            # the umask of the user may let others write, which _check_owner would refuse
            os.chmod(unfinished, PRIVATE)
            for name, array in arrays.items():
                np.save(os.path.join(unfinished, f"{name}.npy"), array, allow_pickle=False)
            paths = [os.path.join(unfinished, f"{name}.npy") for name in sorted(arrays)]
            seal.write(os.path.join(unfinished, SEAL), os.path.basename(folder), paths)


def _check_owner(path: str) -> None:
    """Raise DamagedEntry for a symbolic link, another user's file, or a folder open to writing."""
    status = os.lstat(path)
    name = os.path.basename(path)
    if stat.S_ISLNK(status.st_mode):
        raise DamagedEntry(f"{name} is a link")
    if status.st_uid != os.geteuid():
        raise DamagedEntry(f"{name} is another user's")
    if stat.S_ISDIR(status.st_mode) and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise DamagedEntry(f"{name} may be written to by others")


def _sweep(around: str) -> None:
    """Remove unfinished entries that are more than a day old, which killed processes have left."""
    for entry in os.scandir(around):
        unfinished = entry.name.startswith(".") and entry.name.endswith(".tmp")
        if unfinished and entry.stat(follow_symlinks=False).st_mtime < time.time() - DAY:
            remove_folder(entry.path)
