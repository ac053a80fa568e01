"""Arguments that name systems, and outputs that must be as long as the references."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.references import References
from campanula.stages.command import UsageError
from campanula.stages.comparing.systems import System, systems_of


def test_names_and_replicates() -> None:
    found = systems_of(["out/base", "new=a,b", "other=c", "new=d"])
    assert found == [
        System("out/base", ("out/base",)),
        System("new", ("a", "b", "d")),
        System("other", ("c",)),
    ]


def test_a_file_is_a_file_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "eta=1,C=2"
    path.write_text("x\n")
    assert systems_of([str(path)]) == [System(str(path), (str(path),))]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a", "a"], "SYSTEM a: given twice"),
        (["=a"], "SYSTEM =a: expected FILE or NAME=FILE,FILE,..."),
        (["n=a,"], "SYSTEM n=a,: expected FILE or NAME=FILE,FILE,..."),
        (["-", "n=-"], "only one input can be stdin"),
    ],
)
def test_what_does_not_fit(arguments: list[str], said: str) -> None:
    with pytest.raises(UsageError) as error:
        systems_of(arguments)
    assert str(error.value) == said


def test_stdin_for_outputs_and_references() -> None:
    with pytest.raises(UsageError):
        systems_of(["a", "-"], ["-"])
    assert systems_of(["a", "-"], ["b"])[1].paths == ("-",)


def test_lines_are_counted_and_end_at_line_ends_alone(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a\nb\n")
    references = References.read([str(tmp_path / "ref")])
    (tmp_path / "out").write_bytes("\ufeffx\u2028y\x85\r\nz\x1c".encode())
    system = System("s", (str(tmp_path / "out"),))
    assert system.outputs(references) == [["x\u2028y\x85", "z\x1c"]]
    (tmp_path / "out").write_text("a\n")
    with pytest.raises(DataError, match=r"out: expected 2 lines, as .*ref has, found 1"):
        system.outputs(references)
