"""The completion scripts, tried in bash; those of other shells name the same flags."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from campanula import cli, completion

TRY = """
source ./script
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
completer=$(complete -p "$1" | sed 's/.*-F \\([^ ]*\\).*/\\1/')
$completer "$1" "${COMP_WORDS[COMP_CWORD]}"
echo "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    (folder / "dev.kbest").touch()
    assert completion.main(["bash", "-o", str(folder / "script")]) == 0
    return folder


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["campanula", "sco"], {"score-bleu"}),
        (["campanula", "tune", "mer"], {"mert"}),
        (["campanula", "tune", "mert", "--iter"], {"--iterations"}),
        (["tune", "p"], {"pro"}),
        (["optimize", "--sol"], {"--solver"}),
        (["score-bleu", "--metric", "chr"], {"chrf", "chrf++"}),
        (["rerank", "d"], {"dev.kbest"}),
        (["rerank", "--weights", "d"], {"dev.kbest"}),
    ],
)
def test_bash_completes(words: list[str], expected: set[str], folder: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", TRY, "bash", *words], cwd=folder, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == expected


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_every_command_and_flag_is_there(shell: str) -> None:
    with redirect_stdout(io.StringIO()) as out:
        assert completion.main([shell]) == 0
    script = out.getvalue()
    for name in cli.SCRIPTS:
        assert name in script
    for flag in cli.parser_of("optimize").flags():
        assert flag.lstrip("-") in script


def test_a_name_of_a_table_is_completed() -> None:
    from campanula.formats.registry import Registry
    from campanula.stages import command

    p = command.parser("name", "Doc.", "name")
    p.add_argument("--loss", type=command.Choice(Registry("loss", "none", {"ramp3": 1})))
    (action,) = [a for a in completion.completing(p)._actions if a.dest == "loss"]
    assert action.choices == ["ramp3"]


def test_completion_loads_when_it_is_asked_for() -> None:
    code = "import sys, campanula.completion; assert 'shtab' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
