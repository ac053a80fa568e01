"""MERT: line search on the corpus metric over all lists so far (Och 2003; G&S 2012, Eq. 3).

    for t = 1 .. T:                                         the loop: decode, score, merge
        theta = argmax metric( sum_i stats of argmax_j s_ij )     optimize --solver line-search

From theta and --restarts random points.  Lists of 100, merged, and as many iterations as it takes
to converge, as Gimpel & Smith ran it (section 4).
"""

from __future__ import annotations

import argparse

from campanula.pipelines import flags
from campanula.pipelines.loops import optimizing

DEFAULTS = flags.CONVERGENT
PASSED: tuple[str, ...] = ("--restarts", "--random-directions", "--freeze", "--only", "--bounds")


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add what can be set of the search."""
    optimizing.add_flags(p, "mert", PASSED)


def run(args: argparse.Namespace) -> None:
    """Run the loop."""
    optimizing.run(args, ["--loss", "cost", "--solver", "line-search"], None)
