"""Settings of a run of the relevant set."""

from __future__ import annotations

import pytest

from campanula.pipelines.relevant_set.settings import (
    DecoderFlags,
    RelevantLoopSettings,
    RelevantSetSettings,
    without,
)
from campanula.pipelines.settings import Files

GIVEN = ("--model", "m", "--features", "block", "--dense-features=moses", "--features", "jump")


def settings() -> RelevantSetSettings:
    return RelevantSetSettings("d", Files("dev", "s", ("r",)), decoder=DecoderFlags(GIVEN))


def test_the_first_weights_come_after_the_first_sets() -> None:
    assert RelevantLoopSettings().first == 2
    assert RelevantLoopSettings(start="seeds").first == 3


@pytest.mark.parametrize(
    ("names", "left"),
    [
        (["--features"], ("--model", "m", "--dense-features=moses")),
        (["--dense-features", "--model"], ("--features", "block", "--features", "jump")),
        ([], GIVEN),
    ],
)
def test_flags_without_some(names: list[str], left: tuple[str, ...]) -> None:
    assert without(GIVEN, *names) == left


def test_a_value_that_is_the_name_of_a_flag_goes_with_its_flag() -> None:
    assert without(("--cache", "--features", "--features", "x"), "--cache") == ("--features", "x")


def test_stages_have_one_kind_of_features() -> None:
    dense, sparse = settings().without_sparse(), settings().without_dense()
    assert dense.decoder.given == ("--model", "m", "--dense-features=moses")
    assert sparse.decoder.given[-2:] == ("--dense-features", "none")
    assert "--dense-features=moses" not in sparse.decoder.given
