"""A header and the data behind it are told apart, whatever bytes they have."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from campanula.stages.parallel.framing import framed, unframed


@given(st.binary(), st.binary())
def test_header_and_data_are_those_that_were_framed(header: bytes, data: bytes) -> None:
    content = memoryview(b"".join([*framed(header), data]))
    assert tuple(map(bytes, unframed(content))) == (header, data)
