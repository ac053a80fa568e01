"""Text files by their first lines: what is certain, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.foreign.kinds import HEAD, FileKind
from campanula.formats.foreign.texts import ANY, text_kind
from tests.examples import MOSES, MULTI30K
from tests.foreign_files import INI, NBEST, TABLE, TEXTS, UNSURE


@pytest.mark.parametrize("words", [*TEXTS, *UNSURE])
def test_every_kind(words: str) -> None:
    data = {**TEXTS, **UNSURE}[words]
    for variant in (data, b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), data * 2):
        if variant is data or not words.startswith(("a model", "a web")):
            assert words in str(text_kind(variant))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "the cat\na dog",
        "[noise] hello",
        "[weight] is a word",
        "{ a } b",
        "<unk> hello",
        "<s> a </s>",
        "a ||| b",
        "utt1 five\nutt2 6",
        "1 2\n3 4",
        "12 ||| is no list ||| at all",
        "outbound ||| der ||| 2 ||| -2:0.1 0:0.6 1:0.2 2:0.1",
        "a ||| b ||| -0.5",
        "0 ||| a ||| 0.5 ||| 0.5",
        '"text": 1',
        "\\data\\ is a word\n",
        "@relation x",
    ],
)
def test_what_is_not_certain(text: str) -> None:
    assert text_kind(text.encode()) is None


def test_a_cut_last_line_does_not_count() -> None:
    cut = NBEST * (HEAD // len(NBEST) + 1)
    assert "a Moses n-best list" in str(text_kind(cut[:HEAD]))
    assert "a Moses n-best list" in str(text_kind(cut[: HEAD - 5] + "ä".encode()[:1]))
    assert text_kind(NBEST + b"a line of text\n") is None
    assert text_kind(TABLE + NBEST) is None
    assert text_kind(INI.replace(b"[feature]", b"words")) is None


@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared Moses model")
def test_real_files() -> None:
    import gzip

    def head(path: Path) -> FileKind | None:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rb") as file:
            return text_kind(file.read(HEAD))

    expected = {
        "lm.arpa.gz": "arpa",
        "moses.ini": "moses.ini",
        "phrase-table.gz": "phrase-table",
        "reordering-table.gz": "phrase-table",
        "run1.best100.gz": "n-best",
        "run4.weights.ini": "moses.ini",
    }
    for name, kind in expected.items():
        found = head(MOSES / name)
        assert found is not None
        assert found.name == kind in ANY
    for path in MULTI30K.iterdir():
        if path.suffix in (".de", ".en"):
            assert head(path) is None
