"""What a message says of a kind."""

from __future__ import annotations

from campanula.formats.foreign.kinds import FileKind


def test_a_kind_says_what_to_do() -> None:
    assert str(FileKind("zip", "a zip archive", "unpack it")) == "a zip archive: unpack it"
