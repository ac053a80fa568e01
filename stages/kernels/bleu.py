r"""BLEU's sufficient statistics of the hypotheses of one sentence, equal to sacrebleu's.

    hypothesis length, reference length, matches of 1..4, totals of 1..4

    match_n = sum over n-grams g of min(count of g in the hypothesis, max_r count of g in r)

(Papineni et al. 2002).  The reference length is the closest one, the shorter of two as close.

Texts are UTF-8 bytes; tokens are what Python's `str.split` yields.  The n-grams of the references
are the nodes of a trie: node t < n_types is token t, and `child[node, token]` the n-gram that is
longer by that token.  A hypothesis is read once, token by token; the n-grams that end at a token
are children of those that ended before it.  Tokens are told apart by their bytes, not by a hash.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Table = tuple[Ints, Ints]

ORDER = 4
WIDTH = 2 + 2 * ORDER

_FNV_START, _FNV_PRIME, _LOW = 0x811C9DC5, 0x01000193, 0xFFFFFFFF
_SPREAD = 0x9E3779B1


@njit(cache=True, nogil=True)
def _space(blob: Bytes, i: int, end: int) -> int:
    """Bytes of the white space character at i, 0 if there is another; Python's str.isspace."""
    first = np.int64(blob[i])
    if first <= 0x20:
        return 1 if first == 0x20 or 0x09 <= first <= 0x0D or first >= 0x1C else 0
    if first < 0xC2 or first > 0xE3:
        return 0
    second = np.int64(blob[i + 1]) if i + 1 < end else 0
    if first == 0xC2:  # U+0085, U+00A0
        return 2 if second in (0x85, 0xA0) else 0
    third = np.int64(blob[i + 2]) if i + 2 < end else 0
    if first == 0xE1:  # U+1680
        return 3 if second == 0x9A and third == 0x80 else 0
    if first == 0xE2 and second == 0x80:  # U+2000..200A, U+2028, U+2029, U+202F
        return 3 if 0x80 <= third <= 0x8A or third in (0xA8, 0xA9, 0xAF) else 0
    if first == 0xE2:  # U+205F
        return 3 if second == 0x81 and third == 0x9F else 0
    return 3 if first == 0xE3 and second == 0x80 and third == 0x80 else 0  # U+3000


@njit(cache=True, nogil=True)
def _next_token(blob: Bytes, i: int, end: int) -> tuple[int, int, np.int64]:
    """Start, end and hash (FNV-1a, 32 bits) of the token at or after i; start = end: no more."""
    while i < end:
        width = _space(blob, i, end)
        if width == 0:
            break
        i += width
    start, code = i, np.int64(_FNV_START)
    while i < end and _space(blob, i, end) == 0:
        code = ((code ^ np.int64(blob[i])) * _FNV_PRIME) & _LOW
        i += 1
    return start, i, code


@njit(cache=True, nogil=True)
def count_tokens(blob: Bytes, start: int, end: int) -> int:
    """Number of tokens in blob[start:end]."""
    count = 0
    first, last, _ = _next_token(blob, start, end)
    while first < last:
        count += 1
        first, last, _ = _next_token(blob, last, end)
    return count


@njit(cache=True, nogil=True)
def _same(one: Bytes, i: int, other: Bytes, j: int, length: int) -> bool:
    for k in range(length):  # noqa: SIM110  (Numba has no generator expressions)
        if one[i + k] != other[j + k]:
            return False
    return True


@njit(cache=True, nogil=True)
def _find_type(
    slots: Ints, spans: Ints, ref_blob: Bytes, blob: Bytes, start: int, end: int, code: np.int64
) -> int:
    """Slot of the open-addressing table that holds the token's type, or where it belongs.

    slots (power of two,): type or -1; spans (n_types, 3): start, end and hash of each type.
    """
    mask = len(slots) - 1
    slot = (code ^ (code >> 15)) & mask
    while slots[slot] >= 0:
        t = slots[slot]
        if (
            spans[t, 2] == code
            and spans[t, 1] - spans[t, 0] == end - start
            and _same(ref_blob, spans[t, 0], blob, start, end - start)
        ):
            break
        slot = (slot + 1) & mask
    return int(slot)


@njit(cache=True, nogil=True)
def _find_child(keys: Ints, key: int) -> int:
    """Slot of the open-addressing table that holds the key, or where it belongs (key -1)."""
    mask = len(keys) - 1
    slot = ((key * _SPREAD) >> 15) & mask
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True)
def _table_size(n_entries: int) -> int:
    size = 16
    while size < 2 * n_entries:
        size *= 2
    return size


