"""The folder of compiled kernels on disk, and whether its files may be trusted.

    $CAMPANULA_CACHE, or $XDG_CACHE_HOME/campanula, or ~/.cache/campanula
        kernels-DIGEST/             of the sources of all kernels, what compiles them, the processor
            lists.scores/           a kernel's files, and their checksum

Numba alone would notice a change in a kernel's own file, but not in the files of kernels that it
calls: here any change makes all kernels be compiled again.  Files that are loaded from the folder
are run, so they must be ours: the folder is owned by this user, closed to others and no link, and
the files are as they were written.  Settings of Numba do not move the folder.
"""

from __future__ import annotations

import functools
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
SOURCES = ("stages/kernels", "formats/arrays")
"""Folders of sources that are compiled; kernels call functions of formats/arrays."""

KEPT = 3  # folders of other digests that stay, those used last
IN_USE = 3600.0  # seconds; a folder used since may be another running program's, and stays, too
PRIVATE = 0o700
OTHERS = stat.S_IWGRP | stat.S_IWOTH
FORMS = (".nbi", ".nbc")  # Numba's index of a kernel's compiled forms, and the forms
FORM = ".form"  # a compiled form that runs without Numba
PROCESSOR_SIZE = 8192  # bytes; a processor's entry in /proc/cpuinfo takes some two thousand
PROCESSOR_LINES = (
    *(b"vendor_id", b"cpu family", b"model", b"stepping", b"flags"),
    *(b"CPU implementer", b"CPU architecture", b"CPU variant", b"CPU part", b"Features"),
)

quiet = False
"""Whether nothing is written to stderr; CAMPANULA_QUIET does the same for child processes, too."""


@functools.cache
def digest() -> str:
    """Digest of everything that the compiled form of a kernel depends on.

    The digest is made without Numba, whose loading takes longer than most commands.
    """
    import numpy as np
    from xxhash import xxh3_128

    content = xxh3_128()
    for part in (
        version("numba"),
        version("llvmlite"),
        np.__version__.encode(),
        sys.version.encode(),
        f"{sys.implementation.cache_tag} {sys.platform} {os.uname().machine}".encode(),
        processor(),
    ):
        # with its length, so that no two lists of parts give the same bytes
        content.update(b"%d\n%b\n" % (len(part), part))
    for path in sources(PACKAGE):
        with open(os.path.join(PACKAGE, path), "rb") as file:
            source = file.read()
        content.update(f"{path} {len(source)}\n".encode())
        content.update(source)
    return content.hexdigest()


def version(package: str) -> bytes:
    """Return the bytes of a package's version file, or, where it has none, its __version__."""
    from importlib import import_module, util

    spec = util.find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        # the file is read, not imported: importing Numba takes longer than most commands
        with suppress(OSError), open(os.path.join(folder, "_version.py"), "rb") as file:
            return file.read()
    number: str = import_module(package).__version__
    return number.encode()


def processor() -> bytes:
    """Return the processor's model and instruction sets, on which machine code depends."""
    with suppress(OSError), open("/proc/cpuinfo", "rb", buffering=0) as file:
        # the first processor alone: the system takes long to list hundreds of them
        lines = file.read(PROCESSOR_SIZE).partition(b"\n\n")[0].splitlines()
        fields = [line for line in lines if line.startswith(PROCESSOR_LINES)]
        if fields:
            return b"\n".join(fields)
    from llvmlite import binding

    features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_host_cpu_name()} {features}".encode()


def sources(package: str) -> list[str]:
    """Return the compiled sources as paths below the package's folder, sorted."""
    return sorted(
        f"{place[len(package) + 1 :]}/{name}"
        for folder in SOURCES
        for place, _, names in os.walk(os.path.join(package, folder))
        for name in names
        if name.endswith(".py")
    )


def home() -> str:
    """Return the folder of this user's caches: $CAMPANULA_CACHE, else campanula/ in ~/.cache."""
    own = os.environ.get("CAMPANULA_CACHE")
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return own or os.path.join(caches, "campanula")


