"""What a message says of a kind."""

from __future__ import annotations

from campanula.formats.foreign.kinds import Kind


def test_a_kind_says_what_to_do() -> None:
    assert str(Kind("zip", "a zip archive", "unpack it")) == "a zip archive: unpack it"
