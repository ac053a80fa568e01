"""Where blocks stand, in words."""

from __future__ import annotations

import numpy as np

from campanula.stages.decoding.block_fields import fields_of, orientation, segmentation
from campanula.stages.kernels.graph.paths import Paths
from campanula.stages.kernels.records import LENGTH


def test_segmentation_and_orientation() -> None:
    blocks = [(2, 4, 1), (0, 2, 2), (4, 5, 0), (5, 6, 1)]
    assert segmentation(blocks) == "2-3=0 0-1=1-2 4=3-2 5=3"
    assert orientation(blocks) == "N L N R"
    assert segmentation([(0, 1, 0)]) == "0=1-0"


def test_fields_of_paths() -> None:
    link = np.array([[0, 1, 0, 1, -1], [0, 0, 1, 3, -1], [0, 1, 0, 3, -1]], np.int32)
    info = np.zeros((2, 6), np.int32)
    info[:, LENGTH] = 2, 1
    fields = fields_of(Paths(np.array([0, 2, 4, 5]), np.array([0, 1, 1, 0, 2])), link, info)
    assert list(fields["segmentation"]) == ["0=0 1-2=1-2", "1-2=0-1 0=2", "0-2=0"]
    assert list(fields["orientation"]) == ["R R", "N L", "R"]
