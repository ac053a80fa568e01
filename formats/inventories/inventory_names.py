"""Names tables whose ids are those of an inventory: nobody adds a name to them by its text.

Ids of different streams against one inventory are the same, so lists go from one to another as they
are.  `Names` maps names in Python objects; these do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NoReturn

from campanula.formats.arrays.types import Ids
from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.names import Names


class InventoryNames(Names):
    """Names by the ids of an inventory, of which `reference` tells the prefix."""

    of_inventory = True

    def __init__(self, reference: InventoryReference) -> None:
        self._reference = reference

    @property
    def reference(self) -> InventoryReference:
        """The names that are here."""
        return self._reference

    def __repr__(self) -> str:
        return f"<inventory {self.reference}>"

    def __len__(self) -> int:
        return self._reference.names

    def __contains__(self, name: object) -> NoReturn:
        raise TypeError("names of an inventory are found by stages.inventories.lookup")

    def id(self, name: str) -> NoReturn:
        """Not to be asked here: a Lookup finds names, and Growing adds them."""
        raise TypeError("names of an inventory are found by stages.inventories.lookup")

    def extend(self, names: Iterable[str]) -> NoReturn:
        """Not to be asked here: Growing adds names."""
        raise TypeError("names are added to an inventory by stages.inventories.growing")

    def ids_of(self, other: Names) -> Ids:
        """Not to be asked here: ids of one inventory are the same everywhere."""
        raise TypeError("lists with names are translated by index-features")


class NumberedNames(InventoryNames):
    """Names of lists whose inventory was not given: `#17` in messages, and nowhere else."""

    def __init__(self, reference: InventoryReference, source: str = "lists") -> None:
        super().__init__(reference)
        self._source = source

    def __getitem__(self, index: int) -> str:
        return f"#{index}"

    def __iter__(self) -> Iterator[str]:
        raise self.unknown()

    def since(self, start: int) -> list[str]:
        """Raise DataError: nobody knows the names."""
        raise self.unknown()

    def unknown(self) -> DataError:
        """What to say where names are needed."""
        problem = f"is against inventory {self.reference}: expected --inventory, for its names"
        return DataError(self._source, None, problem)
