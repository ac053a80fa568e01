"""Lines from columns by the kernel, against Python's way, which joins texts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.nbest.pages import FeatureRows, LabelBytes, Page, Part, page_of
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.nbest import typesetting
from tests.strategies import NUMBER

WORD = st.text("ab |é\u4e2d", max_size=40)


def labels_of(names: Names) -> LabelBytes:
    texts = Texts.of(f"{name}= " for name in names)
    return LabelBytes(np.frombuffer(texts.blob, np.uint8), texts.pointer)


@st.composite
def pages(draw: st.DrawFn) -> Page:
    """Pages of a few lines with any parts, some of them twice."""
    size = draw(st.integers(1, 4))
    parts: list[Part] = []
    for kind in draw(st.lists(st.sampled_from("ctnr"), max_size=6)):
        if kind == "c":
            parts.append(draw(WORD).encode())
        elif kind == "t":
            parts.append(Texts.of(draw(st.lists(WORD, min_size=size, max_size=size))))
        elif kind == "n":
            parts.append(np.array(draw(st.lists(NUMBER, min_size=size, max_size=size))))
        elif not any(isinstance(part, FeatureRows) for part in parts):
            names = Names()
            row = st.dictionaries(st.sampled_from(["a", "bb", "tgt_the"]), NUMBER | st.just(1.0))
            features = Features.of(draw(st.lists(row, min_size=size, max_size=size)), names)
            parts.append(FeatureRows(features, labels_of(names), draw(st.booleans())))
    return page_of(size, [*parts, b"\n"])


@given(pages())
def test_the_bytes_are_those_of_python(page: Page) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typesetting, "SMALL", 0)
        assert bytes(typesetting.by_kernels(page)) == typesetting.by_lines(page)


def test_a_long_page_repeats_its_numbers() -> None:
    rng = np.random.default_rng(3)
    size = 3000
    values = rng.normal(size=200)[rng.integers(0, 200, size)]
    other = rng.normal(size=size)
    texts = Texts.of("x" * n for n in range(size))
    none = np.zeros(size + 1, np.int64)
    sparse = Features(
        np.zeros(0, np.int32),
        np.zeros((0, size)),
        pointer_of(np.arange(size) % 3),
        np.zeros(size, np.int32),
        other,
        none,
        np.zeros(0, np.int32),
    )
    rows = FeatureRows(sparse, labels_of(Names(["one"])), behind=True)
    page = page_of(size, [b"0 ||| ", texts, values, b" ", other, rows, b"\n"])
    assert bytes(typesetting.by_kernels(page)) == typesetting.by_lines(page)
