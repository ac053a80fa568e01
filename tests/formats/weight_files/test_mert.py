from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.weight_file import weights_of

LOG = "Seeding random\nBest point: 1 2  => 0.21\nBest point: 0.1 -0.2  => 0.23\nStopping\n"


@pytest.mark.parametrize("text", ["0.1 -0.2 \n", LOG])
def test_numbers_have_their_places_as_names(tmp_path: Path, text: str) -> None:
    assert weights_of(tmp_path, text) == {"F0": 0.1, "F1": -0.2}
    assert weights_of(tmp_path, text, names="LM0 0\nTM0 0\n") == {"LM0": 0.1, "TM0": -0.2}


def test_several_lines_are_no_point(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 2: expected one line of numbers, found another"):
        weights_of(tmp_path, "1 2\n3 4\n")
