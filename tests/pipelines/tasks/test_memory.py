"""Memory goes back to the system."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from campanula.pipelines.tasks import memory

STATUS = Path("/proc/self/status")


def anonymous() -> int:
    """Anonymous memory of this process in bytes."""
    [line] = [line for line in STATUS.read_text().splitlines() if line.startswith("RssAnon")]
    return int(line.split()[1]) << 10


@pytest.mark.skipif(
    not STATUS.exists() or not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="needs glibc"
)
def test_pages_between_what_is_kept_go_back() -> None:
    blocks = [bytearray(2000) for _ in range(60_000)]
    kept = blocks[::300]
    full = anonymous()
    blocks.clear()
    memory.give_back()
    assert len(kept) == 200
    assert anonymous() < full - (60 << 20)


@pytest.mark.parametrize("library", [object(), None], ids=["another", "none"])
def test_without_glibc_nothing_is_called(
    monkeypatch: pytest.MonkeyPatch, library: object | None
) -> None:
    def load(_: None) -> object:
        if library is None:
            raise OSError("no library")
        return library

    looked_up = memory._trim.__wrapped__  # past the cache
    monkeypatch.setattr(ctypes, "CDLL", load)
    assert looked_up() is None
    monkeypatch.setattr(memory, "_trim", looked_up)
    memory.give_back()
