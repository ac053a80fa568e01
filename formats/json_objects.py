"""JSON objects, refused if they have a key twice; Python's own reader takes the last one.

`object_of(text)`, `read_object(path)`, or json.loads(text, object_pairs_hook=unique).
"""

from __future__ import annotations

import json
import os
from typing import Any

from campanula.formats.errors import DataError, LineError, quoted, repeated, unreadable
from campanula.formats.files import refuse_no_file

LONGEST = 1 << 28  # bytes of a file: the manifest of a million shards


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs; raises LineError for a key that stands there twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise LineError(repeated("key", again))
    return value


def object_of(text: str) -> dict[str, Any]:
    """Parse a text that is a JSON object, such as a line; raises LineError for anything else."""
    try:
        value = json.loads(text, object_pairs_hook=unique)
    except LineError:
        raise
    except (ValueError, RecursionError) as error:  # RecursionError: nested too deep
        raise LineError(f"expected a JSON object, found {quoted(text)} ({error})") from error
    if not isinstance(value, dict):
        raise LineError(f"expected a JSON object, found {quoted(text)}")
    return value


def read_object(path: str) -> dict[str, Any]:
    """Read a file of ours that is a JSON object; raises DataError.

    Raises FileNotFoundError for a missing file: only the caller knows what to tell the user then.
    """
    try:
        refuse_no_file(path)
        size = os.path.getsize(path)
        if size > LONGEST:
            raise DataError(path, None, f"expected at most {LONGEST} bytes, found {size}")
        with open(path, encoding="utf-8") as file:
            return object_of(file.read())
    except FileNotFoundError:
        raise
    except OSError as error:
        raise unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise DataError(path, None, f"expected a JSON object, found no UTF-8 ({error})") from error
    except LineError as error:
        raise DataError(path, None, str(error)) from error
