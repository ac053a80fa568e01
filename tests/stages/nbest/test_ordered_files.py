"""Files read part by part give what they give as a whole: the stream, warnings, and errors."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from campanula.formats.nbest.file_parts import parts_of
from campanula.stages import import_nbest
from campanula.stages.nbest import ordered_files

Result = tuple[int, str, bytes | None]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Small parts, of files of any size."""
    monkeypatch.setattr(import_nbest, "are_large", lambda _: True)
    monkeypatch.setattr(ordered_files, "can_fork", lambda: True)
    monkeypatch.setattr(ordered_files, "parts_of", partial(parts_of, first=150, size=400))
    monkeypatch.chdir(tmp_path)


def moses(n_lists: int = 60, fields: str = " ||| 0-0 1-1") -> list[str]:
    """Lists in order, with a cost, scores that rise, and gaps between the numbers."""
    draw = random.Random(3)
    found = []
    for sid in range(n_lists):
        for place in range(draw.randrange(1, 6)):
            features = f"LM0= {-draw.random()!s} TM0= {draw.random()!s} 2 cost= {draw.random()!s}"
            found.append(f"{3 * sid} ||| c@@ at é {place} ||| {features} ||| {place}{fields}")
    return found


def write(lines: list[str], path: str = "list", end: str = "\n") -> None:
    Path(path).write_bytes("".join(line + end for line in lines).encode())


def run(capsys: pytest.CaptureFixture[str], *words: str, jobs: int = 1) -> Result:
    Path("out").unlink(missing_ok=True)
    words = words if "list" in words else ("list", *words)
    status = import_nbest.main([*words, "-o", "out", "--jobs", str(jobs)])
    found = Path("out").read_bytes() if Path("out").exists() else None
    return status, capsys.readouterr().err, found


