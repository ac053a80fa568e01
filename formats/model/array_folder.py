"""Arrays in a folder, one .npy file an array, as an entry of a cache.

They are mapped from disk when they are read.  An entry is written beside its place and renamed when
it is whole, so a reader sees all of it or nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from campanula.formats.files import atomic_folder

Arrays = dict[str, NDArray[np.generic]]


def read_arrays(folder: str) -> Arrays | None:
    """Map the arrays of a cache entry; None when there is no such entry or it is damaged."""
    arrays: Arrays = {}
    try:
        for entry in os.listdir(folder):
            # copy on write: the kernels are compiled for arrays that can be written
            mapped = np.load(os.path.join(folder, entry), mmap_mode="c", allow_pickle=False)
            arrays[entry.removesuffix(".npy")] = np.asarray(mapped)
    except (OSError, ValueError, EOFError):
        return None
    return arrays or None


def write_arrays(arrays: Arrays, folder: str) -> Arrays:
    """Store the arrays as a cache entry; a cache that cannot be written is done without."""
    with suppress(OSError):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with atomic_folder(folder) as unfinished:
            for name, array in arrays.items():
                np.save(os.path.join(unfinished, f"{name}.npy"), array, allow_pickle=False)
    return arrays
