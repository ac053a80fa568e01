"""What the flags of the loop ask for, and what does not fit together."""

from __future__ import annotations

import argparse

import pytest

from campanula.pipelines import tune
from campanula.pipelines.relevant_set import from_flags
from campanula.pipelines.relevant_set.settings import DecoderFlags, RelevantLoopSettings
from campanula.pipelines.scorer import MetricSettings
from campanula.pipelines.settings import TrainingFiles
from campanula.stages.command import UsageError

NEEDED = ["--source", "s", "--ref", "r", "--work-dir", "d"]
TRAIN = ["--train", "a", "b", "c"]


def parse(*argv: str) -> argparse.Namespace:
    return tune.parser().parse_args(["relevant-set", *NEEDED, *argv])


def test_settings() -> None:
    test = ["--test", "x", "s2", "r2", "r3"]
    given = from_flags.settings_of(
        parse(*TRAIN, "--leave-one-out", *test, "--beam", "9", "--eta", "1e-5", "--metric", "wer")
    )
    assert given.train == TrainingFiles("a", "b", "c")
    assert given.tests[0].refs == ("r2", "r3")
    assert given.decoder == DecoderFlags(("--beam", "9"), "swap", "0")
    assert given.metric == MetricSettings("wer")
    assert given.loop == RelevantLoopSettings(optimize=("--eta", "1e-5"))


def test_a_test_set_has_the_name_of_a_file() -> None:
    with pytest.raises(UsageError, match="that of a file, too, so without /: 'a/b'"):
        from_flags.settings_of(parse("--test", "a/b", "s2", "r2"))


def test_flags_of_meteor_go_to_meteor() -> None:
    given = from_flags.settings_of(
        parse("--also", "meteor", "--also", "ter", "--meteor-gamma", "0.4", "--lowercase")
    )
    assert given.metric == MetricSettings("bleu", lowercase=True)
    meteor = MetricSettings("meteor", lowercase=True, meteor=("--meteor-gamma", "0.4"))
    assert given.also == (meteor, MetricSettings("ter", lowercase=True))


def test_the_perceptron_starts_from_seeds() -> None:
    assert from_flags.settings_of(parse("--algorithm", "perceptron")).loop.start == "seeds"
    assert from_flags.settings_of(parse()).loop.start == "oracle"


def test_an_alignment_is_for_leaving_out() -> None:
    assert from_flags.settings_of(parse(*TRAIN)).train == TrainingFiles("a", "b", None)


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (["--algorithm", "perceptron", "--start", "oracle"], "has no truth"),
        (["--select", "violating", "--start", "seeds"], "goes by the truth"),
        (["--iterations", "1"], "l = 2"),
        (["--iterations", "2", "--start", "seeds"], "l = 3"),
        (["--iterations", "2", "--then", "dense", "--train", "a", "b"], "l = 3"),
        (["--leave-one-out"], "needs --train"),
        ([*TRAIN[:3], "--leave-one-out"], "needs --train"),
        (TRAIN[:2], "takes a source, a target"),
        ([*TRAIN, "d"], "takes a source, a target"),
        (["--singleton-penalty", "1"], "belongs to --leave-one-out"),
        (["--then", "dense"], "needs --train"),
        (["--test", "train", "s", "r"], "a new name"),
        (["--test", "x", "s"], "at least one reference"),
        (["--also", "bleu"], "a new metric"),
        (["--meteor-gamma", "0.4"], "goes with --metric meteor"),
        (["--also", "ter", "--also", "ter"], "a new metric"),
        (["--inventory", "f"], "is no flag of this loop"),
        (["--engine", "dask"], "takes folders of texts"),
    ],
    ids=" ".join,
)
def test_what_does_not_fit_together(argv: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        from_flags.settings_of(parse(*argv))
