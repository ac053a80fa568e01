"""Parallel text whose files must fit."""

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.alignments import read_alignments
from campanula.formats.text.corpus import read_corpus
from campanula.stages.aligned_text import refuse_unfit

PATHS = ("s", "t", "a")


def check(source, target, links):
    texts = (read_corpus(lines, "x") for lines in (source, target))
    refuse_unfit(PATHS, *texts, read_alignments(links, "a"))


def test_files_that_fit():
    check(["a b", ""], ["u", "v"], ["1-0 0-0", ""])
    check([], [], [])


@pytest.mark.parametrize(
    ("target", "links", "problem"),
    [
        (["u"], ["", ""], "t: expected 2 lines as in s, found 1"),
        (["u", "v"], [""], "a: expected 2 lines as in s, found 1"),
        (["u", "v"], ["", "0-1"], "a: line 2: expected links between 1 and 1 words, found 0-1"),
        (["u", "v"], ["2-0", ""], "a: line 1: expected links between 2 and 1 words, found 2-0"),
    ],
)
def test_files_that_do_not_fit(target, links, problem):
    with pytest.raises(DataError, match=f"^{problem}$"):
        check(["a b", "c"], target, links)
