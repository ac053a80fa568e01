r"""Reads the records of a JSON file one after another, in any of three arrangements.

    {...}\n{...}                objects one after another, each in one line or several
    [{...}, {...}]              an array
    {"utts": {"id1": {...}}}    an object whose members are the records, within a key or without

Memory holds only one record at a time, since files of some GB in a single line are common.
Python's decoder gets a window on the text, which grows until a record is whole; a record longer
than LONGEST_LINE is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from campanula.formats.errors import SHOWN, DataError, LineError, quoted
from campanula.formats.json_objects import unique
from campanula.formats.lines import LONGEST_LINE
from campanula.formats.nbest.blocks import Block

BLANKS = re.compile(r"[ \t\n\r]*")
LONGEST_TOKEN = 16  # characters, strings aside: -Infinity, or an escape of two surrogates


class Entry(NamedTuple):
    """A record: its value, its place for messages, and its key if it is a member of an object."""

    value: Any
    place: str
    key: str | None = None


class JsonText:
    """The text of one file, from which values are read in order; raises DataError."""

    def __init__(self, blocks: Iterable[Block], source: str) -> None:
        self._blocks = iter(blocks)
        self._source = source
        self._text = ""  # the window
        self._at = 0  # place in the window of the next character to read
        self._line = 1
        self._decoder = json.JSONDecoder(object_pairs_hook=unique)

    @property
    def line(self) -> str:
        """The line of the next character, as in messages: `line 3`."""
        return f"line {self._line}"

    def peek(self) -> str:
        """Skip blanks and return the next character without reading it; "" at the end."""
        while True:
            self._go_to(self._blank_until(self._at))
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def take(self, character: str, *others: str) -> str:
        """Read one of the given characters and return it; raises DataError for any other."""
        following = self.peek()
        if following not in (character, *others) or not following:
            self.fail(f"expected {' or '.join(map(repr, (character, *others)))}")
        self._go_to(self._at + 1)
        return following

    def value(self) -> Any:
        """Read the next value."""
        self.peek()
        while True:
            try:
                # raw_decode accepts no blanks before a value; peek has skipped them
                value, end = self._decoder.raw_decode(self._text, self._at)
            except LineError as error:
                raise DataError(self._source, self.line, str(error)) from error
            # Python's decoder calls itself at every level, so a file of brackets alone would end it
            except RecursionError:
                self.fail("expected JSON with fewer values inside each other")
            except json.JSONDecodeError as error:
                # near the end of the window the text may be cut: it is parsed again with more of it
                if self._is_wrong(error) or not self._more():
                    self._go_to(error.pos)
                    self.fail(f"expected JSON ({error.msg})")
            else:
                # at the end of the window a number may be cut, so the window grows first
                if end < len(self._text) or not self._more():
                    self._go_to(end)
                    return value

    def key(self) -> str:
        """Read the key of the next member of an object, and its colon."""
        if self.peek() != '"':
            self.fail("expected a key")
        key = self.value()
        self.take(":")
        return str(key)

    def fail(self, expected: str) -> NoReturn:
        """Raise DataError that names the line and shows the text there."""
        rest = self._text[self._at : self._at + SHOWN]
        found = quoted(rest) if rest else "the end of the file"
        raise DataError(self._source, self.line, f"{expected}, found {found}")

    def _is_wrong(self, error: json.JSONDecodeError) -> bool:
        """Whether more text cannot mend an error: it is not close to the end of the window."""
        # a string without an end is reported where it starts, however far that is from the cut
        cut = error.msg.startswith("Unterminated string")
        return not cut and error.pos < len(self._text) - LONGEST_TOKEN

    def _blank_until(self, start: int) -> int:
        match = BLANKS.match(self._text, start)
        return start if match is None else match.end()

    def _go_to(self, place: int) -> None:
        self._line += self._text.count("\n", self._at, place)
        self._at = place

    def _more(self) -> bool:
        """Double the unread part of the window; False at the end of the file.

        Doubling keeps the cost of parsing a long record again and again linear in its length.
        """
        rest = self._text[self._at :]
        if len(rest) > LONGEST_LINE:
            limit = f"{LONGEST_LINE >> 20} million characters"
            raise DataError(
                self._source, self.line, f"expected a record of at most {limit}, found a longer one"
            )
        pieces = [rest]
        size = 0
        for block in self._blocks:
            pieces.append(block.data.decode("utf-8"))
            size += len(pieces[-1])
            if size > len(rest):
                break
        self._text = "".join(pieces)
        self._at = 0
        return size > 0


def entries(blocks: Iterable[Block], source: str, within: str | None = None) -> Iterator[Entry]:
    """Yield the records of a file; raises DataError that names the line.

    within: the key of the object whose members are the records, "" for the outermost object; None
    if records are not members of an object.
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
            if text.peek() == ",":  # not JSON lines, but some programs write commas between objects
                text.take(",")
        return
    if text.peek():
        text.fail("expected the end of the file")


def _elements(text: JsonText) -> Iterator[Entry]:
    """Yield the records of an array."""
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
    """Yield the records that are members of the object under a key, or of the outermost one."""
    text.take("{")
    if text.peek() == "}":
        text.take("}")
        return
    while True:
        text.peek()
        line = text.line
        key = text.key()
        # other members than that are parsed as well: nothing else tells where they end
        if within and key == within:
            yield from _members(text, "")
        elif within:
            text.value()
        else:
            yield Entry(text.value(), f"{key!r} ({line})", key)
        if text.take(",", "}") == "}":
            return
