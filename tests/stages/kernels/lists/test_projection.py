"""Values along directions against products of matrices."""

import numpy as np
import pytest

from campanula.stages.kernels.lists.projection import project
from tests.stages.tuning.scored import packed, random_plain


def test_projection_is_the_value_along_the_direction():
    plain = random_plain(4)
    lists, _ = packed(plain)
    directions = np.array([[1.0, 0.0, 2.0], [0.5, -1.0, 0.0]])
    along = project(lists, directions)
    for i, one in enumerate(plain):
        start = along.dense_start[i]
        values = along.dense[start : start + 2 * len(one)].reshape(2, len(one))
        assert values == pytest.approx(directions @ np.array([f for f, _ in one]).T)
