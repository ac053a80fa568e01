"""Minimise a loss over scored k-best lists and write the new weights.

    theta = argmin  sum_i loss(s_i, c_i) + (C/2) |theta - theta0|^2,    c_ij = alpha (1 - gain_ij)

With --loss ramp3 --solver ssd this is RAMPION (Gimpel & Smith 2012, Algorithm 1): without --hope
lines 4-15, T' CCCP iterations of T'' epochs each; with --hope lines 8-14, one inner problem whose
hopes `impute-hope` found.  CCCP in steps ends in the same bytes as in one run.
"""

from __future__ import annotations

import argparse

import numpy as np

from formats.columns import Floats
from formats.weights import Weights
from stages import command
from stages.kernels.losses import LOSSES, loss_named


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    example = "optimize dev.kbest --loss ramp3 --solver ssd --weights w0 -o w1"
    p = command.parser("optimize", __doc__, example)
    p.add_argument("input", nargs="?", default="-", help="scored k-best stream (default: stdin)")
    p.add_argument("--weights", required=True, metavar="FILE", help="initial weights")
    p.add_argument("--center", metavar="FILE", help="theta0 (default: the initial weights)")
    p.add_argument("--hope", metavar="FILE", help="hopes; solves the inner problem once")
    p.add_argument("--loss", choices=LOSSES, default="ramp3", help="loss (default: ramp3)")
    p.add_argument("--solver", choices=["ssd"], default="ssd", help="solver (default: ssd)")
    command.add_cost_flags(p)
    count, number = command.positive_int, command.non_negative_float
    p.add_argument("--cccp-iterations", type=count, help="T', CCCP iterations (default: 10)")
    p.add_argument("--epochs", type=count, default=5, help="T'', epochs a step (default: 5)")
    p.add_argument("--eta", type=number, default=1e-4, help="step size (default: 1e-4)")
    p.add_argument("--C", type=number, default=1.0, help="L2 toward theta0 (default: 1)")
    command.add_missing_flag(p)
    return command.run(body, p, argv)


def body(args: argparse.Namespace) -> None:
    """Read everything, solve, write."""
    from stages.objective import Objective
    from stages.solvers import SOLVERS, Settings, Solution, cccp
    from stages.tuning_set import Hopes, TuningSet

    if args.hope and args.cccp_iterations not in (None, 1):
        raise command.UsageError("--hope solves one inner problem; drop --cccp-iterations")
    initial = Weights.read(args.weights)
    origin = Weights.read(args.center) if args.center else initial
    data = TuningSet.read(args.input, args)
    if args.eta * args.C >= data.lists.n_lists:
        raise command.UsageError("--eta times --C must stay below the number of lists")
    hopes = Hopes.read(args.hope, data) if args.hope else None
    missing = 0.0 if args.allow_missing else None
    theta, center = (w.vector(data.names, missing) for w in (initial, origin))
    if not args.allow_missing:
        initial.refuse_unknown(data.names, data.source)
        origin.refuse_unknown(data.names, data.source)
    objective = Objective(
        data.lists,
        loss_named(args.loss, args.gamma),
        args.alpha * (1.0 - data.gain),
        np.zeros(data.lists.n_hyps, np.bool_),
        center,
        args.C,
    )
    rounds = 1 if hopes else args.cccp_iterations or 10
    steps = cccp(
        objective, theta, SOLVERS[args.solver], Settings(args.epochs, args.eta), rounds, hopes
    )
    solution = Solution(theta, objective.value(theta), "")
    for number, solution in enumerate(command.progress(steps, args, "optimize", rounds), 1):
        command.say(args, f"optimize: iteration {number} objective {solution.objective!r}")
    comments = [_signature(args, data.checksum, center), f"objective:{solution.objective!r}"]
    tuned = Weights.of(data.names, solution.theta)
    Weights({**initial, **tuned}).write(args.output, comments)


def _signature(args: argparse.Namespace, lists: str, center: Floats) -> str:
    """Signature of the weights; CCCP in one run or in steps makes the same weights and the same."""
    from xxhash import xxh3_64_hexdigest

    return command.signature(
        "optimize",
        loss=args.loss,
        solver=args.solver,
        alpha=args.alpha,
        gamma=args.gamma,
        epochs=args.epochs,
        eta=args.eta,
        C=args.C,
        center=xxh3_64_hexdigest(center.tobytes()),
        lists=lists,
    )
