"""The commands of docs/tutorial.md run one after another, on a small text and in fewer rounds."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.pages import blocks, run_block, text_of

PAGE = text_of("tutorial")
BLOCKS = blocks(PAGE, "sh")
WORDS = {"le": "the", "chien": "dog", "un": "a", "homme": "man", "dort": "sleeps", "et": "and"}
EDITIONS = {"web": "man", "kjv": "fellow", "asv": "man", "bbe": "person"}


def write_text(folder: Path) -> None:
    """Files of the names that the page has, from sentences of six words in all orders."""
    lines = [" ".join(words) for words in itertools.permutations(WORDS, 4)]
    parts = {"train": lines[:300], "dev": lines[300:330], "test": lines[330:360]}
    folder.mkdir()
    for name, source in parts.items():
        target = [" ".join(WORDS[word] for word in line.split()) for line in source]
        texts = {f"{name}.fr": source}
        if name == "train":
            texts[f"{name}.en"] = target
        else:
            for edition, man in EDITIONS.items():
                texts[f"{name}.en.{edition}"] = [line.replace("man", man) for line in target]
        for file, rows in texts.items():
            (folder / file).write_text("".join(f"{row}\n" for row in rows))


@pytest.mark.slow
def test_the_tutorial_runs(tmp_path: Path) -> None:
    write_text(tmp_path / "text")
    shorter = {"--iterations 5": "--iterations 1", "--replicates 3": "--replicates 2"}
    printed = []
    for block in BLOCKS:
        for given, less in shorter.items():
            block = block.replace(given, less)
        printed.append(run_block(block, tmp_path))
    compared, beside = printed[-2:]
    assert [table.partition("|")[0] for table in compared.split("\n\n")] == ["BLEU", "chrF2", "TER"]
    assert "run.mert" in beside
    for page in ("run/report.html", "report.html"):
        assert "<h2>Systems</h2>" in (tmp_path / page).read_text()


def test_all_settings_that_are_made_smaller_are_there() -> None:
    assert all(setting in PAGE for setting in ("--iterations 5", "--replicates 3"))
