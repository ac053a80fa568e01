"""Names for the types of arrays; docstrings add the shape, as in `score (n_hyps,)`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
"""Ids, such as of features or words, and other small integers."""

Ints = NDArray[np.int64]
"""Counts and places."""

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Words64 = NDArray[np.uint64]
"""64 bits each, not a number: eight characters, or a hash."""
