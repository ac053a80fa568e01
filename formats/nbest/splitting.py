"""Cut a line into its fields at `|||`.

Bars stand between blanks; a line without such bars behind the sentence number may have them bare.
The number needs no blank before its bar: Moses's own example lists have `0||| text`.
"""

from __future__ import annotations

import re

from campanula.formats.errors import LineError

BARS = re.compile(r"(?:^| )\|\|\|(?= |$)")
FIRST = re.compile(r"[ \t]*([^ \t|]*)[ \t]*\|\|\|(?!\|)")


def split(line: str) -> list[str]:
    """The fields of a line, without the blanks around them; raises LineError."""
    first = FIRST.match(line)
    rest = line[first.end() :] if first else ""
    fields = BARS.split(rest)
    if len(fields) == 1:
        fields = rest.split("|||")
    if first is None or len(fields) < 2:
        raise LineError(f"expected `id ||| text ||| features`, found {line[:60]!r}")
    return [first[1], *(field.strip(" \t") for field in fields)]
