"""The commands of docs/inventories.md run one after another, on small lists made here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.weights import Weights
from tests.examples import random_lists, write_kbest
from tests.pages import all_blocks, run_block, text_of

BLOCKS = all_blocks(text_of("inventories"))
NAMES = ["LM0", "WordPenalty0", "count_7", *(f"pair_{i}" for i in range(6))]


def test_the_blocks_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_kbest("train.kbest", random_lists(3, n_lists=20)[0])
    write_kbest("more.kbest", random_lists(4, n_lists=5)[0])
    Weights(dict.fromkeys(NAMES, 0.1)).write("w0")
    shown, *_ = [run_block(block, tmp_path) for language, block in BLOCKS if language == "sh"]
    assert json.loads(shown.splitlines()[0]) == {"id": 0, "name": "LM0", "count": 20}
    assert len(Path("more.out").read_text().splitlines()) == 5
    for language, block in BLOCKS:
        if language == "python":
            exec(block, {})
    assert capsys.readouterr().out == "9 LM0 [25 25 17]\n[ 0 -1]\n"


def test_every_block_is_run() -> None:
    assert {language for language, _ in BLOCKS} == {"sh", "python"}
