"""Names for the kernels, and the kinds of templates."""

from __future__ import annotations

import numpy as np

from campanula.formats.feature_names.sparse import PREFIXES, TEMPLATES
from campanula.stages.decoding.sparse.name_parsing import (
    bytes_of,
    open_kinds,
    parsed_names,
    text_of,
)


def test_kinds_that_templates_open():
    assert [PREFIXES[kind] for kind in np.flatnonzero(open_kinds(["ngram", "block"]))] == [
        "block",
        "uni",
        "bigram",
        "trigram",
    ]
    assert not open_kinds([]).any()
    assert open_kinds(TEMPLATES).sum() == len(PREFIXES) - 1  # all but triggers


def test_texts_are_one():
    text, pointer = text_of(["ä", "", "bc"])
    assert bytes(text) == "äbc".encode()
    assert pointer.tolist() == [0, 2, 2, 4]
    assert text.flags.writeable
    assert not len(text_of([])[0])


def test_bytes_can_be_written():
    array = bytes_of(b"ab")
    array[0] = 99
    assert bytes(array) == b"cb"


def test_names_are_parsed_with_any_characters():
    parsed = parsed_names(*text_of(["uni_ä", "uni_\U0001f600", "uni_%E2%80%A8", "uni_ä~"]))
    assert (parsed.key >= 0).tolist() == [True, True, True, False]
    assert len(set(parsed.key.tolist())) == 4
