"""Distortion tables: what is read, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.moses.distortion_table import (
    DistortionTable,
    distortion_line,
    read_distortion_table,
)

ALL = """\
outbound |||  ||| 0 ||| -2:0.1 0:0.6 1:0.2 2:0.1
inbound ||| ||| 0 ||| -2:.2 0:.4 1:.2 2:.2
"""


def read(tmp_path: Path, text: str) -> DistortionTable:
    (tmp_path / "table").write_text(text, encoding="utf-8")
    return read_distortion_table(str(tmp_path / "table"))


def test_a_word_has_its_own_jumps_and_a_share_of_all_others(tmp_path: Path) -> None:
    table = read(tmp_path, ALL + "inbound ||| ä ||| 0.5 ||| 0:0.7\noutbound ||| b ||| 1 |||\n")
    assert table.words == ["ä".encode(), b"b"]
    outbound, inbound = [0.1, 0, 0.6, 0.2, 0.1], [0.2, 0, 0.4, 0.2, 0.2]
    own = [0.1, 0, 0.7, 0.1, 0.1]
    expected = np.array([[outbound, outbound, outbound], [own, inbound, inbound]])
    found = np.exp(table.value)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert (table.value[:, :, 1] == -100.0).all()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    lines = [
        distortion_line(side, word, 0.25, {-2: 0.125, 0: 0.5, 1: 0.25, 2: 0.125})
        for word in (b"", b"a b"[:1])
        for side in (b"outbound", b"inbound")
    ]
    (tmp_path / "t.gz").write_bytes(gzip.compress(b"".join(lines)))
    table = read_distortion_table(str(tmp_path / "t.gz"))
    assert np.exp(table.value[0, 0]).tolist() == pytest.approx([0.125, 0, 0.5, 0.25, 0.125])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected a line of no word for outbound and inbound"),
        (ALL.splitlines()[0], "expected a line of no word for outbound and inbound"),
        (ALL.replace("-2:.2", "-3:.1 -2:.1").replace("2:.2", "2:.1 3:.1"), "with the same jumps"),
        ("outbound ||| a ||| 0 ||| 0:1\n" + ALL, "line 1: expected a line of no word before it"),
        (ALL + ALL, "line 3: expected each word once, found it twice"),
        (ALL + 2 * "inbound ||| a ||| 1 |||\n", "line 4: expected each word once, found it twice"),
        ("inward ||| ||| 0 ||| 0:1\n", "line 1: expected outbound or inbound"),
        ("inbound ||| a b ||| 0 ||| 0:1\n", "line 1: expected outbound or inbound, a word"),
        ("inbound ||| ||| 0 ||| 0:1 2:1\n", "line 1: expected every jump from -r to r but -1"),
        ("inbound ||| ||| 0 ||| 0:1 1:0\n", "line 1: expected every jump from -r to r but -1"),
        (ALL + "inbound ||| a ||| 0 |||\n" + "inbound ||| a", "line 4: expected 4 fields"),
        (ALL + "inbound ||| a ||| x ||| 0:1\n", "line 3: expected"),
        (ALL + "inbound ||| a ||| nan ||| 0:1\n", "line 3: expected a probability, found 'nan'"),
        (ALL + "inbound ||| a ||| 0 ||| 0:1.5\n", "line 3: expected a probability, found '1.5'"),
        (ALL + "inbound ||| a ||| 0_1 ||| 0:1\n", "line 3: expected a probability, found '0_1'"),
        (ALL + "inbound ||| a ||| 0 ||| 1_0:1\n", "line 3: expected jumps such as 2:0.05"),
        (ALL + "inbound ||| a ||| 0 ||| 0=1\n", "line 3: expected jumps such as 2:0.05"),
        (ALL + "inbound ||| a ||| 0 ||| 0:.1 0:.1\n", "line 3: expected jumps such as 2:0.05"),
        (ALL + "inbound ||| a ||| 0 ||| -1:.1\n", "line 3: expected jumps such as 2:0.05"),
        (ALL + "inbound ||| a ||| 0 ||| 3:.1\n", "line 3: expected jumps of at most 2 words"),
        (ALL + "inbound ||| a ||| 0 ||| 101:.1\n", "line 3: expected jumps such as 2:0.05"),
    ],
)
def test_bad_tables_are_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, text)
    assert problem in str(caught.value)
