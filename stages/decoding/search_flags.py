"""The flags of the search, reordering and pruning, and the settings they ask for."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping

from campanula.stages import command
from campanula.stages.decoding.decoder import MAX_WINDOW, REORDERING, SearchSettings

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


def search_settings(
    args: argparse.Namespace, moses: Mapping[str, float] | None = None
) -> SearchSettings:
    """Search settings that the flags ask for; else those of a moses.ini, else the defaults."""
    if args.distortion_limit is not None and args.distortion_limit > MAX_WINDOW:
        raise command.UsageError(f"--distortion-limit is at most {MAX_WINDOW}")

    def value(name: str, of_moses: str) -> float:
        flag, default = getattr(args, name), getattr(DEFAULT, name)
        return float(flag if flag is not None else (moses or {}).get(of_moses, default))

    def count(name: str, of_moses: str) -> int:
        return EVERYTHING if args.no_pruning else int(min(value(name, of_moses), EVERYTHING))

    return SearchSettings(
        k=args.k,
        distinct=args.distinct,
        reordering=args.reordering,
        distortion_limit=int(min(value("distortion_limit", "distortion-limit"), MAX_WINDOW)),
        pop_limit=count("pop_limit", "cube-pruning-pop-limit"),
        stack=count("stack", "stack"),
        beam_threshold=math.inf if args.no_pruning else value("beam_threshold", "beam-threshold"),
        table_limit=count("table_limit", "table-limit"),
    )
