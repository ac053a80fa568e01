"""Flags of the loop of the relevant set."""

from __future__ import annotations

import pytest

from campanula.pipelines import tune
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.solvers.table import SOLVERS

NEEDED = ["--source", "s", "--ref", "r", "--work-dir", "d"]


def test_the_papers_settings_are_the_defaults() -> None:
    args = tune.parser().parse_args(["relevant-set", *NEEDED])
    assert (args.algorithm, args.start, args.iterations, args.k) == ("costmargin", None, 30, 1)
    assert (args.select, args.keep, args.reordering) == ("all", "best", "swap")
    assert args.optimize_flags == []


def test_flags_of_optimize_and_of_the_decoder_go_through() -> None:
    flags = ["--eta", "1e-5", "--freeze", "LM0", "--no-shuffle", "--update", "eq7"]
    args = tune.parser().parse_args(["relevant-set", *NEEDED, *flags, "--features", "block"])
    assert args.optimize_flags == flags
    assert args.decoder_flags == ["--features", "block"]


def test_help_says_what_flags_do_here(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tune.main(["relevant-set", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    online = SOLVERS["online"].defaults
    assert (online["eta"], LOSSES["relevant-perceptron"].eta) == (1e-4, 1e-5)
    assert f"(default: {online['epochs']}) --eta" in text
    assert "(default: 1e-4; 1e-5 with --algorithm perceptron)" in text
    assert "--no-shuffle visit them as they stand" in text
    assert "batch-mira" not in text
    assert "margin most (Eq. 6); with -k 1 that is the same (default: all)" in text
    assert "--train train.de train.en train.align --leave-one-out" in text


@pytest.mark.parametrize(
    "argv", [["--algorithm", "x"], ["--iterations", "0"], ["--loss", "ramp3"], ["--merge"]]
)
def test_what_is_no_flag_of_it(argv: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        tune.parser().parse_args(["relevant-set", *NEEDED, *argv])
