"""What pairs yield, against extraction by the definition."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import load_model
from campanula.stages.decoding.left_out.own_counts import OwnCounts
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.bitext import phrase_rows
from tests.naive import extraction as naive
from tests.training import Corpus, random_pairs


def test_counts_are_those_of_the_definition(tmp_path):
    for seed in range(5):
        corpus = Corpus(random_pairs(random.Random(seed), 12, 5), tmp_path / str(seed))
        model = corpus.model()
        store = OptionStore(model, np.zeros(15), 20)
        [batch] = corpus.text().batches(corpus.source, 64)
        nodes = store.nodes(batch.source)
        own, _ = OwnCounts(model, "table").count(batch, nodes)
        for n, (source, target, links) in enumerate(corpus.pairs):
            points = {(int(s), int(t)) for s, t in (x.split("-") for x in links.split())}
            found = naive.occurrences((source.split(), target.split(), points), 7)
            nodes_of = {
                tuple(source.split()[i : i + k + 1]): int(node)
                for (i, k), node in np.ndenumerate(nodes[n])
                if node
            }
            sources = Counter(nodes_of[o.source] for o in found)
            part = slice(own.node_start[n], own.node_start[n + 1])
            counted = zip(own.node[part].tolist(), own.node_count[part].tolist(), strict=True)
            assert {node: count for node, count in counted if count} == sources
            keys = {o.target: key_of(model, o.target) for o in found}
            targets = Counter(keys[o.target] for o in found)
            part = slice(own.key_start[n], own.key_start[n + 1])
            assert own.key[part].tolist() == sorted(targets)
            assert own.key_count[part].tolist() == [targets[key] for key in sorted(targets)]
            pairs = Counter((keys[o.target], nodes_of[o.source]) for o in found)
            assert pairs == {
                (int(own.key[t]), int(own.pair_node[p])): int(own.pair_count[p])
                for t in range(part.start, part.stop)
                for p in range(own.pair_start[t], own.pair_start[t + 1])
            }


def key_of(model, target):
    word = np.array([model.target.find(w.encode()) for w in target], np.int32)
    at, length = np.zeros(1, np.int32), np.array([len(word)], np.uint8)
    return int(phrase_rows.text_keys(word, at, length)[0])


def test_phrases_longer_than_the_extraction_has(tmp_path):
    (tmp_path / "table").write_text(f"a ||| {'u ' * 8}||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n")
    model = load_model(ModelFiles(str(tmp_path / "table")), str(tmp_path / "cache"))
    with pytest.raises(DataError, match="expected phrases of at most 7 words"):
        OwnCounts(model, "table")
