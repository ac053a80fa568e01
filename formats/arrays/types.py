"""Types of arrays, one name each; a docstring gives the shape: `score (n_hyps,)`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
"""Numbers of things, such as features or words, and what is stored as narrowly."""

Ints = NDArray[np.int64]
"""Counts and places."""

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Words64 = NDArray[np.uint64]
"""64 bits each, taken as they are: eight characters, or a hash."""
