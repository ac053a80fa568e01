"""One package, campanula: what is beside it in the working folder is never taken for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with modules of our folders' names, and with weights."""
    for name in ("formats", "stages", "pipelines", "kernels", "command"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('took {name}.py')\n")
    (tmp_path / "weights").write_text("LM0 0.5\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        [str(Path(sys.executable).parent / "export-weights")],
        [str(Path(sys.executable).parent / "campanula"), "export-weights"],
        [sys.executable, "-m", "campanula", "export-weights"],
        [sys.executable, "-m", "campanula.stages.export_weights"],
    ],
    ids=["script", "campanula", "python -m campanula", "python -m module"],
)
def test_modules_of_the_working_folder_do_no_harm(command: list[str], folder: Path) -> None:
    done = subprocess.run(
        [*command, "weights", "-q"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "LM0= 0.5" in done.stdout


def test_a_pipeline_takes_none_of_them(folder: Path) -> None:
    code = (
        "import sys\nsys.path.insert(0, '')\n"
        "import campanula.pipelines.loop, campanula.stages.decode\n"
        "print({'formats', 'stages', 'pipelines'} & sys.modules.keys())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "set()\n")
