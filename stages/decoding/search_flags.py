"""The flags of the search, reordering and pruning, and the settings made of them."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import replace

from campanula.stages import command
from campanula.stages.decoding.search_settings import (
    COUNTS,
    EVERYTHING,
    MOSES_NAMES,
    REORDERING,
    SearchSettings,
    settings_of_moses,
    with_numbers,
)
from campanula.stages.kernels.records import MAX_WINDOW

DEFAULT = SearchSettings()


def add_length_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of the lists' length, -k and --distinct."""
    p.add_argument(
        "-k",
        type=command.positive_int,
        help=f"length of the lists (default: {DEFAULT.k}; with --text 1)",
    )
    p.add_argument(
        "--distinct",
        action="store_true",
        help="k different strings, each with its best derivation (default: k derivations)",
    )


def add_search_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of the search: reordering, pruning, and which orientations lists have."""
    p.add_argument(
        "--reordering",
        choices=list(REORDERING),
        default=DEFAULT.reordering,
        help="order of the source phrases: monotone; swap, where two neighbours may change places;"
        " distance, jumps up to the distortion limit (default)",
    )
    p.add_argument(
        "--distortion-limit",
        type=command.non_negative_int,
        metavar="WORDS",
        help=f"longest jump with --reordering distance, at most {MAX_WINDOW} (default: 6)",
    )
    p.add_argument(
        "--table-limit",
        type=command.positive_int,
        metavar="N",
        help="translations of a source phrase, the best by score (default: 20)",
    )
    p.add_argument(
        "--beam",
        "--pop-limit",
        dest="pop_limit",
        type=command.positive_int,
        metavar="N",
        help="candidates tried per stack of cube pruning; more is slower and finds better"
        " translations (default: 500)",
    )
    p.add_argument(
        "--stack",
        type=command.positive_int,
        metavar="N",
        help="hypotheses kept per number of covered words (default: 200)",
    )
    p.add_argument(
        "--beam-threshold",
        type=command.non_negative_float,
        metavar="X",
        help="drop what is worse than its stack's best by more than X (default: nothing)",
    )
    p.add_argument(
        "--no-pruning",
        action="store_true",
        help="keep every hypothesis and every translation of a phrase: for short sentences only",
    )
    p.add_argument(
        "--exact-orientation",
        action="store_true",
        help="in the lists, hierarchical orientations are those of the definition on each whole"
        " derivation, and scores are of these; which derivations there are is the search's choice",
    )


def search_settings(args: argparse.Namespace, moses: Mapping[str, float] = {}) -> SearchSettings:
    """Return the settings of the flags, else those of a moses.ini, else the defaults.

    Raises UsageError for a distortion limit above MAX_WINDOW.
    """
    if args.distortion_limit is not None and args.distortion_limit > MAX_WINDOW:
        problem = f"expected at most {MAX_WINDOW}, found {args.distortion_limit}"
        raise command.UsageError(f"--distortion-limit: {problem}")
    flags = {name: getattr(args, name) for name in MOSES_NAMES}
    values = {name: value for name, value in flags.items() if value is not None}
    if args.no_pruning:
        values |= dict.fromkeys(COUNTS, EVERYTHING) | {"beam_threshold": math.inf}
    settings = with_numbers(settings_of_moses(moses), values)
    k = args.k or (1 if args.text else DEFAULT.k)
    return replace(settings, k=k, distinct=args.distinct, reordering=args.reordering)
