"""The README's code runs: shell blocks one after another, as a reader pastes them.

A block of `make` commands is only held against the Makefile: those set up environments.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.pages import ROOT, all_blocks, run_block

BLOCKS = all_blocks((ROOT / "README.md").read_text())
SHELL = [block for language, block in BLOCKS if language == "sh"]
RUN = [block for block in SHELL if not block.startswith("make ")]
MAKE = [line for block in SHELL if block.startswith("make ") for line in block.splitlines()]


def test_every_block_says_its_language() -> None:
    assert {language for language, _ in BLOCKS} <= {"sh", "text"}
    assert RUN
    assert MAKE


def test_shell_blocks_run(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for block in RUN:
        assert run_block(f"{{\n{block}}} 2>> messages", tmp_path).strip()
    messages = (tmp_path / "messages").read_text()
    assert "Traceback" not in messages
    (shown,) = (text for _, text in BLOCKS if text.startswith("optimize: "))
    assert shown in messages


@pytest.mark.parametrize("line", MAKE)
def test_make_knows_the_targets(line: str) -> None:
    command = line.partition("#")[0].split()
    assert command[0] == "make"
    done = subprocess.run(
        ["make", "--dry-run", *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
