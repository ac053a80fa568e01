from __future__ import annotations

from campanula.formats.weight_files import FORMATS
from campanula.formats.weight_files.format import WeightFormat


def test_a_format_is_read_and_may_be_written() -> None:
    assert WeightFormat(FORMATS["mert"].read).write is None
    assert {name for name, form in FORMATS.items() if form.write is None} == {"mert"}
