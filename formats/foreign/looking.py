"""Refuse a file of a well-known kind where another is expected, in words that say what to do.

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
    """The kind of a file that begins so, decompressed; None where that is not certain."""
    return signature_of(head) or text_kind(head)


def beginning(file: BinaryIO) -> bytes:
    """The first bytes of an opened file, which are read again; none of what cannot be read."""
    if isinstance(file, io.BytesIO):
        return file.getvalue()[:HEAD]
    try:
        return file.peek(HEAD)[:HEAD] if isinstance(file, io.BufferedReader) else b""
    except (OSError, EOFError):  # whoever reads says so
        return b""


def refuse(head: bytes, name: str, expected: str, fits: Container[str]) -> None:
    """Raise DataError for a file that begins as one of a well-known kind that does not fit.

    fits: names of kinds; name: the file in the message.
    """
    kind = kind_of(head)
    if kind is not None and kind.name not in fits:
        raise DataError(name, None, f"expected {expected}, found {kind}")


def refuse_no_stream(head: bytes, name: str) -> None:
    """Raise DataError for what is no stream but text, or of a well-known kind."""
    from campanula.formats.nbest.detecting import detect

    refuse(head, name, "a stream", (STREAM,))
    try:
        lines = head.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return
    form = detect([line.rstrip("\r") for line in lines])
    if form is not None:
        found = f"an n-best list in the format {form}: import-nbest makes a stream of it"
        raise DataError(name, None, f"expected a stream, found {found}")
    if any(lines):
        found = "text: import-nbest makes a stream of n-best lists"
        raise DataError(name, None, f"expected a stream, found {found}")
