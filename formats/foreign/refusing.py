"""Refuse a file of a well-known kind where another is expected; the error says what to do.

dev.nbest: expected a stream, found a Moses n-best list: import-nbest makes a stream of it
"""

from __future__ import annotations

import io
from collections.abc import Container
from typing import BinaryIO

from campanula.formats.errors import DataError
from campanula.formats.foreign.kinds import HEAD, FileKind
from campanula.formats.foreign.signatures import STREAM, signature_of
from campanula.formats.foreign.texts import text_kind


def kind_of(head: bytes) -> FileKind | None:
    """Return the kind of a file from its first bytes, decompressed; None if it is not certain."""
    return signature_of(head) or text_kind(head)


def beginning(file: BinaryIO) -> bytes:
    """Return the first bytes of an open file without consuming them; b"" if it cannot be read."""
    if isinstance(file, io.BytesIO):
        return file.getvalue()[:HEAD]
    try:
        return file.peek(HEAD)[:HEAD] if isinstance(file, io.BufferedReader) else b""
    except (OSError, EOFError):  # reading the file later raises it again, with its name
        return b""


def refuse(head: bytes, name: str, expected: str, fits: Container[str]) -> None:
    """Raise DataError for a file of a well-known kind that is not accepted.

    head: the file's first bytes; name: the file's name; expected: what the message says it should
    be; fits: names of the kinds that are accepted.
    """
    kind = kind_of(head)
    if kind is not None and kind.name not in fits:
        raise DataError(name, None, f"expected {expected}, found {kind}")


def refuse_no_stream(head: bytes, name: str) -> None:
    """Raise DataError for a file that is no stream but text, or of a well-known kind."""
    from campanula.formats.nbest.detecting import detect

    refuse(head, name, "a stream", (STREAM,))
    try:
        lines = head.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return
    list_format = detect([line.rstrip("\r") for line in lines])
    if list_format is not None:
        found = f"an n-best list in the format {list_format}: import-nbest makes a stream of it"
        raise DataError(name, None, f"expected a stream, found {found}")
    if any(lines):
        found = "text: import-nbest makes a stream of n-best lists"
        raise DataError(name, None, f"expected a stream, found {found}")
