"""Arrays as raw bytes in a file, one after the other.

NumPy's own `tofile` is not used: on a full disk it loses up to 4 KiB without an error, since they
stay in a buffer of C's whose final write is not checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def write_raw_arrays(path: str, *arrays: NDArray[Any]) -> None:
    """Write the bytes of arrays to a file; raises OSError when the disk is full."""
    with open(path, "wb") as file:
        for array in arrays:
            file.write(np.ascontiguousarray(array).data)
