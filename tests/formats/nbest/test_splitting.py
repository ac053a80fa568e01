from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.splitting import split


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("0 ||| a ||| b", ["0", "a", "b"]),
        ("0||| a ||| b", ["0", "a", "b"]),
        ("0|||a|||b", ["0", "a", "b"]),
        ("0 |||a ||| b", ["0", "a", "b"]),
        (" 0 ||| a|||c ||| b ", ["0", "a|||c", "b"]),
        ("0 ||| ||| b |||", ["0", "", "b", ""]),
        ("0 ||| a || c ||| |||| d", ["0", "a || c", "|||| d"]),
        ("||| a ||| b", ["", "a", "b"]),
    ],
)
def test_bars_cut_a_line(line: str, fields: list[str]) -> None:
    assert split(line) == fields


@pytest.mark.parametrize("line", ["", "a", "0 ||| a", "a b ||| c ||| d", "||||"])
def test_a_line_with_too_few_bars(line: str) -> None:
    with pytest.raises(LineError, match="expected `id"):
        split(line)
