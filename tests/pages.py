"""Pages of the documentation: their text, their blocks, and shell blocks run as a reader does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(name: str) -> str:
    """The text of the page docs/NAME.md."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def all_blocks(text: str) -> list[tuple[str, str]]:
    """Language and content of each fenced block of a text, in order."""
    return BLOCK.findall(text)


def blocks(text: str, language: str) -> list[str]:
    """Contents of the blocks in one language."""
    return [content for name, content in all_blocks(text) if name == language]


def run_block(block: str, folder: Path) -> str:
    """What a block writes to stdout; it must not fail, and its commands are those installed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 141), f"{block}\n{done.stderr}"  # 141: `head` has left
    assert "Traceback" not in done.stderr
    return done.stdout
