"""Runs in one stage and in two, in their folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from campanula.pipelines import history, tune
from tests.pipelines.relevant_set import small

DENSE = {"LM0", "WordPenalty0"}


def run(folder: Path, *more: str, work: str = "work") -> Path:
    given = [*small.flags(folder), *small.train(folder), *small.SPARSE, *small.SHORT]
    argv = ["relevant-set", *given, "-q", "--work-dir", os.fspath(folder / work), *more]
    assert tune.main(argv) == 0
    return folder / work


def weights_of(folder: Path) -> dict[str, float]:
    """Weights of a run, whatever they are by."""
    if not (folder / "features").exists():
        return dict(Weights.read(os.fspath(folder / "weights")))
    stream = read_weight_stream(os.fspath(folder / "weights"))
    names = Inventory.open(os.fspath(folder / "features"))
    return dict(zip(names.between(0, len(stream)), stream.theta.tolist(), strict=True))


def test_dense_features_after_binary_ones(tmp_path: Path) -> None:
    small_steps = ["--iterations", "5", "--keep", "last", "--eta", "1e-6"]
    work = run(tmp_path, "--then", "dense", *small_steps)
    first, second = weights_of(work / "first-stage"), weights_of(work)
    assert set(first) == set(second)
    dense = {name for name in first if name[0].isupper()}
    assert dense >= DENSE
    assert {first[name] for name in dense} == {0.0}
    assert any(second[name] != 0.0 for name in dense)
    binary = set(first) - dense
    assert any(first[name] != 0.0 for name in binary)
    assert [first[name] for name in sorted(binary)] == [second[name] for name in sorted(binary)]
    lines = history.read(os.fspath(work / "history.jsonl"))
    assert [line.iteration for line in lines] == [3, 4, 5]


def test_binary_features_after_dense_ones(tmp_path: Path) -> None:
    work = run(tmp_path, "--then", "binary")
    first, second = weights_of(work / "first-stage"), weights_of(work)
    assert set(first) >= DENSE
    assert {name: second[name] for name in first} == first
    assert any(value != 0.0 for name, value in second.items() if name not in first)
    seeded = history.read(os.fspath(work / "first-stage" / "history.jsonl"))
    assert [line.iteration for line in seeded] == [3]  # from seeds, as all dense features


def test_a_weight_that_is_given_and_frozen_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("LM0 0.1\n")
    given = ["--weights", os.fspath(tmp_path / "mine"), "--freeze", "LM0"]
    found = weights_of(run(tmp_path, *given))
    assert found["LM0"] == 0.1
    assert found["WordPenalty0"] != 0.0


@pytest.mark.parametrize(
    ("more", "weights", "status", "problem"),
    [
        (["--then", "dense", "--dense-features", "none"], None, 2, "none is on"),
        (["--then", "binary"], "uni_a 1\n", 1, "expected dense features alone"),
        ([], "uni_a 1\n", 1, "found 'uni_a'"),
        (["--dense-features", "none"], "LM0 0.1\n", 1, "that are on (none), found 'LM0'"),
        (["--algorithm", "perceptron", "--update", "eq7"], None, 2, "--update"),
        (["--weights", "nowhere"], None, 1, "nowhere"),
        (["--freeze", "LM1"], None, 2, "--freeze: no feature matches 'LM1'"),
        (["--only", "jump_*"], None, 2, "--only: no feature matches 'jump_*'"),
        (["--then", "binary", "--freeze", "pair_*"], None, 2, "no feature matches 'pair_*'"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_at_fault_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    weights: str | None,
    status: int,
    problem: str,
) -> None:
    if weights is not None:
        (tmp_path / "mine").write_text(weights)
        more = [*more, "--weights", os.fspath(tmp_path / "mine")]
    given = [*small.flags(tmp_path), *small.train(tmp_path), *small.SPARSE, *small.SHORT]
    work = tmp_path / "work"
    argv = ["relevant-set", *given, "-q", "--work-dir", os.fspath(work), *more]
    assert tune.main(argv) == status
    printed = capsys.readouterr().err.splitlines()
    assert len(printed) == 1
    assert problem in printed[0]
    assert not work.exists()


def test_seeds_without_dense_features_teach_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [*small.flags(tmp_path), *small.SPARSE, "--dense-features", "none"]
    argv += ["--start", "seeds", "--work-dir", os.fspath(tmp_path / "work")]
    assert tune.main(["relevant-set", *argv]) == 2
    assert "weights of dense features, and none is on" in capsys.readouterr().err
    assert not (tmp_path / "work").exists()


def test_the_weights_of_a_run_are_no_w_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = run(tmp_path, "--iterations", "2")
    given = [*small.flags(tmp_path), *small.SPARSE, "--work-dir", os.fspath(tmp_path / "other")]
    assert tune.main(["relevant-set", *given, "--weights", os.fspath(made / "weights")]) == 1
    assert capsys.readouterr().err.endswith("as text, found a weights stream\n")


def test_results_of_an_earlier_run_do_not_pass_for_this_ones(tmp_path: Path) -> None:
    work = run(tmp_path, *small.dev_as_test(tmp_path), "--iterations", "2")
    assert {"x.out", "dev.out", "features", "initial"} <= set(os.listdir(work))
    mine = tmp_path / "mine"
    mine.write_text("LM0 0.1\n")
    given = [*small.flags(tmp_path), *small.train(tmp_path), *small.SHORT, "--iterations", "2"]
    given += ["-q", "--work-dir", os.fspath(work), "--weights", os.fspath(mine)]
    assert tune.main(["relevant-set", *given]) == 0
    left = set(os.listdir(work)) - {"cache", "curve.png", "curve.svg", "earlier-1"}
    assert left == {"weights", "history.jsonl", "dev.out", "run.json"}


def test_a_folder_in_the_place_of_a_result_is_one_line_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*small.flags(tmp_path), *small.train(tmp_path), *small.SPARSE, *small.SHORT, "-q"]
    for name in ("features", "dev.out"):
        place = tmp_path / "work" / name
        place.mkdir(parents=True)
        argv = ["relevant-set", *given, "--work-dir", os.fspath(tmp_path / "work")]
        assert tune.main(argv) == 1
        assert capsys.readouterr().err == f"tune: {place}: cannot be written: Is a directory\n"
        place.rmdir()
