"""The flags of the search, reordering and pruning, and the settings they ask for."""

from __future__ import annotations

import argparse

from stages import command
from stages.decoding.decoder import MAX_WINDOW, REORDERING, SearchSettings

DEFAULT = SearchSettings()
EVERYTHING = 1 << 40  # more candidates than any stack has


def add_search_flags(p: argparse.ArgumentParser) -> None:
    """Flags of the search: reordering and pruning."""
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
        default=DEFAULT.distortion_limit,
        metavar="WORDS",
        help=f"longest jump with --reordering distance, at most {MAX_WINDOW} (default: 6)",
    )
    p.add_argument(
        "--table-limit",
        type=command.positive_int,
        default=DEFAULT.table_limit,
        metavar="N",
        help="translations of a source phrase, the best by score (default: 20)",
    )
    p.add_argument(
        "--beam",
        "--pop-limit",
        dest="pop_limit",
        type=command.positive_int,
        default=DEFAULT.pop_limit,
        metavar="N",
        help="candidates tried per stack of cube pruning; more is slower and finds better"
        " translations (default: 500)",
    )
    p.add_argument(
        "--stack",
        type=command.positive_int,
        default=DEFAULT.stack,
        metavar="N",
        help="hypotheses kept per number of covered words (default: 200)",
    )
    p.add_argument(
        "--beam-threshold",
        type=command.non_negative_float,
        default=DEFAULT.beam_threshold,
        metavar="X",
        help="drop what is worse than its stack's best by more than X (default: nothing)",
    )
    p.add_argument(
        "--no-pruning",
        action="store_true",
        help="keep every hypothesis and every translation of a phrase: for short sentences only",
    )


def search_settings(args: argparse.Namespace) -> SearchSettings:
    """Search settings that the flags ask for."""
    if args.distortion_limit > MAX_WINDOW:
        raise command.UsageError(f"--distortion-limit is at most {MAX_WINDOW}")
    limits = (args.pop_limit, args.stack, args.beam_threshold, args.table_limit)
    if args.no_pruning:
        limits = (EVERYTHING, EVERYTHING, float("inf"), EVERYTHING)
    return SearchSettings(args.k, args.distinct, args.reordering, args.distortion_limit, *limits)
