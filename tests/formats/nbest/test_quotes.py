from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.quotes import Quotes, cells, unquoted


@pytest.mark.parametrize(
    ("cell", "plain"),
    [
        ('"a"', "a"),
        ('"He said ""hi"""', 'He said "hi"'),
        ('""', ""),
        ("a", "a"),
        ('"a', '"a'),
        ('"a" b "c"', '"a" b "c"'),
    ],
)
def test_quotes_around_a_cell(cell: str, plain: str) -> None:
    assert unquoted(cell) == plain


def test_a_tab_in_quotes_ends_no_cell() -> None:
    assert cells('0\t"a\tb"', 2) == ['"0"', '"a\tb"']
    assert cells('0\t"a\tb', 2) == ["0", '"a', "b"]
    assert cells("0\ta\tb", 2) == ["0", "a", "b"]


def seen(*texts: str, header: bool = False) -> bool:
    quotes = Quotes()
    for text in texts:
        quotes.see(text)
    return quotes.are_of_csv(header)


@pytest.mark.parametrize(
    ("texts", "of_csv"),
    [
        (["a", '"b ""c"""'], True),
        (['"a"', '"b"'], True),
        (["a", 'b "c"'], False),
        (['"a"', 'b " c', "d"], False),
        (["a", ""], False),
        ([], False),
    ],
)
def test_all_texts_together_show_whose_the_quotes_are(texts: list[str], of_csv: bool) -> None:
    assert seen(*texts) == of_csv


def test_names_in_quotes_say_it_of_the_texts() -> None:
    assert seen('"a"', "b", header=True)
    with pytest.raises(LineError, match="expected texts in quotes, those inside doubled"):
        seen('a "b', header=True)


def test_what_shows_both_or_nothing_is_refused() -> None:
    with pytest.raises(LineError, match="expected texts in quotes, those inside doubled"):
        seen('"a ""b"""', 'a "b"')
    with pytest.raises(LineError, match="expected quotes around all texts or none"):
        seen('"a"', "b")
