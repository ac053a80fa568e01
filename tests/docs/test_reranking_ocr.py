"""docs/reranking-ocr.md: its commands are those of the script, run, and do what the page says."""

from __future__ import annotations

import importlib.util
import itertools
import json
import shutil
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.pages import ROOT, blocks, run_block, text_of

OCR = ROOT / "examples" / "ocr"
PAGE = text_of("reranking-ocr")
BLOCKS = blocks(PAGE, "sh")
SCRIPT = [block for block in BLOCKS if "search.py" not in block]
SEARCH = [block for block in BLOCKS if "search.py" in block]


def module(name: str) -> ModuleType:
    """A script of the example, imported from its file."""
    spec = importlib.util.spec_from_file_location(f"ocr_{name}", OCR / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def commands(text: str) -> list[str]:
    """Lines of shell without what says where files are."""
    place = ("ocr=", "#", "set ", "mkdir ", "cd ")
    return [line for line in text.splitlines() if line and not line.startswith(place)]


def test_the_script_has_the_commands_of_the_page() -> None:
    assert commands((OCR / "run.sh").read_text()) == commands("".join(SCRIPT))


def test_a_third_of_the_errors_goes(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    table = run_block("bash examples/ocr/run.sh .", tmp_path)
    _, _, first, tuned = (line.split() for line in table.splitlines())
    assert float(first[2]) == 14.40
    assert float(tuned[2]) < 0.7 * float(first[2])
    assert float(tuned[-1]) < 0.01
    (search,) = SEARCH
    _, _, again, grid = run_block(f"ocr=examples/ocr\n{search}", tmp_path).splitlines()[:4]
    assert again.split() == tuned[:5]
    assert float(grid.split()[2]) < 0.8 * float(first[2])


def test_lists_and_references_have_the_same_ids_and_no_verse_of_the_models() -> None:
    import gzip

    other = set(gzip.decompress((OCR / "lm.text.gz").read_bytes()).decode().splitlines())
    ids = []
    for name in ("tune", "test"):
        lists = gzip.decompress((OCR / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
        references = [r.partition(" ") for r in (OCR / f"{name}.ref").read_text().splitlines()]
        assert [json.loads(line)["id"] for line in lists] == [id for id, _, _ in references]
        assert other.isdisjoint(text for _, _, text in references)
        ids += [id for id, _, _ in references]
    assert len(set(ids)) == 300


@pytest.mark.parametrize("seed", range(5))
def test_the_beam_sums_over_all_paths_of_a_text(seed: int) -> None:
    characters = ["", "a", "b", " "]
    steps = np.random.default_rng(seed).dirichlet(np.ones(4), size=5)
    total: dict[str, float] = defaultdict(float)
    for path in itertools.product(range(4), repeat=5):
        letters = [characters[k] for k, _ in itertools.groupby(path)]
        total["".join(letters)] += float(np.prod([steps[t, k] for t, k in enumerate(path)]))
    found = module("prefix_beam").prefix_beam(steps, characters, width=10**6)
    assert found == pytest.approx(dict(total))
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_words_are_unknown_whatever_their_case_and_punctuation() -> None:
    describe = module("describe")
    assert describe.words("The LORD's house, (and) 3 men.") == [
        "the",
        "lord's",
        "house",
        "and",
        "men",
    ]
    assert describe.letters("a cat.") == "a _ c a t ."


def test_a_search_counts_the_errors_of_what_the_weights_choose() -> None:
    def hypothesis(errors: int, **features: float) -> dict[str, object]:
        return {"text": "", "features": features, "stats": [errors, 9]}

    lists = [
        {"hyps": [hypothesis(3, CTC=-1, LM=-9), hypothesis(1, CTC=-2, LM=-1)]},
        {"hyps": [hypothesis(5, CTC=-1, LM=-3), hypothesis(2, CTC=-4, LM=-1)]},
    ]
    read = module("search").Lists([json.dumps(line) for line in lists])
    assert read.names == ["CTC", "LM"]
    assert [read.word_errors(np.array([1, w])) for w in (0, 1, 2)] == [8, 6, 3]
