"""Every target that the page of experiments names has its commands, and is of the Makefile."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from campanula.pipelines import tune
from tests.pages import ROOT

README = (ROOT / "experiments/README.md").read_text()
TARGETS = re.findall(r"^\| `([a-z0-9-]+)` \|.*\| (\d+) \|$", README, re.M)

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def make(*words: str) -> str:
    """What make says of targets and variables."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    argv = ["make", "-C", str(ROOT / "experiments"), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=True, env=own).stdout


@pytest.mark.parametrize(("target", "runs"), TARGETS)
def test_a_target_runs_tune(target: str, runs: str, tmp_path: Path) -> None:
    settings = [f"DATA={tmp_path}", f"WORK={tmp_path / 'work'}", f"BIN={tmp_path}"]
    joined = make("-n", target, *settings).replace("\\\n", " ")
    found = [line.split() for line in joined.split("\n") if line.startswith("tune ")]
    assert len(found) == int(runs)
    for words in found:
        tune.parser().parse_args(words[1:])


def test_the_environment_is_set_up_unless_one_is_named(tmp_path: Path) -> None:
    stamp = ROOT / ".venv/demo.stamp"
    text = f"{tmp_path}/bible/%/done: {tmp_path}/bible/%/text.how |"
    assert f"{text} {stamp}\n" in make("-pn", "help", f"WORK={tmp_path}")
    assert f"{text} {stamp}\n" not in make("-pn", "help", f"WORK={tmp_path}", f"BIN={tmp_path}")


def test_all_makes_every_table_of_the_papers(tmp_path: Path) -> None:
    joined = make("-n", "all", f"WORK={tmp_path}", f"BIN={tmp_path}")
    made = set(re.findall(r"--output \S+/([a-z0-9-]+) > ", joined))
    others = {"relevant-set-steps", "relevant-set-corpus", "relevant-set-eightfold"}
    assert made == {name for name, _ in TARGETS} - others


def test_a_changed_setting_makes_again_what_depends_on_it(tmp_path: Path) -> None:
    for name in ("train.de", "train.en", "val.de", "val.en", "t.de", "t.en"):
        (tmp_path / name).write_text("a\n")
    words = [f"DATA={tmp_path}", f"WORK={tmp_path}/work", "TESTS=t", f"BIN={tmp_path}"]
    work = tmp_path / "work"
    target = next(
        word for word in make("-n", "rampion-table1", *words).split() if word.endswith("/text.how")
    )
    make(target, *words)
    first = Path(target).stat().st_mtime_ns
    make(target, *words)
    assert Path(target).stat().st_mtime_ns == first
    make(target, *words, "TRAIN_LINES=5")
    assert Path(target).stat().st_mtime_ns > first
    assert work in Path(target).parents


def test_commands_of_a_run_have_one_thread_where_two_run_at_a_time(tmp_path: Path) -> None:
    words = ["-n", "rampion-table1", f"WORK={tmp_path}", f"BIN={tmp_path}", "PAIRS=es"]
    threads = r"^tune .* --jobs (\d)"
    assert set(re.findall(threads, make(*words), re.M)) == {"2"}
    assert set(re.findall(threads, make("-j2", *words), re.M)) == {"1"}
    assert set(re.findall(threads, make("FAST=1", *words), re.M)) == {"1"}


def test_the_command_of_a_result_is_one_of_the_makefile() -> None:
    text = "".join(path.read_text() for path in (ROOT / "experiments").glob("*.mk"))
    named = {name for name, _ in TARGETS}
    for path in (ROOT / "experiments/results").glob("*.json"):
        words = shlex.split(json.loads(path.read_text())["made"]["command"])
        if words[0] == "python":
            assert (ROOT / f"{words[2].replace('.', '/')}.py").exists(), path
            continue
        assert words[:3] == ["make", "-C", "experiments"], path
        settings = [word for word in words[3:] if "=" in word]
        assert {word for word in words[3:] if word not in settings} <= named, path
        assert all(f"$({word.split('=')[0]})" in text for word in settings), path


@pytest.mark.parametrize("table", ["relevant-set-table7", "expected-bleu-table2"])
def test_methods_of_a_table_have_the_same_search(table: str, tmp_path: Path) -> None:
    joined = make("-n", table, f"WORK={tmp_path}", f"BIN={tmp_path}").replace("\\\n", " ")
    runs = [line for line in joined.split("\n") if line.startswith("tune ")]
    found = [re.search(r"--beam \d+ --stack \d+", line) for line in runs]
    assert len({one and one[0] for one in found}) == 1
    assert all(found)


def test_every_table_says_how_far_it_is(tmp_path: Path) -> None:
    words = [f"WORK={tmp_path}", f"BIN={tmp_path}"]
    for name in re.findall(r"--output \S+/([a-z0-9-]+) > ", make("-n", "all", *words)):
        assert f"python -m experiments {name} " in make("-n", f"{name}-so-far", *words)


def test_peers_want_a_folder(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        make("peers", f"WORK={tmp_path}")
    assert "MOSES=FOLDER" in refused.value.stderr
    printed = make("-n", "peers", f"WORK={tmp_path}", "MOSES=/opt/moses")
    assert "CAMPANULA_MOSES='/opt/moses'" in printed
    assert "benchmarks.bench_peers" in printed
