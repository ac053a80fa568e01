"""What the flags of maximum expected BLEU training ask for, and what does not fit together."""

from __future__ import annotations

import argparse

import pytest

from campanula.pipelines import tune
from campanula.pipelines.expected_bleu import from_flags
from campanula.pipelines.expected_bleu.settings import TrainingSettings
from campanula.pipelines.settings import Files, TrainingFiles
from campanula.stages.command import UsageError

NEEDED = ["--source", "s", "--ref", "r", "--work-dir", "d", "--features", "wuebker-a, wuebker-b"]
TRAIN = ["--train", "a", "b", "c"]


def parse(*argv: str) -> argparse.Namespace:
    return tune.parser().parse_args(["expected-bleu", *NEEDED, *argv])


def test_settings() -> None:
    more = ["--test", "x", "s2", "r2", "r3", "--selection", "s3", "r4", "--beam", "9"]
    solver = ["--solver", "sgd", "--eta", "1", "10", "--tau", "0", "--fobos", "--trust", "0"]
    leaving = ["--singleton-penalty", "0", "--leave-out", "all", "--leave-out-text", *"xyz"]
    given = from_flags.settings_of(parse(*TRAIN, *more, *solver, *leaving))
    assert given.train == TrainingFiles("a", "b", "c")
    assert given.selection == Files("selection", "s3", ("r4",))
    assert given.tests == (Files("x", "s2", ("r2", "r3")),)
    assert given.decoder == ("--beam", "9")
    assert given.lists.features == ("wuebker-a", "wuebker-b")
    assert given.lists.given == ("--singleton-penalty", "0", "--leave-out", "all")
    assert given.lists.whole == ("x", "y", "z")
    expected = TrainingSettings("sgd", 40, ("0",), ("1", "10"), optimize=("--fobos",))
    assert given.training == expected
    assert given.mert.optimize == ("--trust", "0")


def test_mert_is_run_as_far_as_there_are_iterations() -> None:
    def at(*argv: str) -> tuple[int, ...]:
        return from_flags.settings_of(parse(*TRAIN, *argv)).mert.at

    assert at() == (10, 20, 30, 40)
    assert at("--solver-iterations", "25") == (10, 20)
    assert at("--solver-iterations", "7") == (7,)
    assert at("--mert-at", "40,3") == (3, 40)


def test_what_is_given_again_is_added() -> None:
    more = ["--leave-out", "lexical", "--leave-out", "reordering", "--mert-at", "9,5"]
    given = from_flags.settings_of(parse(*TRAIN, *more, "--mert-at", "7", "--tau", "1"))
    assert given.lists.given == ("--leave-out", "lexical,reordering")
    assert given.mert.at == (5, 7, 9)
    assert given.training.tau == ("1",)


def test_an_alignment_is_for_leaving_out() -> None:
    assert from_flags.settings_of(parse(*TRAIN, "--no-leave-one-out")).train.alignment is None
    train = ["--train", "a", "b", "--no-leave-one-out"]
    assert from_flags.settings_of(parse(*train)).train == TrainingFiles("a", "b")


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (["--train", "a", "b"], "needs --train SOURCE TARGET ALIGNMENT"),
        (["--train", "a"], "--train takes a source"),
        ([*TRAIN, "--no-leave-one-out", "--singleton-penalty", "0"], "belongs to"),
        ([*TRAIN, "--no-leave-one-out", "--leave-out", "all"], "--leave-out belongs to"),
        ([*TRAIN, "--selection", "s"], "--selection takes"),
        ([*TRAIN, "--test", "x", "s"], "--test takes a name, a source"),
        ([*TRAIN, "--test", "dev", "s", "r"], "a new name each time"),
        ([*TRAIN, "--test", "a/b", "s", "r"], "that of a file, too"),
        ([*TRAIN, "--test", "a,b", "s", "r"], "a name without commas, found 'a,b'"),
        ([*TRAIN, "--test", "tau", "s", "r"], "history.jsonl calls something else"),
        ([*TRAIN, "--test", "dev.2", "s", "r"], "dev.2.out is what a run of MERT makes of dev"),
        ([*TRAIN, "--test", "x", "s", "r", "--test", "x.1", "s", "r"], "x.1.out is what"),
        ([*TRAIN, "--solver", "sgd"], "needs a step size"),
        ([*TRAIN, "--eta", "1"], "finds its steps itself"),
        ([*TRAIN, "--mert-at", "41"], "--mert-at 41: there are 40 iterations"),
        ([*TRAIN, "--solver", "growth", "--together", "a,b"], "--together is for weights"),
        ([*TRAIN, "--solver", "growth", "--min-count", "2"], "--min-count is for weights"),
        ([*TRAIN, "--inventory", "x"], "--inventory is no flag of this loop"),
        ([*TRAIN, "--moses-ini", "x"], "--moses-ini is no flag of this loop"),
        ([*TRAIN, "--dask-workers", "2"], "goes with --engine dask"),
        ([*TRAIN, "--work-dir", "a,b"], "without commas"),
    ],
)
def test_what_does_not_fit_together(argv: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        from_flags.settings_of(parse(*argv))
