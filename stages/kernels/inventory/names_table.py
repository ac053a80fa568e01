r"""The hash table of an inventory's names: ids + 1 by fingerprint, with linear probing.

Where fingerprints are equal, names are compared byte by byte, so two names of one fingerprint have
ids of their own.  A table has at most 7 names in 10 slots.  It is filled in the order of the ids,
so its slots depend on the names and their order alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Bytes, Ids, Ints, Words64
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.inventory.fingerprints import fingerprint
from campanula.stages.kernels.wide import wide

NEW_LINE = ord("\n")
LEAST = 16  # slots of the smallest table
FULL, SLOTS = 7, 10  # at most 7 names in 10 slots: fuller tables have long runs to probe


class Store(NamedTuple):
    r"""Names as an inventory's files have them, or arrays with room for more of them.

    text (bytes,), each name ended by \n; end (n,) places behind the \n; fingerprint (n,).
    """

    text: Bytes
    end: Ints
    fingerprint: Words64


@njit(cache=True, nogil=True)
def is_name(store: Store, number: int, text: Bytes, begin: int, end: int) -> bool:
    """Whether name `number` is text[begin:end]; False for ends that damage has made impossible."""
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
    """Return the id of a name among the first n, or -1, and the slot where it is or belongs.

    key: the name's fingerprint.
    """
    last = len(table) - 1  # slots are a power of two, so `& last` is the rest of a division
    slot = wide(key & np.uint64(last))
    number = -1
    for _ in range(len(table)):  # a damaged table may have no free slot to stop at
        number = wide(table[slot]) - 1
        # and ids that are no names; fingerprints first: few names of others need to be compared
        match = 0 <= number < n and store.fingerprint[number] == key
        if number < 0 or (match and is_name(store, number, text, begin, end)):
            break
        number = -1
        slot = (slot + 1) & last
    return number, slot


@njit(cache=True, nogil=True)
def find_all(
    table: NDArray[Any], store: Store, mask: np.uint64, text: Bytes, pointer: Ints, out: Ids
) -> None:
    """Write the ids of names text[pointer[i]:pointer[i + 1]] to out (n,), -1 for missing ones."""
    for i in range(len(out)):
        begin, end = pointer[i], pointer[i + 1]
        key = fingerprint(text, begin, end) & mask
        out[i] = find(table, store, len(store.end), text, begin, end, key)[0]


@njit(cache=True, nogil=True)
def add_all(
    table: NDArray[Any], store: Store, n: int, mask: np.uint64, text: Bytes, pointer: Ints, out: Ids
) -> tuple[int, int]:
    """Write the ids of names to out (m,), as find_all; add new names behind the store's first n.

    The store has room for all.  Returns how many of the m names have ids, fewer than m when the
    table is full, and how many names the store has then.
    """
    done = 0
    most = len(table) // SLOTS * FULL
    place = store.end[n - 1] if n > 0 else 0
    for i in range(len(out)):
        begin, end = pointer[i], pointer[i + 1]
        key = fingerprint(text, begin, end) & mask
        number, slot = find(table, store, n, text, begin, end, key)
        if number < 0:
            if n >= most:
                break  # the caller makes a larger table, and goes on with this name
            for k in range(begin, end):
                store.text[place] = text[k]
                place += 1
            store.text[place] = NEW_LINE
            place += 1
            store.end[n] = place
            store.fingerprint[n] = key
            number, n = n, n + 1
            table[slot] = n  # the id + 1, as 0 is a free slot
        out[i] = number
        done += 1
    return done, n


@njit(cache=True, nogil=True)
def fill(table: NDArray[Any], fingerprint: Words64) -> None:
    """Put ids of names with fingerprints (n,), all different names, into a table of zeros.

    Names need not be compared: those of one fingerprint take slots one after the other.
    """
    last = len(table) - 1
    for number in range(len(fingerprint)):
        slot = wide(fingerprint[number] & np.uint64(last))
        while table[slot] > 0:
            slot = (slot + 1) & last
        table[slot] = number + 1


def slots_for(n: int) -> int:
    """Return the number of slots, a power of two, for a table of n names."""
    size = LEAST
    while size // SLOTS * FULL < n:
        size *= 2
    return size
