"""What the header of a stream or of weights says of the inventory whose ids it has.

    {"names": 45000000, "digest": "5f0c..."}

A reference is to a prefix: ids once given never change, so what an inventory of N names knows is
good against every inventory whose first N names have that digest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campanula.formats.errors import DataError
from campanula.formats.records.columns import shortened

MOST_NAMES = (1 << 31) - 1
"""Ids are int32."""

DIGEST = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class InventoryReference:
    """The first `names` names of an inventory, and their digest (chain.py)."""

    names: int
    digest: str

    def __str__(self) -> str:
        return f"{self.digest[:8]} of {self.names} names"

    def pack(self) -> dict[str, object]:
        """Value of the key `inventory` in a header."""
        return {"names": self.names, "digest": self.digest}

    @classmethod
    def unpack(cls, value: object, source: str) -> InventoryReference:
        """Reference from a header's value; raises DataError that names the source."""
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
    """The longest reference of some sources, all of one inventory, or none of any.

    They are one and the same, unless they are known to be `prefixes` of one inventory, which only
    who has the inventory can tell.  Raises DataError that names two which differ.
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
            expected = max(expected, reference, key=lambda known: known.names)
        elif reference != expected:
            problem = f"is against another inventory ({reference}) than {first} ({expected})"
            raise DataError(source, None, f"{problem}; if one extends the other, give --inventory")
    return expected
