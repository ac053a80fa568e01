"""What is decoded and searched, and with which flags."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.pipelines.data_set import DataSet
from campanula.pipelines.relevant_set.decodings import (
    Decodings,
    SetTrainingText,
    refuse_own,
    searched,
)
from campanula.pipelines.relevant_set.settings import DecoderFlags
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, StageTask
from campanula.stages.command import UsageError
from tests.pipelines.arguments import argv_of

DATA = DataSet("train", Leaf("src", "s"), (Leaf("ref", "r"),))
WEIGHTS = Leaf("w", "w")
INVENTORY = Leaf("F", "F")


def decodings(
    folder: Path, *given: str, inventory: Leaf | None = INVENTORY, extends: bool = True
) -> Decodings:
    flags = DecoderFlags(given, "monotone")
    return Decodings(Cache(os.fspath(folder)), flags, inventory, extends, jobs=2)


def argv(task: StageTask) -> list[str]:
    """The arguments of a task before its output."""
    found = argv_of(task)
    return found[: found.index("-o")]


def test_the_oracle_search_has_those_flags_of_the_decoder_that_it_knows(tmp_path: Path) -> None:
    given = ("--features", "block", "--beam", "9", "--dense-features=none", "--cache", "c")
    text = SetTrainingText(DATA)
    made = decodings(tmp_path, *given)
    against = ["--inventory", "F", "--no-count", "--reordering", "monotone"]
    known = ["--dense-features", "none", "--features", "block"]
    truth = ["src", "--ref", "ref", "--n", "5", *known, *against]
    assert argv(made.truth(text)) == truth
    assert argv_of(made.truth(text))[-5:] == ["--jobs", "2", "--cache", "c", "-q"]
    bag = ["src", "--ref", "ref", "--bag-of-blocks", "--seed", "7", *known, *against]
    assert argv(made.bag(text, 7)) == bag


def test_values_that_look_like_flags_stay_where_they_are() -> None:
    several = ("--class-lm", "a", "--lm", "b", "--classes=c", "--class-lm=d", "--classes", "e")
    assert searched(several) == [
        *("--lm", "b"),
        *("--class-lm", "a", "--class-lm", "d"),
        *("--classes", "c", "--classes", "e"),
    ]
    assert searched(("--lm=x", "--stack", "5", "--features", "a", "--features", "b")) == [
        *("--lm", "x"),
        *("--features", "a"),
        *("--features", "b"),
    ]


def test_the_training_text_alone_adds_to_the_inventory(tmp_path: Path) -> None:
    made = decodings(tmp_path, "--beam", "9")
    same = ["src", "--weights", "w", "-k"]
    rest = ["--reordering", "monotone"]
    lists = [*same, "3", "--beam", "9", "--inventory", "F", "--no-count", *rest]
    assert argv(made.lists(SetTrainingText(DATA), WEIGHTS, 3)) == lists
    outputs = [*same, "1", "--beam", "9", "--inventory", "F", "--no-extend", *rest]
    assert argv(made.outputs(DATA, WEIGHTS)) == outputs
    fixed = decodings(tmp_path, "--beam", "9", extends=False)
    assert argv(fixed.lists(SetTrainingText(DATA), WEIGHTS, 1)) == outputs


def test_dense_features_have_no_inventory(tmp_path: Path) -> None:
    made = decodings(tmp_path, inventory=None)
    assert "--inventory" not in argv(made.lists(SetTrainingText(DATA), WEIGHTS, 1))


def test_a_sentence_is_left_out_of_the_training_text_alone(tmp_path: Path) -> None:
    made = decodings(tmp_path)
    text = SetTrainingText(DATA, Leaf("links", "l"))
    given = ["--leave-one-out", "ref", "links"]
    lists, truth = argv(made.lists(text, WEIGHTS, 1)), argv(made.truth(text))
    assert " ".join(given) in " ".join(truth)
    assert " ".join([*given, "--inventory"]) in " ".join(lists)
    assert " ".join(lists).endswith("--singleton-penalty 0 --reordering monotone")
    assert "--leave-one-out" not in argv(made.outputs(DATA, WEIGHTS))


@pytest.mark.parametrize("flag", ["--inventory", "--no-extend", "--no-count", "--inventory=x"])
def test_what_the_loop_sets_itself_is_refused(flag: str) -> None:
    with pytest.raises(UsageError, match="is no flag of this loop"):
        refuse_own(("--beam", "9", flag))
