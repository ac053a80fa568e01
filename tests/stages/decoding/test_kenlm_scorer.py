"""A binary of KenLM's gives the scores of the ARPA file that it was made of."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.stages import add_feature, import_nbest, select_sentences
from campanula.stages.decoding.kenlm_scorer import KenlmScorer, is_kenlm, open_scorer
from campanula.stages.decoding.language_model import SentenceScorer
from tests.examples import MOSES

pytestmark = pytest.mark.usefixtures("own_cache")

ARPA = """\
\\data\\
ngram 1=6
ngram 2=6
ngram 3=3

\\1-grams:
-1.2\t<unk>\t0
0\t<s>\t-0.3
-0.9\t</s>\t0
-0.7\ta\t-0.25
-0.8\té\t-0.125
-1.1\tc\t-0.5

\\2-grams:
-0.4\t<s> a\t-0.1
-0.5\ta é\t-0.2
-0.6\té a\t0
-0.3\ta c\t-0.15
-0.2\tc </s>\t0
-0.35\té </s>\t0

\\3-grams:
-0.25\t<s> a é
-0.15\ta é a
-0.1\té a c

\\end\\
"""

# `build_binary probing` of that file
BINARY = bytes.fromhex("""
6d6d6170206c6d20687474703a2f2f6b6865616669656c642e636f6d2f636f646520666f726d617420766572
73696f6e20350a0000000000000000000000803f000000bf01000000ffffffff000000000100000000000000
030000000000c03f000000000100000000000000060000000000000006000000000000000300000000000000
000000000000000006000000116b6bd3d217170703000000b5e082ba188d78d8050000000000000000000000
000000000000000000000000000000000a6cf7f17d73e06b02000000000000000000000000000000707e21bd
39867500010000006301ab54778d82fc040000000000000000000000000000009a9999bf0000008000000000
9a9999be6666663f000000803333333f000080becdcc4c3f000000becdcc8c3f000000bf0000000000000000
08f2026884b133130000003fcdcc4cbe8172edf07d7b7c85cdccccbecdccccbd85ef7ead0814578e9a99993e
9a9919be205d94be8a903c2bcdcc4cbe00000080298637d0bcc283203333b3be000000800000000000000000
00000000000000000000000000000000000000000000000000000000000000000000000000000000ac8ddb14
036166ac9a99193f000000004012a7e72ab82eca9a9919be00000000000000000000000026f4870efc3d916e
000080be3ad46b43cf546b64cdccccbd3c756e6b3e003c733e003c2f733e006100c3a9006300
""")

TEXTS = ["", "a", "a é a c", "x  é\tc", "c c <unk> a", "a\u00a0é c", "é a\r c", "a\x0bé \x0c"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    arpa, binary = tmp_path / "lm.arpa", tmp_path / "lm.binary"
    arpa.write_text(ARPA, encoding="utf-8")
    binary.write_bytes(BINARY)
    return str(arpa), str(binary)


def test_a_binary_is_told_by_its_beginning(files: tuple[str, str], tmp_path: Path) -> None:
    assert [is_kenlm(path) for path in (*files, str(tmp_path), "none such", "-")] == [
        False,
        True,
        False,
        False,
        False,
    ]


def test_scores_are_those_of_the_arpa_file(files: tuple[str, str]) -> None:
    pytest.importorskip("kenlm")
    arpa, binary = (open_scorer(path) for path in files)
    assert isinstance(arpa, SentenceScorer)
    assert isinstance(binary, KenlmScorer)
    texts = Texts.of(TEXTS)
    assert binary(texts) == pytest.approx(arpa(texts), abs=1e-5)
    assert binary(Texts.of([])).tolist() == []


def test_classes(files: tuple[str, str], tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    (tmp_path / "classes").write_text("the\ta\nbig\té\ncat\tc\n", encoding="utf-8")
    scorers = [open_scorer(path, str(tmp_path / "classes")) for path in files]
    texts = Texts.of(["the big cat", "the a  cat", ""])
    assert scorers[0](texts) == pytest.approx(scorers[1](texts), abs=1e-5)
    assert scorers[1].digest.startswith(open_scorer(files[1]).digest)
    assert scorers[1].digest != open_scorer(files[1]).digest


def test_commands_take_it(
    files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("kenlm")
    monkeypatch.chdir(tmp_path)
    Path("source").write_text("a é a c\nx x x\na\n", encoding="utf-8")
    Path("nbest").write_text("0 ||| a é ||| F= 1 ||| 1\n0 ||| c ||| F= 2 ||| 2\n")
    assert import_nbest.main(["nbest", "-q", "-o", "lists"]) == 0
    for name, lm in zip("ab", files, strict=True):
        argv = ["source", "source", "--criterion", "cross-entropy", "--in-domain-lm", files[0]]
        argv += ["--general-lm", lm, "--keep", "3", "-q", "-o", name]
        assert select_sentences.main(argv) == 0
        argv = ["lm", "--arpa", lm, "--name", "LM", "lists", "-q", "-o", f"{name}.kbest"]
        assert add_feature.main(argv) == 0
    assert Path("a.indices").read_bytes() == Path("b.indices").read_bytes()
    values = []
    for name in "ab":
        with Reader(f"{name}.kbest", KBest) as lists:
            values.append([kbest.features.dense[-1].tolist() for kbest in lists])
    assert values[0][0] == pytest.approx(values[1][0], abs=1e-5)


def test_without_kenlm(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(DataError, match=r"lm\.binary: is a binary .* install campanula\[kenlm\]"):
        open_scorer(files[1])


def test_a_damaged_binary(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    (tmp_path / "cut").write_bytes(BINARY[:60])
    with pytest.raises(DataError, match="cut: KenLM cannot read it: ") as found:
        open_scorer(str(tmp_path / "cut"))
    assert "\n" not in str(found.value)


@pytest.mark.skipif(not MOSES.is_dir(), reason="the shared data is not here")
def test_kenlm_s_reading_of_a_real_model(tmp_path: Path) -> None:
    """KenLM reads ARPA text, too: its own scores are ours."""
    kenlm = pytest.importorskip("kenlm")
    path = os.fspath(tmp_path / "lm.arpa")
    Path(path).write_bytes(gzip.decompress((MOSES / "lm.arpa.gz").read_bytes()))
    text = "a man in a blue shirt is standing on a ladder cleaning a window ."
    expected = sum(step[0] for step in kenlm.Model(path).full_scores(text))
    found = SentenceScorer.of_file(path)(Texts.of([text]))[0]
    assert found == pytest.approx(expected * 2.302585092994046, abs=1e-4)
