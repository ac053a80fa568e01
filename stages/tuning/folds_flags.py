"""The flag --folds of `optimize`: what goes with it, and what it chooses."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from functools import partial

from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.formats.weight_stream import is_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import command
from campanula.stages.engines.engine_flags import engine_of_flags
from campanula.stages.metrics.scored_lists import sound
from campanula.stages.metrics.table import metric_of
from campanula.stages.tuning import folds
from campanula.stages.tuning.plan import Plan
from campanula.stages.tuning.repeated_flags import values_of
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.sharded.telling import against_inventory


def at_least_two(text: str) -> int:
    """Argument type: an integer of at least 2."""
    value = command.positive_int(text)
    if value < 2:
        raise argparse.ArgumentTypeError(f"expected an integer of at least 2, found {text}")
    return value


def add_folds_flag(p: argparse.ArgumentParser) -> None:
    """Flag of cross-validation."""
    p.add_argument(
        "--folds",
        type=at_least_two,
        metavar="N",
        help="choose among several --loss, --C, --eta (repeat them) by cross-validation on N parts "
        "of the lists, in a random order (--seed)",
    )


def refuse_folds(args: argparse.Namespace, plan: Plan) -> None:
    """Raise UsageError for what does not go with cross-validation."""
    if is_piped(args.input):
        raise command.UsageError("--folds reads its input twice: give a file")
    for flag in ("stream", "hope", "save_each", "inventory", "min_count"):
        if getattr(args, flag):
            raise command.UsageError(f"--folds does not go with --{flag.replace('_', '-')}")
    if plan.loss.of_sets:
        raise command.UsageError(f"--folds is not for the loss {plan.loss_name}, of several lists")
    if engine_of_flags(args) is not None or is_weight_stream(args.weights):
        raise command.UsageError("--folds takes lists with names and weights as text")


def chosen_by_folds(
    args: argparse.Namespace, settings: TuneSettings, given: Mapping[str, bool]
) -> TuneSettings:
    """The settings that are best by cross-validation; the table goes to stderr."""
    if against_inventory(args.input):
        raise command.UsageError("--folds takes lists with names, and no inventory")
    values = {name: values_of(args, name) for name in folds.CHOSEN}
    asked = folds.combinations(settings, values)
    needs = [one.plan(**given).loss for one in asked]  # which refuses what does not go together
    references = References.read(args.ref) if any(one.needs_references for one in needs) else None
    with open_lists(args.input, KBest) as reader:
        metric = metric_of(reader.metric, reader.name)
        records = list(sound(command.progress(reader, args, "reading"), metric, reader.name))
    if len(records) < args.folds:
        problem = f"expected at least {args.folds} lists, one a fold, found {len(records)}"
        raise DataError(args.input, None, problem)
    center = center_of(args.center)
    lists = folds.FoldedLists(
        records, Weights.read(args.weights), metric, references, center, args.allow_missing
    )
    found = []
    title = f"{args.folds} folds"
    watch = partial(command.progress, args=args, label=title, total=len(asked), unit="settings")
    for candidate in folds.cross_validated(lists, asked, args.folds, watch):
        command.say(args, f"optimize: {title}: {candidate}")
        found.append(candidate)
    best = folds.best(found)
    command.say(args, f"optimize: chosen by {title}: {best}")
    return best.settings


def is_piped(path: str) -> bool:
    """Whether a path is stdin, a pipe or a device, which nobody reads twice."""
    return path == "-" or (
        os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))
    )


def center_of(path: str | None) -> Weights | float | None:
    """theta0: None for the initial weights, zero, or those of a file."""
    if path is None:
        return None
    return 0.0 if path == "0" else Weights.read(path)
