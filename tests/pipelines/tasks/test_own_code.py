"""What is one's own counts by the file in which it stands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from campanula.pipelines.tasks import own_code
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import stage

CODE = "def first_word(hypothesis, references):\n    return {}\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of an installed package that has a metric and a loss."""
    code = tmp_path / "site" / "my_package.py"
    info = tmp_path / "site" / "my_package-1.dist-info"
    info.mkdir(parents=True)
    code.write_text(CODE.format(0.5))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1\n")
    groups = {"metrics": "first-word = my_package:first_word", "losses": "mine = my_package:mine"}
    groups |= {
        "weight_formats": "colon = my_package:read",
        "list_formats": "tabs = my_package:read",
    }
    lines = "".join(f"[campanula.{group}]\n{line}\n" for group, line in groups.items())
    (info / "entry_points.txt").write_text(lines)
    monkeypatch.syspath_prepend(tmp_path / "site")
    own_code.files.cache_clear()
    yield code
    own_code.files.cache_clear()


def path(cache: Cache, *flags: str) -> str:
    return stage(cache, "score-bleu", *flags, suffix=".x").path


def test_its_file_counts(package: Path, tmp_path: Path) -> None:
    cache = Cache(os.fspath(tmp_path))
    own = [("--metric", "first-word"), ("--loss", "mine"), ("--format", "colon")]
    own += [("--format", "tabs")]
    others = [("--metric", "bleu"), ("--loss", "first-word"), ("--ref", "first-word")]
    before = [path(cache, *flags) for flags in (*own, *others)]
    package.write_text(CODE.format(0.25))
    after = [path(cache, *flags) for flags in (*own, *others)]
    assert [one == two for one, two in zip(before, after, strict=True)] == [False] * 4 + [True] * 3
