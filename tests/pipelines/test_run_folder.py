"""Run folders: run.json, and results of other runs, which are put aside and never written over."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines import tune
from campanula.pipelines.run_folder import RunFolder
from campanula.pipelines.run_record import NAME, CommandLine
from campanula.pipelines.settings import Files
from campanula.pipelines.tasks.cache import Cache
from tests.pipelines import tiny

PATTERNS = ("weights", "*.out", "features", "replicate-*")


class Folder:
    """A folder with an input, in which runs write weights that say what they are."""

    def __init__(self, path: Path) -> None:
        self.input = path / "dev"
        self.input.write_text("a\n")
        self.path = path / "run"

    def run(self, eta: float = 1.0, *words: str, fail: bool = False) -> None:
        command = CommandLine(("mert", os.fspath(self.input), *words), {"eta": eta})
        sets = [Files("dev", os.fspath(self.input), ())]
        folder = RunFolder(os.fspath(self.path), PATTERNS, command, sets)
        with Cache(os.fspath(self.path / "cache")) as cache, folder.begun(cache):
            if fail:
                raise DataError("dev", None, "damaged")
            (self.path / "weights").write_text(f"# made by {eta}\nLM0 {eta}\n")
            (self.path / "replicate-1").mkdir(exist_ok=True)
            (self.path / "replicate-1" / "weights").write_text(str(eta))

    def weights(self, *names: str) -> str:
        return self.path.joinpath(*names, "weights").read_text().split()[-1]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_the_same_run_goes_on_in_its_folder(folder: Folder) -> None:
    folder.run()
    folder.run()
    assert sorted(os.listdir(folder.path)) == ["cache", "replicate-1", NAME, "weights"]
    found = json.loads((folder.path / NAME).read_text())
    assert found["inputs"].keys() == {os.fspath(folder.input)}
    assert found["results"].keys() == {"weights"}
    assert found["signatures"] == {"weights": "made by 1.0"}
    assert found["sets"] == {"dev": {"source": os.fspath(folder.input), "refs": []}}


def test_results_of_other_settings_are_put_aside(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    for eta in (1.0, 2.0, 3.0):
        folder.run(eta)
    assert [folder.weights(*names) for names in ((), ("earlier-1",), ("earlier-2",))] == [
        "3.0",
        "1.0",
        "2.0",
    ]
    assert (folder.path / "earlier-1" / "replicate-1" / "weights").read_text() == "1.0"
    assert json.loads((folder.path / "earlier-1" / NAME).read_text())["settings"] == {"eta": 1.0}
    printed = capsys.readouterr().err.splitlines()
    assert printed == [
        f"results of another run are now in {folder.path}/earlier-{n}" for n in (1, 2)
    ]


def test_results_of_other_data_are_put_aside(folder: Folder) -> None:
    folder.run()
    folder.input.write_text("b\n")
    folder.run()
    assert folder.weights("earlier-1") == "1.0"


def test_results_of_an_unknown_run_are_put_aside(folder: Folder) -> None:
    folder.path.mkdir()
    (folder.path / "weights").write_text("LM0 7")
    (folder.path / "notes").write_text("mine")
    folder.run()
    assert folder.weights("earlier-1") == "7"
    assert (folder.path / "notes").exists()


def test_a_move_that_was_cut_short_goes_on(folder: Folder) -> None:
    folder.run(1.0)
    (folder.path / "earlier-1").mkdir()
    os.rename(folder.path / "weights", folder.path / "earlier-1" / "weights")
    folder.run(2.0)
    assert folder.weights("earlier-1") == "1.0"
    assert (folder.path / "earlier-1" / "replicate-1" / "weights").read_text() == "1.0"
    assert not (folder.path / "earlier-2").exists()


def test_a_link_leads_where_it_led(folder: Folder) -> None:
    folder.run(1.0)
    (folder.path / "cache" / "names").write_text("a")
    (folder.path / "features").symlink_to(Path("cache", "names"))
    folder.run(2.0)
    assert (folder.path / "earlier-1" / "features").read_text() == "a"
    assert not (folder.path / "features").is_symlink()


def test_a_run_that_fails_at_once_leaves_nothing(folder: Folder) -> None:
    with pytest.raises(DataError, match="damaged"):
        folder.run(fail=True)
    assert not folder.path.exists()


def test_a_run_that_fails_later_says_what_it_has_read(folder: Folder) -> None:
    folder.run(1.0)
    with pytest.raises(DataError, match="damaged"):
        folder.run(1.0, fail=True)
    found = json.loads((folder.path / NAME).read_text())
    assert (found["results"], len(found["inputs"])) == (None, 1)


def test_an_input_that_would_be_written_over_is_refused(folder: Folder) -> None:
    folder.run(1.0)
    for name in ("weights", "replicate-1/weights"):
        with pytest.raises(DataError, match="a result of the run in this folder"):
            folder.run(2.0, "--weights", os.fspath(folder.path / name))
    assert folder.weights() == "1.0"


def test_run_json_has_all_settings_of_a_loop(tmp_path: Path) -> None:
    flags = ["mert", *tiny.write(tmp_path), "-q", "--replicates", "2", "--iterations", "1"]
    work = tmp_path / "run"
    assert tune.main([*flags, "--work-dir", os.fspath(work)]) == 0
    found = json.loads((work / NAME).read_text())
    assert found["command"] == ["tune", *flags, "--work-dir", os.fspath(work)]
    assert (found["settings"]["k"], found["settings"]["seed"]) == (20, 1)
    assert found["settings"]["decode"]["reordering"] == "distance"
    assert {"dev.out", "weights"} == set(found["results"])
    read = {os.path.basename(path) for path in found["inputs"]}
    assert {"dev.de", "dev.en0", "dev.en1", "phrase-table", "lm.arpa", "w0"} <= read
    kept = json.loads((work / "replicates.jsonl").read_text().splitlines()[0])["seed"]
    best = {path.read_text() for path in work.glob("replicate-*/dev.out")}
    assert kept == 1
    assert (work / "dev.out").read_text() in best
