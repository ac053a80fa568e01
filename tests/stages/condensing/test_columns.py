"""Columns of templates."""

import pytest

from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.command import UsageError
from campanula.stages.condensing.columns import LOCAL, LearnedColumn, columns_of


def test_a_template_is_a_column_and_an_orientation_a_table() -> None:
    columns = columns_of(["word-pair", "block-orientation", "block"], [])
    assert [str(column) for column in columns.every] == ["word-pair", "block", "block-orientation"]
    assert str(columns.oriented) == "block-orientation"
    assert columns.templates == ("block", "word-pair", "block-orientation")


def test_templates_together_are_one_column_where_the_first_is() -> None:
    columns = columns_of(["block", "trigram", "word-pair", "bigram"], ["a,b", "bigram,trigram"])
    assert [str(column) for column in columns.local] == ["block+word-pair", "bigram+trigram"]


def test_kinds_of_a_column() -> None:
    kinds = LearnedColumn(("block", "target-triplet")).kinds()
    assert [prefix for prefix, on in zip(PREFIXES, kinds, strict=True) if on] == ["block", "ttri"]
    kinds = LearnedColumn(("block-orientation",)).kinds()
    assert [prefix for prefix, on in zip(PREFIXES, kinds, strict=True) if on] == ["back", "forw"]


@pytest.mark.parametrize("name", ["ngram", "boundary", "orientation", "jump", "trigger"])
def test_what_looks_beyond_a_block_is_no_column(name: str) -> None:
    with pytest.raises(UsageError, match=f"found '{name}'"):
        columns_of([*LOCAL, name], [])
