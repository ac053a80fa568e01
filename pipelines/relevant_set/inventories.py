"""The inventory of a run: a folder in its cache that grows from one decoding to the next.

    features-<digest of the start>        the names of truth and bags, or of the seeds' outputs
    features-<digest of the run>          a copy of it, to which the decodings of l = 2, 3, .. add

Each is under a digest of all that determines its names and their order, so nothing depends on what
another run in the same cache did.  Ids once given never change: lists of l = 5 are against the
names of that time, whatever has come since, and made again they find their names there.  An
inventory that is lost or damaged is removed, and all lists against it are made again, in order.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence

from campanula.formats.atomic import atomic_folder, remove_folder
from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.verifying import verify
from campanula.formats.records.kbest import KBest
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, StageTask
from campanula.stages import command
from campanula.stages.inventories.growing import Growing

LOCK = "lock"


def inventory_at(cache: Cache, digest: str) -> Leaf:
    """The inventory in the cache under a digest."""
    return Leaf(os.path.join(cache.folder, f"features-{digest}"), digest)


def begin(inventory: Leaf, names: Sequence[str]) -> None:
    """Make an inventory with some names, unless it exists and is whole."""
    if _sound(inventory):
        return
    with Growing(inventory.path, new=True) as growing:
        growing.ids_of_names(names)
        growing.commit()


def go_on(start: Leaf, inventory: Leaf) -> None:
    """Copy the inventory `start`, which is whole, unless `inventory` exists and is whole."""
    if _sound(inventory):
        return
    with atomic_folder(inventory.path) as unfinished:
        # the copy is another inventory, with a lock of its own
        ignore = shutil.ignore_patterns(LOCK)
        shutil.copytree(start.path, unfinished, ignore=ignore, dirs_exist_ok=True)


def _sound(inventory: Leaf) -> bool:
    """Whether an inventory exists and is whole; a damaged one is removed, with a warning."""
    if not os.path.isdir(inventory.path):
        return False
    try:
        verify(Inventory.open(inventory.path))
    except DataError as error:
        # without inventory.json a killed run has left the folder: nothing is lost, no warning
        if os.path.exists(os.path.join(inventory.path, "inventory.json")):
            command.complain(f"tune: {error}: damaged, and made again")
        remove_folder(inventory.path)
        return False
    return True


def mend(cache: Cache, inventory: Leaf, tasks: Iterable[StageTask]) -> None:
    """Remove lists of tasks, and lists that these need, whose names the inventory lacks.

    The next build makes them again, which adds their names.
    """
    opened = Inventory.open(inventory.path)
    for task in tasks:
        for made in (task, *(t for t in task.requires() if isinstance(t, StageTask))):
            if made.path.endswith(".kbest") and made.complete() and not _has(opened, made.path):
                cache.remove(made.call.result, made.call.made())


def _has(inventory: Inventory, path: str) -> bool:
    """Whether an inventory has the names of the lists at a path."""
    with open_lists(path, KBest) as lists:
        if lists.inventory is None:
            return True
        try:
            inventory.check(lists.inventory, path)
        except DataError:
            return False
    return True
