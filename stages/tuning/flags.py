"""Flags of `optimize`, and the settings made of them.

Names of losses and solvers, and the defaults that --help shows, come from the tables of losses and
solvers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from campanula.formats.text.numbers import float_or_nan
from campanula.stages import command
from campanula.stages.tuning.losses import ALPHA, LOSSES
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.pairs import PAPER
from campanula.stages.tuning.relevant.set_flags import add_set_flags
from campanula.stages.tuning.repeated_flags import RepeatedFlag
from campanula.stages.tuning.restraints import Bound
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.solvers.rprop import WAYS
from campanula.stages.tuning.solvers.table import SOLVERS


def add(p: argparse.ArgumentParser) -> None:
    """Add every flag of losses, solvers and restraints."""
    p.add_argument(
        "--loss",
        action=RepeatedFlag,
        type=command.Choice(LOSSES),
        metavar=command.braces(LOSSES),
        help="loss (default: ramp3)",
    )
    p.add_argument(
        "--solver",
        type=command.Choice(SOLVERS),
        metavar=command.braces(SOLVERS),
        help=f"solver ({solvers_of_losses()})",
    )
    add_cost_flags(p)
    add_reference_flag(p)
    _add_regularisation(p)
    _add_descent(p)
    _add_sampling(p)
    _add_corpus(p)
    p.add_argument(
        "--stream",
        action="store_true",
        help="read the lists from the file at every pass, for more data than memory",
    )
    _add_restraints(p)
    _add_inventory(p)
    add_set_flags(p)


def _add_inventory(p: argparse.ArgumentParser) -> None:
    """Add the flags of lists with ids of an inventory, and of the shards of a collection."""
    p.add_argument(
        "--inventory",
        metavar="FOLDER",
        help="inventory of the lists, for what goes by names (text weights, patterns, "
        "--min-count), and where lists or weights are against prefixes of it",
    )
    p.add_argument(
        "--min-count",
        type=command.positive_int,
        metavar="N",
        help="features that the inventory saw in fewer sentences keep the weight 0",
    )
    p.add_argument(
        "--cache",
        metavar="DIR",
        help="folder of packed shards and sets (default: campanula in the user's cache folder)",
    )
    p.add_argument(
        "--save-each",
        metavar="DIR",
        help="write theta after every iteration of the solver, too: DIR/theta.1, DIR/theta.2, ...; "
        "what an earlier run left there and this one does not reach stays",
    )


def add_cost_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of the cost, c = alpha (1 - gain), and of perceptron-gamma's gamma."""
    number = command.non_negative_float
    p.add_argument("--alpha", type=number, help=f"cost = alpha (1 - gain) (default: {ALPHA:g})")
    what = "the cost's factor in perceptron-gamma's hope (default: 1)"
    p.add_argument("--gamma", type=number, help=what)


def add_reference_flag(p: argparse.ArgumentParser) -> None:
    """Add the flag of the references that some losses need."""
    what = "references, repeatable; for the losses that ask what reaches them"
    p.add_argument("--ref", action="append", metavar="FILE", help=what)


def _add_regularisation(p: argparse.ArgumentParser) -> None:
    number = command.non_negative_float
    able = ", ".join(name for name in SOLVERS if SOLVERS[name].L1)
    p.add_argument(
        "--C", action=RepeatedFlag, type=number, help=f"(C/2) |theta - theta0|^2 ({strengths('C')})"
    )
    usual = ", ".join(name for name, loss in LOSSES.items() if loss.tau is not None)
    what = f"tau |theta|^2 of W15, in place of C; what {usual} has ({strengths('tau')})"
    p.add_argument("--tau", type=number, help=what)
    p.add_argument("--L1", type=number, default=0.0, help=f"L1 ({able}; default: 0)")
    p.add_argument(
        "--center",
        metavar="FILE",
        help="theta0, or 0 for zero (default: the initial weights; 0 with --tau)",
    )


def _add_descent(p: argparse.ArgumentParser) -> None:
    count = command.positive_int
    number = command.non_negative_float
    whole = command.non_negative_int
    p.add_argument(
        "--cccp-iterations",
        type=whole,
        help="T' (default: 10 for a loss with a concave part; 0 minimises the loss directly)",
    )
    p.add_argument("--epochs", type=count, help=f"T'', passes a step ({defaults('epochs')})")
    p.add_argument("--eta", action=RepeatedFlag, type=number, help=_eta_help())
    p.add_argument(
        "--batch-size",
        type=whole,
        help=f"lists a step of {readers('batch_size')}; 0: all, as where the loss is no sum over "
        f"them ({defaults('batch_size')})",
    )
    p.add_argument(
        "--shuffle",
        action=argparse.BooleanOptionalAction,
        help=f"{readers('shuffle')}: visit lists in random order (--seed); online does unless told",
    )
    p.add_argument(
        # not store_true: a flag that is not given must stay None, since Plan.refuse takes any other
        # value of a setting that the solver does not read for a mistake
        "--fobos",
        action="store_const",
        const=True,
        help=f"{readers('fobos')}: L2 by a backward step on all lists, too, as in batches",
    )
    _add_rprop(p)
    at_once = readers("iterations")
    p.add_argument("--iterations", type=count, help=f"of {at_once} ({defaults('iterations')})")
    p.add_argument(
        "--tolerance",
        type=number,
        help=f"of {readers('tolerance')}: largest slope at the end ({defaults('tolerance')})",
    )


def _eta_help() -> str:
    losses = (f"{_short(loss.eta)} for {name}" for name, loss in LOSSES.items() if loss.eta)
    return f"step size of {readers('eta')} ({'; '.join([defaults('eta'), *losses])})"


