"""The flag --folds of `optimize`: the flags it goes with, and the choice of settings."""

from __future__ import annotations

import argparse
import os
from functools import partial

from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
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
from campanula.stages.tuning.sharded.inventory_ids import against_inventory
from campanula.stages.tuning.tune_inputs import TuneInputs


def at_least_two(text: str) -> int:
    """Return an integer of at least 2, for argparse; raises ArgumentTypeError for others."""
    value = command.positive_int(text)
    if value < 2:
        raise argparse.ArgumentTypeError(f"expected an integer of at least 2, found {text}")
    return value


def add_folds_flag(p: argparse.ArgumentParser) -> None:
    """Add the flag of cross-validation."""
    p.add_argument(
        "--folds",
        type=at_least_two,
        metavar="N",
        help="choose among several --loss, --C, --eta (repeat them) by cross-validation on N parts "
        "of the lists, in a random order (--seed)",
    )


def refuse_folds(args: argparse.Namespace, plan: Plan, inputs: TuneInputs) -> None:
    """Raise UsageError for flags and inputs that do not go with cross-validation."""
    if is_piped(inputs.lists):
        raise command.UsageError("--folds reads its input twice: give a file")
    for flag in ("stream", "hope", "save_each", "inventory", "min_count"):
        if getattr(args, flag):
            other = f"--{flag.replace('_', '-')}"
            raise command.UsageError(f"--folds does not go with {other}; drop one of them")
    if plan.loss.of_sets:
        raise command.UsageError(f"--folds is not for the loss {plan.loss_name}, of several lists")
    if engine_of_flags(args) is not None or is_weight_stream(inputs.weights):
        raise command.UsageError("--folds takes lists with names and weights as text")


def chosen_by_folds(
    args: argparse.Namespace, settings: TuneSettings, inputs: TuneInputs
) -> TuneSettings:
    """Return the settings that are best by cross-validation; their table goes to stderr.

    Raises UsageError for lists against an inventory, DataError for fewer lists than folds.
    """
    if against_inventory(inputs.lists):
        raise command.UsageError("--folds takes lists with names, and no inventory")
    values = {name: values_of(args, name) for name in folds.CHOSEN}
    candidates = folds.combinations(settings, values)
    # planning all of them first refuses what does not go together before any work
    plans = [inputs.plan(candidate) for candidate in candidates]
    all_references = (inputs.read_references(p) for p in plans if p.loss.needs_references)
    references = next(all_references, None)  # the same for all of them
    with open_lists(inputs.lists, KBest) as reader:
        metric = metric_of(reader.metric, reader.name)
        records = list(sound(command.progress(reader, args, "reading"), metric, reader.name))
    if len(records) < args.folds:
        problem = f"expected at least {args.folds} lists, one a fold, found {len(records)}"
        raise DataError(inputs.lists, None, problem)
    center = inputs.read_center()
    lists = folds.FoldedLists(
        records, Weights.read(inputs.weights), metric, references, center, args.allow_missing
    )
    rated = []
    title = f"{args.folds} folds"
    watch = partial(
        command.progress, args=args, label=title, total=len(candidates), unit="settings"
    )
    for candidate in folds.cross_validated(lists, candidates, args.folds, watch):
        command.say(args, f"optimize: {title}: {candidate}")
        rated.append(candidate)
    best = folds.best(rated)
    command.say(args, f"optimize: chosen by {title}: {best}")
    return best.settings


def is_piped(path: str) -> bool:
    """Whether a path is stdin, a pipe or a device, which cannot be read twice."""
    return path == "-" or (
        os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))
    )
