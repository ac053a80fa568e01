"""The decoder that flags ask for."""

from __future__ import annotations

import pytest

from campanula.stages import decode
from campanula.stages.command import UsageError
from campanula.stages.decoding.setup_flags import setup_of_flags


def parsed(*flags: str):
    """A setup, of a model whose table need not be there."""
    return setup_of_flags(decode.parser().parse_args(["--phrase-table", "t", *flags]))


def test_lists_have_500_hypotheses_and_texts_need_one(tmp_path) -> None:
    weights = tmp_path / "w"
    weights.write_text("LM0 0.5\n")
    given = ("--weights", str(weights))
    assert parsed(*given).search.k == 500
    assert parsed(*given, "--text").search.k == 1
    assert parsed(*given, "--text", "-k", "7").search.k == 7
    assert parsed(*given, "--allow-missing", "--features", "block").templates == ("block",)


def test_weights_must_come_from_somewhere() -> None:
    with pytest.raises(UsageError, match="expected --weights, or --moses-ini"):
        parsed()
