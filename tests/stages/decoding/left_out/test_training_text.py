"""Training text in step with its source: batches, files that do not fit."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
import xxhash

from campanula.formats.errors import DataError
from campanula.formats.model.model import load_model
from campanula.stages.decoding.left_out.training_text import TrainingText, counts_entry
from tests.small_models import random_model, write_model
from tests.training import Corpus

PAIRS = [("a b", "u", "1-0"), ("", "v", ""), ("c", "w\u00a0x y", "0-0 0-1")]


def test_batches(tmp_path):
    corpus = Corpus(PAIRS, tmp_path)
    corpus.text().refuse_unequal()
    first, second = corpus.text().batches(corpus.source, 2)
    assert (first.first, second.first) == (0, 2)
    assert first.source == [[b"a", b"b"], []]
    assert second.target == [["w\u00a0x".encode(), b"y"]]
    assert second.alignments.target.tolist() == [0, 1]
    one = first.pair(1)
    assert (one.first, one.source, one.target) == (1, [[]], [[b"v"]])
    assert one.alignments.start.tolist() == [0, 0]
    assert first.pair(0).alignments.source.tolist() == [1]


@pytest.mark.parametrize(
    ("which", "text", "problem"),
    [
        (1, "u\nv\n", "target: expected 3 lines as in"),
        (1, "u\nv\nw x\ny\n", "found 4"),
        (2, "1-0\n", "links: expected 3 lines as in"),
        (0, "a b\n\nc\nd\n", "target: expected 4 lines as in"),
        (2, "1-0\n\n1-0\n", "links: line 3: expected links i-j with i < 1 and j < 2, found 1-0"),
        (2, "1-0\n\n0:0\n", "links: line 3: expected links such as 0-1, found '0:0'"),
    ],
)
def test_files_that_do_not_fit(tmp_path, which, text, problem):
    corpus = Corpus(PAIRS, tmp_path)
    with open(corpus.paths[which], "w", encoding="utf-8") as file:
        file.write(text)
    with open(corpus.paths[0], encoding="utf-8") as file, pytest.raises(DataError) as caught:
        list(corpus.text().batches((line.rstrip("\n") for line in file), 2))
    assert problem in str(caught.value)
    if "lines" in problem:
        with pytest.raises(DataError, match=r"expected \d lines"):
            corpus.text().refuse_unequal()


def test_a_source_from_a_pipe_is_compared_at_its_end(tmp_path):
    corpus = Corpus(PAIRS, tmp_path)
    text = TrainingText("-", *corpus.paths[1:])
    text.refuse_unequal()
    with pytest.raises(DataError, match="target: expected 2 lines as in stdin, found 3"):
        list(text.batches(corpus.source[:2], 64))


def test_counts_are_kept_by_layout_model_and_the_bytes_of_each_side(tmp_path):
    files = write_model(random_model(random.Random(1), 0, False), tmp_path)
    compiled = load_model(files, str(tmp_path / "models"))
    model, other = replace(compiled, digest="m"), replace(compiled, digest="n")
    for name, text in (("one", "a\n"), ("two", "b\n"), ("ab", "a\nb\n"), ("none", "")):
        (tmp_path / name).write_text(text)
    one, two, both, none = (str(tmp_path / name) for name in ("one", "two", "ab", "none"))
    cache = str(tmp_path / "cache")
    entry = counts_entry("links", 1, model, [one, two], cache)
    digests = [xxhash.xxh3_128(text).digest() for text in (b"a\n", b"b\n")]
    joined = b"|".join([b"campanula links 1 m" + digests[0], digests[1], b""])
    assert entry == os.path.join(cache, f"links-{xxhash.xxh3_128_hexdigest(joined)}")
    others = [
        counts_entry("links", 2, model, [one, two], cache),
        counts_entry("links", 1, model, [both, none], cache),
        counts_entry("links", 1, model, [two, one], cache),
        counts_entry("links", 1, other, [one, two], cache),
        counts_entry("links", 1, model, [one], cache),
    ]
    assert len({entry, *others}) == 6
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="pipe: is read several times"):
        counts_entry("ngrams", 1, model, [str(tmp_path / "pipe")], cache)
