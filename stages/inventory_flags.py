"""The flag that gives the inventory of lists: for names, and to tell what extends what."""

from __future__ import annotations

import argparse

from campanula.formats.inventories.inventory import Inventory


def add_inventory_flag(p: argparse.ArgumentParser, what: str = "") -> None:
    """Add --inventory; `what` it is needed for, if not to tell prefixes."""
    needed = what or "needed where lists or weights are against prefixes of it"
    p.add_argument("--inventory", metavar="FOLDER", help=f"inventory of the lists: {needed}")


def given_inventory(args: argparse.Namespace) -> Inventory | None:
    """The inventory that the flag names; raises DataError for what is none."""
    return None if args.inventory is None else Inventory.open(args.inventory)
