"""Files that are no text, by their first bytes."""

from __future__ import annotations

import gzip

import pytest

from campanula.formats.foreign.signatures import STREAM, signature_of
from campanula.formats.header import Header
from tests.foreign_files import BINARY, TEXTS, UNSURE


@pytest.mark.parametrize("words", BINARY)
def test_every_signature(words: str) -> None:
    data = BINARY[words]
    head = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    assert words in str(signature_of(head))


@pytest.mark.parametrize(
    "text",
    [*TEXTS.values(), *UNSURE.values(), b"", b"\0", b"BZh9 is text", b"PAR", "▁über".encode()],
)
def test_text_has_none(text: bytes) -> None:
    assert signature_of(text) is None


def test_streams_are_ours() -> None:
    import msgpack

    for kind, advice in {"kbest": "show prints it", "weights": "export-weights"}.items():
        found = signature_of(msgpack.packb(Header(kind, 1, "how").pack()))
        assert found is not None
        assert found.name == STREAM
        assert f"a stream of kind '{kind}': {advice}" in str(found)
