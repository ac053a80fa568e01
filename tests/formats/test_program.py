"""Digests of the program and of values name what determines some bytes, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import campanula
from campanula.formats import program


def test_values_are_kept_apart() -> None:
    assert program.digest_of_values("ab", "c") != program.digest_of_values("a", "bc")
    assert program.digest_of_values("1") != program.digest_of_values(1)
    assert program.digest_of_values("x", ["y"]) == program.digest_of_values("x", ["y"])


def test_the_program_has_one_digest() -> None:
    anew = program.program_digest.__wrapped__
    assert anew() == anew() == program.program_digest()
    assert len(anew()) == 2 * program.SIZE


def test_the_program_is_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew = program.program_digest.__wrapped__
    monkeypatch.setattr(campanula, "__path__", [os.fspath(tmp_path)])
    found = [anew()]
    for name in ("cli.py", "formats/a.py", "stages/deep/b.py", "pipelines/c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
        found.append(anew())
        (tmp_path / name).write_text("1\n")
        found.append(anew())
    assert len({*found}) == 9
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "d.py").write_text("")
    assert anew() == found[-1]
