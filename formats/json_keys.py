"""Objects of JSON that have each key once; Python's own reader takes the last of several.

json.loads(text, object_pairs_hook=unique)
"""

from __future__ import annotations

from typing import Any

from campanula.formats.errors import LineError


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its pairs; raises LineError for a key that it has twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise LineError(f"key {again!r} stands here for the second time")
    return value
