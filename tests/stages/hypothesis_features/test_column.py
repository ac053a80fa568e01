"""Numbers of a file as a feature."""

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.hypothesis_features import column
from tests.examples import random_lists


def test_every_list_takes_its_numbers_and_none_is_left(tmp_path: Path) -> None:
    lists, _ = random_lists(seed=1, n_lists=2)
    n = sum(len(kbest) for kbest in lists)
    (tmp_path / "scores").write_text("".join(f"{i}\n" for i in range(n)))
    values = column.values(str(tmp_path / "scores"))
    found = [number for kbest in lists for number in values.of_list(kbest).tolist()]
    assert found == list(range(n))
    values.finish()
    assert values.signature.startswith("column:")
    (tmp_path / "scores").write_text("1\n" * (n + 1))
    with pytest.raises(DataError, match="expected 0 lines"):
        column.values(str(tmp_path / "scores")).finish()
