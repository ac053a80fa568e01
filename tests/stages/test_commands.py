"""What every command has in common, over all of `[project.scripts]`."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
BIN = Path(sys.executable).parent

# Each of these takes longer to import than `--help` may take.
SLOW = {"luigi", "matplotlib", "numba", "sacrebleu", "scipy", "thot"}

HELP = """
import sys
from {module} import {function} as main
try:
    main(["--help"])
except SystemExit as stop:
    assert not stop.code, stop.code
print("loaded:", *({slow} & sys.modules.keys()))
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False
    )


@pytest.mark.parametrize("script", SCRIPTS)
def test_help_describes_the_command_and_shows_an_example(script: str) -> None:
    done = run(str(BIN / script), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    usage, _, example = done.stdout.partition("example:\n")
    assert usage.startswith(f"usage: {script} ")
    assert script in example
    assert "-o" in usage or script == "tune"


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_command_offers_its_parser(script: str) -> None:
    assert import_module(SCRIPTS[script].partition(":")[0]).parser().prog == script


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_command_is_also_its_module(script: str) -> None:
    module = SCRIPTS[script].partition(":")[0]
    done = run(sys.executable, "-m", module, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {script} ")


@pytest.mark.parametrize("script", SCRIPTS)
def test_help_loads_nothing_slow(script: str) -> None:
    module, _, function = SCRIPTS[script].partition(":")
    done = run(sys.executable, "-c", HELP.format(module=module, function=function, slow=SLOW))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_wrong_flag_exits_2_in_few_words(script: str) -> None:
    done = run(str(BIN / script), "--no-such-flag")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"usage: {script} ")
    assert "Traceback" not in done.stderr
