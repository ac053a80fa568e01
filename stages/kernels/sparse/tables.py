"""Hash tables of keys: features by id, and the words and phrases that features begin with.

Linear probing without deletion; the free slots have key -1, and there is at least one.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.sparse.weights import (
    BOUNDARY,
    SOURCE_PHRASES,
    TARGET_PHRASES,
    TEXT_BIGRAM,
    TEXT_TRIGRAM,
    fold,
    fold_mark,
    id_of,
    slot_of,
    weight_of,
)
from campanula.stages.kernels.wide import wide

WORD = 0  # beside SOURCE_PHRASES and TARGET_PHRASES: what a feature that crosses a seam begins with


@njit(cache=True, nogil=True)
def insert(keys: Ints, ids: Ids, key: Ints, first: int) -> int:
    """Insert key[x] (n,) with id `first` + x; negative keys are left out.

    Return -1, or the first x whose key the table has already; then neither it nor any after it is
    inserted.
    """
    for x in range(len(key)):
        if key[x] >= 0:
            slot = slot_of(keys, key[x])
            if keys[slot] >= 0:
                return x
            keys[slot] = key[x]
            ids[slot] = first + x
    return -1


@njit(cache=True, nogil=True)
def number_keys(keys: Ints, ids: Ids, key: Ints, size: Ints) -> tuple[Ids, Ints]:
    """Return the number (n,) of each key, and the places of new keys, in order.

    New keys are inserted and numbered from size[0] on; the table has slots for all.
    """
    number = np.empty(len(key), np.int32)
    new = np.empty(len(key), np.int64)
    n_new = 0
    for x in range(len(key)):
        slot = slot_of(keys, key[x])
        if keys[slot] < 0:
            keys[slot] = key[x]
            ids[slot] = size[0]
            size[0] += 1
            new[n_new] = x
            n_new += 1
        number[x] = ids[slot]
    return number, new[:n_new]


@njit(cache=True, nogil=True)
def weights_of(keys: Ints, ids: Ids, theta: Floats, key: Ints) -> Floats:
    """Weights (n,) of features by their keys (records.SparseTable)."""
    weight = np.empty(len(key))
    for x in range(len(key)):
        weight[x] = weight_of(keys, ids, theta, key[x])
    return weight


@njit(cache=True, nogil=True)
def copy_table(keys: Ints, ids: Ids, larger: Ints, larger_ids: Ids) -> None:
    """Copy all keys and ids of a table to a larger one."""
    # each key anew: its slot depends on the size of the table
    for old in range(len(keys)):
        if keys[old] >= 0:
            slot = slot_of(larger, keys[old])
            larger[slot] = keys[old]
            larger_ids[slot] = ids[old]


@njit(cache=True, nogil=True)
def ids_of(keys: Ints, ids: Ids, key: Ints) -> Ids:
    """Id (n,) of each key, -1 for one that the table lacks."""
    feature = np.empty(len(key), np.int32)
    for x in range(len(key)):
        feature[x] = id_of(keys, ids, key[x])
    return feature


@njit(cache=True, nogil=True)
def unit_key(kind: int, mark: int) -> int:
    """Key of a unit that features begin with: a WORD, or one of SOURCE_PHRASES, TARGET_PHRASES."""
    # with the kind: a source and a target phrase of the same words have one fingerprint
    left, right = fold(1, 1, kind)
    left, right = fold_mark(left, right, mark)
    return int(left << 31 | right)


@njit(cache=True, nogil=True)
def unit_keys(kind: int, mark: Ints) -> Ints:
    """Keys (n,) of words or phrases of one kind."""
    key = np.empty(len(mark), np.int64)
    for x in range(len(mark)):
        key[x] = unit_key(kind, mark[x])
    return key


@njit(cache=True, nogil=True)
def number_unit(key: int, keys: Ints, numbers: Ids, size: Ints) -> int:
    """Number of a unit, which is inserted if it is new; size (1,) is the number of units."""
    slot = slot_of(keys, key)
    if keys[slot] < 0:
        keys[slot] = key
        numbers[slot] = size[0]
        size[0] += 1
    return wide(numbers[slot])


@njit(cache=True, nogil=True)
def number_units(
    kind: Bytes, mark: Ints, unit: Ids, middle: Ids, keys: Ints, numbers: Ids, size: Ints
) -> int:
    """Number the units that features begin with, in order of first occurrence; return n_trigrams.

    unit (n,) gets the number of each feature's unit, -1 if the feature does not cross a seam.  A
    trigram needs its second word, too: middle (n_trigrams or more,) gets these, in the order of the
    trigrams.  kind and mark as in names.Parsed.
    """
    n_trigrams = 0
    for x in range(len(kind)):
        unit[x] = -1
        k = kind[x]
        if k in (TEXT_BIGRAM, TEXT_TRIGRAM, BOUNDARY):
            unit[x] = number_unit(unit_key(WORD, mark[x, 0]), keys, numbers, size)
            if k == TEXT_TRIGRAM:
                key = unit_key(WORD, mark[x, 1])
                middle[n_trigrams] = number_unit(key, keys, numbers, size)
                n_trigrams += 1
        elif k in (TARGET_PHRASES, SOURCE_PHRASES):
            unit[x] = number_unit(unit_key(wide(k), mark[x, 0]), keys, numbers, size)
    return n_trigrams


@njit(cache=True, nogil=True)
def survey(
    kind: Bytes, unit: Ids, middle: Ids, theta: Floats, open_kind: Flags, asked: Flags
) -> Flags:
    """Return which kinds have a weight other than 0; set asked (n_units + 1,) for their units.

    theta (n,) may be shorter than kind: the other weights are 0.  Only kinds that are open count.
    Several threads may survey features at the same time: no unit that is set is ever unset.
    Features without a unit set the last place, which is unset at the end.
    """
    every = 256  # values of a byte; only the first are kinds of features
    counting = np.zeros(every, np.bool_)
    seen = np.zeros(every, np.bool_)
    none = len(asked) - 1
    counting[: len(open_kind)] = open_kind
    n_trigrams = 0
    for x in range(min(len(kind), len(theta))):
        k, u = kind[x], unit[x]
        counts = (theta[x] != 0.0) & counting[k]
        place = u if u >= 0 else none
        seen[k] |= counts
        # tested first: a cache line that is written again and again travels from core to core
        if counts and not asked[place]:
            asked[place] = True
        if k == TEXT_TRIGRAM:
            if counts and not asked[middle[n_trigrams]]:
                asked[middle[n_trigrams]] = True
            n_trigrams += 1
    asked[none] = False
    return seen[: len(open_kind)].copy()
