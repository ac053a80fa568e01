import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.tuning.saving import Saving


def test_files_are_numbered_from_1(tmp_path):
    seen = []
    saving = Saving(str(tmp_path / "a" / "b"), lambda path, theta: seen.append((path, theta[0])))
    for value in (3.0, 4.0):
        saving(np.array([value]))
    assert seen == [(str(tmp_path / "a" / "b" / f"theta.{n}"), n + 2.0) for n in (1, 2)]
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("path", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_told(tmp_path, path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=r"file.*cannot be written: Not a directory"):
        Saving(str(tmp_path / path), lambda path, theta: None)
