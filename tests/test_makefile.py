"""`make` sets up an environment of its own, and leaves one of the user's in its place."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.pages import ROOT

STAMP = ".venv/test.stamp"
FAKE_PYTHON = """#!/bin/sh
echo "$@" >> calls
if [ "$2" = venv ]; then mkdir -p .venv/bin; cp python .venv/bin/python; fi
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The Makefile, and a Python that makes environments and installs by writing that down."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "python").write_text(FAKE_PYTHON)
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def make(folder: Path, target: str) -> subprocess.CompletedProcess[str]:
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")  # of the `make test` that runs this
    given = {name: value for name, value in os.environ.items() if name not in outer}
    argv = ["make", f"PYTHON={folder / 'python'}", target]
    return subprocess.run(argv, cwd=folder, env=given, capture_output=True, text=True, check=False)


def calls(folder: Path) -> list[str]:
    """What Python was called for since this was asked for last: `venv`, `pip install`."""
    log = folder / "calls"
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return [line.split()[1] for line in lines if "--version" not in line]


def users_environment(folder: Path) -> Path:
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "theirs").touch()
    return folder / ".venv" / "theirs"


def test_an_environment_is_made_once(folder: Path) -> None:
    assert make(folder, STAMP).returncode == 0
    assert calls(folder) == ["venv", "pip", "compileall"]
    assert make(folder, STAMP).returncode == 0
    assert calls(folder) == []


def test_what_make_made_elsewhere_is_made_again(folder: Path) -> None:
    make(folder, STAMP)
    (folder / ".venv" / "folder").write_text("/elsewhere\n")
    (folder / ".venv" / "old").touch()
    calls(folder)
    assert make(folder, STAMP).returncode == 0
    assert calls(folder) == ["venv", "pip", "compileall"]
    assert not (folder / ".venv" / "old").exists()


def test_an_environment_of_the_users_is_installed_into(folder: Path) -> None:
    theirs = users_environment(folder)
    shutil.copy(folder / "python", folder / ".venv" / "bin" / "python")
    assert make(folder, STAMP).returncode == 0
    assert calls(folder) == ["pip", "compileall"]
    for target in (STAMP, "clean"):
        assert make(folder, target).returncode == 0
        assert calls(folder) == []
    assert theirs.exists()


def test_one_that_does_not_run_is_left_and_named(folder: Path) -> None:
    theirs = users_environment(folder)
    done = make(folder, STAMP)
    assert done.returncode == 2
    assert ".venv has no Python with pip that runs: remove it" in done.stderr
    assert make(folder, "fresh").returncode == 2
    assert theirs.exists()


def test_clean_removes_what_make_made(folder: Path) -> None:
    make(folder, STAMP)
    assert make(folder, "clean").returncode == 0
    assert not (folder / ".venv").exists()
