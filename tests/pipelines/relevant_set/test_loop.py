"""The loop on the tiny model: what it leaves, what it finds again, and what is made again."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from campanula.pipelines import history, tune
from tests.pipelines.relevant_set import small

Run = Callable[..., Counter[str]]


@pytest.fixture
def run(tmp_path: Path, commands: list[str]) -> Run:
    """Run the loop with further flags; returns how often each stage was run."""
    flags = small.flags(tmp_path)

    def run(*more: str, work: str = "work", train: bool = True) -> Counter[str]:
        commands.clear()
        text = small.train(tmp_path) if train else []
        folder = ["--work-dir", os.fspath(tmp_path / work)]
        argv = ["relevant-set", *flags, *text, *small.SHORT, "-q", *folder, *more]
        assert tune.main(argv) == 0
        return Counter(commands)

    return run


def lines_of(folder: Path) -> list[history.Iteration]:
    return history.read(os.fspath(folder / "history.jsonl"))


def test_what_a_run_leaves(run: Run, tmp_path: Path) -> None:
    run(*small.SPARSE, *small.dev_as_test(tmp_path), "--also", "ter")
    work = tmp_path / "work"
    first, last = lines_of(work)
    assert (first.iteration, last.iteration, first.lists) == (2, 3, 4)
    assert (first.hypotheses, last.hypotheses) == (4, 8)  # a bag, and an output; no truth
    assert 0.0 < (last.train or 0.0) <= 1.0
    assert set(last.seconds) == {"decode", "search", "score", "optimise", "orchestration"}
    assert set(last.test) == {"x"}
    assert last.also is not None
    assert set(last.also["ter"]) == {"dev", "x"}
    assert last.tuned is not None
    assert last.tuned.dev == max(first.dev, last.dev)
    outputs = [(work / f"{name}.out").read_text().splitlines() for name in ("dev", "x")]
    assert outputs[0] == outputs[1]  # the test set is dev
    assert len(outputs[0]) == 4
    inventory = Inventory.open(os.fspath(work / "features"))
    inventory.check(read_weight_stream(os.fspath(work / "weights")).reference, "weights")
    assert inventory[0] == "LM0"


def test_without_sparse_features_weights_are_text(run: Run, tmp_path: Path) -> None:
    run()
    weights = Weights.read(os.fspath(tmp_path / "work" / "weights"))
    assert {"LM0", "WordPenalty0"} <= set(weights)
    assert not (tmp_path / "work" / "features").exists()


def test_on_dev_the_outputs_are_those_of_dev(run: Run) -> None:
    assert run(*small.SPARSE, train=False)["decode"] == 2
    assert run(*small.SPARSE)["decode"] == 4


def test_a_second_run_does_nothing(run: Run, tmp_path: Path) -> None:
    run(*small.SPARSE)
    before = small.contents(tmp_path / "work")
    assert run(*small.SPARSE, "--jobs", "2") == {}
    assert small.contents(tmp_path / "work") == before


def test_a_change_redoes_what_depends_on_it(run: Run, tmp_path: Path) -> None:
    first = run(*small.SPARSE)
    begun = {"oracle-search": 2, "import-weights": 1}
    assert first == {**begun, "score-bleu": 6, "decode": 4, "optimize": 2}
    again = run(*small.SPARSE, "--eta", "0.02")
    assert again == {"score-bleu": 4, "decode": 4, "optimize": 2}
    more = run(*small.SPARSE, "--iterations", "4")
    assert more == {"score-bleu": 2, "decode": 2, "optimize": 1}
    assert run(*small.SPARSE, *small.dev_as_test(tmp_path)) == {"score-bleu": 2}  # it is dev


def test_test_sets_that_come_later_are_as_if_they_had_been_there(run: Run, tmp_path: Path) -> None:
    """Lists of an iteration do not depend on how the inventory has grown since."""
    test = small.dev_as_test(tmp_path)
    run(*small.SPARSE, *test, work="at-once")
    run(*small.SPARSE, work="later")
    run(*small.SPARSE, *test, work="later")
    shutil.rmtree(tmp_path / "later" / "earlier-1")
    assert small.contents(tmp_path / "later") == small.contents(tmp_path / "at-once")


@pytest.mark.parametrize("lost", ["decode-*", "features-*", "score-bleu-*", "optimize-*", "*"])
def test_what_is_lost_is_made_again(run: Run, tmp_path: Path, lost: str) -> None:
    run(*small.SPARSE)
    work = tmp_path / "work"
    before = small.contents(work)
    for path in (work / "cache").glob(lost):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    run(*small.SPARSE)
    after = small.contents(work)
    assert after == {name: before[name] for name in after}
    assert lost not in ("*", "features-*") or after == before


@pytest.mark.parametrize("which", range(4))
def test_one_list_that_is_lost_is_made_again(run: Run, tmp_path: Path, which: int) -> None:
    run(*small.SPARSE)
    work = tmp_path / "work"
    before = small.contents(work)
    sets = sorted((work / "cache").glob("score-bleu-*.kbest"))
    sets[which].unlink()
    run(*small.SPARSE)
    after = small.contents(work)
    assert after == {name: before[name] for name in after}  # lists of dev are not read again


@pytest.mark.parametrize(
    "more",
    [
        ["--algorithm", "perceptron"],
        ["--start", "seeds"],
        ["-k", "3"],
        ["-k", "3", "--select", "violating", "--lambda", "0.1"],
        ["--update", "eq7", "--keep", "last"],
        ["--metric", "wer", "--reordering", "monotone"],
        ["--test-at", "end", "--also", "chrf", "--trim"],
    ],
    ids=" ".join,
)
def test_other_ways(run: Run, tmp_path: Path, more: list[str]) -> None:
    """They run, with one job and two, to the same bytes."""
    test = small.dev_as_test(tmp_path)
    run(*small.SPARSE, *test, *more, "--iterations", "4", work="one")
    run(*small.SPARSE, *test, *more, "--iterations", "4", "--jobs", "2", work="two")
    assert small.contents(tmp_path / "one") == small.contents(tmp_path / "two")
    last = json.loads((tmp_path / "one" / "history.jsonl").read_text().splitlines()[-1])
    assert set(last["tuned"]["test"]) == {"x"}
