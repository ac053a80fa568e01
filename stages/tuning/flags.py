"""Flags of `optimize` and what they mean together: settings, and pairs that do not fit."""

from __future__ import annotations

import argparse
from dataclasses import astuple, replace

from campanula.formats.arrays.types import Floats
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.kernels.lists.formulas import CORPUS, PAIRS
from campanula.stages.tuning import restraints
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.pairs import PAPER, Sampling
from campanula.stages.tuning.solvers import SOLVERS, Settings, mismatch

IN_SIGNATURE = ("loss", "solver", "alpha", "C", "L1", "seed", "freeze", "only", "bounds")
SAMPLING = {"pairs_sampled": "sampled", "pairs_kept": "kept", "min_difference": "difference"}
"""Flags of the pairs, and the fields of Sampling that they set."""

READ_BY_SOLVERS = {name for solver in SOLVERS.values() for name in solver.reads}


def add(p: argparse.ArgumentParser) -> None:
    """Add every flag of losses, solvers and restraints."""
    p.add_argument("--loss", choices=LOSSES, help="loss (default: ramp3)")
    p.add_argument(
        "--solver",
        choices=SOLVERS,
        help="solver (default: ssd; line-search for cost, rprop for expected-bleu, else lbfgs)",
    )
    command.add_cost_flags(p)
    command.add_reference_flag(p)
    _add_regularisation(p)
    _add_descent(p)
    _add_sampling(p)
    _add_corpus(p)
    p.add_argument(
        "--stream",
        action="store_true",
        help="read the lists from the file at every pass, for more data than memory",
    )
    restraints.add_flags(p)


def _add_regularisation(p: argparse.ArgumentParser) -> None:
    number = command.non_negative_float
    p.add_argument("--C", type=number, help="L2 toward theta0 (default: 1)")
    p.add_argument("--L1", type=number, default=0.0, help="L1 (sgd, adagrad; default: 0)")
    p.add_argument(
        "--center", metavar="FILE", help="theta0, or 0 for zero (default: the initial weights)"
    )


def _add_descent(p: argparse.ArgumentParser) -> None:
    count, number = command.positive_int, command.non_negative_float
    whole = command.non_negative_int
    p.add_argument(
        "--cccp-iterations",
        type=whole,
        help="T' (default: 10 for a loss with a concave part; 0 minimises the loss directly)",
    )
    p.add_argument(
        "--epochs", type=count, help="T'', passes a step (default: 5; mira 100, batch-mira 60)"
    )
    p.add_argument("--eta", type=number, help="step size of ssd, sgd, adagrad (default: 1e-4)")
    p.add_argument(
        "--batch-size", type=whole, help="lists a step of sgd, adagrad; 0: all (default: 1)"
    )
    p.add_argument(
        "--shuffle",
        action="store_const",
        const=True,
        help="sgd, adagrad, mira: visit lists in random order (--seed)",
    )
    p.add_argument("--iterations", type=count, help="of rprop, lbfgs (default: 50)")
    p.add_argument(
        "--tolerance", type=number, help="of rprop, lbfgs: largest slope at the end (default: 1e-6)"
    )


def _add_sampling(p: argparse.ArgumentParser) -> None:
    count, number = command.positive_int, command.non_negative_float
    p.add_argument(
        "--seed",
        type=command.non_negative_int,
        default=1,
        help="of whatever is random (default: 1)",
    )
    for flag, kind, metavar, what, default in (
        ("--pairs-sampled", count, "GAMMA", "drawn from each list", PAPER.sampled),
        ("--pairs-kept", count, "XI", "of these, the furthest apart", PAPER.kept),
        ("--min-difference", number, "GAIN", "of their gains, at least", PAPER.difference),
    ):
        said = f"pairwise: {what} (default: {default})"
        p.add_argument(flag, type=kind, metavar=metavar, help=said)


def _add_corpus(p: argparse.ArgumentParser) -> None:
    """Flags of the solvers that go by the corpus metric."""
    whole, number, defaults = command.non_negative_int, command.non_negative_float, Settings()
    for flag, kind, default, what in (
        ("--restarts", whole, defaults.restarts, "random starts of line-search"),
        ("--random-directions", whole, defaults.random_directions, "of line-search"),
        ("--aggressiveness", number, defaults.aggressiveness, "largest step of batch-mira"),
        ("--decay", number, defaults.decay, "of batch-mira's background"),
    ):
        p.add_argument(flag, type=kind, help=f"{what} (default: {default})")
    p.add_argument(
        "--jobs", type=command.positive_int, default=1, help="threads of line-search (default: 1)"
    )


