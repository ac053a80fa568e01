"""Names that a part adds, and its lists, in one file."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from campanula.stages.decoding.part_names import PartNames, unpacked_lists
from campanula.stages.decoding.sparse.name_parsing import text_of


def test_what_is_written_is_read(tmp_path: Path) -> None:
    count = np.array([3, 1], np.uint32)
    known = (np.array([7], np.int32), np.array([2]))
    names = PartNames(*text_of(["uni_ä", "LM0"]), np.array([0.5, 0.0]), count, *known, 4, 7)
    lists, output = tmp_path / "lists", str(tmp_path / "out")
    lists.write_bytes(b"a stream")
    names.write(output, str(lists))
    found = PartNames.read(output)
    assert len(found) == 2
    for ours, theirs in zip(found, names, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    (tmp_path / "folder").mkdir()
    stream = unpacked_lists(output, str(tmp_path / "folder"))
    assert Path(stream).read_bytes() == b"a stream"


def test_the_same_names_make_the_same_bytes(tmp_path: Path) -> None:
    seen, known, known_seen = np.zeros(0, np.uint32), np.zeros(0, np.int32), np.zeros(0, np.int64)
    names = PartNames(*text_of([]), np.zeros(0), seen, known, known_seen, 0, -1)
    (tmp_path / "lists").write_bytes(b"")
    written = []
    for time, name in enumerate(("one", "two")):
        os.utime(tmp_path / "lists", (1e9 + 1000 * time, 1e9 + 1000 * time))
        names.write(str(tmp_path / name), str(tmp_path / "lists"))
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
