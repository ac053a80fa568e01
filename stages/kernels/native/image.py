"""Machine code as it is put in memory: read, given its addresses, closed to writing.

    content   code up to a page, then constants and data
    rows      (n, 3): a place of 64 bits, the symbol whose address it takes, what is added

Symbol 0 is the image itself.  Memory is the process's own, and code is never writable and
executable at once; the loader of LLVM does the same.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ints

PAGE = mmap.PAGESIZE
WIDTH = 8  # bytes of an address


class Image(NamedTuple):
    """What Linker makes; `places` are of the names that the object files share."""

    content: bytes
    code: int
    names: tuple[str, ...]
    rows: Ints
    places: dict[str, int]


_kept: list[Any] = []
"""Memory of the images, which stay until the process ends."""


def placed(image: Image, address_of: Callable[[str], int]) -> int:
    """Put an image in memory and return where it is.

    `address_of` gives the addresses of symbols; what it raises goes on.  Raises OSError where
    memory may not become code.
    """
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    memory = mmap.mmap(-1, max(len(image.content), 1), flags=flags)
    content = np.frombuffer(memory, dtype=np.uint8)
    start: int = content.ctypes.data
    content[: len(image.content)] = np.frombuffer(image.content, dtype=np.uint8)
    addresses = [start, *map(address_of, image.names[1:])]
    fill(content, image.rows, np.array(addresses, dtype=np.uint64))
    protect(start, image.code)
    _kept.append(content)
    return start


def fill(content: Any, rows: Ints, addresses: Any) -> None:
    """Write the address of every row at its place, in place."""
    values = addresses[rows[:, 1]] + rows[:, 2].astype(np.uint64)
    places = rows[:, :1] + np.arange(WIDTH)
    content[places] = values.astype("<u8")[:, None].view(np.uint8)


def protect(start: int, size: int) -> None:
    """Close pages to writing and open them to the processor."""
    change = ctypes.CDLL(None, use_errno=True).mprotect
    change.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    if size and change(start, size, mmap.PROT_READ | mmap.PROT_EXEC):
        number = ctypes.get_errno()
        raise OSError(number, "memory cannot become code")
