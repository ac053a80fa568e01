"""Flags of `tune expected-bleu`."""

from __future__ import annotations

import argparse

import pytest

from campanula.pipelines import tune
from campanula.pipelines.expected_bleu.flags import numbers, strength

NEEDED = ["--train", "a", "b", "c", "--source", "s", "--ref", "r", "--work-dir", "d"]
NEEDED += ["--features", "wuebker-a"]


def test_the_papers_settings_are_the_defaults() -> None:
    args = tune.parser().parse_args(["expected-bleu", *NEEDED])
    assert (args.solver, args.solver_iterations, args.k) == ("rprop", 40, 100)
    assert (args.leave_one_out, args.replicates, args.mert_at) == (True, 3, None)
    assert (args.tau, args.eta, args.optimize_flags) == (None, [], [])


def test_flags_of_optimize_and_of_the_decoder_go_through() -> None:
    flags = ["--rprop", "literal", "--min-count", "2", "--trust", "0"]
    args = tune.parser().parse_args(["expected-bleu", *NEEDED, *flags, "--lm", "x"])
    assert args.optimize_flags == flags
    assert args.decoder_flags == ["--lm", "x"]


def test_several_values_of_tau_and_eta() -> None:
    argv = ["expected-bleu", *NEEDED, "--tau", "0", "1e-5", "--eta", "1", "--solver", "sgd"]
    args = tune.parser().parse_args(argv)
    assert (args.tau, args.eta) == (["0", "1e-5"], ["1"])
    again = ["--tau", "1", "--eta", "2", "3", "--mert-at", "20,5", "--mert-at", "7"]
    args = tune.parser().parse_args([*argv, *again])
    assert (args.tau, args.eta) == (["0", "1e-5", "1"], ["1", "2", "3"])
    assert args.mert_at == [5, 20, 7]


def test_numbers_of_iterations() -> None:
    assert numbers("20,5,20") == (5, 20)
    for wrong in ("", "0", "1,,2", "x"):
        with pytest.raises(argparse.ArgumentTypeError):
            numbers(wrong)
    with pytest.raises(argparse.ArgumentTypeError):
        strength("-1")


@pytest.mark.parametrize(
    "argv",
    [
        ["--solver", "lbfgs"],
        ["--loss", "ramp3"],
        ["--merge"],
        ["--mert-at", "0"],
        ["--singleton-penalty", "2"],
    ],
)
def test_what_is_no_flag_of_it(argv: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        tune.parser().parse_args(["expected-bleu", *NEEDED, *argv])
