"""The flags of METEOR: its numbers, and the modules that match words."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace

from campanula.stages import command
from campanula.stages.command import UsageError
from campanula.stages.metrics.meteor import SETTINGS, Meteor
from campanula.stages.metrics.metric import Metric

HELP = {
    "alpha": "weight of precision in F = P R / (alpha P + (1 - alpha) R)",
    "beta": "exponent of the penalty gamma (chunks / matches)^beta",
    "gamma": "the largest penalty",
}


def add_meteor_flags(p: argparse._ActionsContainer) -> None:
    """Add the flags --meteor-*."""
    for name, default in SETTINGS.items():
        p.add_argument(
            f"--meteor-{name}",
            type=command.non_negative_float,
            metavar="X",
            help=f"{HELP[name]} (default: {default:g})",
        )
    p.add_argument("--meteor-no-stem", action="store_true", help="match no stems")
    p.add_argument(
        "--meteor-wordnet",
        metavar="DIR",
        help="match synonyms, too, by WordNet's database files: index.noun, noun.exc, ...",
    )


def with_meteor_flags(metric: Metric, args: argparse.Namespace) -> Metric:
    """Return the metric with the settings of the flags; raises UsageError if it is not METEOR."""
    if not isinstance(metric, Meteor):
        refuse_meteor_flags(args, [metric])
        return metric
    values = {name: getattr(args, f"meteor_{name}") for name in SETTINGS}
    settings = tuple(SETTINGS[name] if values[name] is None else values[name] for name in SETTINGS)
    try:
        return replace(
            metric,
            gain_settings=settings,
            stem=not args.meteor_no_stem,
            wordnet=args.meteor_wordnet,
        )
    except ValueError as error:
        raise UsageError(str(error)) from error


def refuse_meteor_flags(args: argparse.Namespace, metrics: Iterable[Metric]) -> None:
    """Raise UsageError for flags of METEOR if none of the metrics is METEOR."""
    words = [*meteor_words(args), *(["--meteor-wordnet"] if args.meteor_wordnet else [])]
    if words and not any(isinstance(metric, Meteor) for metric in metrics):
        raise UsageError(f"{words[0]} goes with --metric meteor")


def meteor_words(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the flags as words of another command's line, without --meteor-wordnet."""
    words: list[str] = []
    for name in SETTINGS:
        value = getattr(args, f"meteor_{name}")
        if value is not None:
            words += [f"--meteor-{name}", repr(value)]
    return (*words, "--meteor-no-stem") if args.meteor_no_stem else tuple(words)
