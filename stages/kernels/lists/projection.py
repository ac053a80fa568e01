"""Lists whose features are the values of others along some directions, compiled.

f'_k = d_k . f        for directions d_1, ..., d_n
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import score_list


@njit(cache=True, nogil=True)
def _project(lists: Lists, directions: Floats, dense: Floats) -> None:
    for i in range(len(lists.list_pointer) - 1):
        size = lists.list_pointer[i + 1] - lists.list_pointer[i]
        start = lists.list_pointer[i] * len(directions)
        for k in range(len(directions)):
            # feature by feature within a list, as Lists has dense values
            column = dense[start + k * size : start + (k + 1) * size]
            score_list(lists, i, directions[k], column)


def project(lists: Lists, directions: Floats) -> Lists:
    """Return lists whose n dense features are the values d . f of directions d (n, n_features)."""
    n = len(directions)
    none = np.zeros(lists.n_hyps + 1, np.int64)
    dense = np.empty(n * lists.n_hyps)
    pointer = np.arange(lists.n_lists + 1) * n
    _project(lists, directions, dense)
    ids = np.tile(np.arange(n, dtype=np.int32), lists.n_lists)
    return Lists(
        lists.list_pointer, pointer, ids, lists.list_pointer * n, dense,
        none, ids[:0], dense[:0], none, ids[:0],
    )  # fmt: skip
