"""Commands by their names: as words of campanula, and as console scripts."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from campanula import __version__, cli


def python(
    *arguments: str, env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env, cwd=cwd)


def test_help_lists_every_command_with_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    listed = [line.split() for line in capsys.readouterr().out.splitlines() if line[:2] == "  "]
    described = {words[0]: " ".join(words[1:]) for words in listed}
    for name in cli.MODULES:
        assert described[name] == cli.summary(name).strip()
        assert described[name].endswith(".")


def test_help_loads_no_command() -> None:
    done = python("-X", "importtime", "-m", "campanula", "--help")
    assert "campanula.cli" in done.stderr
    assert "campanula.stages.decode" not in done.stderr
    assert "numba" not in done.stderr


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"campanula {__version__}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["decod", "x"], "no command is called 'decod'; did you mean decode?"),
        (["--verson"], "unknown flag --verson; did you mean --version?"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_what_is_no_command_exits_2_and_names_what_is_close(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(words)
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.startswith("campanula: ")
    assert said.endswith(" (see campanula --help)\n")


def test_a_command_gets_the_words_after_its_name(tmp_path: Path) -> None:
    path = tmp_path / "w.ini"
    path.write_text("[weight]\nLM0= 0.5\n")
    out = tmp_path / "w"
    assert cli.main(["import-weights", str(path), "-o", str(out)]) == 0
    assert "LM0 0.5" in out.read_text()
    done = python("-m", "campanula", "import-weights", str(path))
    assert done.stdout == out.read_text()
    assert python("-m", "campanula", "show", "none").stderr.startswith("show: none: cannot be read")


def test_a_console_script_is_a_function_of_its_name() -> None:
    script = cli.score_bleu
    assert isinstance(script, partial)
    assert script.args == ("score-bleu",)
    with pytest.raises(AttributeError, match="no attribute 'score_blue'"):
        _ = cli.score_blue


def test_a_command_has_one_thread_of_blas_and_an_import_changes_nothing(tmp_path: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    see = "import os; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    imports = "import campanula, campanula.cli, campanula.stages.decode; "
    assert python("-c", imports + see, env=clean).stdout == "None\n"
    (tmp_path / "seen.py").write_text(
        f"import sys\n{see}\nprint('numpy' in sys.modules)\ndef main():\n    return 3\n"
    )
    code = (
        "import sys\nfrom campanula import cli\ncli.MODULES['x'] = 'seen'\nsys.exit(cli.run('x'))"
    )
    done = python("-c", code, env=clean, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "1\nFalse\n")


def test_ctrl_c_while_modules_load_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(module: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib, "import_module", load)
    assert cli.run("show") == 130
