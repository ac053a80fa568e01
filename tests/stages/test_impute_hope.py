import pytest

from campanula.formats.records.hope import Hope
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages import impute_hope
from tests.examples import random_lists, write_kbest
from tests.naive import rampion as naive
from tests.present import present


def hopes_of(path):
    with Reader(str(path), Hope) as hopes:
        return list(hopes)


@pytest.mark.parametrize("loss", ["ramp1", "ramp2", "ramp3", "perceptron-kbest", "hinge-kbest"])
def test_hopes_equal_the_slow_twin(tmp_path, loss):
    records, plain = random_lists(seed=11, n_lists=8)
    theta = {name: 0.25 * i for i, name in enumerate(records[0].names)}
    Weights(theta).write(str(tmp_path / "w"))
    lists = write_kbest(tmp_path / "dev.kbest", records)
    argv = [lists, "--weights", str(tmp_path / "w"), "--loss", loss, "-q"]
    assert impute_hope.main([*argv, "-o", str(tmp_path / "hope")]) == 0
    found = hopes_of(tmp_path / "hope")
    expected = [naive.hope(loss, theta, kbest, 10.0) for kbest in plain]
    assert [hope.index.tolist() for hope in found] == [[j] for j in expected]
    assert [hope.size for hope in found] == [len(kbest) for kbest in plain]


def test_ties_go_to_the_lower_index(tmp_path):
    records, _ = random_lists(seed=2, n_lists=5)
    for record in records:
        present(record.gain)[:] = 0.5
    Weights(dict.fromkeys(records[0].names, 0.0)).write(str(tmp_path / "w"))
    lists = write_kbest(tmp_path / "dev.kbest", records)
    argv = [lists, "--weights", str(tmp_path / "w"), "-o", str(tmp_path / "hope"), "-q"]
    assert impute_hope.main(argv) == 0
    assert [hope.index.tolist() for hope in hopes_of(tmp_path / "hope")] == [[0]] * 5


def test_scores_that_overflow_are_refused_by_name(tmp_path, capsys):
    records, _ = random_lists(seed=2, n_lists=5)
    Weights(dict.fromkeys(records[0].names, 1.7e308)).write(str(tmp_path / "w"))
    lists = write_kbest(tmp_path / "dev.kbest", records)
    argv = [lists, "--weights", str(tmp_path / "w"), "-o", str(tmp_path / "hope"), "-q"]
    assert impute_hope.main(argv) == 1
    error = capsys.readouterr().err.strip()
    assert "\n" not in error
    assert "expected a finite score of hypothesis" in error
    assert not (tmp_path / "hope").exists()
