"""Flags of every loop."""

from __future__ import annotations

import argparse

import pytest

from pipelines import flags

NEEDED = ["--source", "s", "--ref", "r", "--weights", "w", "--work-dir", "d"]


def parse(*argv: str) -> argparse.Namespace:
    p = argparse.ArgumentParser()
    flags.add_flags(p)
    return p.parse_args([*NEEDED, *argv])


def test_the_papers_settings_are_the_defaults() -> None:
    args = parse()
    assert (args.iterations, args.k, args.merge, args.test_at) == (20, 500, False, "each")


def test_references_and_test_sets_repeat() -> None:
    args = parse("--ref", "r2", "--test", "a", "s", "r", "--test", "b", "s", "r", "r2")
    assert args.ref == ["r", "r2"]
    assert args.test == [["a", "s", "r"], ["b", "s", "r", "r2"]]


@pytest.mark.parametrize("argv", [["--iterations", "0"], ["-k", "-1"], ["--metric", "x"]])
def test_impossible_settings_are_refused(argv: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(*argv)
