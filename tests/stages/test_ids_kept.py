"""Ids of sentences go through all commands that make lists of lists."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from campanula.cli import main as campanula

IDS = ["spk2-utt7", "spk1-utt1", "spk3-ütt"]
COMMANDS = {
    "add-feature": "add-feature length --name Words {lists} -o {out}",
    "add-feature column": "add-feature column --file {column} --name Column {lists} -o {out}",
    "score-bleu": "score-bleu --metric wer --ref {text} {lists} -o {out}",
    "merge-kbest": "merge-kbest {lists} {lists} -o {out}",
    "prune-kbest": "prune-kbest {lists} -k 1 -o {out}",
    "rerank --kbest": "rerank --kbest {lists} --weights {weights} -o {out}",
    "oracle-search": "oracle-search {lists} --n 2 -o {out}",
    "impute-hope": "impute-hope {lists} --weights {weights} -o {out}",
    "drop-features": "drop-features {lists} -o {out}",
    "index-features": "index-features {lists} --inventory {names} --shards 2 -o {out}",
    "select-violating": "select-violating {lists} --truth {lists} --weights {weights} -o {out}",
}


def run(line: str) -> None:
    assert campanula(shlex.split(line)) == 0


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, str]:
    rows = [f"{name}\t{text}\t{len(text)}" for name in IDS for text in ("hello word", "good day")]
    (tmp_path / "table").write_text("".join(f"{row}\n" for row in ["id\ttext\tAM", *rows]))
    (tmp_path / "text").write_text("".join(f"{name} hello world\n" for name in sorted(IDS)))
    (tmp_path / "weights").write_text("AM 1\n")
    places = [f"{name}\t{j}\t{j}.5\n" for name in sorted(IDS) for j in (1, 0)]
    (tmp_path / "column").write_text("".join(places))
    names = ("table", "text", "weights", "column", "lists", "names", "out", "again", "bars")
    known = {name: str(tmp_path / name) for name in names}
    run("import-nbest -q {table} -o {out}".format(**known))
    run("score-bleu -q --metric wer --ref {text} {out} -o {lists}".format(**known))
    return known


def shown(path: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    capsys.readouterr()
    run(f"show {path}")
    return [json.loads(line) for line in capsys.readouterr().out.split("\n")[:-1]]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_keeps_them(
    paths: dict[str, str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(f"{COMMANDS[name]} -q".format(**{**paths, "out": paths["again"]}))
    found = shown(paths["again"], capsys)
    assert [(record["sid"], record["id"]) for record in found] == list(enumerate(IDS))
    if name == "add-feature column":
        hyps = [record["hyps"] for record in found]
        assert all(h[1]["features"]["Column"] == 1.5 for h in hyps)  # type: ignore[index]


@pytest.mark.parametrize("form", ["moses", "cdec", "jsonl"])
def test_they_come_back_from_other_tools_formats(
    paths: dict[str, str], form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run("export-nbest -q {lists} --format {form} -o {bars}".format(form=form, **paths))
    run("import-nbest -q {bars} -o {again}".format(**paths))
    found, expected = (shown(paths[name], capsys) for name in ("again", "lists"))
    if form == "jsonl":
        assert found == expected
    assert [(record["sid"], record["id"]) for record in found] == list(enumerate(IDS))


def test_references_that_lack_an_id(
    paths: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text(f"{IDS[0]} a\n{IDS[1]} b\n")
    line = "score-bleu --metric wer --ref {text} {lists} -o {again}".format(**paths)
    assert campanula(shlex.split(line)) == 1
    assert f"expected a line of {IDS[2]!r}, which " in capsys.readouterr().err
    assert not (tmp_path / "again").exists()
