"""An input that changes in a run is noticed, whatever its times say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.inputs import Inputs

LONG_AGO = 10**18


def test_a_change_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "dev.de"
    path.write_text("a b\n")
    inputs = Inputs()
    assert inputs.digest_of(os.fspath(path)) == digest.of_path(os.fspath(path))
    inputs.check()
    status = path.stat()
    path.write_text("a c\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(DataError, match=r"dev\.de: it has changed since this run began"):
        inputs.check()
    path.write_text("a b\n")
    inputs.check()
    path.unlink()
    with pytest.raises(DataError, match=r"dev\.de: cannot be read"):
        inputs.check()


def test_a_folder_is_all_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "lm").write_text("x")
    inputs = Inputs()
    inputs.digest_of(os.fspath(folder))
    (folder / "table").write_text("y")
    with pytest.raises(DataError, match="model: it has changed"):
        inputs.check()


def test_what_has_not_changed_for_a_while_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.fspath(tmp_path / "dev.de")
    Path(path).write_text("a b\n")
    monkeypatch.setattr("campanula.pipelines.tasks.inputs.UNSURE", -(10**12))
    reads: list[str] = []
    plain = digest.of_path

    def noted(path: str) -> str:
        reads.append(path)
        return plain(path)

    monkeypatch.setattr(digest, "of_path", noted)
    inputs = Inputs()
    for _ in range(3):
        inputs.digest_of(path)
        inputs.check()
    assert reads == [path]
