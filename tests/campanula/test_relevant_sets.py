"""Training on relevant sets from Python is that of the command."""

from pathlib import Path
from typing import Any

import pytest

import campanula
from campanula.stages import optimize
from tests.stages.tuning.relevant.random_sets import random_sets, records_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three sets, truths and weights."""
    monkeypatch.chdir(tmp_path)
    for number, lists in enumerate(random_sets(1, n_sets=3)):
        campanula.KBestLists(tuple(records_of(lists))).save(f"set{number}")
    truths = records_of(random_sets(2, n_sets=1, size=2)[0])
    campanula.KBestLists(tuple(truths)).save("truth")
    campanula.Weights({f"f{i}": 0.1 * i for i in range(40)}).write("w0")
    return tmp_path


@pytest.mark.parametrize(
    ("settings", "flags"),
    [
        ({}, []),
        ({"update": "eq7", "lambda_": 0.1}, ["--update", "eq7", "--lambda", "0.1"]),
        ({"loss": "relevant-perceptron", "eta": 0.1}, ["--eta", "0.1"]),
        ({"freeze": ["f1*"], "shuffle": False}, ["--freeze", "f1*", "--no-shuffle"]),
    ],
)
def test_weights_are_those_of_optimize(
    folder: Path, settings: dict[str, Any], flags: list[str]
) -> None:
    paths = ["set0", "set1", "set2"]
    sets = [campanula.KBestLists.open(path) for path in paths]
    truth = campanula.KBestLists.open("truth")
    loss = settings.get("loss", "costmargin")
    with_truth = loss == "costmargin"
    argv = [*paths, "--loss", loss, *flags, "--weights", "w0", "-o", "w1", "-q"]
    assert optimize.main([*argv, *(["--truth", "truth"] if with_truth else [])]) == 0
    start = campanula.read_weights("w0")
    tuned = campanula.tune_on_sets(sets, start, truth=truth if with_truth else None, **settings)
    assert dict(tuned.weights) == dict(campanula.read_weights("w1"))
    assert f"# objective:{tuned.objective!r}" in (folder / "w1").read_text()
    assert tuned.counts.sentences == 6
    assert tuned.updates > 0


def test_what_does_not_fit_is_a_value_error(folder: Path) -> None:
    lists = campanula.KBestLists.open("set0")
    with pytest.raises(ValueError, match="`loss` ramp3 is not of relevant sets"):
        campanula.tune_on_sets([lists], loss="ramp3")
    with pytest.raises(ValueError, match="is of relevant sets"):
        campanula.tune(lists, loss="costmargin")
    with pytest.raises(ValueError, match="drop `truth`"):
        campanula.tune_on_sets([lists], truth=lists, loss="relevant-perceptron")
    with pytest.raises(ValueError, match="expected sets of lists, found none"):
        campanula.tune_on_sets([])
    with pytest.raises(ValueError, match="no setting is called 'lambd'"):
        campanula.tune_on_sets([lists], lambd=1.0)
