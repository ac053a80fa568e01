"""Links of sentence pairs in a model's numbers."""

from __future__ import annotations

import numpy as np

from campanula.stages.decoding.left_out.own_links import OwnWords
from tests.training import Corpus


def test_links_and_words_without_any(tmp_path):
    model = Corpus([("a b", "u v", "0-0 1-1")], tmp_path / "model").model()
    corpus = Corpus(
        [("b a a", "v v u", "1-2 0-1"), ("", "", ""), ("new a", "u old", "0-0 0-1")], tmp_path
    )
    [batch] = corpus.text().batches(corpus.source, 9)
    pattern_start, pattern = np.array([0, 1]), np.array([1])
    links = OwnWords(model).links_of(batch, pattern_start, pattern)
    a, b = (model.source.find(word) for word in (b"a", b"b"))
    u, v = (model.target.find(word) for word in (b"u", b"v"))
    assert links.start.tolist() == [0, 2, 2, 4]
    assert links.source.tolist() == [b, a, 2, 2]  # words that the model lacks come last
    assert links.target.tolist() == [v, u, u, 2]
    assert links.source_start.tolist() == [0, 1, 1, 2]
    assert links.source_alone.tolist() == [a, a]
    assert links.target_start.tolist() == [0, 1, 1, 1]
    assert links.target_alone.tolist() == [v]
    assert links.pattern_start is pattern_start
    assert links.pattern is pattern
