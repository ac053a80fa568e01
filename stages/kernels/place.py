"""Where the compiled forms of one kernel are on disk: Numba's, and those that run without it."""

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
    """Where the forms of one kernel are, also as Numba's caches ask for it."""

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
        """Make the folder."""
        os.makedirs(self.folder, kernel_cache.PRIVATE, exist_ok=True)

    def _path(self, key: str) -> str:
        name = f"{self.file}.{xxh3_64_hexdigest(key.encode())}{kernel_cache.FORM}"
        return os.path.join(self.folder, name)

    def load(self, kinds: tuple[Kind, ...]) -> Loaded | None:
        """The form for some kinds of arguments; None where none is kept, or it needs Numba.

        What is damaged is said on stderr, and made again.
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
        """Keep a form; a disk that is full keeps none."""
        path = self._path(form.key)
        with suppress(OSError), kernel_cache.locked(self.around):
            self.ensure_cache_path()
            with open(f"{path}.tmp", "wb") as file:
                file.write(to_bytes(form))
            os.replace(f"{path}.tmp", path)


def place_of(kernel: Callable[..., Any]) -> Place | None:
    """Place of a kernel's forms; None where there is none that can be trusted."""
    folder = kernel_cache.folder()
    if folder is None:
        return None
    try:
        return Place(kernel, folder)
    except OSError:  # a kernel of a notebook has no file that would tell when it is another
        return None
