"""Lines of the two tables, by hand."""

from __future__ import annotations

import numpy as np

from campanula.formats.moses.tables_writer import links_text, phrase_lines, reordering_lines

SOURCE, TARGET = ["ä %s", "b"], ["x", "y z"]


def test_phrase_lines() -> None:
    score = np.array([[1 / 23, 2 / 11, 1, 3.01673e-07], [1, 1e-20, 0.5, 1]])
    count = np.array([[23, 1, 1], [1234567, 2, 3]])
    links = np.array([0b1, 0b1 | 0b11 << 8])
    assert phrase_lines(SOURCE, TARGET, score, links, count).decode().splitlines() == [
        "ä %s ||| x ||| 0.0434783 0.181818 1 3.01673e-07 ||| 0-0 ||| 23 1 1 ||| |||",
        "b ||| y z ||| 1 1e-20 0.5 1 ||| 0-0 0-1 1-1 ||| 1.23457e+06 2 3 ||| |||",
    ]


def test_reordering_lines() -> None:
    orientation = np.array([[[12, 0, 1], [1, 0, 0]], [[0, 1, 0], [0, 0, 1]]], np.int32)
    assert reordering_lines(SOURCE, TARGET, orientation, 0.5).decode().splitlines() == [
        "ä %s ||| x ||| 0.862069 0.0344828 0.103448 0.6 0.2 0.2",
        "b ||| y z ||| 0.2 0.6 0.2 0.2 0.2 0.6",
    ]


def test_no_blocks() -> None:
    nothing = np.zeros(0, np.int64)
    assert phrase_lines([], [], np.zeros((0, 4)), nothing, np.zeros((0, 3), np.int64)) == b""
    assert reordering_lines([], [], np.zeros((0, 2, 3), np.int32), 0.5) == b""


def test_links_are_by_target_word() -> None:
    assert links_text(1 << 1 | 1 << 8) == "1-0 0-1"
    assert links_text(0) == ""
