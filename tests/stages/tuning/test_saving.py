import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.command import UsageError
from campanula.stages.tuning.saving import NAME, Saving, refuse_saved


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


def test_no_output_is_one_of_the_files(tmp_path):
    """It would be written over what was saved."""
    folder = str(tmp_path / "each")
    refuse_saved(None, NAME, (f"{folder}/theta.1",))
    refuse_saved(folder, NAME, (None, "-", f"{folder}/theta", f"{folder}/theta.x", "theta.1"))
    for path in (f"{folder}/theta.1", f"{folder}/../each/theta.12"):
        with pytest.raises(UsageError, match=r"--save-each writes .*theta\.1"):
            refuse_saved(folder, NAME, (None, path))


def test_a_folder_in_the_place_of_a_file_is_refused_before_any_work(tmp_path):
    (tmp_path / "theta.x").mkdir()
    refuse_saved(str(tmp_path), NAME, ())
    (tmp_path / "theta.7").mkdir()
    with pytest.raises(DataError, match=r"theta\.7: cannot be written: Is a directory"):
        refuse_saved(str(tmp_path), NAME, ())
