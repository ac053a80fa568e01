"""Exporting lists; the formats themselves are tested beside them."""

import gzip
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.compressing import COMPRESSORS
from campanula.formats.files import open_input
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.stages import export_nbest, import_nbest
from tests.examples import MOSES, random_lists, write_kbest
from tests.formats.collections.making import write
from tests.plain import plain


@pytest.mark.parametrize("form", export_nbest.writable())
def test_what_is_exported_is_imported(tmp_path, form, capsys):
    first = write_kbest(tmp_path / "k", random_lists(7)[0])
    if form == "travatar":
        assert export_nbest.main([first, "--format", form, "-o", str(tmp_path / "list")]) == 1
        assert "expected model scores" in capsys.readouterr().err
        assert not (tmp_path / "list").exists()
        return
    paths = [str(tmp_path / name) for name in ("list.gz", "again", "list2.gz", "again2")]
    for source, middle, target in ((first, *paths[:2]), (paths[1], *paths[2:])):
        assert export_nbest.main([source, "--format", form, "-q", "-o", middle]) == 0
        assert import_nbest.main([middle, "-q", "-o", target]) == 0
    with open(paths[1], "rb") as one, open(paths[3], "rb") as other:
        assert one.read() == other.read()


@pytest.mark.parametrize("ending", COMPRESSORS)
def test_a_list_is_compressed_as_its_name_says(tmp_path, ending):
    lists = write_kbest(tmp_path / "k", random_lists(7)[0])
    plain, compressed = tmp_path / "list", tmp_path / f"list{ending}"
    for path in (plain, compressed):
        assert export_nbest.main([lists, "-q", "--jobs", "2", "-o", str(path)]) == 0
    assert compressed.stat().st_size < plain.stat().st_size
    with open_input(str(compressed)) as file:
        assert file.read() == plain.read_bytes()


def test_formats_that_can_be_written_are_listed(capsys):
    with pytest.raises(SystemExit):
        export_nbest.main(["x", "--format", "zzz"])
    listed = capsys.readouterr().err.rpartition("there are ")[2].partition(" (see")[0]
    assert listed == ", ".join(export_nbest.writable())


@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_a_moses_list_is_the_same_after_a_round_trip(tmp_path):
    lines: list[set[tuple[str, str, frozenset[tuple[str, ...]], str]]] = [set(), set()]
    text, kbest, again = (str(tmp_path / name) for name in ("text.gz", "kbest", "again.gz"))
    with gzip.open(MOSES / "run1.best100.gz", "rb") as full, gzip.open(text, "wb") as part:
        part.writelines(line for line, _ in zip(full, range(3000), strict=False))
    assert import_nbest.main([text, "-q", "-o", kbest]) == 0
    assert export_nbest.main([kbest, "-q", "-o", again]) == 0
    for path, found in zip((text, again), lines, strict=True):
        with gzip.open(path, "rt") as file:
            for line in file:
                sid, words, features, score = line.split(" ||| ")
                found.add((sid, words.strip(), frozenset(_labels(features)), score.strip()))
    assert lines[0] == lines[1]


def _labels(features: str) -> Iterator[tuple[str, ...]]:
    """Yield every label with its values, as written."""
    label: tuple[str, ...] = ()
    for token in features.split():
        if token.endswith("="):
            if label:
                yield label
            label = (token,)
        else:
            label += (token,)
    yield label


def test_a_text_that_the_format_cannot_hold(tmp_path, capsys):
    record = random_lists(7, n_lists=1, max_size=1)[0][0]
    path = write_kbest(tmp_path / "k", [replace(record, text=Texts.of(["a ||| b"]))])
    assert export_nbest.main([path, "-o", str(tmp_path / "out")]) == 1
    assert "k: sentence 0: hypothesis 0: expected text without |||" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert export_nbest.main([path, "--format", "jsonl", "-o", str(tmp_path / "out")]) == 0


@pytest.mark.parametrize("form", ["moses", "jsonl"])
def test_shards_that_number_their_names_otherwise(tmp_path, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    rows = [{"LM0": 1.5, "WordPenalty0": -2.0}, {"WordPenalty0": -3.0, "LM0": 2.5}]
    lists = []
    for sid, row in enumerate(rows):
        names = Names(row)  # in the order of the row
        lists.append(KBest(sid, Texts.of(["a"]), Features.of([row], names), names))
    write(tmp_path / "dev", [[kbest] for kbest in lists])
    assert export_nbest.main(["dev", "--format", form, "-q", "-o", "out"]) == 0
    assert import_nbest.main(["out", "-q", "-o", "again"]) == 0
    with Reader("again", KBest) as found:
        assert [plain(kbest)["features"] for kbest in found] == [[row] for row in rows]


@pytest.mark.parametrize("form", export_nbest.writable())
def test_threads_write_the_same(tmp_path, form):
    lists = [record for record in random_lists(7)[0] if record.score is not None]
    if not lists:
        lists = [replace(r, score=np.arange(len(r)) / 3) for r in random_lists(7)[0]]
    path = write_kbest(tmp_path / "k", lists)
    for jobs in ("1", "2"):
        out = str(tmp_path / jobs)
        assert export_nbest.main([path, "--format", form, "-q", "--jobs", jobs, "-o", out]) == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