def whole(capsys: pytest.CaptureFixture[str], *words: str) -> Result:
    """What the command gives when it reads the files as a whole."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_nbest, "are_large", lambda _: False)
        return run(capsys, *words)


def refuse(*_: object) -> None:
    raise AssertionError("read as a whole")


def same(capsys: pytest.CaptureFixture[str], *words: str, by_parts: bool = True) -> Result:
    """Check that parts give what the whole gives, for any number of jobs; return that."""
    expected = whole(capsys, *words)
    for jobs in (1, 2, 3):
        with pytest.MonkeyPatch.context() as patch:
            if by_parts:
                patch.setattr(import_nbest, "_as_a_whole", refuse)
            assert run(capsys, *words, jobs=jobs) == expected
    return expected


@pytest.mark.parametrize(
    "words", [(), ("--remove-subwords", "bpe"), ("--text-field", "alignment"), ("-q",)]
)
def test_parts_give_the_same(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    write(moses())
    status, said, _ = same(capsys, *words)
    assert status == 0
    assert ("cost is never below 0" in said) == (words != ("-q",))


@pytest.mark.parametrize("fields", ["", " ||| ", " ||| 0 1", " ||| 0-0 ||| 0=0", " ||| x |y"])
def test_further_fields(capsys: pytest.CaptureFixture[str], fields: str) -> None:
    write(moses(fields=fields))
    assert same(capsys)[0] == 0


@pytest.mark.parametrize(
    "line",
    [
        "{sid} ||| a b ||| lm_0=-1.5 tm=2 ||| -3",
        "{sid} ||| a b ||| lm_0=-1.5 tm=2 ||| -3 ||| 0-0",
        "{sid} ||| a b ||| -1.5 2 ||| -3",
        "{sid} ||| a b ||| LM: -1.5 TM: 2 ||| -3",
    ],
)
def test_other_formats_with_bars(capsys: pytest.CaptureFixture[str], line: str) -> None:
    write([line.format(sid=sid // 3) for sid in range(200)])
    assert same(capsys)[0] == 0


def test_line_ends_a_mark_in_front_and_a_last_line_without_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(["\ufeff" + moses()[0], *moses()[1:]], end="\r\n")
    Path("list").write_bytes(Path("list").read_bytes()[:-2])
    same(capsys)


def test_several_files(capsys: pytest.CaptureFixture[str]) -> None:
    write(moses()[:100])
    write([f"1000 ||| {line.partition(' ||| ')[2]}" for line in moses()[:50]], "more")
    assert same(capsys, "list", "more")[0] == 0
    same(capsys, "more", "list", by_parts=False)
    within = next(place for place in range(50, 99) if moses()[place][:4] == moses()[place + 1][:4])
    write(moses()[: within + 1])
    write(moses()[within + 1 :], "more")
    same(capsys, "list", "more", by_parts=False)
    write([])
    assert same(capsys, "more", "list", by_parts=False)[0] == 1


def test_a_part_that_may_hold_too_long_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write([line.replace("30 ||| ", "30 ||| " + 999 * "x ") for line in moses()])
    same(capsys)
    monkeypatch.setattr(ordered_files, "LONGEST_LINE", 1500)
    same(capsys, by_parts=False)


def test_one_list_and_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for lines in (moses(1), moses()[:1]):
        write(lines)
        same(capsys)


def with_line(place: int, change: Callable[[str], str]) -> list[str]:
    """Lists with one line changed."""
    lines = moses()
    lines[place] = change(lines[place])
    return lines


@pytest.mark.parametrize("place", [0, 1, 70, -1])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LM0=", "LM1="),
        ("TM0= ", "TM0= 1 "),
        ("cost=", "w_a= 1 cost="),
        ("||| 0-0 1-1", "||| of no kind"),
        ("||| 0-0 1-1", "||| 0-0 ||| 1"),
        ("LM0= -", "LM0= x"),
        ("LM0= -", "LM0= -1e999 "),
        ("LM0= -0.", "LM0= nan0."),
        ("c@@ at", "c@@ |||  at"),
        ("c@@ at", "c@@ |0-1| at |2-2|"),
        ("é", "\udcff"),
        (" ||| c@@", "x ||| c@@"),
        (" ||| c@@", "00000000 ||| c@@"),
    ],
)
def test_a_line_unlike_the_others(
    capsys: pytest.CaptureFixture[str], place: int, old: str, new: str
) -> None:
    lines = with_line(place, lambda line: line.replace(old, new, 1))
    assert lines[place] != moses()[place]
    Path("list").write_bytes("\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))
    same(capsys, by_parts=False)


@pytest.mark.parametrize("old", ["LM0=", "TM0= ", " ||| 0-0 1-1"])
def test_a_file_that_goes_on_otherwise(capsys: pytest.CaptureFixture[str], old: str) -> None:
    write(moses())
    place = list(parts_of("list", 150, 400))[3].start
    before = Path("list").read_bytes()
    new = {"LM0=": b"LM1=", "TM0= ": b"TM0= 1 "}.get(old, b"")
    Path("list").write_bytes(before[:place] + before[place:].replace(old.encode(), new))
    same(capsys, by_parts=False)


@pytest.mark.parametrize("kind", ["swapped", "again", "blank", "shuffled", "negative"])
def test_lists_out_of_order(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    lines = moses()
    if kind == "swapped":
        lines = lines[90:] + lines[:90]
    elif kind == "again":
        lines = lines + lines[:1]
    elif kind == "blank":
        lines.insert(80, "")
    elif kind == "negative":
        lines = [f"-1{lines[0][1:]}", *lines]
    else:
        random.Random(1).shuffle(lines)
    write(lines)
    same(capsys, by_parts=False)


@pytest.mark.parametrize("words", [("--text-field", "odd"), ("--remove-subwords", "spm")])
def test_an_error_is_that_of_the_whole(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    lines = moses()
    write(
        [line.replace("c@@ at é", "▁c at") if place else line for place, line in enumerate(lines)]
    )
    same(capsys, *words, by_parts=False)
    write([line.replace("c@@ at é", "▁c at") for line in lines[:-1]] + lines[-1:])
    same(capsys, *words, by_parts=False)


def test_of_two_errors_it_is_that_of_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    write([*moses(), "x ||| y"])
    assert "found 'x ||| y'" in same(capsys, "--text-field", "odd", by_parts=False)[1]


def test_an_output_that_cannot_be_taken_back_gets_no_part_of_a_faulty_file(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    write([*moses(), "x ||| y"])
    assert import_nbest.main(["list", "--jobs", "1"]) == 1
    assert capsysbinary.readouterr().out == b""


def test_negated_features_need_all_lists(capsys: pytest.CaptureFixture[str]) -> None:
    write(moses())
    same(capsys, "--negate", "cost", by_parts=False)


def test_no_unfinished_file_stays(capsys: pytest.CaptureFixture[str]) -> None:
    write([*moses(), "x ||| y"])
    assert run(capsys, jobs=2)[0] == 1
    assert sorted(path.name for path in Path().iterdir()) == ["list"]
