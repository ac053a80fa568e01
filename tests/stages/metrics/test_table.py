"""The table: names, headers, metrics of one's own, and what it loads."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.registry import UnknownName
from campanula.stages.metrics import table
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.gain_column import GainColumn
from campanula.stages.metrics.gain_function import MeanGain
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.table import METRICS, metric_named, metric_of


def test_names_and_settings() -> None:
    assert metric_named("bleu", n_refs=3) == Bleu(n_refs=3)
    assert list(METRICS) == [*table.metrics_of_texts(), "gain-column"]
    assert table.metrics_of_texts() == [
        "bleu",
        "wer",
        "cer",
        "ser",
        "ter",
        "chrf",
        "chrf++",
        "meteor",
    ]
    with pytest.raises(UnknownName, match="did you mean chrf"):
        metric_named("chfr")


@pytest.mark.parametrize(
    "metric",
    [
        Bleu(gain="he-deng", n_refs=4, lowercase=True, tokenize="13a"),
        Bleu(gain="floor", gain_settings=(0.25,)),
        GainColumn(n_refs=0, gain_settings=(0.0, 100.0)),
        metric_named("chrf++"),
    ],
)
def test_a_header_gives_its_metric_back(metric: Metric) -> None:
    assert metric_of(metric.header()) == metric


def test_a_header_is_plain_data() -> None:
    assert Bleu(gain="floor", gain_settings=(0.25,), lowercase=True).header() == {
        "name": "bleu",
        "gain": "floor",
        "gain_settings": [0.25],
        "n_refs": 1,
        "case": "lc",
        "tokenize": "none",
    }


def test_a_header_that_holds_no_metric_known_here() -> None:
    assert metric_of({**Bleu().header(), "name": "unheard-of"}) is None
    assert metric_of(None) is None


@pytest.mark.parametrize(
    "change",
    [
        {"n_refs": "four"},
        {"n_refs": None},
        {"n_refs": -1},
        {"n_refs": 10**18},
        {"gain_settings": 1.0},
        {"gain_settings": None},
        {"gain_settings": ["0.9"]},
        {"gain_settings": [float("nan")]},
        {"gain": "nonsense"},
        {"gain": 3},
        {"case": "upper"},
        {"tokenize": "no-such"},
    ],
)
def test_settings_that_a_metric_cannot_have_are_the_data_s_fault(
    change: dict[str, object],
) -> None:
    with pytest.raises(DataError, match=r"^dev: header: "):
        metric_of({**Bleu().header(), **change}, "dev")
    header = {key: value for key, value in Bleu().header().items() if key not in change}
    with pytest.raises(DataError, match=f"expected '{next(iter(change))}' of the metric"):
        metric_of(header, "dev")


def length(hypothesis: str, references: Sequence[str]) -> float:
    return 1.0 / len(hypothesis.split())


@dataclass(frozen=True)
class Brevity(MeanGain):
    def gain_of(self, hypothesis: str, references: Sequence[str]) -> float:
        return -float(len(hypothesis))


def test_rows_are_functions_metrics_or_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(METRICS, "_items", dict(METRICS._items))
    METRICS.add("length", length)
    METRICS.add("brevity", Brevity)
    METRICS.add("briefer", Brevity(lowercase=True))
    assert metric_named("length") == MeanGain("length", function=length)
    assert metric_named("brevity", n_refs=2) == Brevity("brevity", n_refs=2)
    assert metric_of(metric_named("briefer").header()) == Brevity("briefer", lowercase=True)
    with pytest.raises(ValueError, match="there is a metric bleu already"):
        METRICS.add("bleu", length)


def test_the_table_loads_neither_numba_nor_sacrebleu_nor_scipy() -> None:
    code = "import sys; import campanula.stages.metrics.table, campanula.stages.metrics.flags; "
    code += "print({'numba', 'sacrebleu', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"


def test_no_file_asks_for_the_name_of_a_metric() -> None:
    root = Path(__file__).parents[3] / "campanula"
    parts = [root / name for name in ("formats", "stages", "pipelines")]
    sources = [path for part in parts for path in python_files(part)]
    found = [
        f"{path}:{node.lineno}"
        for path in [*sources, *root.glob("*.py")]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.Compare, ast.Match))
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and part.value in list(METRICS)
    ]
    assert found == []
    assert len(sources) > 100


def python_files(folder: Path) -> Iterator[Path]:
    return folder.resolve().rglob("*.py")
