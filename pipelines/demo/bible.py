"""Write the Bible in a language and in four English versions, ready to translate.

The demo's text is French; experiments have Spanish, German and Arabic, too.

Two packages of the extra `demo` carry the versions as SQLite files.  They are read as data: the
packages are found and not imported, the files are opened read-only and immutable, and only the
versions named here, all in the public domain, are ever selected.  The text as read must have the
digest named here.

    fr   Louis Segond, 1910        web  World English Bible     kjv  King James Version, 1769
    es   Reina-Valera, 1909        bbe  Bible in Basic English  asv  American Standard Version, 1901
    de   Elberfelder, 1905
    ar   Smith and Van Dyke, 1865

Both packages number verses as the King James Version does, so (book, chapter, verse) aligns them;
what does not align, or carries a heading, is left out.  Whole chapters go to train, dev or test, so
that neighbouring verses do not leak.  Text is tokenised by sacremoses and lower-cased, Arabic
segmented (arabic.py).  Writes `train.fr`, `train.en` (WEB), and for dev and test `dev.fr`,
`dev.en.web`, `dev.en.kjv`, `dev.en.asv`, `dev.en.bbe`, one verse a line; with --testaments also the
test set in two, `old.fr`, `new.fr`, ...

Example:  python -m campanula.pipelines.demo.bible --language es --output text
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.pipelines.demo.arabic import ARABIC, segmented
from campanula.pipelines.demo.editions import Verse, read_edition
from campanula.stages import command
from campanula.stages.command_line.parsing import Parser

FRENCH = "fr"
LANGUAGES = (FRENCH, "es", "de", "ar")
REFERENCES = ("web", "kjv", "asv", "bbe")
PARTS = {"train": ("web",), "dev": REFERENCES, "test": REFERENCES}
"""English versions of every part, beside the language that is translated."""

TESTAMENTS = {"old": range(1, 40), "new": range(40, 67)}
"""Books of a test set's two halves."""

PSALMS = 19
# What the editions number or order differently: Psalm 13 is one verse late in Segond; Psalm 119 has
# its letters' names in three versions; WEB ends Job with the heading of the Psalms and has Matthew
# 23:13 and 14 the other way round; 1 John 5:7 is another text in the King James Version.
LEFT_OUT_CHAPTERS = {(PSALMS, 13), (PSALMS, 119)}
LEFT_OUT_VERSES = {(18, 42, 17), (40, 23, 13), (62, 5, 7)}

TRAIN_WORDS = 60
HELD_OUT_WORDS = 30
"""Longest verse in tokens: both sides of train; the source of dev and test."""

_DROPPED = dict.fromkeys(map(ord, "\u200e\u200f\u00ad[]*"))
_APOSTROPHES = str.maketrans("`’", "''")
_NUMBER = re.compile(r"\(\d+:\d+\w?\)?")


def clean(text: str) -> str:
    """Text of a verse without the edition's signs.

    Left out: invisible marks, the brackets of words that the translators added, asterisks, and
    Segond's own verse numbers; a backtick (in WEB) or typographic apostrophe becomes `'`.
    """
    return " ".join(_NUMBER.sub(" ", text).translate(_DROPPED).translate(_APOSTROPHES).split())


def aligned(editions: dict[str, dict[Verse, str]]) -> list[Verse]:
    """Verses, in order, that every version has and that say the same in all of them.

    A version lacks a verse when nothing in it is a letter.  The first and the last verse of a Psalm
    are left out: Segond and BBE begin the first with the Psalm's title, WEB ends the last with the
    title of the next.
    """
    full = [{v for v, text in e.items() if any(map(str.isalpha, text))} for e in editions.values()]
    verses = sorted(set.intersection(*full))
    last = {verse[:2]: verse for e in editions.values() for verse in sorted(e)}
    return [
        v
        for v in verses
        if v not in LEFT_OUT_VERSES
        and v[:2] not in LEFT_OUT_CHAPTERS
        and not (v[0] == PSALMS and (v[2] == 1 or v == last[v[:2]]))
    ]


def part(verse: Verse) -> str:
    """Part that a verse's chapter belongs to, by a hash of its number: train, dev or test."""
    # a byte of 0 to 255: about 5 % of the chapters are dev, 5 % are test
    lot = hashlib.sha256(f"{verse[0]} {verse[1]}".encode()).digest()[0]
    return "dev" if lot < 13 else "test" if lot < 26 else "train"


@cache
def _tokenizer(language: str) -> Any:
    from sacremoses import MosesTokenizer

    return MosesTokenizer(language)


def tokenize(text: str, language: str) -> str:
    """Tokens of a text, lower-cased, with blanks between them; nothing is escaped."""
    tokens = _tokenizer(language).tokenize(text, return_str=True, escape=False)
    return " ".join(tokens.lower().split())  # it may end in a blank


