"""The last value of a flag counts; all of them are kept."""

from __future__ import annotations

import argparse

from campanula.stages.tuning.repeated_flags import RepeatedFlag, values_of


def test_values() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("--C", action=RepeatedFlag, type=float)
    args = p.parse_args(["--C", "1", "--C", "0.5"])
    assert (args.C, values_of(args, "C")) == (0.5, [1.0, 0.5])
    nothing = p.parse_args([])
    assert (nothing.C, values_of(nothing, "C")) == (None, [])
