"""The blocks of docs/outside-models.md run, with a model of whole sentences made up here."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path

import pytest

from campanula.formats.collections.opening import open_lists
from campanula.formats.files import read_lines
from campanula.formats.moses.phrase_table import read_phrase_table
from campanula.formats.records.kbest import KBest
from campanula.formats.weights import Weights
from tests.pages import blocks, run_block, text_of
from tests.pipelines import tiny

BLOCKS = blocks(text_of("outside-models"), "sh")
PROGRAM = f"""#!{sys.executable}
import sys
for line in sys.stdin:
    print(-len(line.split()) - 2.5 * line.count("the"))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the page names, and the program on the path."""
    tiny.write(tmp_path)
    table = tiny.BLOCKS.encode()
    (tmp_path / "phrase-table.gz").write_bytes(gzip.compress(table))
    numbers = range(len(tiny.BLOCKS.splitlines()))
    (tmp_path / "block.numbers").write_text("".join(f"{-n / 2}\n" for n in numbers))
    (tmp_path / "dev.en").write_bytes((tmp_path / "dev.en0").read_bytes())
    (tmp_path / "model").mkdir()
    files = {"phrase-table": "../phrase-table", "lm": "../lm.arpa"}
    (tmp_path / "model" / "model.json").write_text(json.dumps(files))
    program = tmp_path / "bin" / "sentence-model"
    program.parent.mkdir()
    program.write_text(PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_a_column_of_the_phrase_table(folder: Path) -> None:
    run_block(BLOCKS[0], folder)
    found = read_phrase_table(str(folder / "phrase-table.more.gz"))
    plain = read_phrase_table(str(folder / "phrase-table.gz"))
    assert (found.score[:, :4] == plain.score).all()
    assert found.score[:, 4] == pytest.approx([-n / 2 for n in range(len(plain.score))], abs=1e-5)


def test_a_column_of_lists_is_a_feature_in_training_and_in_the_loop(folder: Path) -> None:
    for block in BLOCKS[1:]:
        run_block(block, folder)
    with open_lists(str(folder / "dev.kbest"), KBest) as lists:
        for kbest in lists:
            number = kbest.features.dense_id.tolist().index(kbest.names.id("Rnn"))
            expected = [-len(text.split()) - 2.5 * text.count("the") for text in kbest.text]
            assert kbest.features.dense[number].tolist() == expected
    before, after = (Weights.read(str(folder / name)) for name in ("w1", "w2"))
    moved = {name for name in before if before[name] != after[name]}
    assert moved == {f"TranslationModel0_{k}" for k in range(4)}
    tuned = Weights.read(str(folder / "run" / "weights"))
    assert set(tuned) == set(before)  # a weight without a feature in the lists would end the run
    history = list(read_lines(str(folder / "run" / "history.jsonl")))
    assert json.loads(history[-1])["tuned"]["dev"] >= json.loads(history[0])["dev"]
