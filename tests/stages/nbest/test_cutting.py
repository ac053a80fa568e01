"""Blocks cut by kernels: what NumPy makes of them, or nothing; the same lists for any threads."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import DataError
from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import SIZE, Block, count_lines
from campanula.formats.nbest.fields import Cut, FieldLines, Layout, cut
from campanula.formats.nbest.rows import GatheredLists
from campanula.formats.nbest.sentence_ids import SentenceIds
from campanula.formats.nbest.uniform import dense_features, named
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.nbest.cutting import (
    FEW,
    LARGE,
    LastLayout,
    bytes_without_kernels,
    cut_ahead,
    cut_by_kernel,
    sized,
)
from tests.formats.nbest.test_uniform import FORMS, one_by_one
from tests.plain import plain

LINES = [
    "0 ||| a man ||| LM0= -17.4 TM0= -0.25 -0.5 ||| -3.81 ||| 0-0 1-1",
    "12 |||  ||| LM0= 0 TM0= 1e-5 -0.1234567890123456 ||| 2 ||| ",
    "3 ||| caf\u00e9 | b c=|||d ||| LM0=-1 TM0= 3 .5  ||| -0 ||| \t2-3 ",
]
WIDTHS: list[tuple[str | None, int]] = [("LM0", 1), ("TM0", 2)]
LAYOUT = Layout(5, 2, 3, (4,), "=", WIDTHS)
PIECES = [
    " ",
    "|||",
    " ||| ",
    "=",
    "-",
    "1",
    "\t",
    "\n",
    "TM0=",
    "nan",
    "1e999",
    "x",
    ".",
    "|",
    "9" * 20,
]


def by_numpy(data: bytes, layout: Layout) -> tuple[Cut, list[object]] | None:
    """Fields and features as NumPy reads them; None for lines that it does not read."""
    found = cut(data, layout, SentenceIds())
    if found is None or not isinstance(found.features, FieldLines):
        return None
    features = dense_features(found.features, layout, Names())
    return None if features is None else (found, [features.dense_id, features.dense])


def check(data: bytes, layout: Layout) -> bool:
    """Compare; return whether the kernel read it."""
    ours = cut_by_kernel(data, layout)
    if ours is None:
        return False
    theirs = by_numpy(data, layout)
    assert theirs is not None, data
    fields, (ids, dense) = theirs
    assert isinstance(ours.features, np.ndarray)
    features = named(ours.features, layout, Names())
    assert ours.sid.tolist() == fields.sid.tolist()
    texts = [(ours.text, fields.text), *((ours.others[p], fields.others[p]) for p in fields.others)]
    for mine, other in texts:
        assert (mine.blob, mine.pointer.tolist()) == (other.blob, other.pointer.tolist())
    assert list(ours.others) == list(fields.others)
    np.testing.assert_array_equal(features.dense_id, ids)
    np.testing.assert_array_equal(features.dense.view(np.int64), np.asarray(dense).view(np.int64))
    if fields.score is None or ours.score is None:
        assert fields.score is ours.score
    else:
        assert ours.score.tobytes() == fields.score.tobytes()
    return True


def test_lines_of_one_layout() -> None:
    data = "".join(f"{line}\n" for line in LINES * 3).encode()
    assert check(data, LAYOUT)
    assert check(f"{LINES[0]}\n".encode(), LAYOUT)
    assert not check(b"0 ||| a\n", LAYOUT)


def test_a_label_with_a_mark_inside_is_left_to_numpy() -> None:
    assert (
        cut_by_kernel(b"0 ||| a ||| a=b= 1 ||| 1\n", Layout(4, 2, 3, (), "=", [("a=b", 1)])) is None
    )


@pytest.mark.parametrize("form", FORMS)
def test_every_format_with_bars(form: str) -> None:
    text = "".join(f"{line}\n" for line in FORMS[form]).encode()
    found: list[Cut | None] = []

    def watched(layout: Layout) -> Cut | None:
        found.append(cut_by_kernel(text, layout))
        return found[-1]

    names, ids = Names(), SentenceIds()
    piece = FORMATS[form].reader().piece(Block("list", 1, text, watched), names, ids)  # type: ignore[attr-defined]
    assert [fields is not None for fields in found] == [True]
    assert [plain(kbest) for kbest in GatheredLists([piece], names, ids)] == one_by_one(text, form)


@given(st.integers(0, 10**9))
def test_damaged_lines_are_read_as_numpy_does_or_not_at_all(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(f"{line}\n" for line in LINES)
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice([*PIECES, ""]) + text[at + rng.randrange(3) :]
    check(f"{text}\n".replace("\n\n", "\n").encode(), LAYOUT)


def list_of(n: int, seed: int = 1) -> bytes:
    """A list of Moses; in a third of the lines a sparse feature stands."""
    rng = np.random.default_rng(seed)
    lines = []
    for sid in range(n):
        numbers = " ".join(map(repr, rng.normal(size=4).tolist()))
        more = f" pp_{sid % 7}= 1" if n // 2 < sid and sid % 3 == 0 else ""
        lines.append(f"{sid // 9} ||| w{sid} x ||| TM0= {numbers}{more} ||| {sid / 7!r} ||| 0-0\n")
    return "".join(lines).encode()


def blocks_of(data: bytes, size: int) -> list[Block]:
    cuts = [0]
    while cuts[-1] < len(data):
        cuts.append(data.find(b"\n", min(cuts[-1] + size, len(data) - 1)) + 1)
    number = 1
    blocks = []
    for start, end in pairwise(cuts):
        blocks.append(Block("x", number, data[start:end]))
        number += count_lines(data[start:end])
    return blocks


@pytest.mark.parametrize("form", ["moses", "cdec"])
@pytest.mark.parametrize("jobs", [1, 3])
def test_the_lists_do_not_depend_on_who_cuts(form: str, jobs: int) -> None:
    data = list_of(1500) if form == "moses" else list_of(1500).replace(b"TM0= ", b"TM0=")
    if form == "cdec":
        data = b"".join(
            b"%d ||| a b ||| lm=%d.5 w=-%d ||| 3\n" % (i // 5, i, i) for i in range(2000)
        )
    plain_lists = [plain(k) for k in FORMATS[form].read(blocks_of(data, 3000), "x")]
    ahead = cut_ahead(blocks_of(data, 3000), jobs, few=5000)
    assert [plain(k) for k in FORMATS[form].read(ahead, "x")] == plain_lists


def test_an_error_names_its_line() -> None:
    data = list_of(400) + b"7 ||| x ||| TM0= 1 2 x 4 ||| 5 ||| 0-0\n"
    for jobs in (1, 2):
        ahead = cut_ahead(blocks_of(data, 2000), jobs, few=0)
        with pytest.raises(DataError, match="x: line 401: feature 'TM0': expected a number"):
            list(FORMATS["moses"].read(ahead, "x"))


def test_blocks_are_cut_up_for_numpy() -> None:
    data = list_of(9000)
    last = LastLayout()
    large = [Block("x", 1, data)]
    assert list(sized(large, last)) == large
    last.is_cut = False
    parts = list(sized(large, last))
    assert b"".join(part.data for part in parts) == data
    assert all(len(part.data) < 1.1 * SIZE for part in parts)
    assert [part.number for part in parts] == [
        1 + count_lines(data[: data.index(part.data)]) for part in parts
    ]


def test_texts_at_the_very_end() -> None:
    data = b"0 ||| a ||| F= 1 ||| 2 ||| " + b"x" * 40 + b"\n"
    found = cut_by_kernel(data, Layout(5, 2, 3, (4,), "=", [("F", 1)]))
    assert found is not None
    assert list(found.others[4]) == ["x" * 40]
    assert isinstance(found.text, Texts)


def test_kernels_cut_large_files_from_the_first_block_on(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in "ab"]
    for path, size in zip(paths, (LARGE // 2, LARGE // 2 + 1), strict=True):
        with open(path, "wb") as file:
            file.truncate(size)
    assert bytes_without_kernels(paths) == 0
    assert bytes_without_kernels(paths[1:]) == bytes_without_kernels(["-", str(tmp_path)]) == FEW


@pytest.mark.parametrize("n_lines", [None, 0])
def test_a_piece_of_a_long_line_is_left_to_those_who_refuse_it(n_lines: int | None) -> None:
    line = LINES[0].encode()
    assert cut_by_kernel(line, LAYOUT, n_lines) is None
    assert cut_by_kernel(line + b"\n" + line, LAYOUT) is None
    assert cut_by_kernel(b"", LAYOUT) is None
