"""One at a time: another waits until the lock is released, and takes no lock that has gone."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.lock import Lock


def wait_for_lock(folder: str, done: threading.Event) -> None:
    waited: list[str] = []
    lock = Lock(folder, waits=lambda: waited.append(folder))
    assert waited
    done.set()
    lock.release()


@pytest.mark.parametrize("removed", [False, True])
def test_another_waits(tmp_path: Path, removed: bool) -> None:
    folder = tmp_path / "inventory"
    lock = Lock(str(folder))
    done = threading.Event()
    thread = threading.Thread(target=wait_for_lock, args=(str(folder), done))
    thread.start()
    assert not done.wait(0.1)
    if removed:
        shutil.rmtree(folder)
    lock.release()
    thread.join(10)
    assert done.is_set()


def test_no_place_for_a_lock(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be locked"):
        Lock(str(tmp_path / "file" / "folder"))
