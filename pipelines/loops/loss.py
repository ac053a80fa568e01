"""Any loss with any solver that suits it, over all lists so far.

    for t = 1 .. T:                                         the loop: decode, score, merge
        theta = argmin sum_i loss(s_i, c_i) + (C/2) |theta - theta0|^2     optimize, from theta

theta0, the centre, is what the run started from, in every iteration (G&S 2012, Algorithm 1).
"""

from __future__ import annotations

import argparse

from campanula.pipelines import flags
from campanula.pipelines.loops import optimizing

DEFAULTS = {**flags.CONVERGENT, "iterations": 20}


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of `optimize`."""
    optimizing.add_flags(p, "loss", tuple(optimizing.FLAGS))


def run(args: argparse.Namespace) -> None:
    """Run the loop."""
    optimizing.run(args, [], "theta0")
