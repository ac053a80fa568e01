"""Parallel text whose files must fit."""

import argparse

import pytest

from campanula.formats.errors import DataError
from campanula.formats.moses.tables_writer import SEPARATOR
from campanula.formats.text.alignments import read_alignments
from campanula.formats.text.corpus import read_corpus
from campanula.stages.bitext.parallel_text import (
    ParallelPaths,
    add_aligned_text_flags,
    paths_of_flags,
    read_parallel_text,
    read_text,
    refuse_unfit,
)

PATHS = ParallelPaths("s", "t", "a")


def check(source: list[str], target: list[str], links: list[str]) -> None:
    corpora = (read_corpus(source, "x"), read_corpus(target, "x"))
    refuse_unfit(PATHS, *corpora, read_alignments(links, "a"))


def test_files_that_fit():
    check(["a b", ""], ["u", "v"], ["1-0 0-0", ""])
    check([], [], [])


@pytest.mark.parametrize(
    ("target", "links", "problem"),
    [
        (["u"], ["", ""], "t: expected 2 lines as in s, found 1"),
        (["u", "v"], [""], "a: expected 2 lines as in s, found 1"),
        (["u", "v"], ["", "0-1"], "a: line 2: expected links i-j with i < 1 and j < 1, found 0-1"),
        (["u", "v"], ["2-0", ""], "a: line 1: expected links i-j with i < 2 and j < 1, found 2-0"),
    ],
)
def test_files_that_do_not_fit(target, links, problem):
    with pytest.raises(DataError, match=f"^{problem}$"):
        check(["a b", "c"], target, links)


def watch(lines, label):
    LABELS.append(label)
    return lines


LABELS: list[str] = []


@pytest.fixture
def files(tmp_path):
    for name, text in (("s", "a b\n\n"), ("t", "u\nv |||\n"), ("a", "1-0 0-0\n\n")):
        (tmp_path / name).write_text(text)
    return ParallelPaths(*(str(tmp_path / name) for name in "sta"))


def test_three_files_are_read(files):
    LABELS.clear()
    text = read_parallel_text(files, watch)
    assert text.source.words == ["a", "b"]
    assert len(text.target) == 2
    assert text.links.source.tolist() == [0, 1]
    assert LABELS == ["reading", "reading", "reading links"]


def test_the_separator_of_tables_is_no_part_of_a_word(files, tmp_path):
    with pytest.raises(DataError, match=r"t: line 2: .* found the reserved '\|\|\|'"):
        read_parallel_text(files, watch, [SEPARATOR], [SEPARATOR])
    text = read_parallel_text(files, watch, [SEPARATOR])
    assert SEPARATOR in text.source.words
    (tmp_path / "s").write_text("a\nb|||c\n")
    with pytest.raises(DataError, match=r"s: line 2: .* found the reserved 'b\|\|\|c'"):
        read_text(files.source, watch, [SEPARATOR])
    assert read_text(files.source, watch, ["<s>"]).words == ["<s>", "a", "b|||c"]


def test_the_flags_name_three_files():
    p = argparse.ArgumentParser()
    add_aligned_text_flags(p)
    assert paths_of_flags(p.parse_args(["s", "-", "a"])) == ("s", "-", "a")
