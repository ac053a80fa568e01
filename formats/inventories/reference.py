"""The reference to an inventory in the header of a stream or of weights.

    {"names": 45000000, "digest": "5f0c..."}

A reference is to a prefix of an inventory.  Ids once given never change, so data with ids of N
names fits every inventory whose first N names have the digest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campanula.formats.errors import DataError
from campanula.formats.records.columns import shortened

MOST_NAMES = (1 << 31) - 1
"""Most names of an inventory, since ids are int32."""

DIGEST = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class InventoryReference:
    """The first `names` names of an inventory, and their digest (chain.py)."""

    names: int
    digest: str

    def __str__(self) -> str:
        return f"{self.digest[:8]} of {self.names} names"

    def pack(self) -> dict[str, object]:
        """Return the value of the key `inventory` in a header."""
        return {"names": self.names, "digest": self.digest}

    @classmethod
    def unpack(cls, value: object, source: str) -> InventoryReference:
        """Make a reference of a header's value; raises DataError that names the source."""
        if isinstance(value, dict):
            names: Any = value.get("names")
            digest: Any = value.get("digest")
            whole = isinstance(names, int) and not isinstance(names, bool)
            is_digest = isinstance(digest, str) and DIGEST.fullmatch(digest)
            if whole and is_digest and 0 <= names <= MOST_NAMES:
                return cls(names, digest)
        problem = f"expected an inventory's number of names and digest, found {shortened(value)}"
        raise DataError(source, "header", problem)


def common(
    references: Mapping[str, InventoryReference | None], prefixes: bool = False
) -> InventoryReference | None:
    """Return the one inventory that all sources are against; None if all declare their names.

    The references must be equal.  With `prefixes` the caller has checked that all are prefixes of
    one inventory, and the longest is returned.  Raises DataError that names two sources which
    differ.
    """
    (first, expected), *others = references.items()
    for source, reference in others:
        if reference is None or expected is None:
            if reference is expected:
                continue
            named, indexed = (source, first) if reference is None else (first, source)
            problem = f"has names, {indexed} is against an inventory: expected both alike"
            raise DataError(named, None, f"{problem} (index-features --extend)")
        if prefixes:
            expected = max(expected, reference, key=lambda one: one.names)
        elif reference != expected:
            problem = f"is against another inventory ({reference}) than {first} ({expected})"
            raise DataError(source, None, f"{problem}; if one extends the other, give --inventory")
    return expected
