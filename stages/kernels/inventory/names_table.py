r"""The hash table of an inventory's names: ids + 1 by fingerprint, with linear probing.

A slot whose name has the fingerprint has the name, too, or the search goes on: names are compared
byte by byte, so two names of one fingerprint have ids of their own.  A table has at most 7 names in
10 slots; its slots depend on names and order alone, since it is filled in the order of the ids.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Bytes, Ids, Ints, Words64
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.inventory.fingerprints import fingerprint
from campanula.stages.kernels.wide import wide

NEW_LINE = 10
LEAST = 16  # slots
FULL, SLOTS = 7, 10  # so many names in so many slots are the most


class Store(NamedTuple):
    r"""Names as an inventory's files have them, or room for them.

    text (bytes,), each name ended by \n; end (n,) places behind the \n; fingerprint (n,).
    """

    text: Bytes
    end: Ints
    fingerprint: Words64


@njit(cache=True, nogil=True)
def is_name(store: Store, number: int, text: Bytes, begin: int, end: int) -> bool:
    """Whether name `number` is text[begin:end]; damaged ends say no."""
    start = store.end[number - 1] if number > 0 else 0
    stop = store.end[number] - 1
    if stop - start != end - begin or start < 0 or stop > len(store.text):
        return False
    same = True
    for k in range(end - begin):
        same = same and store.text[start + k] == text[begin + k]
    return same


@njit(cache=True, nogil=True)
def find(
    table: NDArray[Any], store: Store, n: int, text: Bytes, begin: int, end: int, key: np.uint64
) -> tuple[int, int]:
    """Id of a name among the first n, or -1, and the slot where it is or goes; key: fingerprint."""
    last = len(table) - 1
    slot = wide(key & np.uint64(last))
    number = -1
    for _ in range(len(table)):  # one that is damaged may have no free slot
        number = wide(table[slot]) - 1
        known = 0 <= number < n and store.fingerprint[number] == key
        if number < 0 or (known and is_name(store, number, text, begin, end)):
            break
        number = -1
        slot = (slot + 1) & last
    return number, slot


@njit(cache=True, nogil=True)
def find_all(
    table: NDArray[Any], store: Store, mask: np.uint64, text: Bytes, pointer: Ints, out: Ids
) -> None:
    """Ids out (n,) of names text[pointer[i]:pointer[i + 1]]; -1 for those that are not there."""
    for i in range(len(out)):
        begin, end = pointer[i], pointer[i + 1]
        key = fingerprint(text, begin, end) & mask
        out[i] = find(table, store, len(store.end), text, begin, end, key)[0]


@njit(cache=True, nogil=True)
def add_all(
    table: NDArray[Any], store: Store, n: int, mask: np.uint64, text: Bytes, pointer: Ints, out: Ids
) -> tuple[int, int]:
    """Ids out (m,) of names, as find_all; new names are written behind the n that the store has.

    The store has room for all.  Gives how many names out of m have ids, fewer when the table is
    full, and how many the store has then.
    """
    done, most = 0, len(table) // SLOTS * FULL
    place = store.end[n - 1] if n > 0 else 0
    for i in range(len(out)):
        begin, end = pointer[i], pointer[i + 1]
        key = fingerprint(text, begin, end) & mask
        number, slot = find(table, store, n, text, begin, end, key)
        if number < 0:
            if n >= most:
                break
            for k in range(begin, end):
                store.text[place] = text[k]
                place += 1
            store.text[place] = NEW_LINE
            place += 1
            store.end[n] = place
            store.fingerprint[n] = key
            number, n = n, n + 1
            table[slot] = n
        out[i] = number
        done += 1
    return done, n


@njit(cache=True, nogil=True)
def fill(table: NDArray[Any], fingerprint: Words64) -> None:
    """Put ids of names with fingerprints (n,), all different names, into a table of zeros."""
    last = len(table) - 1
    for number in range(len(fingerprint)):
        slot = wide(fingerprint[number] & np.uint64(last))
        while table[slot] > 0:
            slot = (slot + 1) & last
        table[slot] = number + 1


def slots_for(n: int) -> int:
    """Slots of the table of n names, a power of two."""
    size = LEAST
    while size // SLOTS * FULL < n:
        size *= 2
    return size
