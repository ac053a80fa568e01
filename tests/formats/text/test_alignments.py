"""Alignment lines: read, sorted, refused."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import DataError
from campanula.formats.text.alignments import Alignments, alignment_line, read_alignments

LINKS = st.lists(st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12))), max_size=5)


def plain(alignments: Alignments) -> list[list[tuple[int, int]]]:
    bounds = alignments.start.tolist()
    links = list(zip(alignments.source.tolist(), alignments.target.tolist(), strict=True))
    return [links[a:b] for a, b in pairwise(bounds)]


@given(LINKS)
def test_what_is_written_is_read(pairs: list[set[tuple[int, int]]]) -> None:
    lines = [alignment_line(sorted(links)) for links in pairs]
    found = read_alignments(lines, "align")
    assert len(found) == len(pairs)
    assert plain(found) == [sorted(links) for links in pairs]


def test_any_order_and_blanks_and_a_link_twice() -> None:
    assert plain(read_alignments([" 1-0\t0-2  1-0 ", ""], "align")) == [[(0, 2), (1, 0)], []]


@pytest.mark.parametrize(
    "link", ["1", "1-", "-1", "1-2-3", "a-b", "1-2/0.5", "1_2", "1-\u0662", "9999999999-0", "+1-1"]
)
def test_a_bad_link_is_named_with_its_line(link: str) -> None:
    with pytest.raises(DataError) as caught:
        read_alignments(["0-0", f"0-0 {link} 1-1"], "align")
    assert str(caught.value) == f"align: line 2: expected links such as 0-1, found {link!r}"
