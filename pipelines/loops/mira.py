"""MIRA: batch k-best MIRA over all lists so far (Cherry & Foster 2012).

    for t = 1 .. T:                                         the loop: decode, score, merge
        60 epochs of large-margin steps of at most C = 0.01 against a BLEU background;
        theta = the epochs' average that is best on the lists        optimize --solver batch-mira

Lists of 100, C and epochs are those of Moses's kbmira, which is theirs.
"""

from __future__ import annotations

import argparse

from campanula.pipelines import flags
from campanula.pipelines.loops import optimizing

DEFAULTS = flags.CONVERGENT
PASSED: tuple[str, ...] = ("--aggressiveness", "--decay", "--epochs", "--freeze", "--only")


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add what can be set of the solver."""
    optimizing.add_flags(p, "mira", PASSED)


def run(args: argparse.Namespace) -> None:
    """Run the loop."""
    optimizing.run(args, ["--solver", "batch-mira"], None)
