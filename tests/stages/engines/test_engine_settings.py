"""What commands with workers load before they have any."""

from __future__ import annotations

import subprocess
import sys

import pytest

from campanula import cli
from campanula.stages.engines.engine_settings import DaskSettings, EngineSettings


def test_settings_are_values() -> None:
    assert EngineSettings(DaskSettings(workers=2)) == EngineSettings(DaskSettings(None, 2))


@pytest.mark.parametrize("command", ["decode", "score-bleu", "index-features", "optimize", "tune"])
def test_commands_load_nothing_of_dask_before_they_need_it(command: str) -> None:
    code = f"import sys, {cli.MODULES[command]} as command; command.parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not {"dask", "distributed", "tornado", "campanula.stages.engines.course"} & loaded
