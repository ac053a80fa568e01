import gzip

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.growth import table_writer
from campanula.stages.growth.table_writer import write_table
from tests.stages.growth.test_channel import CONDITION, channel, rows_of

LINES = [
    "a ||| b ||| 0.4 1e-3 0.4 x ||| 0-0 ||| 1 2 3 ||| |||\n",
    "a ||| c ||| 0.6 2 0.6 y\n",
    "d ||| b ||| 0.500 3 0.500 z ||| 1-0\n",
    "d ||| c ||| 0.25 4 0.25 w ||| \n",
    "d ||| d ||| 0.25 5 0.25 v ||| ||| 7\n",
]
SCORES = [0.4, 0.6, 0.5, 0.25, 0.25]
FIRES = [True, False, False, False, False]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table"
    path.write_text("".join(LINES))
    return path


@pytest.mark.parametrize("chunk", [2, 5, 100])
def test_what_did_not_change_stays_as_it_was(table, tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(table_writer, "CHUNK", chunk)
    rows = rows_of(SCORES, FIRES, CONDITION)
    moved = [channel(SCORES, FIRES) for _ in (0, 1)]
    moved[1].own[:] = 0.1
    moved[1].scale[0] = 1.5
    for out in ("plain", "again.gz"):
        write_table(str(tmp_path / out), str(table), rows, tuple(moved))
    text = (tmp_path / "plain").read_text()
    assert gzip.decompress((tmp_path / "again.gz").read_bytes()).decode() == text
    first, second, *rest = text.splitlines(keepends=True)
    assert first == "a ||| b ||| 0.4 1e-3 0.1 x ||| 0-0 ||| 1 2 3 ||| |||\n"
    scores = second.split()
    assert float(scores[4]) == 0.6
    assert float(scores[6]) == pytest.approx(0.9)
    assert rest == LINES[2:]


@pytest.mark.parametrize("change", [LINES[:-1], [*LINES, LINES[0]]])
@pytest.mark.parametrize("chunk", [1, 5, 100])
def test_a_table_that_has_changed_is_refused(table, tmp_path, monkeypatch, change, chunk):
    monkeypatch.setattr(table_writer, "CHUNK", chunk)
    rows, moved = rows_of(SCORES, FIRES), channel(SCORES, FIRES)
    table.write_text("".join(change))
    with pytest.raises(DataError, match="expected the 5 rows that were read before, found others"):
        write_table(str(tmp_path / "out"), str(table), rows, (moved, moved))
    assert not (tmp_path / "out").exists()


def test_numbers_are_read_as_they_were(table, tmp_path):
    rows = rows_of(SCORES, [True] * 5)
    moved = channel(SCORES, [True] * 5)
    moved.own[:] = np.random.default_rng(1).random(5)
    write_table(str(tmp_path / "out"), str(table), rows, (moved, moved))
    lines = (tmp_path / "out").read_text().splitlines()
    assert [float(line.split(" ||| ")[2].split()[2]) for line in lines] == moved.own.tolist()
