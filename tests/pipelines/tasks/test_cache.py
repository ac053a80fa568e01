"""A folder of results: one run at a time, honest failures, nothing unfinished taken for done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.tasks.cache import Cache, remove_temporary
from campanula.pipelines.tasks.failures import StageFailed
from campanula.pipelines.tasks.stage_task import stage
from tests.pipelines.stand_in import stand_in

__all__ = ["stand_in"]

HOLD = """
import sys, time
from campanula.pipelines.tasks.cache import Cache
with Cache(sys.argv[1]):
    print("held", flush=True)
    time.sleep(60)
"""


def test_one_run_at_a_time_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    folder = os.fspath(tmp_path / "new" / "cache")
    holder = subprocess.Popen([sys.executable, "-c", HOLD, folder], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(DataError, match="another run"), Cache(folder):
        pass
    holder.kill()
    holder.communicate()
    with Cache(folder):
        pass
    with Cache(folder):
        pass


def test_a_run_that_fails_before_it_begins_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run" / "cache"
    for existing in ([], [tmp_path / "run"], [tmp_path / "run", folder]):
        for path in existing:
            path.mkdir(exist_ok=True)
        with pytest.raises(DataError, match="bad"), Cache(os.fspath(folder)):
            raise DataError("dev.de", None, "bad")
        assert list(tmp_path.rglob("*")) == existing
    (folder / "decode-1.kbest").touch()
    with pytest.raises(DataError, match="bad"), Cache(os.fspath(folder)):
        raise DataError("dev.de", None, "bad")
    assert sorted(os.listdir(folder)) == ["decode-1.kbest", "lock"]


def test_unfinished_files_are_removed_and_nothing_else(tmp_path: Path) -> None:
    for name in (".decode-1.kbest.77.tmp", ".hidden", "decode-2.kbest", "x.tmp"):
        (tmp_path / name).touch()
    (tmp_path / ".decode-3.kbest.78.tmp").mkdir()
    (tmp_path / ".decode-3.kbest.78.tmp" / "shard-00000.kbest").touch()
    remove_temporary(os.fspath(tmp_path))
    assert sorted(os.listdir(tmp_path)) == [".hidden", "decode-2.kbest", "x.tmp"]


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be used"), Cache(os.fspath(tmp_path / "file")):
        pass


@pytest.mark.parametrize(
    ("flags", "failure"),
    [
        (["--fail", "1"], StageFailed),
        (["--usage"], StageFailed),
        (["--raise"], ZeroDivisionError),
        (["--fail", "130"], KeyboardInterrupt),
        ([], RuntimeError),  # a stage that says it is done and has made nothing
    ],
)
def test_a_failure_is_raised(
    tmp_path: Path,
    stand_in: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    flags: list[str],
    failure: type[BaseException],
) -> None:
    with Cache(os.fspath(tmp_path)) as cache:
        bad = stage(cache, "stand-in", *flags, "-q", suffix=".x")
        if not flags:
            monkeypatch.setattr(bad, "run", lambda: None)
        after = stage(cache, "stand-in", bad, suffix=".x")
        with pytest.raises(failure):
            cache.build([after])
    assert len(stand_in) == (1 if flags else 0)
    assert os.listdir(tmp_path) == ["lock"]


def test_after_a_failure_nothing_else_runs(tmp_path: Path, stand_in: list[list[str]]) -> None:
    with Cache(os.fspath(tmp_path)) as cache:
        bad = [stage(cache, "stand-in", "--fail", "1", str(i), suffix=".x") for i in range(3)]
        with pytest.raises(StageFailed, match="stand-in ended with exit status 1"):
            cache.build(bad)
    assert len(stand_in) == 1


def test_runs_are_counted_and_timed(tmp_path: Path, stand_in: list[list[str]]) -> None:
    with Cache(os.fspath(tmp_path)) as cache:
        tasks = [stage(cache, "stand-in", str(i), suffix=".x") for i in range(3)]
        cache.build(tasks)
        cache.build(tasks)
        cache.build([])
        assert cache.runs == {"stand-in": 3}
        assert {report.digest for report in cache.done} == {task.digest for task in tasks}
        assert all(0.0 < report.seconds < 1.0 for report in cache.done)


def test_a_folder_is_a_result_that_is_checked_and_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = tmp_path / "decode-1.kbest"
    lists.mkdir()
    (lists / "shard-00000.kbest").write_bytes(b"abc")
    with Cache(os.fspath(tmp_path)) as cache:
        cache.seal("decode-1", [os.fspath(lists)])
        assert cache.whole("decode-1", [os.fspath(lists)])
        (lists / "shard-00000.kbest").write_bytes(b"abd")
        assert not cache.whole("decode-1", [os.fspath(lists)])
        assert "decode-1.kbest: the checksum does not fit" in capsys.readouterr().err
        cache.remove("decode-1", [os.fspath(lists)])
        assert os.listdir(tmp_path) == ["lock"]