def _add_rprop(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "--rprop",
        choices=WAYS,
        help="after a revert the gradient counts as 0, or W15 4.2 to the letter (default: reset)",
    )
    for which in ("first", "smallest", "largest"):
        setting = f"{which}_step"
        what = f"{which} step of {readers(setting)} ({defaults(setting)})"
        p.add_argument(f"--{which}-step", type=command.non_negative_float, help=what)


def _add_sampling(p: argparse.ArgumentParser) -> None:
    count = command.positive_int
    number = command.non_negative_float
    p.add_argument(
        "--seed",
        type=command.non_negative_int,
        default=1,
        help="of whatever is random (default: 1)",
    )
    for flag, kind, metavar, what, default in (
        ("--pairs-sampled", count, "GAMMA", "drawn from each list", PAPER.pairs_sampled),
        ("--pairs-kept", count, "XI", "of these, the furthest apart", PAPER.pairs_kept),
        ("--min-difference", number, "GAIN", "of their gains, at least", PAPER.min_difference),
    ):
        text = f"pairwise: {what} (default: {default})"
        p.add_argument(flag, type=kind, metavar=metavar, help=text)


def _add_corpus(p: argparse.ArgumentParser) -> None:
    """Add the flags of the solvers that optimise the corpus metric."""
    whole = command.non_negative_int
    number = command.non_negative_float
    for name, kind, what in (
        ("restarts", whole, "random starts of {}"),
        ("random_directions", whole, "of {}"),
        ("trust", number, "X: {} goes no further than X sqrt(lists); 0: as far as it likes"),
        ("aggressiveness", number, "largest step of {}"),
        ("decay", number, "of {}'s background"),
    ):
        text = f"{what.format(readers(name))} ({defaults(name)})"
        p.add_argument("--" + name.replace("_", "-"), type=kind, help=text)
    command.add_jobs_flag(p, "threads of line-search, and of passes over shards")


def _add_restraints(p: argparse.ArgumentParser) -> None:
    """Add the flags that freeze or bound weights; patterns are those of a shell (*, ?, [...])."""
    for flag, moves in (("--freeze", "stay as they are"), ("--only", "alone may move")):
        what = f"features whose weights {moves}; repeatable"
        p.add_argument(flag, action="append", metavar="PATTERN", help=what)
    p.add_argument(
        "--bounds",
        action="append",
        nargs=3,
        metavar=("PATTERN", "LOW", "HIGH"),
        help="interval of these features' weights; inf and -inf are open",
    )


def readers(setting: str) -> str:
    """Return the names of the solvers that read a setting, for --help."""
    return ", ".join(name for name in SOLVERS if setting in SOLVERS[name].reads)


def strengths(setting: str) -> str:
    """Return the default of C or tau by loss, for --help; the commonest value comes first."""
    losses: dict[float, list[str]] = {}
    for name, loss in LOSSES.items():
        value = getattr(loss, setting)
        if loss.has_C and value is not None and (setting == "tau" or loss.tau is None):
            losses.setdefault(value, []).append(name)
    usual = max(losses, key=lambda value: len(losses[value]))
    others = [f"{', '.join(names)} {v:g}" for v, names in losses.items() if v != usual]
    return "; ".join([f"default: {usual:g}", *others])


def solvers_of_losses() -> str:
    """Return the default solver by loss, for --help; the commonest solver comes first."""
    losses: dict[str, list[str]] = {}
    for name, loss in LOSSES.items():
        losses.setdefault(loss.solver, []).append(name)
    usual = max(losses, key=lambda solver: len(losses[solver]))
    others = [f"{s} for {', '.join(names)}" for s, names in losses.items() if s != usual]
    return "; ".join([f"default: {usual}", *others])


def defaults(setting: str) -> str:
    """Return the default of a setting, for --help: the first solver's, then those that differ."""
    values = {
        name: SOLVERS[name].defaults[setting] for name in SOLVERS if setting in SOLVERS[name].reads
    }
    usual = next(iter(values.values()))
    others = [f"{name} {_short(value)}" for name, value in values.items() if value != usual]
    return (
        f"default: {'; '.join([_short(usual), ', '.join(others)] if others else [_short(usual)])}"
    )


def _short(number: float) -> str:
    """Return a number in its short form: 1e-4 for 0.0001."""
    return f"{number:.0e}".replace("e-0", "e-") if 0 < number < 1e-3 else str(number)


def settings_of(args: argparse.Namespace) -> TuneSettings:
    """Return the settings of the flags; raises UsageError for --bounds that are no numbers."""
    values = {field.name: getattr(args, field.name) for field in fields(TuneSettings)}
    patterns: dict[str, Any] = {name: tuple(values[name] or ()) for name in ("freeze", "only")}
    return TuneSettings(**{**values, **patterns, "bounds": _bounds(args.bounds or [])})


def _bounds(rows: list[list[str]]) -> tuple[Bound, ...]:
    return tuple((pattern, _end(low), _end(high)) for pattern, low, high in rows)


def _end(text: str) -> float:
    """Return one end of an interval; only here may a number be infinite."""
    infinite = text.removeprefix("+").removeprefix("-") == "inf"
    value = float(text) if infinite else float_or_nan(text)
    if value != value:  # NaN, also for a text that is no number
        raise command.UsageError(f"--bounds: expected a number, found {text!r}")
    return value


@contextmanager
def misfits_name_flags() -> Iterator[None]:
    """Raise a Misfit of the settings as a UsageError that names the flags instead."""
    try:
        yield
    except Misfit as misfit:
        raise command.UsageError(misfit.as_flags) from None
