"""Texts cut into files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.text.parts import TextLines
from campanula.pipelines.expected_bleu.splitting import SplitText, names, sizes
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, task_of


def test_as_many_lines_in_each() -> None:
    assert sizes(10, 4) == (2, 3, 2, 3)
    assert sizes(3, 8) == (1, 1, 1)
    for n in range(1, 30):
        assert sum(sizes(n, 7)) == n
        assert max(sizes(n, 7)) - min(sizes(n, 7)) <= 1


def test_names_sort_by_letters_as_by_numbers() -> None:
    assert list(names(2)) == ["part.0", "part.1"]
    assert sorted(names(11)) == list(names(11))


@pytest.mark.parametrize("n", [1, 3])
def test_texts_in_parts_are_the_texts(tmp_path: Path, n: int) -> None:
    lines = {"a": ["x", "", "y z", "ü\u2028v"], "b": ["1", "2", "3", "4"]}
    for name, text in lines.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in text))
    with Cache(os.fspath(tmp_path / "cache")) as cache:
        leaves = tuple(Leaf.of(cache, os.fspath(tmp_path / name)) for name in lines)
        task = task_of(cache, SplitText(leaves, sizes(4, n)))
        cache.build([task])
        for made, text in zip(task.call.made(), lines.values(), strict=True):
            found = TextLines(made)
            assert list(found) == text
            assert found.first == [0, 1, 2][:n]
        other = task_of(cache, SplitText(leaves, sizes(4, n + 1)))
        assert other.digest != task.digest
