"""Arrays as raw bytes in a file, one after the other.

NumPy's own `tofile` is not used: what a full disk refuses of less than 4 KiB is lost there without
an error (it stays in a buffer of C's, and whether that could be written is not looked at).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def write_arrays(path: str, *arrays: NDArray[Any]) -> None:
    """Write the bytes of arrays to a file; raises OSError when the disk is full."""
    with open(path, "wb") as file:
        for array in arrays:
            file.write(np.ascontiguousarray(array).data)