def tokenize_row(row: tuple[str, ...], language: str = FRENCH) -> tuple[str, ...]:
    """Tokens of a verse's versions, that of the language first."""
    return (tokenize(row[0], language), *(tokenize(text, "en") for text in row[1:]))


def short(which: str, row: tuple[str, ...]) -> bool:
    """Whether a verse has at most as many tokens as its part allows; row: its versions."""
    if which == "train":
        return all(len(text.split()) <= TRAIN_WORDS for text in row)
    return len(row[0].split()) <= HELD_OUT_WORDS


def file_name(which: str, version: str) -> str:
    """Name of the file of a language, or of an English version, in a part."""
    if version in LANGUAGES:
        return f"{which}.{version}"
    return "train.en" if which == "train" else f"{which}.en.{version}"


def file_names(language: str = FRENCH) -> list[str]:
    """Names of all files of a language's text, without the testaments'."""
    return [file_name(w, v) for w, versions in PARTS.items() for v in (language, *versions)]


def corpus(
    jobs: int = 2,
    language: str = FRENCH,
    testaments: bool = False,
    train_verses: int | None = None,
) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the lines of every file of a text; the same for any `jobs`.

    Train is made of its first `train_verses` alone, or of all.
    """
    texts = {
        name: {verse: clean(text) for verse, text in read_edition(name).items()}
        for name in (language, *REFERENCES)
    }
    if language == ARABIC:
        texts[ARABIC] = dict(zip(texts[ARABIC], segmented(texts[ARABIC].values()), strict=True))
    verses = aligned(texts)
    tokens_of = partial(tokenize_row, language=language)
    # processes: the tokenizer is Python, of which threads would run one at a time
    with ProcessPoolExecutor(jobs) as pool:
        for which, english in PARTS.items():
            versions = (language, *english)
            own = [v for v in verses if part(v) == which]
            own = own[:train_verses] if which == "train" else own
            rows = [tuple(texts[name][v] for name in versions) for v in own]
            # 500 at a time, since each passing from process to process has its cost
            pairs = zip(own, pool.map(tokens_of, rows, chunksize=500), strict=True)
            kept = [(v, row) for v, row in pairs if short(which, row)]
            yield from _columns(which, versions, [row for _, row in kept])
            if testaments and which == "test":
                for half, books in TESTAMENTS.items():
                    yield from _columns(half, versions, [row for v, row in kept if v[0] in books])


def _columns(
    which: str, versions: Sequence[str], rows: Sequence[tuple[str, ...]]
) -> Iterator[tuple[str, list[str]]]:
    for version, column in zip(versions, zip(*rows, strict=True), strict=True):
        yield file_name(which, version), list(column)


def write(
    folder: Path,
    jobs: int = 2,
    language: str = FRENCH,
    testaments: bool = False,
    train_verses: int | None = None,
) -> dict[str, int]:
    """Write a text into a folder, which is made; give the number of lines by file."""
    # all of it before the first file, so that a missing package leaves no part of a text
    files = dict(corpus(jobs, language, testaments, train_verses))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(str(folder), None, f"cannot be made: {error.strerror}") from error
    for name, lines in files.items():
        with Output(str(folder / name)) as out:
            out.write("".join(f"{line}\n" for line in lines).encode())
    return {name: len(lines) for name, lines in files.items()}


def main(argv: list[str] | None = None) -> int:
    """Flags of `python -m campanula.pipelines.demo.bible`."""
    p = Parser(prog="python -m campanula.pipelines.demo.bible", description=__doc__)
    p.add_argument("--output", metavar="DIR", required=True, help="folder to write the text into")
    p.add_argument(
        "--language", choices=LANGUAGES, default=FRENCH, help="what is translated (default: fr)"
    )
    p.add_argument("--testaments", action="store_true", help="the test set in two halves, too")
    p.add_argument(
        "--train-verses",
        type=command.positive_int,
        metavar="N",
        help="train is made of the first N",
    )
    command.add_jobs_flag(p, "processes", default=2)
    p.add_argument("-q", "--quiet", action="store_true", help="no summary on stderr")
    return command.run(body, p, argv)


def body(args: argparse.Namespace) -> None:
    """Write the text and say how many verses each part has."""
    folder = Path(args.output)
    lines = write(folder, args.jobs, args.language, args.testaments, args.train_verses)
    parts = (*PARTS, *TESTAMENTS) if args.testaments else PARTS
    counts = ", ".join(f"{which} {lines[f'{which}.{args.language}']}" for which in parts)
    command.say(args, f"bible: {args.output}: verses: {counts}")


if __name__ == "__main__":
    sys.exit(main())
