"""Importing lists as a new user would: every odd file gives the right result or one clear line."""

import gzip
import lzma
import subprocess
import sys
from pathlib import Path

import pytest
from backports import zstd

from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages import export_nbest, import_nbest, optimize, score_bleu
from campanula.stages.nbest import cutting
from tests.examples import MOSES, MULTI30K
from tests.plain import plain

LINE = "{} ||| {} ||| LM0= {} TM0= 1 2 ||| -3\n"
GOOD = "".join(LINE.format(i // 2, "the cat", -i) for i in range(6))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Commands run within a folder of their own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def imported(data, *flags):
    """Lists of a file as plain values."""
    Path("list").write_bytes(data if isinstance(data, bytes) else data.encode())
    assert import_nbest.main(["list", "-q", "-o", "out", *flags]) == 0
    with Reader("out", KBest) as lists:
        return [plain(kbest) for kbest in lists]


def refused(data, capsys, *flags):
    """The one line on stderr for a file that is refused."""
    Path("list").write_bytes(data if isinstance(data, bytes) else data.encode())
    assert import_nbest.main(["list", "-q", "-o", "out", *flags]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert not Path("out").exists()
    return said.err.removesuffix("\n")


@pytest.mark.parametrize("compress", [bytes, gzip.compress, lzma.compress, zstd.compress])
def test_compression_is_told_by_content(compress):
    assert imported(compress(GOOD.encode())) == imported(GOOD)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, zstd.compress])
def test_a_compressed_list_that_is_cut(compress, capsys):
    data = compress(GOOD.encode())
    assert "cannot be read: Compressed file ended" in refused(data[:-5], capsys)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "import-nbest: list: expected a list in one of the formats moses, "),
        ("what is this\n", "found 'what is this'"),
        (
            GOOD + LINE.format(3, "a", "nan"),
            "list: line 7: feature 'LM0': expected a finite number",
        ),
        (GOOD + LINE.format(3, "a", "-inf"), "line 7: feature 'LM0': expected a finite number, f"),
        (
            GOOD + LINE.format(3, "a", "0,5"),
            "line 7: feature 'LM0': expected a number, found '0,5'",
        ),
        (GOOD + LINE.format(3, "a", "1 2"), "feature 'LM0': expected 1 values as before, found 2"),
        (GOOD + LINE.format("", "a", "1"), "line 7: expected the number or the id of a sentence"),
        (GOOD + "3 ||| a\n", "line 7: expected `id ||| text ||| features`, found '3 ||| a'"),
        (GOOD + "3 ||| a ||| LM0= 1 LM0= 2 ||| 3\n", "label 'LM0' stands here for the second ti"),
        (
            GOOD + "3 ||| a ||| LM0= 1 TM0= 1 2 ||| x\n",
            "line 7: score: expected a number, found 'x",
        ),
        (
            GOOD.encode() + b"3 ||| \xff ||| LM0= 1\n",
            "line 7: expected UTF-8, found byte 0xff at col",
        ),
    ],
)
def test_what_is_wrong_is_one_line(text, expected, capsys):
    assert expected in refused(text, capsys)


@pytest.mark.parametrize(
    ("spelled", "value"), [("1e+10", 1e10), ("1E-5", 1e-5), ("+3", 3.0), (".5", 0.5), ("-0", 0.0)]
)
def test_numbers_in_every_spelling(spelled, value):
    assert imported(LINE.format(0, "a", spelled))[0]["features"][0]["LM0"] == value


ODD = "\u2028 a\u0085b \u00a0 c\x1cd e\x0cf g\x0bh"


@pytest.mark.parametrize("text", ["", "%f a=b x:y", "a|||b |||c", "= LM0= ==", ODD, "\ufeff", "\r"])
def test_odd_texts_are_texts(text):
    lists = imported(LINE.format(0, text, 1) + LINE.format(1, "b", 2))
    assert [kbest["text"] for kbest in lists] == [[text], ["b"]]


@pytest.mark.parametrize("change", ["\r\n", "bom", "end", "blank"])
def test_odd_line_ends(change):
    text = {
        "\r\n": GOOD.replace("\n", "\r\n"),
        "bom": "\ufeff" + GOOD,
        "end": GOOD.removesuffix("\n"),
        "blank": "\n" + GOOD.replace("\n", "\n\n"),
    }[change]
    assert imported(text) == imported(GOOD)


def test_bars_and_marks_in_names_and_texts():
    line = "0 ||| a|||b ||| c ||| |||= 1 a=b= 2 %f= 3 x:y= 4 ||| 5\n"
    (kbest,) = imported(line, "--format", "moses")
    assert (kbest["text"], kbest["fields"]) == (["a|||b"], {"field3": ["c"]})
    assert kbest["features"] == [{"|||": 1.0, "a=b": 2.0, "%f": 3.0, "x:y": 4.0}]


def test_seven_fields():
    line = "0 ||| a ||| LM0= 1 ||| 2 ||| 0=0 ||| 0-0 ||| 0 1\n"
    (kbest,) = imported(line)
    expected = {"segmentation": ["0=0"], "alignment": ["0-0"], "path": ["0 1"]}
    assert kbest["fields"] == expected


