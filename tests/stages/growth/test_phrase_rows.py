import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.names import Names
from campanula.stages.growth import phrase_rows
from campanula.stages.growth.block_names import BlockIds
from campanula.stages.growth.phrase_rows import FLOOR, RowReader

TABLE = """\
das ||| the ||| 0.5 1 0.25 1 ||| 0-0 ||| 1 1 1
das ||| it ||| 0 1 0.75 1 ||| 0-0 ||| 1 1 1
ein  Haus ||| the ||| 0.125 1 1 1
"""
NAMES = ["LM0", "block_ein~Haus~~the", "block_das~~it", "block_das~~the"]


def read(tmp_path, text, fires=(True, True, True, False)):
    path = tmp_path / "table"
    path.write_text(text)
    return RowReader(BlockIds(Names(NAMES)), np.array(fires)).read(str(path))


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_rows_have_conditions_and_only_what_fires_has_scores(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(phrase_rows, "CHUNK", chunk)
    rows = read(tmp_path, TABLE)
    assert len(rows) == 3
    assert [list(c) for c in rows.condition] == [[0, 1, 0], [0, 0, 1]]
    assert rows.feature.tolist() == [-1, 2, 1]
    assert rows.fired.tolist() == [1, 2]
    assert rows.fired_feature.tolist() == [2, 1]
    assert rows.probability.tolist() == [[FLOOR, 0.125], [0.75, 1.0]]
    assert [list(rest) for rest in rows.rest] == [[0.5, 0.0], [0.25, 0.0]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "table: expected phrase pairs, found none"),
        ("a ||| b\n", "line 1: expected 3 fields"),
        (
            "a ||| b ||| 0.5 0.5\n",
            "line 1: expected .* at least, found 2 scores",
        ),
        (" ||| b ||| 0.5 0.5 1 1\n", "line 1: expected a source phrase"),
        (TABLE + "a ||| b ||| 1 1 1\n", "line 4: expected 4 scores, found 3"),
        (TABLE + "a ||| b ||| 1 -1 1 1\n", "line 4: expected numbers of at least 0"),
        (TABLE + "das ||| it ||| 1 1 1 1\n", "line 4: expected each phrase pair once, found again"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, text, problem):
    with pytest.raises(DataError, match=problem):
        read(tmp_path, text)
