"""Hypothesis strategies for records: odd texts, odd names, odd numbers, odd shapes."""

from typing import Literal

import numpy as np
from hypothesis import strategies as st

from campanula.formats.records.features import Features
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names, is_name
from campanula.formats.records.texts import Texts

SURROGATES: tuple[Literal["Cs"]] = ("Cs",)
TEXT = st.text(st.characters(exclude_categories=SURROGATES), max_size=12)
# what a list of another tool can hold: no line ends, no blanks at the ends of a text or in a name
WORD = st.text(
    st.characters(exclude_categories=SURROGATES, exclude_characters=" \t\n\r"),
    min_size=1,
    max_size=6,
)
NAME = WORD.filter(is_name)
ODD_WORD = WORD | st.sampled_from(["a=b", "x:y", "%f", "%", "=", "a|||b", "\x1c", "\u2028", "\xa0"])
SENTENCE = st.lists(ODD_WORD, max_size=4).map(" ".join).filter(lambda text: "|||" not in text)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
VALUE = st.sampled_from([1.0, 1.0, 0.0, -0.5]) | NUMBER


@st.composite
def features_rows(
    draw: st.DrawFn, size: int, names: st.SearchStrategy[str] = WORD
) -> list[dict[str, float]]:
    """Maps of features, one a hypothesis: some names in all, some in a few, some of value 1."""
    dense = draw(st.lists(names, max_size=3, unique=True))
    others = draw(st.lists(names, max_size=4, unique=True))
    rows = []
    for _ in range(size):
        row = {name: draw(VALUE) for name in dense}
        for name in others:
            if draw(st.booleans()):
                row[name] = draw(VALUE)
        rows.append(row)
    return rows


@st.composite
def kbest_lists(
    draw: st.DrawFn,
    text: st.SearchStrategy[str] = TEXT,
    names: st.SearchStrategy[str] = WORD,
    max_lists: int = 3,
    columns: bool = True,
) -> list[KBest]:
    """K-best lists with ascending sids and one table of names."""
    table = Names()
    sids = sorted(draw(st.sets(st.integers(0, 1 << 40), max_size=max_lists)))
    scored, gained, aligned = (draw(st.booleans()) and columns for _ in range(3))
    return [draw(kbest_list(sid, table, text, names, scored, gained, aligned)) for sid in sids]


@st.composite
def kbest_list(
    draw: st.DrawFn,
    sid: int,
    table: Names,
    text: st.SearchStrategy[str],
    names: st.SearchStrategy[str],
    scored: bool,
    gained: bool,
    aligned: bool,
) -> KBest:
    """One k-best list; stats come with gains."""
    size = draw(st.integers(1, 4))
    rows = draw(features_rows(size, names))
    numbers = st.lists(NUMBER, min_size=size, max_size=size)
    gains = st.lists(NUMBER.map(lambda x: min(x, 1.0)), min_size=size, max_size=size)
    counts = st.lists(st.integers(0, 1 << 33), min_size=10 * size, max_size=10 * size)
    return KBest(
        sid,
        Texts.of(draw(st.lists(text, min_size=size, max_size=size))),
        Features.of(rows, table),
        table,
        score=np.array(draw(numbers)) if scored else None,
        stats=np.array(draw(counts), np.int64).reshape(size, 10) if gained else None,
        gain=np.array(draw(gains)) if gained else None,
        fields={"alignment": Texts.of(draw(st.lists(text, min_size=size, max_size=size)))}
        if aligned
        else {},
    )


@st.composite
def hopes(draw: st.DrawFn) -> list[Hope]:
    """Hopes with ascending sids."""
    sids = sorted(draw(st.sets(st.integers(0, 1 << 40), max_size=3)))
    with_ids = draw(st.booleans())
    records = []
    for sid in sids:
        size = draw(st.integers(1, 300))
        index = draw(st.lists(st.integers(0, size - 1), max_size=4, unique=True))
        share = st.integers(1, 9)
        shares = draw(st.lists(share, min_size=len(index), max_size=len(index)))
        weight = np.array(shares, np.float64) / max(sum(shares), 1)
        name = f"u-{sid}" if with_ids else None
        records.append(Hope(sid, size, np.array(index, np.int64), weight, name))
    return records
