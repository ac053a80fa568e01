"""Names are declared with the first record that uses them, however far the reader is ahead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.declared_names import DeclaredNames
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from tests.plain import plain

NO = np.zeros(0, np.int32)


def test_up_to_the_highest_id() -> None:
    names, declared = Names("abcd"), DeclaredNames()
    used = (NO, np.array([1], np.int32), np.array([0, 1, 0], np.int32))
    assert declared.with_used({"sid": 0}, names, used) == {"names": ["a", "b"], "sid": 0}
    assert declared.with_used({"sid": 1}, names, used) == {"sid": 1}
    assert declared.with_used({"sid": 2}, names, (NO,)) == {"sid": 2}
    packed = declared.with_used({"sid": 3}, names, (NO, np.array([2], np.int32)))
    assert list(packed) == ["names", "sid"]
    names.id("later")
    assert declared.with_rest(packed, names) == {"names": ["c", "d"], "sid": 3}
    assert declared.with_all({"sid": 4}, names) == {"names": ["later"], "sid": 4}


ROWS = st.lists(st.dictionaries(st.sampled_from("abcdef"), st.just(1.0)), min_size=1, max_size=3)


@given(st.lists(ROWS, max_size=5), st.integers(0, 5))
def test_how_far_the_reader_is_ahead_does_not_show(
    tmp_path_factory: pytest.TempPathFactory, lists: list[list[dict[str, float]]], ahead: int
) -> None:
    """The bytes are the same, and names that no record uses are there, too."""
    folder = tmp_path_factory.mktemp("ahead")

    def written(path: Path, ahead: int) -> bytes:
        names, waiting = Names(), []
        with Writer(str(path), KBest, "how") as out:
            for sid, rows in enumerate(lists):
                texts = Texts.of([""] * len(rows))
                waiting.append(KBest(sid, texts, Features.of(rows, names), names))
                names.id(f"unused{sid}")
                if len(waiting) > ahead:
                    out.write(waiting.pop(0))
            for kbest in waiting:
                out.write(kbest)
        return path.read_bytes()

    assert written(folder / "one", ahead) == written(folder / "other", 0)
    with Reader(str(folder / "one"), KBest) as reader:
        assert [plain(kbest)["features"] for kbest in reader] == lists
        assert {f"unused{sid}" for sid in range(len(lists))} <= {*reader.names}
