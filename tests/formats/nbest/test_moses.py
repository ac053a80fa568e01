from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import DataError
from campanula.formats.nbest import FORMATS
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.listing import hypothesis
from tests.round_trip import round_trip, without
from tests.strategies import ODD_WORD, SENTENCE, kbest_lists

NUMBERED = st.sampled_from(["TM0_0", "TM0_1", "TM0_2", "TM0_10", "LM0", "pp_0", "_0", "_1"])


write = FORMATS["moses"].write


def lists(*maps: list[dict[str, float]]) -> Iterator[KBest]:
    """Yield lists whose table of names grows from one to the next, as that of a stream."""
    names = Names()
    for sid, rows in enumerate(maps):
        yield KBest(sid, Texts.of(["a"] * len(rows)), Features.of(rows, names), names)


def test_a_line_of_moses(tmp_path: Path) -> None:
    line = (
        "0 ||| the cat sat  ||| LexicalReordering0= -1.2 0 -0.3 Distortion0= -2 LM0= -17.4 "
        "tgt_the= 1 pp_a~b= 2 ||| -3.81 ||| 0-1=0 2=1-2 ||| 0-0 1-1 2-2 "
    )
    features = {
        "Distortion0": -2.0,
        "LM0": -17.4,
        "LexicalReordering0_0": -1.2,
        "LexicalReordering0_1": 0.0,
        "LexicalReordering0_2": -0.3,
        "pp_a~b": 2.0,
        "tgt_the": 1.0,
    }
    fields = {"segmentation": "0-1=0 2=1-2", "alignment": "0-0 1-1 2-2"}
    assert hypothesis(tmp_path, line) == ("the cat sat", features, -3.81, fields)


@given(kbest_lists(text=SENTENCE, names=ODD_WORD | NUMBERED))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, lists: list[KBest]) -> None:
    lists = [with_alignments(kbest) for kbest in lists]
    found = round_trip(tmp_path_factory.mktemp("list"), lists, "moses")
    assert found == without(lists, "stats", "gain")


def with_alignments(kbest: KBest) -> KBest:
    """A list whose alignments, if it has fields, look like some."""
    if not kbest.fields:
        return kbest
    alignment = Texts.of("0-0 1-1" for _ in kbest.text)
    return replace(kbest, fields={**kbest.fields, "alignment": alignment})


def test_values_of_a_label_stand_together() -> None:
    rows = [
        {"TM0_0": 1.0, "LM0": -1.5, "TM0_1": 2.0, "pp_a": 1.0},
        {"TM0_0": 3.0, "LM0": 4.0, "TM0_1": 5.0},
    ]
    assert list(write(lists(rows), "dev")) == [
        "0 ||| a ||| TM0= 1 2 LM0= -1.5 pp_a= 1",
        "0 ||| a ||| TM0= 3 5 LM0= 4",
    ]


def test_a_label_has_as_many_values_in_every_line() -> None:
    text = list(
        write(lists([{"T_0": 1.0, "T_1": 2.0}], [{"T_0": 1.0, "T_1": 2.0, "T_2": 3}]), "dev")
    )
    assert text == ["0 ||| a ||| T= 1 2", "1 ||| a ||| T_0= 1 T_1= 2 T_2= 3"]


def test_a_name_that_is_a_label_already() -> None:
    with pytest.raises(DataError, match="feature 'T': the label of T_0, T_1"):
        list(write(lists([{"T_0": 1.0, "T_1": 2.0}], [{"T": 1.0}]), "dev"))
    assert list(write(lists([{"T": 3.0, "T_0": 1.0, "T_1": 2.0}]), "dev")) == [
        "0 ||| a ||| T= 3 T_0= 1 T_1= 2"
    ]
