"""Minimise a loss over scored k-best lists and write the new weights.

    theta = argmin  sum_i loss(s_i, c_i) + (C/2) |theta - theta0|^2,    c_ij = alpha (1 - gain_ij)

With --loss ramp3 --solver ssd this is RAMPION (Gimpel & Smith 2012, Algorithm 1): without --hope
lines 4-15, T' CCCP iterations of T'' epochs each; with --hope lines 8-14, one inner problem whose
hopes `impute-hope` found.  CCCP in steps ends in the same bytes as in one run.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.text.references import References
from campanula.formats.weights import Weights
from campanula.stages import command
from campanula.stages.tuning import flags
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.solvers import SOLVERS, cccp
from campanula.stages.tuning.tuning_set import TuningSet


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    example = "optimize dev.kbest --loss ramp3 --solver ssd --weights w0 -o w1"
    p = command.parser("optimize", __doc__, example)
    p.add_argument("input", nargs="?", default="-", help="scored k-best stream (default: stdin)")
    p.add_argument("--weights", required=True, metavar="FILE", help="initial weights")
    p.add_argument("--hope", metavar="FILE", help="hopes; solves the inner problem once")
    flags.add(p)
    p.add_argument(
        "--check", action="store_true", help="only say whether loss, solver and flags fit together"
    )
    command.add_missing_flag(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read everything, solve, write."""
    flags.resolve(args)
    rounds = flags.rounds(args)
    flags.refuse(args, rounds)
    if args.check:
        return
    Output.check(args.output)
    initial = Weights.read(args.weights)
    origin = _origin(args, initial)
    wanted = LOSSES[args.loss].needs_references
    references = References.read(args.ref) if args.ref and wanted else None
    data = TuningSet.read(args.input, args, references, args.stream)
    theta, center = (command.vector(w, data.names, data.path, args) for w in (initial, origin))
    objective = _objective(args, data, center)
    start = replace(objective, hopes=Hopes.read(args.hope, data)) if args.hope else objective
    solver, settings = SOLVERS[args.solver], flags.settings(args)
    if rounds:
        solutions = cccp(start, theta, solver, settings, rounds)
    else:
        solutions = iter([solver.solve(objective, theta, settings)])
    _check_finite(
        objective.value(theta), data, "at the start: numbers too large, or no gain at all"
    )
    for number, solution in enumerate(
        command.progress(solutions, args, "optimize", rounds, "rounds"), 1
    ):
        value, theta = objective.value(solution.theta), solution.theta
        said = f"objective {value!r} after {number} of {rounds or 1} rounds; {solution.reason}"
        _check_finite(value, data, "now: a smaller --eta may help")
    comments = [flags.signature(args, data.checksum, center, references), f"objective:{value!r}"]
    Weights({**initial, **Weights.of(data.names, theta)}).write(args.output, comments)
    command.say(args, f"optimize: {said}")


def _check_finite(value: float, data: TuningSet, what: str) -> None:
    if not math.isfinite(value):
        raise DataError(data.path, None, f"expected a finite objective, found {value} {what}")


def _origin(args: argparse.Namespace, initial: Weights) -> Weights:
    """theta0: the initial weights, zero, or those of a file."""
    if args.center is None:
        return initial
    return Weights(dict.fromkeys(initial, 0.0)) if args.center == "0" else Weights.read(args.center)


def _objective(args: argparse.Namespace, data: TuningSet, center: Floats) -> Objective:
    """The objective that the flags ask for; says how many lists it skips."""
    if args.solver == "ssd" and flags.settings(args).eta * args.C >= data.n_lists:
        raise command.UsageError("--eta times --C must stay below the number of lists")
    loss, limits = (
        LOSSES[args.loss].with_gamma(command.gamma(args)),
        Restraints.of(data.names, args),
    )
    regularised = center, args.C, args.L1, limits
    objective = Objective(data, loss, args.alpha, *regularised, flags.sampling(args)).prepared()
    if loss.needs_references:
        reach = f"{objective.skipped()} of {data.n_lists} lists reach no reference"
        command.say(args, f"optimize: {reach} and are skipped")
    return objective


if __name__ == "__main__":
    raise SystemExit(main())
