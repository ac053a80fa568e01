"""The error of settings that do not go together.

Settings stand in backquotes in its text, so that the same line serves a Python user (`batch_size`)
and, as flags, the command line (--batch-size).
"""

from __future__ import annotations

import re

from campanula.formats.registry import UnknownName

FLAGS = {"references": "--ref", "hopes": "--hope"}
"""Flags of the settings whose flag has another name than the setting."""


class Misfit(ValueError):
    """Settings that do not go together, or that make no sense with these lists."""

    @property
    def as_flags(self) -> str:
        """The text with the flags of `optimize` for the settings."""
        return re.sub(r"`(\w+)`", lambda setting: _flag(setting[1]), str(self))


class UnknownChoice(Misfit, UnknownName):
    """The name of no loss, solver or setting; an UnknownName, as for other registries."""


def _flag(setting: str) -> str:
    return FLAGS.get(setting, "--" + setting.rstrip("_").replace("_", "-"))