@njit(cache=True, nogil=True)
def _intern(blob: Bytes, pointer: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Types of the references' tokens.

    Returns slots and spans (see _find_type), the type of every token, all references in a row,
    and the references' lengths (n_refs,).
    """
    n_refs = len(pointer) - 1
    length = np.zeros(n_refs, np.int64)
    for r in range(n_refs):
        length[r] = count_tokens(blob, pointer[r], pointer[r + 1])
    slots = np.full(_table_size(length.sum()), -1, np.int64)
    spans = np.empty((length.sum(), 3), np.int64)
    token = np.empty(length.sum(), np.int64)
    n_types, n_tokens = 0, 0
    for r in range(n_refs):
        last = pointer[r]
        for _ in range(length[r]):
            first, last, code = _next_token(blob, last, pointer[r + 1])
            slot = _find_type(slots, spans, blob, blob, first, last, code)
            if slots[slot] < 0:
                slots[slot] = n_types
                spans[n_types, 0], spans[n_types, 1], spans[n_types, 2] = first, last, code
                n_types += 1
            token[n_tokens] = slots[slot]
            n_tokens += 1
    return slots, spans[:n_types], token, length


@njit(cache=True, nogil=True)
def _count_ngrams(token: Ints, length: Ints, n_types: int) -> tuple[Ints, Ints, Ints]:
    """The references' n-grams as a trie.

    Returns keys and nodes of its table (key = parent * n_types + token), and how often each
    n-gram is allowed (n_nodes,): its highest count in one reference.
    """
    bound = n_types + (ORDER - 1) * len(token)
    keys = np.full(_table_size(bound), -1, np.int64)
    nodes = np.empty(len(keys), np.int64)
    allowed = np.zeros(bound, np.int64)
    used, user = np.zeros(bound, np.int64), np.full(bound, -1, np.int64)
    n_nodes, start = n_types, 0
    for r in range(len(length)):
        for i in range(start, start + length[r]):
            node = -1
            for k in range(i, min(i + ORDER, start + length[r])):
                if k == i:
                    node = token[k]
                else:
                    key = node * n_types + token[k]
                    slot = _find_child(keys, key)
                    if keys[slot] < 0:
                        keys[slot], nodes[slot] = key, n_nodes
                        n_nodes += 1
                    node = nodes[slot]
                used[node] = used[node] + 1 if user[node] == r else 1
                user[node] = r
                allowed[node] = max(allowed[node], used[node])
        start += length[r]
    return keys, nodes, allowed[:n_nodes]


@njit(cache=True, nogil=True)
def _closest(length: Ints, target: int) -> int:
    """The length closest to the target; the shorter of two as close."""
    best: int = length[0]
    for candidate in length[1:]:
        off, best_off = abs(candidate - target), abs(best - target)
        if off < best_off or (off == best_off and candidate < best):
            best = candidate
    return best


@njit(cache=True, nogil=True)
def statistics(hyp_blob: Bytes, hyp_pointer: Ints, ref_blob: Bytes, ref_pointer: Ints) -> Ints:
    """Statistics (n_hyps, 10) of hypotheses against the references of their sentence.

    Text j is blob[pointer[j]:pointer[j + 1]]; at least one reference, which may be empty.
    """
    slots, spans, token, length = _intern(ref_blob, ref_pointer)
    n_types = len(spans)
    keys, nodes, allowed = _count_ngrams(token, length, n_types)
    used, user = np.zeros(len(allowed), np.int64), np.full(len(allowed), -1, np.int64)
    ending = np.empty(ORDER, np.int64)  # the node of the n-gram of each order that ends here
    stats = np.zeros((len(hyp_pointer) - 1, WIDTH), np.int64)
    for j in range(len(stats)):
        ending[:] = -1
        n_tokens, end = 0, hyp_pointer[j + 1]
        first, last, code = _next_token(hyp_blob, hyp_pointer[j], end)
        while first < last:
            n_tokens += 1
            t = slots[_find_type(slots, spans, ref_blob, hyp_blob, first, last, code)]
            for n in range(ORDER - 1, -1, -1):
                node = t
                if n > 0:
                    node = ending[n - 1]
                    if node >= 0 and t >= 0:
                        slot = _find_child(keys, node * n_types + t)
                        node = nodes[slot] if keys[slot] >= 0 else -1
                    else:
                        node = -1
                ending[n] = node
                if node >= 0:
                    used[node] = used[node] + 1 if user[node] == j else 1
                    user[node] = j
                    if used[node] <= allowed[node]:
                        stats[j, 2 + n] += 1
            first, last, code = _next_token(hyp_blob, last, end)
        stats[j, 0], stats[j, 1] = n_tokens, _closest(length, n_tokens)
        for n in range(ORDER):
            stats[j, 2 + ORDER + n] = max(n_tokens - n, 0)
    return stats
