"""select-sentences end to end: what is written, the same bytes again, flags and files at fault."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.stages import select_sentences
from tests.examples import MULTI30K
from tests.naive import selection as naive

SOURCE = ["der Hund", "die Katze saß", "der Hund saß", "", "die Katze", "ein Haus"]
TARGET = ["the dog", "the cat sat", "the dog sat", "", "the cat", "a house"]
LINKS = ["0-0 1-1", "0-0 1-1 2-2", "0-0 1-1", "", "0-0", "1-1"]
TESTS = ["die Katze sah", "der Hund"]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"de": SOURCE, "en": TARGET, "al": LINKS, "test": TESTS}.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines))


def written(prefix: str) -> dict[str, bytes]:
    return {p.name.partition(".")[2]: p.read_bytes() for p in Path().glob(f"{prefix}.*")}


def test_the_selected_pairs_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert select_sentences.main(["de", "en", "al", "--test", "test", "-o", "part"]) == 0
    said = "2 of 6 pairs selected; 6 of 9 substrings are in the corpus"
    assert capsys.readouterr().err == f"select-sentences: {said}\n"
    assert written("part") == {
        "source": "der Hund\ndie Katze saß\n".encode(),
        "target": b"the dog\nthe cat sat\n",
        "alignment": b"0-0 1-1\n0-0 1-1 2-2\n",
        "indices": b"0\n1\n",
    }
    argv = ["de", "en", "al", "--test", "test", "--count", "2", "--max-length", "1", "-q"]
    assert select_sentences.main([*argv, "-o", "two"]) == 0
    assert written("two")["indices"] == b"0\n1\n2\n4\n"


@pytest.mark.parametrize(
    "flags", [["--count", "2"], ["--criterion", "cross-entropy", "--keep", "3", "--seed", "4"]]
)
def test_a_second_run_gives_the_same_bytes(flags: list[str]) -> None:
    for prefix in ("one", "two"):
        argv = ["de", "en", "--test", "test", *flags, "-q", "-o", prefix]
        assert select_sentences.main(argv) == 0
    assert written("one") == written("two")
    assert written("one").keys() == {"source", "target", "indices"}


@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        ("--test test", "-o PREFIX is needed"),
        ("--test test -o -", "-o PREFIX is needed"),
        ("--test test -o x/", "expected a name after the folder, found x/"),
        ("-o x", "--test FILE is needed"),
        ("--test test -o x --keep 3", "--keep goes with --criterion cross-entropy"),
        (
            "--test test -o x --criterion cross-entropy --count 1",
            "--count goes with --criterion sub",
        ),
        ("--test test -o x --criterion cross-entropy", "needs --keep N or --share X"),
        ("--test test -o x --criterion cross-entropy --keep 1 --share 1", "--keep N or --share X"),
        ("--test - -o x --criterion cross-entropy --keep 1", "cannot be stdin"),
        ("--test test -o x --criterion cross-entropy --keep 1 --in-domain-lm y", "give one"),
        ("--test test --test - --test - -o x", "only one input can be stdin"),
    ],
)
def test_flags_that_do_not_fit(capsys: pytest.CaptureFixture[str], flags: str, fault: str) -> None:
    assert select_sentences.main(["de", "en", *flags.split()]) == 2
    said = capsys.readouterr().err
    assert fault in said
    assert said.count("\n") == 1
    assert written("x") == {}


@pytest.mark.parametrize("share", ["0", "1.5", "nan", "x"])
def test_a_share_is_above_0_and_up_to_1(share: str) -> None:
    with pytest.raises(SystemExit):
        select_sentences.main(["de", "en", "--share", share])


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("en", "one\n", "en: expected 6 lines as in de, found 1"),
        ("al", "0-0\n" * 7, "al: expected 6 lines as in de, found 7"),
        ("al", "0-9\n" * 6, "al: line 1: expected links i-j with i < 2 and j < 2, found 0-9"),
        ("test", "\n", "test: expected text, found no word"),
    ],
)
@pytest.mark.parametrize("criterion", ["substrings", "cross-entropy --keep 2"])
def test_files_that_do_not_fit(
    capsys: pytest.CaptureFixture[str], name: str, text: str, fault: str, criterion: str
) -> None:
    Path(name).write_text(text)
    argv = ["de", "en", "al", "--test", "test", "-o", "part", "--criterion", *criterion.split()]
    assert select_sentences.main(argv) == 1
    assert capsys.readouterr().err == f"select-sentences: {fault}\n"
    assert sorted(os.listdir()) == ["al", "de", "en", "test"]


def test_texts_in_parts_are_read_as_one() -> None:
    for name, lines in {"de": SOURCE, "en": TARGET, "al": LINKS}.items():
        Path(f"{name}.d").mkdir()
        for part, chunk in enumerate((lines[:2], lines[2:])):
            Path(f"{name}.d", f"part{part}").write_text("".join(f"{line}\n" for line in chunk))
    for prefix, end in (("one", ""), ("parts", ".d")):
        files = [f"{name}{end}" for name in ("de", "en", "al")]
        assert select_sentences.main([*files, "--test", "test", "-q", "-o", prefix]) == 0
    assert written("parts") == written("one")


@pytest.mark.skipif(not MULTI30K.is_dir(), reason="the shared data is absent")
def test_real_text() -> None:
    names = {side: str(MULTI30K / f"train.{side}") for side in ("de", "en", "de-en.align")}
    tests = MULTI30K / "test_2016_flickr.de"
    assert select_sentences.main([*names.values(), "--test", str(tests), "-o", "out", "-q"]) == 0
    source = Path(names["de"]).read_text().split("\n")[:3000]
    chosen = [int(line) for line in written("out")["indices"].split()]
    expected = naive.by_substrings(source, tests.read_text().split("\n"), 12, 1)
    assert [number for number in chosen if number < 3000] == expected


def test_cross_entropies_wait_for_no_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    flags = ["--criterion", "cross-entropy", "--keep", "1", "-o", "x"]
    assert select_sentences.main(["pipe", "en", "--test", "test", *flags]) == 1
    assert select_sentences.main(["de", "en", "--test", "pipe", *flags]) == 1
    line = (
        "select-sentences: pipe: is read several times: expected a file, found a pipe or a device"
    )
    assert capsys.readouterr().err.splitlines() == [line, line]
    assert not Path("x.indices").exists()
