"""RAMPION: the third ramp loss, minimised by CCCP over k-best lists (G&S 2012, Algorithm 1).

    for t = 1 .. T:                                  the loop: decode, score
        for t' = 1 .. T':
            hope_i = argmax_j  s_ij - c_ij           impute-hope    (lines 5-7)
            T'' epochs of subgradient steps on       optimize       (lines 8-14)
                sum_i max_j (s_ij + c_ij) - s_i,hope + (C/2) |theta - theta0|^2

theta0, the centre, is what the run started from, in every iteration.  Each CCCP step is two tasks,
so that a killed run goes on where it was.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from campanula.stages import command

if TYPE_CHECKING:
    from campanula.pipelines.cache import Cache
    from campanula.pipelines.stage_task import Product, StageTask

DEFAULTS: dict[str, object] = {}  # those of every loop are the paper's


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the settings of Algorithm 1, the paper's by default."""
    group = p.add_argument_group("rampion (defaults: the paper's)")
    count, number = command.positive_int, command.non_negative_float
    group.add_argument(
        "--cccp-iterations", type=count, default=10, metavar="T'", help="(default: 10)"
    )
    group.add_argument("--epochs", type=count, default=5, metavar="T''", help="(default: 5)")
    group.add_argument("--eta", type=number, default=1e-4, help="step size (default: 1e-4)")
    group.add_argument("--C", type=number, default=1.0, help="L2 toward theta0 (default: 1)")
    group.add_argument(
        "--alpha", type=number, default=10.0, help="cost = alpha (1 - gain) (default: 10)"
    )
    group.add_argument("--loss", default="ramp3", help="see optimize --help (default: ramp3)")
    group.add_argument("--gamma", type=number, help="of perceptron-gamma (default: 1)")


def run(args: argparse.Namespace) -> None:
    """Run the loop."""
    from campanula.pipelines.runs import tune

    gamma = [] if args.gamma is None else ["--gamma", str(args.gamma)]
    tune(args, cccp, ["--loss", args.loss, "--solver", "ssd", "--ref", args.ref[0], *gamma])


def cccp(
    cache: Cache, args: argparse.Namespace, lists: Product, weights: Product, center: Product
) -> StageTask:
    """Task that makes the weights after T' CCCP steps from `weights`."""
    from campanula.pipelines.stage_task import Argument, Leaf, stage

    cost: list[Argument] = ["--loss", args.loss]
    cost += ["--alpha", str(args.alpha)]
    cost += [] if args.gamma is None else ["--gamma", str(args.gamma)]
    cost += ["--allow-missing"] if args.allow_missing else []
    for path in args.ref:
        cost += ["--ref", Leaf.of(cache, path)]
    descent = ["--solver", "ssd", "--epochs", str(args.epochs)]
    descent += ["--eta", str(args.eta), "--C", str(args.C)]
    for _ in range(args.cccp_iterations):
        hope = stage(cache, "impute-hope", lists, "--weights", weights, *cost, suffix=".hope")
        settings = ("--hope", hope, "--weights", weights, "--center", center, *cost, *descent)
        weights = task = stage(cache, "optimize", lists, *settings, suffix=".weights")
    return task
