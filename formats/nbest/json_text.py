r"""The records of a JSON file, however they are wrapped, one after another.

    {...}\n{...}                objects one after another, a line each or several
    [{...}, {...}]              an array
    {"utts": {"id1": {...}}}    an object whose members are the records, within a key or without

Only one record is held at a time: files of some GB that are a single line are nothing unusual.
Python's decoder gets a window on the text, which grows until a record is whole; a record beyond
the longest line is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from campanula.formats.errors import DataError, LineError
from campanula.formats.json_keys import unique
from campanula.formats.lines import LONGEST_LINE
from campanula.formats.nbest.blocks import Block

BLANKS = re.compile(r"[ \t\n\r]*")
SHOWN = 60
LONGEST_TOKEN = 16  # of those that are no string: -Infinity, an escape of two halves


class Entry(NamedTuple):
    """A record: its value, its place for messages, its key where it is a member of an object."""

    value: Any
    place: str
    key: str | None = None


class JsonText:
    """Text of one file, of which values are taken from the front; raises DataError."""

    def __init__(self, blocks: Iterable[Block], source: str) -> None:
        self._blocks = iter(blocks)
        self._source = source
        self._text = ""
        self._at = 0
        self._line = 1
        self._decoder = json.JSONDecoder(object_pairs_hook=unique)

    @property
    def line(self) -> str:
        """The line that the next character stands in."""
        return f"line {self._line}"

    def peek(self) -> str:
        """The next character that is no blank, which the text now begins with; "" at the end."""
        while True:
            self._go_to(self._blank_until(self._at))
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def take(self, character: str, *others: str) -> str:
        """Go beyond one of some characters, and say which; raises DataError for another."""
        found = self.peek()
        if found not in (character, *others) or not found:
            self.fail(f"expected {' or '.join(map(repr, (character, *others)))}")
        self._go_to(self._at + 1)
        return found

    def value(self) -> Any:
        """The next value."""
        self.peek()
        while True:
            try:
                found, end = self._decoder.raw_decode(self._text, self._at)
            except LineError as error:
                raise DataError(self._source, self.line, str(error)) from error
            except RecursionError:
                self.fail("expected JSON of some depth at most")
            except json.JSONDecodeError as error:
                if self._is_wrong(error) or not self._more():
                    self._go_to(error.pos)
                    self.fail(f"expected JSON ({error.msg})")
            else:
                # a number may go on in what is still to come
                if end < len(self._text) or not self._more():
                    self._go_to(end)
                    return found

    def key(self) -> str:
        """The key of the next member of an object, and go beyond its colon."""
        if self.peek() != '"':
            self.fail("expected a key")
        key = self.value()
        self.take(":")
        return str(key)

    def fail(self, expected: str) -> NoReturn:
        """Raise DataError that names the line and shows what is there."""
        shown = self._text[self._at : self._at + SHOWN]
        found = repr(shown) if shown else "the end of the file"
        raise DataError(self._source, self.line, f"{expected}, found {found}")

    def _is_wrong(self, error: json.JSONDecodeError) -> bool:
        """Whether an error is one whatever is still to come: it is not where the window ends."""
        cut = error.msg.startswith("Unterminated string")
        return not cut and error.pos < len(self._text) - LONGEST_TOKEN

    def _blank_until(self, start: int) -> int:
        found = BLANKS.match(self._text, start)
        return start if found is None else found.end()

    def _go_to(self, place: int) -> None:
        self._line += self._text.count("\n", self._at, place)
        self._at = place

    def _more(self) -> bool:
        """Add to the window as much as there is in it; False where the file ends."""
        rest = self._text[self._at :]
        if len(rest) > LONGEST_LINE:
            limit = f"{LONGEST_LINE >> 20} million characters"
            raise DataError(
                self._source, self.line, f"expected a record of at most {limit}, found a longer one"
            )
        parts = [rest]
        size = 0
        for block in self._blocks:
            parts.append(block.data.decode("utf-8"))
            size += len(parts[-1])
            if size > len(rest):
                break
        self._text = "".join(parts)
        self._at = 0
        return size > 0


def entries(blocks: Iterable[Block], source: str, within: str | None = None) -> Iterator[Entry]:
    """Yield the records of a file; `within`: the key of the object whose members they are.

    An empty `within` is the outermost object itself.  Raises DataError that names the line.
    """
    text = JsonText(blocks, source)
    if text.peek() == "[":
        yield from _elements(text)
    elif within is not None:
        yield from _members(text, within)
    else:
        while text.peek():
            line = text.line
            yield Entry(text.value(), line)
            if text.peek() == ",":  # objects that someone has put commas between
                text.take(",")
        return
    if text.peek():
        text.fail("expected the end of the file")


def _elements(text: JsonText) -> Iterator[Entry]:
    """Records of an array."""
    text.take("[")
    if text.peek() == "]":
        text.take("]")
        return
    for number in range(1 << 62):
        text.peek()
        place = f"record {number} ({text.line})"
        yield Entry(text.value(), place)
        if text.take(",", "]") == "]":
            return


def _members(text: JsonText, within: str) -> Iterator[Entry]:
    """Records that are members of the object under a key, or of the outermost one."""
    text.take("{")
    if text.peek() == "}":
        text.take("}")
        return
    while True:
        text.peek()
        line = text.line
        key = text.key()
        if within and key == within:
            yield from _members(text, "")
        elif within:
            text.value()
        else:
            yield Entry(text.value(), f"{key!r} ({line})", key)
        if text.take(",", "}") == "}":
            return
