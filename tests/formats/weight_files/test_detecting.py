from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.weight_files.detecting import detect
from tests.weight_file import weights_of


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ('{"LM0": 1}', "json"),
        ("[weight]", "moses"),
        ("[weight_vals]", "travatar"),
        ("LM0= 1", "moses"),
        ("LM0 1", "plain"),
        ("a=b 1", "plain"),
        ("a=1 b=2", "travatar"),
        ("a=1", "travatar"),
        ("1 2 3", "mert"),
        ("Best point: 1 2 => 3", "mert"),
        ("lm_0 ||| 1.0 Opt", "joshua"),
        ("weights-file = w", "joshua"),
        ("feature-function = OOVPenalty", "joshua"),
        ("output-format = %i ||| %s", "joshua"),
        ("lm=0.5", "travatar"),
        ("[weight-d]", "moses"),
        ("[feature]", None),
        ("what is this", None),
    ],
)
def test_the_content_shows_the_format(line: str, form: str | None) -> None:
    assert detect([line]) == form


def test_nothing_is_no_weights() -> None:
    assert detect([]) == "plain"


def test_anything_else_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="weights: expected weights in one of the formats plain,"):
        weights_of(tmp_path, "what is this\n")


@pytest.mark.parametrize("form", ["auto", "plain", "moses", "cdec", "joshua", "travatar", "mert"])
def test_a_file_without_any_weight_is_refused(tmp_path: Path, form: str) -> None:
    for text in ("", "# nothing\n", "\n\n"):
        with pytest.raises(DataError, match=r"expected weights in the format .*found none"):
            weights_of(tmp_path, text, form)


def test_a_config_without_any_weight_is_refused(tmp_path: Path) -> None:
    for text in ("[weight]\n[feature]\nKENLM name=LM0\n", "[weight_vals]\n", "{}", "lm = a\n"):
        with pytest.raises(DataError, match=r"expected weights in the format .*found none"):
            weights_of(tmp_path, text)
