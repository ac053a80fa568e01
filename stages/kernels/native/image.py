"""Put machine code in memory: copy it, write addresses into it, close it to writing.

    content   code up to a page, then constants and data
    rows      (n, 3): place of a 64-bit address, symbol whose address it is, number that is added

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
    """The result of Linker: content and rows as above, and `code`, the bytes that are code.

    names: the symbols; places: where the names that the object files share are defined.
    """

    content: bytes
    code: int
    names: tuple[str, ...]
    rows: Ints
    places: dict[str, int]


_kept: list[Any] = []
"""Memory of the images; Python may call their code until the process ends."""


def placed(image: Image, address_of: Callable[[str], int]) -> int:
    """Put an image in memory and return its address.

    `address_of` returns the address of a symbol; an exception of it is passed on.  Raise OSError
    where the system does not let memory become code.
    """
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    # max: a mapping of no bytes is refused
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
    """Write each row's address to its place in content (n,), a byte array."""
    # unsigned, where a sum with a negative addend wraps around as the processor's does
    values = addresses[rows[:, 1]] + rows[:, 2].astype(np.uint64)
    places = rows[:, :1] + np.arange(WIDTH)
    content[places] = values.astype("<u8")[:, None].view(np.uint8)


def protect(start: int, size: int) -> None:
    """Make pages executable and no longer writable; raise OSError where the system refuses."""
    change = ctypes.CDLL(None, use_errno=True).mprotect
    change.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    if size and change(start, size, mmap.PROT_READ | mmap.PROT_EXEC):
        number = ctypes.get_errno()
        raise OSError(number, "memory cannot become code")
