"""Configurations of Moses: weights, settings, and what decode cannot follow."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.moses.ini import MosesIni, read_moses_ini
from tests.examples import MOSES

INI = """\
# a model # of one line
[input-factors]
0

[mapping]
0 T 0
[distortion-limit]
\t8
[stack]
100
[cube-pruning-pop-limit]
1000
[ttable-limit]
30
0
[beam-threshold]
0.00001   # the default
[search-algorithm]
1
[threads]
2
[n-best-list]
list 100 distinct

[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TM0 path=table num-features=2   # two of them
Distortion
[weight]
UnknownWordPenalty0= 1
WordPenalty0= -1 # a comment
TM0= 0.25 0.125
"""


def read(folder: Path, text: str | bytes) -> MosesIni:
    (folder / "table").write_text("a ||| b ||| 0.5 0.5\n")
    path = folder / "moses.ini"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_moses_ini(str(path))


def test_settings_weights_and_files(tmp_path: Path) -> None:
    found = read(tmp_path, INI)
    assert found.settings == {
        "distortion-limit": 8,
        "stack": 100,
        "cube-pruning-pop-limit": 1000,
        "table-limit": 30,
        "beam-threshold": pytest.approx(5 * math.log(10)),
        "jobs": 2,
    }
    assert found.weights is not None
    assert dict(found.weights) == {
        "UnknownWordPenalty0": 1.0,
        "WordPenalty0": -1.0,
        "PhrasePenalty0": 1.0,  # as in Moses, when nothing is said
        "TM0_0": 0.25,
        "TM0_1": 0.125,
        "Distortion0": 1.0,
    }
    assert found.files.phrase_table == str(tmp_path / "table")
    assert found.paths == (str(tmp_path / "moses.ini"), str(tmp_path / "table"))


@pytest.mark.parametrize(
    "spelt", [INI.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + INI.encode(), INI.rstrip("\n")]
)
def test_line_ends_and_a_byte_order_mark(tmp_path: Path, spelt: bytes | str) -> None:
    plain = read(tmp_path, INI)
    assert read(tmp_path, spelt) == plain


def test_no_limits(tmp_path: Path) -> None:
    text = INI.replace("\t8", "-1").replace("100\n[cube", "0\n[cube").replace("30\n0", "0")
    text = text.replace("0.00001", "0")
    found = read(tmp_path, text).settings
    assert found["distortion-limit"] == found["stack"] == found["table-limit"] == math.inf
    assert found["beam-threshold"] == 100.0  # Moses's floor of logarithms
    silent = read(tmp_path, INI.replace("[distortion-limit]\n\t8\n", ""))
    assert silent.settings["distortion-limit"] == math.inf


def test_the_tables_own_limit_wins(tmp_path: Path) -> None:
    limited = INI.replace("num-features=2", "num-features=2 table-limit=7")
    assert read(tmp_path, limited).settings["table-limit"] == 7


def test_without_weights_there_are_none(tmp_path: Path) -> None:
    assert read(tmp_path, INI.partition("[weight]")[0]).weights is None


@pytest.mark.parametrize("text", ["TM0 = 0.25 0.125", "TM0=0.25  0.125", "TM0= 0.25\t0.125"])
def test_blanks_about_the_equals_sign_are_nothing(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, INI.replace("TM0= 0.25 0.125", text))
    assert found.weights is not None
    assert (found.weights["TM0_0"], found.weights["TM0_1"]) == (0.25, 0.125)


def test_sparse_weights_in_their_file(tmp_path: Path) -> None:
    (tmp_path / "sparse").write_text("orient_R 0.5\n")
    found = read(tmp_path, INI + "[weight-file]\nsparse\n")
    assert found.weights is not None
    assert found.weights["orient_R"] == 0.5
    assert found.paths[-1] == str(tmp_path / "sparse")


@pytest.mark.parametrize(
    ("section", "value", "message"),
    [
        ("inputtype", "2", r"expected 0 of \[inputtype\], found '2'"),
        ("input-factors", "1", r"expected 0 of \[input-factors\]"),
        ("mapping", "0 G 0", "expected 0 T 0 or T 0"),
        ("search-algorithm", "3", "expected 0 or 1"),
        ("xml-input", "exclusive", "expected pass-through"),
        ("drop-unknown", "true", "expected 0 or false"),
        ("minimum-bayes-risk", "1", "found '1'"),
        ("ttable-file", "0 0 0 5 table", r"settings that decode has, found \[ttable-file\]"),
        ("distortion-limits", "6", r"found \[distortion-limits\]"),
        ("distortion-limit", "far", "expected a whole number from 0, found 'far'"),
        ("stack", "-1", "expected a whole number from 1"),
        ("cube-pruning-pop-limit", "0", "expected a whole number from 1"),
        ("beam-threshold", "5", "expected a number from 0 to 1"),
        ("weight", "LM0= 0.5", "`name= value` of a feature in .feature."),
        ("weight", "Distortion0 0.5", "`name= value`"),
        ("weight", "TM0= 0.5", "expected 2 values of TM0, found 1"),
        ("weight", "WordPenalty0= -1 = 2", "expected one value of WordPenalty0, found 3"),
        ("weight", "TM0= 0.5 0.5", "expected the weights of TM0 once"),
        ("weight", "TM0=", "expected 2 values of TM0, found 0"),
        ("weight", "TM0= 0.5 nan", "feature 'TM0': expected a finite number, found 'nan'"),
    ],
)
def test_what_decode_cannot_follow_is_named_with_its_line(
    tmp_path: Path, section: str, value: str, message: str
) -> None:
    line = len(INI.split("\n")) + 1
    with pytest.raises(DataError, match=f"moses.ini: line {line}: .*{message}"):
        read(tmp_path, f"{INI}[{section}]\n{value}\n")


def test_a_line_of_no_section(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 1: expected a section"):
        read(tmp_path, "LM0= 0.5\n")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.ini: cannot be read"):
        read_moses_ini(str(tmp_path / "none.ini"))
    with pytest.raises(DataError, match=r"line 29: expected the file .*other, found no such file"):
        read(tmp_path, INI.replace("path=table", "path=other"))


@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared Moses model")
def test_a_real_one() -> None:
    found = read_moses_ini(str(MOSES / "moses.ini"))
    assert found.settings == {"distortion-limit": 6}
    assert found.weights is not None
    assert found.files.features is not None
    assert len(found.weights) == len(found.files.features) == 15
    assert found.weights["LexicalReordering0_5"] == 0.3
