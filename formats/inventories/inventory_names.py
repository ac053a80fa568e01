"""Names tables whose ids are those of an inventory; they do not look names up, nor add any.

Streams against one inventory have the same ids, so their lists need no renumbering.  Unlike `Names`
these tables hold no Python object per name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NoReturn

from campanula.formats.arrays.types import Ids
from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.names import Names


class InventoryNames(Names):
    """Names by the ids of an inventory, as many as `reference` says."""

    of_inventory = True

    # does not call that of Names, whose list and dict would stay empty
    def __init__(self, reference: InventoryReference) -> None:
        self._reference = reference

    @property
    def reference(self) -> InventoryReference:
        """The prefix of the inventory that this table has."""
        return self._reference

    def __repr__(self) -> str:
        return f"<inventory {self.reference}>"

    def __len__(self) -> int:
        return self._reference.names

    def __contains__(self, name: object) -> NoReturn:
        raise TypeError("names of an inventory are found by stages.inventories.lookup")

    def id(self, name: str) -> NoReturn:
        """Raise TypeError: stages.inventories.lookup finds names, and growing adds them."""
        raise TypeError("names of an inventory are found by stages.inventories.lookup")

    def extend(self, names: Iterable[str]) -> NoReturn:
        """Raise TypeError: stages.inventories.growing adds names."""
        raise TypeError("names are added to an inventory by stages.inventories.growing")

    def ids_of(self, other: Names) -> Ids:
        """Raise TypeError: ids of one inventory need no translation."""
        raise TypeError("lists with names are translated by index-features")


class NumberedNames(InventoryNames):
    """Names of lists whose inventory was not given: `#17` in messages; other uses are errors."""

    def __init__(self, reference: InventoryReference, source: str = "lists") -> None:
        super().__init__(reference)
        self._source = source

    def __getitem__(self, index: int) -> str:
        return f"#{index}"

    def __iter__(self) -> Iterator[str]:
        raise self.unknown()

    def since(self, start: int) -> list[str]:
        """Raise DataError: the names are not known without the inventory."""
        raise self.unknown()

    def unknown(self) -> DataError:
        """Return the error for an operation that needs the names."""
        problem = f"is against inventory {self.reference}: expected --inventory, for its names"
        return DataError(self._source, None, problem)
