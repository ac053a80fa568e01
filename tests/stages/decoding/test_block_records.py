"""Records of block sequences; whole searches are in test_block_oracles."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.model.model import load_model
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.formats.text.words import split_byte_words
from campanula.stages.decoding.block_records import BlockRecords
from campanula.stages.decoding.source_sentences import SourceSentence
from campanula.stages.kernels.graph.paths import Paths
from campanula.stages.kernels.records import END, OPTION, START
from tests.naive import decoder as naive
from tests.small_models import random_model, write_model


def records_of(folder, model, ref):
    compiled = load_model(write_model(model, folder), str(folder / "cache"))
    return BlockRecords(compiled, References(Texts.of([ref]), ("ref",)), model.features_on)


def test_sequences_come_highest_gain_first_with_their_fields(tmp_path):
    """Source words \u00e4 and \u00fc have no blocks, so they are copied."""
    model = random_model(random.Random(2), 2, True)
    records = records_of(tmp_path, model, "\u00e4 \u00fc")
    [(first, count)] = records.options.spans([split_byte_words("\u00e4 \u00fc".encode())])
    assert count.sum() == 2
    link = np.zeros((2, 5), np.int32)
    link[:, OPTION], link[:, START], link[:, END] = first[:, 0], [0, 1], [1, 2]
    paths = Paths(np.array([0, 2, 4]), np.array([1, 0, 0, 1]))
    sentence = SourceSentence(0, first, count)
    record = records.record(records.sequences(sentence, paths, link))
    assert list(record.text) == ["\u00e4 \u00fc", "\u00fc \u00e4"]
    assert record.gain.tolist()[0] == 1.0 > record.gain[1]
    assert list(record.fields["orientation"]) == ["R R", "N L"]
    rows = list(record.features.rows(record.names))
    assert [row["Distortion0"] for row in rows] == [0.0, -3.0]
    for row, words in zip(rows, (("\u00e4", "\u00fc"), ("\u00fc", "\u00e4")), strict=True):
        assert row["LM0"] == pytest.approx(naive.text_log(model, words), abs=1e-5)
    bag = records.record(records.bag(sentence, link))
    [row] = bag.features.rows(bag.names)
    assert (row["UnknownWordPenalty0"], row["LM0"], row["Distortion0"]) == (0.0, 0.0, 0.0)
    assert list(bag.fields["orientation"]) == [""]


@pytest.mark.parametrize("order", [0, 2])
def test_nothing_but_the_end_is_in_an_empty_sequence(tmp_path, order):
    model = random_model(random.Random(3), order, False)
    records = records_of(tmp_path, model, "")
    record = records.record(records.empty(SourceSentence(0, *np.zeros((2, 0, 1), np.int32))))
    assert (record.sid, list(record.text), record.gain.tolist()) == (0, [""], [0.0])
    [row] = record.features.rows(record.names)
    expected = {"LM0": naive.text_log(model, ())} if order else {}
    assert {name: v for name, v in row.items() if v} == pytest.approx(expected, abs=1e-5)
