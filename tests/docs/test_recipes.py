"""The commands of docs/recipes.md run, on small lists; the rest leads to other pages."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.test_reranking import write_set
from tests.pages import blocks, run_block, text_of

PAGE = text_of("recipes")
RECIPES = ("NMT", "Speech", "LLM lists", "Moses", "cdec")


def test_there_is_a_recipe_for_each() -> None:
    headings = re.findall(r"^## (.*)$", PAGE, re.M)
    assert headings[: len(RECIPES)] == list(RECIPES)


def test_lists_of_a_neural_system(tmp_path: Path) -> None:
    for seed, name in enumerate(("dev", "test")):
        write_set(tmp_path, name, seed)
    (block,) = blocks(PAGE, "sh")
    printed = run_block(block, tmp_path)
    assert [table.partition("|")[0] for table in printed.split("\n\n")] == ["BLEU", "chrF2"]
