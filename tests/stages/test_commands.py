"""What every command has in common, over all of `campanula`'s."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from campanula import __version__, cli

BIN = Path(sys.executable).parent

# Each of these takes longer to import than `--help` may take.
SLOW = {"luigi", "matplotlib", "numba", "sacrebleu", "scipy", "shtab", "thot"}

EVERY = pytest.mark.parametrize("name", cli.MODULES)
SCRIPT = pytest.mark.parametrize("name", cli.SCRIPTS)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False
    )


@SCRIPT
def test_help_describes_the_command_and_shows_an_example(name: str) -> None:
    done = run(str(BIN / name), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    usage, _, example = done.stdout.partition("example:\n")
    assert usage.startswith(f"usage: {name} ")
    assert name in example
    assert "-o" in usage or name == "tune"


@EVERY
def test_a_command_offers_its_parser(name: str) -> None:
    parser = cli.parser_of(name)
    assert parser.prog.removeprefix("campanula ") == name
    assert {"--version", "--help"} <= parser.flags()


@EVERY
def test_a_command_is_a_word_of_campanula(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main([name, "--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.endswith(f"{name} (campanula) {__version__}\n")


@EVERY
def test_a_command_is_also_its_module_whose_help_loads_nothing_slow(name: str) -> None:
    done = run(sys.executable, "-X", "importtime", "-m", cli.MODULES[name], "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.removeprefix("usage: ").removeprefix("campanula ").startswith(f"{name} ")
    lines = done.stderr.splitlines()
    assert all(line.startswith("import time:") for line in lines)
    assert not SLOW & {line.rpartition("|")[2].strip() for line in lines}


@EVERY
def test_a_wrong_flag_exits_2_in_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main([name, "--no-such-flag"])
    assert stop.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.partition(": ")[0].removeprefix("campanula ") == name
    assert "unknown flag --no-such-flag" in said.err
    assert said.err.count("\n") == 1
