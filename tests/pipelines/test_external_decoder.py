"""Another program in the loop: it is tuned as ours is, and no half-written list of it is used."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.nbest import FORMATS
from campanula.formats.weights import Weights
from campanula.pipelines import from_flags, tune
from campanula.pipelines.external_decoder import weight_overwrite
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf
from tests.pipelines import pool_decoder
from tests.plain import json_lines

RUN = f"{sys.executable} {pool_decoder.SELF}"
MOSES = (
    "moses -f {} -weight-overwrite {{weight-overwrite}} -n-best-list {{nbest}} {{k}} < {{source}}"
)
CDEC = "cdec -c {} -w {{weights}} -k {{k}} < {{source}}"


def moses(folder: Path) -> list[str]:
    line = f"{RUN} {MOSES.format(folder / 'pool.ini')}"
    return ["--decode-command", line, "--decode-format", "moses"]


def cdec(folder: Path) -> list[str]:
    line = f"{RUN} {CDEC.format(folder / 'pool.ini')}"
    return ["--decode-command", line, "--decode-format", "cdec", "--weights-format", "cdec"]


def history(work: Path) -> list[dict[str, Any]]:
    return json_lines(work / "history.jsonl")


def test_moses_and_cdec_end_in_the_same_bytes_and_better(tmp_path: Path) -> None:
    data, found = pool_decoder.write(tmp_path), []
    for name, decoder in (("moses", moses(tmp_path)), ("cdec", cdec(tmp_path))):
        work = tmp_path / name
        flags = ["mert", *data, "--trust", "0", *decoder, "-q", "--work-dir", os.fspath(work)]
        assert tune.main(flags) == 0
        found.append((work / "weights").read_bytes())
        lines = history(work)
        assert lines[-1]["tuned"]["dev"] > lines[0]["dev"] + 5
        kept = {path.suffix for path in (work / "cache").iterdir()}
        assert {".kbest", ".stderr"} <= kept
        assert not kept & {".nbest", ".tmp"}
    assert found[0] == found[1]


def test_a_second_run_runs_nothing(tmp_path: Path) -> None:
    data = pool_decoder.write(tmp_path)
    work = tmp_path / "work"
    flags = ["mira", *data, *moses(tmp_path), "-q", "--work-dir", os.fspath(work)]
    assert tune.main(flags) == 0
    weights = (work / "weights").read_bytes()
    (tmp_path / "pool").unlink()
    assert tune.main(flags) == 0
    assert (work / "weights").read_bytes() == weights


def test_sparse_weights(tmp_path: Path) -> None:
    data = pool_decoder.write(tmp_path)
    with open(tmp_path / "w0", "a", encoding="utf-8") as w0:
        w0.write("tgt_cat 0.1\n")
    flags = moses(tmp_path)
    flags[1] += " -weight-file {sparse-weights}"
    work = tmp_path / "work"
    flags = ["pro", *data, *flags, "--iterations", "2", "-q", "--work-dir", os.fspath(work)]
    assert tune.main(flags) == 2  # {sparse-weights} are Moses's
    assert tune.main([*flags, "--weights-format", "moses"]) == 0
    assert "tgt_cat" in Weights.read(os.fspath(work / "weights"))


def test_a_shell(tmp_path: Path) -> None:
    data = pool_decoder.write(tmp_path)
    line = f"cat {{source}} | {RUN} cdec -c {tmp_path / 'pool.ini'} -w {{weights}} -k {{k}}"
    line += " | sort -s -t ' ' -k 1n > {nbest}"
    flags = ["mert", *data, "--decode-command", line, "--iterations", "2", "-q"]
    flags += ["--work-dir", os.fspath(tmp_path / "work")]
    assert tune.main(flags) == 2
    assert tune.main([*flags, "--shell"]) == 0


FAULTS = {
    "status": ("import sys; sys.exit('no model')", 1, ["exit status 1", "it said: no model"]),
    "nothing": ("pass", 1, ["import-nbest"]),
    "missing": ("print('0 ||| a ||| LM0= 1 ||| 1')", 1, ["sentence 1", "found none"]),
    "more": (
        "[print(i, '||| a ||| LM0= 1 ||| 1') for i in range(26)]",
        1,
        ["sentence 25", "expected 25 sentences"],
    ),
    "broken": ("print('0 ||| a ||| LM0= x ||| 1')", 1, ["import-nbest", "line 1"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_and_nothing_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    code, status, words = FAULTS[fault]
    data, work = pool_decoder.write(tmp_path), tmp_path / "work"
    line = f'{sys.executable} -c "{code}" {{source}} {{weights}}'
    flags = ["mert", *data, "--decode-command", line, "--decode-format", "moses"]
    assert tune.main([*flags, "--work-dir", os.fspath(work)]) == status
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    for word in words:
        assert word in err
    assert list((work / "cache").glob("*.kbest")) == []
    assert not (work / "weights").exists()
    assert len(list((work / "cache").glob("decode-command-*.stderr"))) == 1


def test_a_list_that_is_never_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = pool_decoder.write(tmp_path)
    flags = ["mert", *data, "--decode-command", "true {source} {nbest}"]
    assert tune.main([*flags, "--work-dir", os.fspath(tmp_path / "work")]) == 1
    assert "has written no {nbest}" in capsys.readouterr().err


def test_flags_of_our_decoder_do_not_go_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["mert", *pool_decoder.write(tmp_path), *moses(tmp_path), "--beam", "5"]
    assert tune.main([*flags, "--work-dir", os.fspath(tmp_path / "work")]) == 2
    assert "--beam" in capsys.readouterr().err


def test_a_format_that_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["mert", *pool_decoder.write(tmp_path), *moses(tmp_path), "--decode-format", "mosis"]
    assert tune.main([*flags, "--work-dir", os.fspath(tmp_path / "work")]) == 2
    assert "--decode-format mosis" in capsys.readouterr().err


def test_what_counts(tmp_path: Path) -> None:
    pool_decoder.write(tmp_path)
    source, weights = Leaf("s", "1"), Leaf("w", "2")

    def path(timeout: str = "0", k: int = 8, form: str = "moses") -> str:
        line = moses(tmp_path)[1]
        flags = ["--decode-command", line, "--decode-format", form, "--decode-timeout", timeout]
        usual = ["--source", "s", "--ref", "r", "--work-dir", "d"]
        args = tune.parser().parse_args(["mert", *usual, *flags])
        decoder = from_flags.decoder_of(args)
        return decoder.kbest(Cache(os.fspath(tmp_path)), source, weights, k).path

    assert path() == path(timeout="9")
    assert len({path(), path(k=1), path(form="auto")}) == 3
    before = path()
    (tmp_path / "pool.ini").write_text("pool=other\n")
    assert path() != before


def test_the_code_of_a_format_of_ones_own_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool_decoder.write(tmp_path)
    monkeypatch.setattr(FORMATS, "_items", dict(FORMATS._items))
    code = tmp_path / "mine.py"
    code.write_text("def read(lines):\n    return ()\n")
    monkeypatch.syspath_prepend(tmp_path)
    FORMATS.add("mine", importlib.import_module("mine"))
    usual = ["--source", "s", "--ref", "r", "--work-dir", "d"]
    flags = ["mert", *usual, *moses(tmp_path)[:2], "--decode-format", "mine"]
    decoder = from_flags.decoder_of(tune.parser().parse_args(flags))

    def path() -> str:
        return decoder.kbest(Cache(os.fspath(tmp_path)), Leaf("s", "1"), Leaf("w", "2"), 8).path

    before = path()
    assert path() == before
    code.write_text("def read(lines):\n    return iter(())\n")
    assert path() != before


def test_weight_overwrite_is_the_dense_weights_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("[weight]\nLM0= 0.5\nTM0= 0.2 1e-05\n[weight-file]\n/a b\n")
    assert weight_overwrite(os.fspath(tmp_path / "w")) == "LM0= 0.5 TM0= 0.2 1e-05"
