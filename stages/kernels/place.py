"""Paths of one kernel's compiled forms on disk: Numba's own, and those that run without Numba."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from xxhash import xxh3_64_hexdigest

from campanula.stages.kernels import kernel_cache
from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.form import Form, Loaded, from_bytes, to_bytes
from campanula.stages.kernels.native.kinds import Kind


class Place:
    """Folder and file names of one kernel's forms; also a locator as Numba's caches call it."""

    def __init__(self, kernel: Callable[..., Any], folder: str) -> None:
        code = kernel.__code__
        self.around = folder
        self.folder = os.path.join(folder, kernel.__module__.replace(os.sep, "_"))
        self.file = f"{kernel.__qualname__}-{code.co_firstlineno}".replace(os.sep, "_")
        self.stamp = b""
        self._py_file = code.co_filename  # named so by Numba, which warns of what it cannot keep
        if not kernel.__module__.startswith("campanula."):  # a kernel of the user's own
            status = os.stat(code.co_filename)
            self.stamp = f"{code.co_filename} {status.st_mtime_ns} {status.st_size}".encode()

    def ensure_cache_path(self) -> None:
        """Make the folder of the kernel's forms; Numba's caches call this before they write."""
        os.makedirs(self.folder, kernel_cache.PRIVATE, exist_ok=True)

    def _path(self, key: str) -> str:
        name = f"{self.file}.{xxh3_64_hexdigest(key.encode())}{kernel_cache.FORM}"
        return os.path.join(self.folder, name)

    def load(self, kinds: tuple[Kind, ...]) -> Loaded | None:
        """Return the form for some kinds of arguments; None if there is none, or it needs Numba.

        A damaged file counts as none: a line on stderr says so, and the form is made again.
        """
        key = repr(kinds)
        try:
            with open(self._path(key), "rb") as file:
                fields = from_bytes(file.read())
            if (fields["key"], fields["stamp"]) != (key, self.stamp):
                return None  # an older state of a user's kernel
            return Loaded(self.file, fields)
        except (Unsupported, OSError):
            return None
        except ValueError as error:
            kernel_cache.say(f"{self.folder}: a damaged kernel is made again ({error})")
            return None

    def save(self, form: Form) -> None:
        """Write a form to disk; a full disk or another error of the system leaves none."""
        path = self._path(form.key)
        with suppress(OSError), kernel_cache.locked(self.around):
            self.ensure_cache_path()
            # beside it, then renamed: another process never reads half a form
            with open(f"{path}.tmp", "wb") as file:
                file.write(to_bytes(form))
            os.replace(f"{path}.tmp", path)


def place_of(kernel: Callable[..., Any]) -> Place | None:
    """Return the place of a kernel's forms; None where no folder can be trusted."""
    folder = kernel_cache.folder()
    if folder is None:
        return None
    try:
        return Place(kernel, folder)
    except OSError:  # a kernel of a notebook has no file whose time would show that it changed
        return None
