"""Whether lists have feature names of their own or ids of an inventory."""

from __future__ import annotations

import os

from campanula.formats.collections.collection import Collection, is_collection
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader


def against_inventory(path: str, if_piped: bool = False) -> bool:
    """Whether the lists of a collection, or of a file, have ids of an inventory.

    `if_piped` is the answer for a pipe: looking into it would use up its first bytes.
    """
    if is_collection(path):
        path = Collection.open(path).shards[-1].path
    elif path == "-" or (os.path.exists(path) and not os.path.isfile(path)):
        return if_piped
    with Reader(path, KBest) as reader:
        return reader.inventory is not None