@functools.cache
def folder() -> str | None:
    """Return the folder of the compiled kernels; make it where it is missing.

    None if the folder cannot be trusted; a line on stderr gives the reason.
    """
    path = os.path.join(home(), f"kernels-{digest()}")
    try:
        os.makedirs(home(), PRIVATE, exist_ok=True)
        close(home())
        with suppress(FileExistsError):
            os.mkdir(path, PRIVATE)
            trim(home(), path)
        fault = fault_of(path)
        if fault is None:
            os.utime(path)  # `trim` removes the folders with the oldest times
    except OSError as error:
        fault = f"cannot be used: {error.strerror}"
    if fault is not None:
        say(f"{path}: {fault}; kernels are compiled anew in every process")
        return None
    return path


def fault_of(path: str) -> str | None:
    """Return why a folder and its files may not be trusted; None when they may."""
    status = os.lstat(path)  # of the path itself: a link may lead to another user's folder
    if not stat.S_ISDIR(status.st_mode):
        return "expected a folder, found a link or a file"
    if status.st_uid != os.geteuid():
        return "expected a folder of this user, found another's"
    mode = stat.S_IMODE(status.st_mode)
    if mode & ~PRIVATE:
        return f"expected mode {PRIVATE:o}, found {mode:o}"
    # who may rename the folder may put another one in its place, unless the sticky bit forbids it
    around = os.stat(os.path.dirname(path))
    if around.st_mode & OTHERS and not around.st_mode & stat.S_ISVTX:
        return "others may rename it, since they may write to the folder around it"
    if around.st_uid not in (0, os.geteuid()):
        return "the folder around it is another user's"
    return None


def close(path: str) -> None:
    """Take from others the right to write to a folder of this user; a umask may have given it."""
    status = os.stat(path)
    shared = status.st_mode & OTHERS and not status.st_mode & stat.S_ISVTX
    if shared and status.st_uid == os.geteuid():
        os.chmod(path, stat.S_IMODE(status.st_mode) & ~OTHERS)


def checksum(path: str, kernel: str) -> str:
    """XXH3-128 of the files of one kernel in a folder, with their names."""
    from xxhash import xxh3_128

    content = xxh3_128()
    for name in sorted(os.listdir(path)):
        if name.startswith(f"{kernel}.") and name.endswith(FORMS):
            with open(os.path.join(path, name), "rb") as file:
                data = file.read()
            content.update(f"{name} {len(data)}\n".encode())
            content.update(data)
    return content.hexdigest()


def seal(path: str, kernel: str) -> None:
    """Write the checksum of a kernel's files beside them; the caller holds the lock."""
    place = os.path.join(path, f"{kernel}.sum")
    with open(f"{place}.tmp", "w", encoding="ascii") as file:
        file.write(checksum(path, kernel))
    os.replace(f"{place}.tmp", place)


def whole(path: str, kernel: str) -> bool:
    """Whether a kernel's files are as written, or there are none; the caller holds the lock."""
    if not os.path.exists(os.path.join(path, f"{kernel}.nbi")):
        return True
    try:
        with open(os.path.join(path, f"{kernel}.sum"), encoding="ascii", errors="replace") as file:
            return file.read() == checksum(path, kernel)
    except OSError:
        return False


def trim(home: str, current: str) -> None:
    """Remove the folders of other digests, except those used last."""
    import shutil

    others = [entry for entry in os.scandir(home) if entry.name.startswith("kernels-")]
    others = [entry for entry in others if entry.path != current and not entry.is_symlink()]
    times = {entry.path: entry.stat().st_mtime for entry in others}
    for path in sorted(times, key=lambda path: times[path], reverse=True)[KEPT:]:
        if times[path] < time.time() - IN_USE:
            shutil.rmtree(path, ignore_errors=True)


def remove(path: str, kernel: str) -> None:
    """Remove a kernel's files; the caller holds the lock."""
    for name in os.listdir(path):
        if name.startswith(f"{kernel}."):
            os.unlink(os.path.join(path, name))


@contextmanager
def locked(path: str, shared: bool = False) -> Iterator[None]:
    """Hold a folder's lock: readers share it, and a process that writes has it alone."""
    import fcntl

    lock = os.open(os.path.join(path, "lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@functools.cache
def announce() -> None:
    """Write, once in a process, that kernels are being compiled."""
    say("compiling kernels for this machine, once; `campanula warm-up` compiles all")


def say(message: str) -> None:
    """Write a line to stderr, unless quiet was asked for or there is no stderr."""
    if not quiet and not os.environ.get("CAMPANULA_QUIET") and sys.stderr is not None:
        print(message, file=sys.stderr)
