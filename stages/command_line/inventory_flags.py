"""The flag that gives the inventory of lists: for names, and to tell what extends what."""

from __future__ import annotations

import argparse

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.verifying import verify


def add_inventory_flag(p: argparse.ArgumentParser, what: str = "") -> None:
    """Add --inventory; `what` says what it is needed for (default: to tell prefixes apart)."""
    needed = what or "needed where lists or weights are against prefixes of it"
    p.add_argument("--inventory", metavar="FOLDER", help=f"inventory of the lists: {needed}")


def given_inventory(args: argparse.Namespace, for_names: bool = False) -> Inventory | None:
    """Return the inventory that --inventory names, or None; raises DataError for another folder.

    for_names: its names go into an output, so every byte of it is checked.
    """
    inventory = None if args.inventory is None else Inventory.open(args.inventory)
    if inventory is not None and for_names:
        verify(inventory)
    return inventory
