"""--folds of the command: the table, the choice, the same bytes, and what does not go with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.weights import Weights
from campanula.stages import optimize
from tests.examples import random_lists, write_kbest

SHORT = ["--loss", "ramp3", "--solver", "ssd", "--cccp-iterations", "2", "--epochs", "2"]
VALUES = ["--C", "0", "--C", "50", "--eta", "0.0001", "--eta", "0.1"]


@pytest.fixture
def task(tmp_path: Path) -> list[str]:
    records, _ = random_lists(seed=5, n_lists=8, sparse=False)
    Weights(dict.fromkeys(records[0].names, 0.1)).write(str(tmp_path / "w0"))
    return [write_kbest(tmp_path / "dev.kbest", records), "--weights", str(tmp_path / "w0")]


def test_the_table_and_the_choice(
    task: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for name in ("w1", "w2"):
        out = str(tmp_path / name)
        assert optimize.main([*task, *SHORT, *VALUES, "--folds", "4", "-o", out]) == 0
        found.append(((tmp_path / name).read_bytes(), capsys.readouterr().err))
    assert found[0] == found[1]
    weights, said = found[0]
    lines = [line for line in said.splitlines() if "folds" in line]
    assert [line.split(": ")[2] for line in lines[:4]] == [
        f"loss ramp3, C {C}, eta {eta}" for C in (0.0, 50.0) for eta in (0.0001, 0.1)
    ]
    chosen = lines[4].removeprefix("optimize: chosen by 4 folds: ")
    assert any(line.endswith(chosen) for line in lines[:4])
    words = chosen.replace(":", "").replace(",", "").split()
    C, eta = words[words.index("C") + 1], words[words.index("eta") + 1]
    alone = [*task, *SHORT, "--C", C, "--eta", eta, "-o", str(tmp_path / "w3"), "-q"]
    assert optimize.main(alone) == 0
    assert (tmp_path / "w3").read_bytes() == weights
    assert capsys.readouterr().err == ""


def test_before_and_after(task: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert optimize.main([*task, *SHORT]) == 0
    assert "optimize: mean gain of the best hypotheses: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (["--folds", "1"], "expected an integer of at least 2"),
        (["--folds", "2", "--stream"], "--folds does not go with --stream"),
        (["--folds", "2", "--loss", "costmargin"], "--folds is not for the loss costmargin"),
    ],
)
def test_what_does_not_go_with_it(
    task: list[str], flags: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = optimize.main([*task, *flags])
    except SystemExit as stop:
        status = int(str(stop.code))
    assert status == 2
    assert problem in capsys.readouterr().err


def test_fewer_lists_than_folds(task: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert optimize.main([*task, *SHORT, "--folds", "9"]) == 1
    assert "expected at least 9 lists, one a fold, found 8" in capsys.readouterr().err
