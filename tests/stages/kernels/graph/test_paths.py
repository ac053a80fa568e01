"""Paths followed from their ends back, and sums along them."""

import numpy as np

from campanula.stages.kernels.graph.paths import Paths, path_sums, paths_to


def test_paths_begin_at_the_start():
    """Step 0 is the start; 1 and 2 follow it, 3 follows 1, and 4 follows 3."""
    step = np.array([[-1, -1], [10, 0], [11, 0], [12, 1], [13, 3]])
    offset, arc = paths_to(np.array([4, 0, 2]), step)
    assert offset.tolist() == [0, 3, 3, 4]
    assert arc.tolist() == [10, 12, 13, 11]
    assert paths_to(np.zeros(0, np.int64), step).offset.tolist() == [0]


def test_sums_along_paths():
    value = np.array([[1.0, 2.0, 4.0], [0.5, 0.25, 0.125]])
    total = path_sums(Paths(np.array([0, 2, 2, 3]), np.array([0, 2, 1])), value)
    assert total.tolist() == [[5.0, 0.0, 2.0], [0.625, 0.0, 0.25]]
