"""Luigi obeys no configuration of the folder or the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = """
import sys
from types import ModuleType
from campanula.pipelines.tasks.building import Workers
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import stage
def main(argv):
    open(argv[argv.index("-o") + 1], "w").close()
    return 0
sys.modules["campanula.stages.mine"] = module = ModuleType("campanula.stages.mine")
module.main = main
with Cache("cache", Workers(int(sys.argv[1]))) as cache:
    cache.build([stage(cache, "mine", suffix=".x")])
print("done")
"""
THEIRS = "import luigi.configuration; luigi.configuration.get_config();"
BROKEN = "[core\nbroken\n"
FOREIGN = (
    "[core]\nlogging_conf_file = {}\n[worker]\ntimeout = 1\ntask_limit = 0\n[mine]\nfile = x\n"
)
CONF = """\
[loggers]
keys = root
[handlers]
keys = code
[formatters]
keys =
[logger_root]
handlers = code
[handler_code]
class = FileHandler
args = ({!r},)
"""


def run(folder: Path, code: str = BUILD, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a build in a folder, with every warning an error but those of deprecation."""
    argv = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-c", code]
    found = {**os.environ, **environment}
    return subprocess.run(
        [*argv, environment.get("COUNT", "1")], cwd=folder, env=found, capture_output=True,
        text=True, timeout=100,
    )  # fmt: skip


def write(folder: Path) -> Path:
    """A configuration that runs code of its own; returns the file that this would make."""
    ran = folder / "ran"
    (folder / "logging.conf").write_text(CONF.format(os.fspath(ran)))
    (folder / "foreign.cfg").write_text(FOREIGN.format(folder / "logging.conf"))
    (folder / "broken.cfg").write_text(BROKEN)
    return ran


@pytest.mark.parametrize("name", ["luigi.cfg", "client.cfg"])
@pytest.mark.parametrize("text", ["foreign.cfg", "broken.cfg"])
def test_of_the_folder(tmp_path: Path, name: str, text: str) -> None:
    ran = write(tmp_path)
    (tmp_path / name).write_bytes((tmp_path / text).read_bytes())
    done = run(tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
    assert not ran.exists()


@pytest.mark.parametrize("count", ["1", "2"])
@pytest.mark.parametrize(
    "environment",
    [
        {"LUIGI_CONFIG_PATH": "foreign.cfg"},
        {"LUIGI_CONFIG_PATH": "broken.cfg"},
        {"LUIGI_CONFIG_PATH": "missing.cfg"},
        {"LUIGI_CONFIG_PARSER": "toml"},
        {"LUIGI_CONFIG_PARSER": "none"},
    ],
    ids=str,
)
def test_of_the_environment(tmp_path: Path, environment: dict[str, str], count: str) -> None:
    ran = write(tmp_path)
    done = run(tmp_path, COUNT=count, **environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
    assert not ran.exists()


def test_a_program_of_luigi_s_keeps_its_own_and_a_build_has_ours(tmp_path: Path) -> None:
    (tmp_path / "luigi.cfg").write_text("[worker]\ntask_limit = 0\n[core]\nautoload_range=false\n")
    after = "\nprint(luigi.configuration.get_config().get('worker', 'task_limit'))"
    done = run(tmp_path, THEIRS + BUILD + after)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n0\n", "")


def test_the_environment_of_commands_stays(tmp_path: Path) -> None:
    code = BUILD + "\nimport os; print(os.environ['LUIGI_CONFIG_PATH'])"
    write(tmp_path)
    assert run(tmp_path, code, LUIGI_CONFIG_PATH="foreign.cfg").stdout == "done\nforeign.cfg\n"
