"""Room for the cache: an estimate before the run, and lists that go when they are spent."""

from __future__ import annotations

import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines import tune
from campanula.pipelines.room import Room
from campanula.pipelines.settings import Files, LoopSettings, RunSettings
from tests.pipelines import tiny

SHORT = ["--iterations", "3", "--cccp-iterations", "1", "--epochs", "1", "--eta", "0.05", "-q"]
Usage = namedtuple("Usage", "total used free")


def settings(folder: Path, **loop: object) -> RunSettings:
    """Settings of a run on 1,000 sentences of 62 bytes with 14 features."""
    (folder / "dev.de").write_text(f"{'x' * 62}\n" * 1000)
    (folder / "w0").write_text("".join(f"f{n} 1\n" for n in range(14)))
    dev = Files("dev", os.fspath(folder / "dev.de"), ())
    weights = os.fspath(folder / "w0")
    return RunSettings("run", dev, weights=weights, loop=LoopSettings(**loop))  # type: ignore[arg-type]


def test_the_estimate_is_near_what_lists_take(tmp_path: Path) -> None:
    assert Room.of(settings(tmp_path)) == Room(204_000_000, 20 * 204_000_000)
    assert Room.of(settings(tmp_path, trim=True)).run == 2 * 204_000_000
    merged = Room.of(settings(tmp_path, merge=True, iterations=3))
    assert merged.run == 3 * 204_000_000 + 3 * 102_000_000


def test_a_disk_that_is_too_small_is_refused_before_a_new_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(204_000_000, 4_080_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(0, 0, 10**9))
    printed = room.check(os.fspath(tmp_path))
    assert printed == f"{tmp_path} may take 4.1 GB, and 1.0 GB are free"
    assert Room(10**6, 10**7).check(os.fspath(tmp_path)) is None
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(0, 0, 10**8))
    with pytest.raises(DataError, match=r"about 204\.0 MB, found 100\.0 MB free; a smaller -k"):
        room.check(os.fspath(tmp_path))
    (tmp_path / "decode-1.seal").touch()
    assert room.check(os.fspath(tmp_path)) is not None


@pytest.mark.parametrize("merge", ["--merge", "--no-merge"])
def test_a_trimmed_run_ends_in_the_same_bytes_and_keeps_the_newest_lists(
    tmp_path: Path, merge: str
) -> None:
    flags = ["rampion", *tiny.write(tmp_path), *SHORT, merge]
    whole, trimmed = tmp_path / "whole", tmp_path / "trimmed"
    assert tune.main([*flags, "--work-dir", os.fspath(whole)]) == 0
    assert tune.main([*flags, "--work-dir", os.fspath(trimmed), "--trim"]) == 0
    for _ in range(2):
        assert (whole / "weights").read_bytes() == (trimmed / "weights").read_bytes()
        left = {path.name for path in (trimmed / "cache").iterdir()}
        all_of_them = {path.name for path in (whole / "cache").iterdir()}
        gone = {name.partition("-")[0] for name in all_of_them - left}
        assert {"decode", "score"} <= gone <= {"decode", "score", "merge", "iteration"}
        assert sum(name.startswith("decode-") and name.endswith(".kbest") for name in left) == 2
        assert tune.main([*flags, "--work-dir", os.fspath(trimmed), "--trim"]) == 0
    more = [*flags, "--iterations", "4", "--work-dir"]
    assert tune.main([*more, os.fspath(trimmed), "--trim"]) == 0
    assert tune.main([*more, os.fspath(whole)]) == 0
    assert (whole / "weights").read_bytes() == (trimmed / "weights").read_bytes()
