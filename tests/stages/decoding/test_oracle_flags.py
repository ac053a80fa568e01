"""Flags of a search for oracles: what they make, and which of them ask for a search."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.command import UsageError
from campanula.stages.decoding.block_oracles import OracleSettings
from campanula.stages.decoding.oracle_flags import (
    add_oracle_flags,
    given_for_search,
    search_of_flags,
    searches,
)
from tests.training import Corpus


def parsed(*flags: str, text: bool = False, source: str = "source") -> argparse.Namespace:
    p = argparse.ArgumentParser()
    add_oracle_flags(p)
    return argparse.Namespace(**vars(p.parse_args(flags)), n=None, text=text, input=source)


def test_flags_make_a_setup() -> None:
    flags = ["--phrase-table", "t", "--ref", "a", "--ref", "b", "--seed", "3", "--bag-of-blocks"]
    flags += ["--reordering", "monotone", "--features", "wuebker-c", "--dense-features", "none"]
    setup = search_of_flags(parsed(*flags), None)
    assert (setup.files.phrase_table, setup.refs) == ("t", ("a", "b"))
    assert setup.settings == OracleSettings(n=5, swap=False)
    assert (setup.templates, setup.dense_features) == (
        ("source-triplet", "target-triplet"),
        ("none",),
    )
    assert (setup.bags, setup.seed, setup.left_out) == (True, 3, None)
    assert search_of_flags(parsed("--phrase-table", "t", text=True), None).settings.n == 1
    with pytest.raises(UsageError, match="--phrase-table"):
        search_of_flags(parsed(), None)


def test_a_model_asks_for_a_search() -> None:
    assert not searches(parsed("--lm", "l"))
    assert searches(parsed("--model", "m"))
    assert searches(parsed("--moses-ini", "m"))


def test_what_was_given() -> None:
    assert given_for_search(parsed("--phrase-table", "t")) == []
    assert given_for_search(parsed("--seed", "0", "--no-count", "--features", "a")) == [
        *("features", "no_count", "seed"),
    ]


def test_what_is_left_out_has_no_penalty(tmp_path: Path) -> None:
    source, *sides = Corpus([("a", "u", "0-0")], tmp_path).paths
    flags = ["--phrase-table", "t", "--leave-one-out", *sides]
    left_out = search_of_flags(parsed(*flags, source=source), None).left_out
    assert left_out is not None
    assert (left_out.table, left_out.penalty) == ("t", 0.0)
    Path(sides[1]).write_text("0-0\n0-0\n")
    with pytest.raises(DataError, match="expected 1 line"):
        search_of_flags(parsed(*flags, source=source), None)
