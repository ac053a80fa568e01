"""Resident memory of this process."""

from __future__ import annotations


def resident(kind: str = "RssAnon") -> int:
    """Bytes by a field of /proc/self/status: RssAnon, which no file backs, or VmHWM, the peak."""
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith(f"{kind}:"))
    return int(line.split()[1]) << 10  # the file has kB
