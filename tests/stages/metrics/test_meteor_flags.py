"""Flags of METEOR: the metric that they make, and the words that they are for another command."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.command import UsageError
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.meteor import Meteor
from campanula.stages.metrics.meteor_flags import (
    add_meteor_flags,
    meteor_words,
    refuse_meteor_flags,
    with_meteor_flags,
)
from tests.wordnet_folder import write_wordnet


def parsed(*argv: str) -> argparse.Namespace:
    p = argparse.ArgumentParser()
    add_meteor_flags(p)
    return p.parse_args(argv)


ALL = ("--meteor-alpha", "0.8", "--meteor-beta", "1.5", "--meteor-gamma", "0.4", "--meteor-no-stem")


def test_the_metric_asked_for(tmp_path: Path) -> None:
    assert with_meteor_flags(Meteor(), parsed()) == Meteor()
    other = Meteor(gain_settings=(0.8, 1.5, 0.4), stem=False)
    assert with_meteor_flags(Meteor(), parsed(*ALL)) == other
    folder = write_wordnet(tmp_path / "wn")
    with_synonyms = with_meteor_flags(Meteor(n_refs=2), parsed("--meteor-wordnet", folder))
    assert with_synonyms == Meteor(n_refs=2, wordnet=folder)
    assert with_synonyms != Meteor(n_refs=2)


def test_words_ask_for_the_same() -> None:
    assert meteor_words(parsed()) == ()
    assert meteor_words(parsed(*ALL)) == ALL
    assert parsed(*meteor_words(parsed("--meteor-beta", "1e-3"))).meteor_beta == 1e-3


@pytest.mark.parametrize("flag", [ALL[:2], ("--meteor-no-stem",), ("--meteor-wordnet", "x")])
def test_other_metrics_take_none(flag: tuple[str, ...]) -> None:
    args = parsed(*flag)
    with pytest.raises(UsageError, match=f"{flag[0]} goes with --metric meteor"):
        with_meteor_flags(Bleu(), args)
    refuse_meteor_flags(args, [Bleu(), Meteor()])
    assert with_meteor_flags(Bleu(), parsed()) == Bleu()


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected alpha and gamma from 0 to 1"):
        with_meteor_flags(Meteor(), parsed("--meteor-gamma", "1.5"))
    with pytest.raises(DataError, match=r"index\.noun"):
        with_meteor_flags(Meteor(), parsed("--meteor-wordnet", str(tmp_path)))
