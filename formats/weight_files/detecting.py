"""Detects the format of a weights file from its content."""

from __future__ import annotations

from collections.abc import Iterable

from campanula.formats.text.numbers import looks_like_number
from campanula.formats.weight_files.joshua import is_config
from campanula.formats.weight_files.moses import is_ini
from campanula.formats.weight_files.travatar import SECTION


def detect(lines: Iterable[str]) -> str | None:
    """Return the name of the lines' format, or None when no format fits."""
    full = list(lines)
    if not full:
        return "plain"
    if full[0].startswith("{"):
        return "json"
    if any(line.startswith("[") for line in full):
        return "travatar" if SECTION in full else "moses" if is_ini(full) else None
    if any(line.startswith("Best point:") for line in full):
        return "mert"
    if is_config(full) or any("|||" in line for line in full):
        return "joshua"
    return _detect_pairs(full[0].split())


def _detect_pairs(tokens: list[str]) -> str | None:
    if all(looks_like_number(token) for token in tokens):
        return "mert"
    if tokens[0].endswith("=") and len(tokens) > 1:
        return "moses"
    if len(tokens) == 2 and looks_like_number(tokens[1]):
        return "plain"
    inline = all(looks_like_number(token.rpartition("=")[2]) for token in tokens)
    return "travatar" if inline else None
