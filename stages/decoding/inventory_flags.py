"""The flags of the inventory whose ids written lists have."""

from __future__ import annotations

import argparse
import os

from campanula.stages.command import UsageError
from campanula.stages.decoding.list_inventory import ListInventory


def add_lists_inventory_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of the inventory whose ids written lists have."""
    p.add_argument(
        "--inventory",
        metavar="FOLDER",
        help="write ids of this inventory for names, and add to it what it lacks (a new one, if it"
        " is not there), and count the sentences that have each feature; weights may be a weights"
        " stream then",
    )
    p.add_argument(
        "--no-extend",
        action="store_true",
        help="leave the inventory as it is, as for a test set: features that it lacks are left out;"
        " the summary says how often",
    )
    p.add_argument(
        "--no-count",
        action="store_true",
        help="add features to the inventory, but count no sentence: for a text that is decoded"
        " again and again",
    )


def lists_inventory(args: argparse.Namespace, needed: bool) -> ListInventory | None:
    """Open the inventory of the flags; None without one; needed: weights are a stream.

    Raises UsageError for flags that do not fit together, DataError for a folder that is none.
    """
    if args.inventory is None:
        for flag, is_set in {"--no-extend": args.no_extend, "--no-count": args.no_count}.items():
            if is_set:
                raise UsageError(f"{flag} is for lists against an --inventory; give both")
        if needed:
            raise UsageError("--weights is a weights stream: expected its --inventory")
        return None
    extend = not args.no_extend and (os.path.exists(args.inventory) or not needed)
    cache = getattr(args, "cache", None)
    return ListInventory(args.inventory, extend, cache, counts=not args.no_count)