def test_ids_decide_not_places():
    lines = GOOD.splitlines(keepends=True)
    lines = [line for line in lines if not line.startswith("1")]
    lists = imported("".join([lines[3], lines[0], lines[2], lines[1]]))
    assert [kbest["sid"] for kbest in lists] == [0, 2]
    assert [row["LM0"] for row in lists[1]["features"]] == [-5.0, -4.0]


def test_lists_whose_hypotheses_are_all_empty():
    lists = imported("".join(LINE.format(i, "", i) for i in range(3)))
    assert [kbest["text"] for kbest in lists] == [[""]] * 3


def test_hypotheses_that_differ_only_in_sparse_features():
    text = "0 ||| a ||| LM0= 1 pp_a= 1 ||| 2\n0 ||| a ||| LM0= 1 pp_b= 1 ||| 2\n"
    (kbest,) = imported(text)
    assert kbest["features"] == [{"LM0": 1.0, "pp_a": 1.0}, {"LM0": 1.0, "pp_b": 1.0}]


@pytest.mark.slow
def test_a_million_names():
    lines = (
        f"{i // 10} ||| a ||| LM0= {i} " + " ".join(f"f{i}_{j}= 1" for j in range(100)) + " ||| 0\n"
        for i in range(10_000)
    )
    Path("list").write_text("".join(lines))
    assert import_nbest.main(["list", "-q", "-o", "out"]) == 0
    with Reader("out", KBest) as lists:
        assert sum(len(kbest.features.binary_id) for kbest in lists) == 1_000_000
    assert len(lists.names) == 1_000_001


@pytest.mark.parametrize("form", ["cdec", "jsonl", "travatar", "moses"])
def test_the_same_list_in_any_format_is_the_same_stream(form):
    rows = [
        (1, "a b", {"LM0": -1.5, "TM0_0": 1.0, "TM0_1": 2.0, "pp_a": 1.0}, -3.0),
        (0, "", {"LM0": 2.0, "TM0_0": 0.0, "TM0_1": 1e-05}, 0.25),
        (1, "c", {"LM0": 1.0, "TM0_0": 1.0, "TM0_1": 7.0}, 1.0),
    ]
    moses = "1 ||| a b ||| LM0= -1.5 TM0= 1 2 pp_a= 1 ||| -3\n0 |||  ||| LM0= 2 TM0= 0 1e-05 |||"
    imported(moses + " .25\n1 ||| c ||| LM0= 1 TM0= 1 7 ||| 1\n")
    first = Path("out").read_bytes()
    assert export_nbest.main(["out", "--format", form, "-q", "-o", "again"]) == 0
    assert import_nbest.main(["again", "-q", "-o", "out"]) == 0
    assert Path("out").read_bytes() == first
    text = "".join(
        f"{sid} ||| {words} ||| {' '.join(f'{n}={v}' for n, v in reversed(row.items()))} ||| {s}\n"
        for sid, words, row, s in rows
    )
    imported(text)
    assert Path("out").read_bytes() == first


@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_the_same_tuning_from_any_format_gives_the_same_weights(folder):
    with gzip.open(MOSES / "run1.best100.gz", "rt") as full, open("moses", "w") as part:
        part.writelines(line for line in full if int(line.partition(" ")[0]) < 30)
    assert import_nbest.main(["moses", "-q", "-o", "k"]) == 0
    with Reader("k", KBest) as lists:
        names = [name for kbest in lists for name in kbest.names]
    Path("w0").write_text("".join(f"{name} 0.1\n" for name in dict.fromkeys(names)))
    weights = set()
    for form in ("moses", "cdec", "jsonl"):
        assert export_nbest.main(["k", "--format", form, "-q", "-o", form]) == 0
        assert import_nbest.main([form, "-q", "-o", "again"]) == 0
        references = ["--ref", str(MULTI30K / "val.en"), "--allow-missing"]
        assert score_bleu.main(["again", *references, "-q", "-o", "scored"]) == 0
        flags = ["--weights", "w0", "--cccp-iterations", "2", "--epochs", "2", "-q", "-o", "w1"]
        assert optimize.main(["scored", *flags]) == 0
        weights.add(Path("w1").read_bytes())
    assert len(weights) == 1


@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_run_1_of_moses():
    assert import_nbest.main([str(MOSES / "run1.best100.gz"), "-q", "-o", "out"]) == 0
    with Reader("out", KBest) as lists:
        first = plain(next(iter(lists)))
    with gzip.open(MOSES / "run1.best100.gz", "rt") as text:
        lines = [line.split(" ||| ") for line in text if line.startswith("0 |||")]
    assert first["text"] == [line[1].strip() for line in lines]
    assert first["score"] == [float(line[3]) for line in lines]
    values = [[float(v) for v in line[2].split() if not v.endswith("=")] for line in lines]
    assert [sorted(row.values()) for row in first["features"]] == [sorted(row) for row in values]
    assert first["features"][0]["TranslationModel0_1"] == -14.4734
    assert first["features"][0]["LM0"] == -43.4211


