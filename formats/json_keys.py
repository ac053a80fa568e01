"""JSON objects, refused if they have a key twice; Python's own reader takes the last one.

`object_of(line)`, or json.loads(text, object_pairs_hook=unique).
"""

from __future__ import annotations

import json
from typing import Any

from campanula.formats.errors import LineError, repeated


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs; raises LineError for a key that stands there twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise LineError(repeated("key", again))
    return value


def object_of(line: str) -> dict[str, Any]:
    """Parse a line that is a JSON object; raises LineError for anything else."""
    try:
        value = json.loads(line, object_pairs_hook=unique)
    except LineError:
        raise
    except (ValueError, RecursionError) as error:  # RecursionError: nested too deep
        raise LineError(f"expected a JSON object, found {line[:60]!r} ({error})") from error
    if not isinstance(value, dict):
        raise LineError(f"expected a JSON object, found {line[:60]!r}")
    return value
