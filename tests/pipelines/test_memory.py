"""Memory goes back to the system."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from campanula.pipelines import memory

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


def test_without_glibc_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_trim", lambda: None)
    memory.give_back()