def test_a_pipe_is_as_good_as_a_file():
    imported(GOOD)
    script = Path(sys.executable).parent / "import-nbest"
    done = subprocess.run([script], input=GOOD.encode(), capture_output=True, check=True)
    assert done.stdout == Path("out").read_bytes()
    assert done.stderr == b"import-nbest: 6 hypotheses of 3 sentences\n"


def test_a_directory_and_a_full_disk(capsys):
    assert import_nbest.main(["."]) == 1
    assert "import-nbest: .: cannot be read: Is a directory" in capsys.readouterr().err
    Path("list").write_text(GOOD)
    assert import_nbest.main(["list", "-o", "/dev/full"]) == 1
    assert "/dev/full: cannot be written: No space left on device" in capsys.readouterr().err


ALIKE = {
    "csv": "id,text,AM\n0,a,-1\n0,b,-2\n",
    "espnet": '{"utts": {"0": {"output": [{"rec_text": "a", "AM": -1},\n'
    '{"rec_text": "b", "AM": -2}]}}}',
    "hypr": '{"utt_id": "0", "hyps": ["a", "b"], "AM": [-1, -2]}',
    "hyporadise": '[{"input": ["a", "b"], "output": "c", "AM": [-1, -2]}]',
    "json": '[{"id": 0, "text": "a", "features": {"AM": -1}},\n'
    '{"id": 0, "text": "b", "features": {"AM": -2}}]',
}


@pytest.mark.parametrize("form", ALIKE)
def test_lists_of_recognisers_are_the_same_stream_as_any_other(form):
    imported("0 ||| a ||| AM= -1\n0 ||| b ||| AM= -2\n")
    first = Path("out").read_bytes()
    imported(ALIKE[form])
    assert Path("out").read_bytes() == first
    imported(ALIKE[form], "--format", form)
    assert Path("out").read_bytes() == first


def test_several_files_are_read_one_after_another(capsys):
    for name, text in (("a", "u1-1 x\n"), ("b", "u2-1 y\nu2-2 z\n"), ("none", "")):
        Path(name).write_text(text)
    assert import_nbest.main(["a", "b", "-q", "-o", "out"]) == 0
    with Reader("out", KBest) as lists:
        assert [(kbest.id, list(kbest.text)) for kbest in lists] == [
            ("u1", ["x"]),
            ("u2", ["y", "z"]),
        ]
    assert import_nbest.main(["a", "none", "-q", "-o", "no"]) == 1
    assert "import-nbest: none: expected hypotheses, found none" in capsys.readouterr().err
    assert import_nbest.main(["a", "a", "-q", "-o", "no"]) == 2
    assert "a is named twice" in capsys.readouterr().err
    Path("c").write_text("u1-1 w\n")
    assert import_nbest.main(["a", "c", "-q", "-o", "no"]) == 1
    assert "c: line 1: expected another id than before, found 'u1'" in capsys.readouterr().err
    assert not Path("no").exists()


def test_costs_are_turned_and_hinted_at(capsys):
    text = "id\ttext\tam_cost\n0\ta\t3\n0\tb\t4\n"
    Path("list").write_text(text)
    assert import_nbest.main(["list", "-o", "out"]) == 0
    assert "import-nbest: warning: am_cost is never below 0; if lower" in capsys.readouterr().err
    (found,) = imported(text, "--negate", "*_cost")
    assert found["features"] == [{"am_cost": -3.0}, {"am_cost": -4.0}]
    assert import_nbest.main(["list", "--negate", "*_cost", "-o", "out"]) == 0
    assert "warning" not in capsys.readouterr().err
    problem = refused_after(capsys, "list", "--negate", "LM")
    assert "list: expected a feature that --negate 'LM' matches, found am_cost" in problem


def refused_after(capsys, *words):
    """The line on stderr of a command that leaves what there was."""
    before = Path("out").read_bytes()
    assert import_nbest.main([*words, "-q", "-o", "out"]) == 1
    assert Path("out").read_bytes() == before
    return capsys.readouterr().err


def test_a_document_may_be_one_line_of_any_length(monkeypatch):
    monkeypatch.setattr("campanula.formats.nbest.blocks.LONGEST_LINE", 1 << 19)
    record = '{"input": ["' + "a " * 1000 + '", "b"], "output": "c"}'
    text = "[" + ", ".join([record] * 1000) + "]"
    assert len(imported(text)) == 1000


def test_threads_and_kernels_read_the_same(folder, monkeypatch):
    monkeypatch.setattr(cutting.cut_ahead, "__defaults__", (1, 1000))
    text = "".join(LINE.format(i // 9, f"the cat {i}", -i / 7) for i in range(9000))
    Path("list").write_text(text)
    for jobs in ("1", "2"):
        assert import_nbest.main(["list", "-q", "-o", f"out{jobs}", "--jobs", jobs]) == 0
    monkeypatch.setattr(cutting.cut_ahead, "__defaults__", (1, len(text)))
    assert import_nbest.main(["list", "-q", "-o", "numpy"]) == 0
    assert Path("out1").read_bytes() == Path("out2").read_bytes() == Path("numpy").read_bytes()
