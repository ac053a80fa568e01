"""Parts of the page about the runs: weights and what they decide, time, and how they were made."""

from __future__ import annotations

import os
import re

from campanula.formats.weights import Weights
from campanula.pipelines import evidence
from campanula.pipelines.reporting import making
from campanula.pipelines.reporting.lists import seen
from tests.pipelines.reporting.runs import folder, run
from tests.pipelines.reporting.test_scores import cells


def test_weights_are_those_of_the_run() -> None:
    place = folder() / "rampion"
    shown = making.weights(run("rampion"), seen(os.fspath(place), []))
    rows = {row[0]: row[1:] for row in cells(shown)}
    first, last = (Weights.read(os.fspath(path)) for path in (folder() / "w0", place / "weights"))
    assert set(rows) == set(first)
    for name, (before, after, decides) in rows.items():
        assert before == f"{first[name]:.6g}"
        assert after == f"{last[name]:.6g}"
        assert int(decides) <= 4
    theta = evidence.read_theta(os.fspath(place / "theta.jsonl"))
    far = {n: max(abs(t[n] - theta[0][n]) for t in theta) for n in first}
    assert [far[name] for name in rows] == sorted(far.values(), reverse=True)


def test_those_of_the_best_replicate() -> None:
    rows = {row[0]: row[2] for row in cells(making.weights(run("mert"), None))}
    kept = Weights.read(os.fspath(folder() / "mert" / "weights"))
    assert rows == {name: f"{kept[name]:.6g}" for name in rows}


def test_time_adds_up() -> None:
    one = run("mert")
    rows = cells(making.time([one]))
    total = sum(sum(e.seconds.values()) for history in one.histories() for e in history)
    assert abs(sum(float(row[2]) for row in rows) - total) <= 0.05 * len(rows) + 1e-9


def test_how_has_command_digests_and_signature() -> None:
    one = run("rampion")
    assert one.record is not None
    shown = making.how([one])
    assert "<code>tune rampion --source" in shown
    for found in {*one.record.inputs.values(), *(one.record.results or {}).values()}:
        assert f"<td>{found}</td>" in shown
    assert re.search(r"signature of weights</td><td>campanula:", shown)
