"""Shell blocks of the documentation, run as a reader runs them."""

import os
import subprocess
import sys
from pathlib import Path


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
