"""A model within a bound of memory has the bytes of one in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.arpa.writer import by_template
from campanula.formats.errors import DataError
from campanula.formats.text.corpus import Numbering
from campanula.stages.estimating import scratch_text
from campanula.stages.estimating.model import EstimatedModel, EstimateSettings, bounded, in_memory
from tests.stages.kernels.lm.test_kneser_ney import sample


def text_of(model: EstimatedModel) -> str:
    return b"".join(by_template(model.words, part) for part in model.parts).decode()


@pytest.mark.parametrize("thresholds", [(0, 0, 0), (0, 0, 1), (1, 2, 2), (0, 0, 500)])
@pytest.mark.parametrize(("seed", "n_sentences"), [(0, 1), (1, 40), (2, 300)])
@pytest.mark.parametrize("memory", [1, 100_000, 1 << 30])
def test_the_same_bytes(
    tmp_path: Path, thresholds: tuple[int, ...], seed: int, n_sentences: int, memory: int
) -> None:
    lines = [" ".join(words) for words in sample(seed, n_sentences)]
    for order in (1, 2, 3, 5):
        padded = (*thresholds, thresholds[-1], thresholds[-1])[:order]
        settings = EstimateSettings(order, (0.5, 1.0, 1.5), padded)
        expected = in_memory(Numbering(lines), "text", settings)
        found = bounded(Numbering(lines), "text", settings, str(tmp_path), memory)
        assert text_of(found) == text_of(expected)
        for field in ("sizes", "fell_back", "longest", "n_sentences"):
            assert getattr(found, field) == getattr(expected, field)


@pytest.mark.parametrize("lines", [[], ["a <unk>"]])
def test_faults_are_the_same(tmp_path: Path, lines: list[str]) -> None:
    settings = EstimateSettings(2, (0.5, 1.0, 1.5), (0, 0))
    with pytest.raises(DataError) as expected:
        in_memory(Numbering(lines), "text", settings)
    with pytest.raises(DataError) as found:
        bounded(Numbering(lines), "text", settings, str(tmp_path), 1)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize("memory", [1, 1 << 30])
def test_a_text_whose_lengths_are_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: int
) -> None:
    lines = [" ".join(words) for words in sample(3, 20)]
    settings = EstimateSettings(3, (0.5, 1.0, 1.5), (0, 0, 0))
    expected = text_of(in_memory(Numbering(lines), "text", settings))
    monkeypatch.setattr(scratch_text, "LENGTHS", 7)
    found = bounded(Numbering(lines), "text", settings, str(tmp_path), memory)
    assert text_of(found) == expected
