"""Whatever a killed run leaves behind, the inventory is as the manifest says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from campanula.formats.inventories.appending import Appending
from campanula.formats.inventories.inventory import Inventory
from campanula.stages.inventories.growing import Growing


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.see(growing.ids_of_names(["a", "b"]))
        growing.commit()
    return tmp_path / "F"


def files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


def test_left_bytes_are_no_part_of_it(path: Path) -> None:
    before = files(path)
    for name in ("names.text", "names.end", "fingerprint"):
        with open(path / name, "ab") as file:
            file.write(b"\x07" * 64)
    (path / "table-3").write_bytes(b"half")
    (path / ".count-2.0123456789ab.tmp").write_bytes(b"")
    assert list(Inventory.open(str(path))) == ["a", "b"]
    with Growing(str(path)) as growing:
        assert growing.ids_of_names(["b", "c"]).tolist() == [1, 2]
        growing.commit()
    assert list(Inventory.open(str(path))) == ["a", "b", "c"]
    assert sorted(files(path)) == sorted(
        [*before.keys() - {"table-2", "count-1"}, "table-3", "count-2"]
    )


KILLED = """
import os, signal, sys
from campanula.formats import files
from campanula.stages.inventories.growing import Growing

after = int(sys.argv[2])
def write(self, data, was=files.Output.write):
    global after
    after -= 1
    if after < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    was(self, data)
files.Output.write = write
with Growing(sys.argv[1], new=sys.argv[3] == "new") as growing:
    growing.see(growing.ids_of_names(["b", "c", "d"]))
    growing.commit()
"""


@pytest.mark.parametrize("after", range(4))
def test_killed_at_every_step_of_an_extension(path: Path, after: int) -> None:
    run = subprocess.run([sys.executable, "-c", KILLED, str(path), str(after), ""], check=False)
    assert run.returncode == (-signal.SIGKILL if after < 3 else 0)
    found = Inventory.open(str(path))
    assert list(found) == (["a", "b"] if after < 3 else ["a", "b", "c", "d"])
    with Growing(str(path)) as growing:
        growing.see(growing.ids_of_names(["d", "c", "b"]))
        growing.commit()
    assert [*Inventory.open(str(path))][:2] == ["a", "b"]


def test_killed_while_it_is_made(tmp_path: Path) -> None:
    path = tmp_path / "F"
    run = subprocess.run([sys.executable, "-c", KILLED, str(path), "1", "new"], check=False)
    assert run.returncode == -signal.SIGKILL
    with Growing(str(path), new=True) as growing:
        growing.ids_of_names(["x"])
        growing.commit()
    assert list(Inventory.open(str(path))) == ["x"]


def test_the_reference_is_known_before_it_counts(path: Path) -> None:
    with Appending(str(path), new=False) as files_of:
        assert files_of.reference(2) == Inventory.open(str(path)).reference
    assert os.listdir(path)
