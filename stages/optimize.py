"""Minimise a loss over scored k-best lists and write the new weights.

    theta = argmin  sum_i loss(s_i, c_i) + (C/2) |theta - theta0|^2,    c_ij = alpha (1 - gain_ij)

With --loss ramp3 --solver ssd this is RAMPION (Gimpel & Smith 2012, Algorithm 1): without --hope
lines 4-15, T' CCCP iterations of T'' epochs each; with --hope lines 8-14, one inner problem whose
hopes `impute-hope` found.  CCCP in steps ends in the same bytes as in one run.
"""

from __future__ import annotations

import argparse

from campanula.formats.files import Output
from campanula.formats.text.references import References
from campanula.formats.weights import Weights
from campanula.stages import command
from campanula.stages.tuning import flags
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.tune import minimise
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
    """Read everything, minimise, write."""
    with flags.misfits_name_flags():
        _optimize(args)


def _optimize(args: argparse.Namespace) -> None:
    command.one_stdin(args.input, args.weights, args.hope, args.center, *(args.ref or []))
    settings = flags.settings_of(args)
    if args.stream and args.input == "-":
        raise command.UsageError("--stream reads its input again and again: give a file")
    plan = settings.plan(
        hopes=args.hope is not None, streamed=args.stream, references=bool(args.ref)
    )
    if args.check:
        return
    Output.check(args.output)
    initial = Weights.read(args.weights)
    center = _center(args.center)
    references = References.read(args.ref) if plan.loss.needs_references else None
    data = TuningSet.read(
        args.input, references, args.stream, lambda lists: command.progress(lists, args, "reading")
    )
    tuned = minimise(
        data,
        initial,
        plan,
        center=center,
        hopes=Hopes.read(args.hope, data) if args.hope else None,
        allow_missing=args.allow_missing,
        watch=lambda rounds: command.progress(rounds, args, "optimize", plan.rounds, "rounds"),
    )
    comments = [flags.signature(plan, data, tuned.center), f"objective:{tuned.objective!r}"]
    tuned.weights.write(args.output, comments)
    if references is not None:
        reach = f"{tuned.skipped} of {data.n_lists} lists reach no reference"
        command.say(args, f"optimize: {reach} and are skipped")
    done = f"after {len(tuned.history) - 1} of {plan.rounds or 1} rounds; {tuned.last.reason}"
    command.say(args, f"optimize: objective {tuned.objective!r} {done}")


def _center(path: str | None) -> Weights | float | None:
    """theta0: None for the initial weights, zero, or those of a file."""
    if path is None:
        return None
    return 0.0 if path == "0" else Weights.read(path)


if __name__ == "__main__":
    raise SystemExit(main())
