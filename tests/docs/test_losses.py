"""The loss of one's own in docs/losses.md is one: as an entry point, and from Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.weights import Weights
from campanula.stages.tuning.losses import LOSSES
from tests.examples import random_lists, write_kbest
from tests.pages import ROOT, blocks, text_of

PAGE = text_of("losses")
PYTHON = blocks(PAGE, "python")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Lists and weights as the page has them, and the package with the loss, installed."""
    records, _ = random_lists(seed=5, n_lists=6)
    write_kbest(tmp_path / "dev.kbest", records)
    rng = np.random.default_rng(6)
    Weights({name: float(rng.normal()) for name in records[0].names}).write(str(tmp_path / "w0"))
    (toml,) = blocks(PAGE, "toml")
    ((group, points),) = tomllib.loads(toml)["project"]["entry-points"].items()
    assert group == LOSSES.group
    ((name, target),) = points.items()
    installed = tmp_path / "my_package-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1\n")
    (installed / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
    (tmp_path / f"{target.partition(':')[0]}.py").write_text(PYTHON[0])
    return tmp_path


def python(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the package is installed."""
    path = os.pathsep.join([str(folder), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, *argv],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def optimize(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    argv = ["-m", "campanula.stages.optimize", "dev.kbest", "--weights", "w0", "-o", "w2"]
    return python(folder, *argv, *flags)


def test_the_loss_is_there_by_name_and_from_python(folder: Path) -> None:
    done = optimize(folder, "--loss", "gain-differences", "--C", "0.5")
    assert done.returncode == 0, done.stderr
    page = python(folder, "-c", "\n".join(PYTHON))
    assert page.returncode == 0, page.stderr
    before, after = map(float, page.stdout.split(" -> "))
    assert after < before
    assert f"objective {after!r}, {before!r} at the start" in done.stderr
    assert dict(Weights.read(str(folder / "w1"))) == dict(Weights.read(str(folder / "w2")))


def test_a_name_that_is_close_to_the_entry_points_is_named(folder: Path) -> None:
    done = optimize(folder, "--loss", "gain-diferences")
    assert done.returncode == 2
    assert "did you mean gain-differences" in done.stderr


def test_a_loss_of_ones_own_has_no_hopes(folder: Path) -> None:
    argv = ["-m", "campanula.stages.impute_hope", "dev.kbest", "--weights", "w0", "-o", "hope"]
    done = python(folder, *argv, "--loss", "gain-differences")
    assert done.returncode == 2
    assert "--loss gain-differences has no concave part" in done.stderr
    assert not (folder / "hope").exists()
