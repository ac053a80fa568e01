"""A weights format of one's own: added by hand or as an entry point, used by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from campanula.formats.weight_files import FORMATS
from campanula.formats.weight_files.own import own_format
from campanula.formats.weights import Weights
from campanula.stages import export_weights, import_weights


def read(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        name, value = line.split(":")
        yield name, value


def write(weights: Weights) -> Iterator[str]:
    return (f"{name}:{value!r}" for name, value in weights.items())


BOTH = SimpleNamespace(read=read, write=write)


@pytest.fixture(autouse=True)
def formats(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A table that loses at the end what a test has added, and a folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(FORMATS, "_items", dict(FORMATS._items))
    Path("in").write_text("# a comment\nLM0:0.5\n\nTM0:-2\n")


def imported(name: str) -> dict[str, float]:
    assert import_weights.main(["in", "--format", name, "-q", "-o", "w"]) == 0
    return dict(Weights.read("w"))


def test_a_function_is_a_format() -> None:
    FORMATS.add("mine", read)
    assert imported("mine") == {"LM0": 0.5, "TM0": -2.0}
    FORMATS.add("numbers", lambda lines: ((line, 3) for line in lines))
    assert imported("numbers") == {"LM0:0.5": 3.0, "TM0:-2": 3.0}


def test_an_entry_point_is_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint("theirs", f"{__name__}:BOTH", "campanula.weight_formats")
    monkeypatch.setattr(
        metadata, "entry_points", lambda **which: metadata.EntryPoints([point]).select(**which)
    )
    assert imported("theirs") == {"LM0": 0.5, "TM0": -2.0}
    assert export_weights.main(["w", "--format", "theirs", "-q", "-o", "again"]) == 0
    assert Path("again").read_text() == "LM0:0.5\nTM0:-2.0\n"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("TM0", "in: line 2: expected a line of the format mine (not enough values to unpack"),
        ("TM0:x", "in: line 2: feature 'TM0': expected a number, found 'x'"),
        ("TM0:1e999", "in: line 2: feature 'TM0': expected a finite number, found '1e999'"),
        ("LM0:1", "in: line 2: feature 'LM0' stands here for the second time"),
    ],
)
def test_a_bad_line_is_named(line: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    FORMATS.add("mine", read)
    Path("in").write_text(f"LM0:0.5\n{line}\nx:1\n")
    assert import_weights.main(["in", "--format", "mine", "-o", "w"]) == 1
    assert capsys.readouterr().err.startswith(f"import-weights: {problem}")


def test_a_name_that_nothing_has(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        import_weights.main(["in", "--format", "joshau"])
    assert stop.value.code == 2
    assert "no weights format is called 'joshau'; did you mean joshua?" in capsys.readouterr().err


def test_what_is_no_format_is_refused() -> None:
    with pytest.raises(TypeError, match="weights format mine: expected a function"):
        own_format("mine", 3)
