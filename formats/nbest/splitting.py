"""Splits a line into its fields at `|||`.

Bars have blanks around them.  Only if no bars after the sentence number have blanks, bars without
blanks separate fields, too.  The number needs no blank before its bars: Moses's own example lists
have `0||| text`.
"""

from __future__ import annotations

import re

from campanula.formats.errors import LineError, quoted

BARS = re.compile(r"(?:^| )\|\|\|(?= |$)")
FIRST = re.compile(r"[ \t]*([^ \t|]*)[ \t]*\|\|\|(?!\|)")


def split(line: str) -> list[str]:
    """Return the fields of a line, without the blanks around them; raises LineError."""
    first = FIRST.match(line)
    rest = line[first.end() :] if first else ""
    fields = BARS.split(rest)
    if len(fields) == 1:
        fields = rest.split("|||")
    if first is None or len(fields) < 2:
        raise LineError(f"expected `id ||| text ||| features`, found {quoted(line)}")
    return [first[1], *(field.strip(" \t") for field in fields)]