def resolve(args: argparse.Namespace) -> None:
    """Fill in the loss, the solver and C, which depend on each other.

    Raises UsageError for a loss that is given to a solver with one of its own.
    """
    if args.solver and SOLVERS[args.solver].own_loss and args.loss:
        raise command.UsageError(
            f"--solver {args.solver} has its own loss; drop --loss {args.loss}"
        )
    if not args.loss:
        args.loss = "cost" if args.solver and SOLVERS[args.solver].corpus else "ramp3"
    loss = LOSSES[args.loss]
    args.solver = args.solver or loss.solver
    if args.C is None:
        args.C = loss.C


def settings(args: argparse.Namespace) -> Settings:
    """What the solver may read of the flags."""
    solver, usual = SOLVERS[args.solver], Settings(seed=args.seed, jobs=args.jobs)
    given = {name: getattr(args, name) for name in solver.reads if getattr(args, name) is not None}
    return replace(usual, **{"epochs": solver.epochs, **given})


def sampling(args: argparse.Namespace) -> Sampling:
    """How pairs are drawn."""
    given = {field: getattr(args, flag) for flag, field in SAMPLING.items()}
    given = {field: value for field, value in given.items() if value is not None}
    return replace(PAPER, seed=args.seed, **given)


def rounds(args: argparse.Namespace) -> int:
    """CCCP iterations; 0 where nothing is imputed."""
    if not LOSSES[args.loss].has_terms:
        if args.cccp_iterations or args.hope:
            problem = f"--loss {args.loss} has no concave part to impute"
            raise command.UsageError(f"{problem}; drop --cccp-iterations and --hope")
        return 0
    if args.hope and args.cccp_iterations not in (None, 1):
        raise command.UsageError("--hope solves one inner problem; drop --cccp-iterations")
    if args.hope:
        return 1
    return 10 if args.cccp_iterations is None else int(args.cccp_iterations)


def refuse(args: argparse.Namespace, rounds: int) -> None:
    """Raise UsageError for what does not go together, before any work."""
    loss, solver = LOSSES[args.loss], SOLVERS[args.solver]
    problem = mismatch(solver, loss, rounds > 0)
    if problem is not None:
        raise command.UsageError(f"--loss {args.loss} with --solver {args.solver}: {problem}")
    _refuse_unread(args)
    if loss.form == CORPUS and args.C:
        raise command.UsageError(f"--solver {args.solver} does not regularise; drop --C")
    if args.L1 and not solver.L1:
        raise command.UsageError(f"--solver {args.solver} has no --L1; sgd and adagrad have")
    if args.bounds and not solver.bounds:
        raise command.UsageError(f"--solver {args.solver} keeps no --bounds")
    if args.stream and not solver.streams:
        raise command.UsageError(f"--solver {args.solver} needs all lists in memory; drop --stream")
    if args.stream and args.input == "-":
        raise command.UsageError("--stream reads its input again and again: give a file")
    if args.stream and args.shuffle:
        raise command.UsageError("--stream passes over the lists in order; drop --shuffle")
    if args.stream and args.batch_size not in (None, 1) and args.solver in ("sgd", "adagrad"):
        raise command.UsageError("--stream steps list by list; drop --batch-size")
    if args.solver == "mira" and not args.C:
        raise command.UsageError("--solver mira needs --C above 0: its steps are at most 1 / C")
    if loss.needs_references and not args.ref:
        raise command.UsageError(f"--loss {args.loss} needs --ref: which hypotheses reach it")


def _refuse_unread(args: argparse.Namespace) -> None:
    """Raise UsageError for a flag that neither the solver nor the loss reads."""
    given = {name for name in (*READ_BY_SOLVERS, *SAMPLING) if getattr(args, name) is not None}
    readers = {
        f"--solver {args.solver}": READ_BY_SOLVERS - set(SOLVERS[args.solver].reads),
        f"--loss {args.loss}": set() if LOSSES[args.loss].form == PAIRS else set(SAMPLING),
    }
    for reader, unread in readers.items():
        for name in sorted(given & unread):
            raise command.UsageError(f"{reader} does not read --{name.replace('_', '-')}; drop it")
    command.gamma(args)


def signature(
    args: argparse.Namespace, lists: str, center: Floats, references: References | None
) -> str:
    """Signature of the weights; CCCP in one run or in steps makes the same weights and the same."""
    from xxhash import xxh3_64_hexdigest

    said = {name: getattr(args, name) for name in IN_SIGNATURE}
    read, solver = settings(args), SOLVERS[args.solver]
    said |= {name: getattr(read, name) for name in solver.reads}
    if args.loss == "perceptron-gamma":
        said["gamma"] = command.gamma(args)
    if LOSSES[args.loss].form == PAIRS:
        said["pairs"] = "/".join(str(part) for part in astuple(sampling(args))[:3])
    if references is not None:
        said["references"] = references.digest()
    return command.signature(
        "optimize", **said, center=xxh3_64_hexdigest(center.tobytes()), lists=lists
    )
