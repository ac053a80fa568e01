"""A sample of fuzzed inputs, and that the harness sees what it is there to see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.fuzzing import kinds, running, streams, wire, workers
from tests.fuzzing.case import Case, Loss, expect, seeded

SAMPLE = 1000


def test_a_sample_ends_well_or_is_refused_in_one_line() -> None:
    report = workers.run(20, range(SAMPLE), jobs=2)
    assert [(f.number, f.case.kind, f.fault) for f in report.failures] == []
    assert report.done == SAMPLE
    assert len(report.kinds) > 25
    # a harness that damages all beyond recognition tries nothing
    assert 0.15 < report.accepted / report.done < 0.85


def test_a_case_is_the_same_whatever_came_before() -> None:
    one = [vars(kinds.case_of(5, number)) for number in (7, 8)]
    other = [vars(kinds.case_of(5, number)) for number in (8, 7)]
    for case in (*one, *other):
        case.pop("check")
    assert one == other[::-1]


def test_a_stream_taken_apart_and_put_together_is_sound(tmp_path: Path) -> None:
    case = sound()
    assert wire.dumps(wire.loads(case.files["k"])) == case.files["k"]
    assert workers.run_case(case, tmp_path) is None


@pytest.mark.parametrize(
    ("stand_in", "fault"),
    [
        ("raise KeyError('x')", "traceback: KeyError"),
        ("raise running.TooSlow", "hang"),
        ("raise MemoryError", "memory"),
        ("return 0", "output: status 0 and none"),
        ("return 1", "message: expected one line, found ''"),
        ("open('out', 'w').close(); return 1", "output: status 1 and an output"),
        ("open('out', 'w').close(); return 0", "loss: records"),
        ("print('x'); return 0", "stdout"),
        ("import warnings; warnings.warn('x'); return 0", "traceback: UserWarning"),
    ],
)
def test_the_harness_sees_each_fault(
    stand_in: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope: dict = {"running": running}
    exec(f"def main(argv):\n {stand_in}", scope)
    monkeypatch.setattr(running, "_main", lambda name, words: scope["main"](words))

    def check(folder: Path) -> None:
        expect((folder / "out").read_bytes()[:1], b"\x83", "records")

    found = workers.run_case(replace(sound(), check=check), tmp_path)
    assert found is not None
    assert found.startswith(fault)
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def dying(case: Case, folder: Path, seconds: float = 0.0) -> str | None:
        if case.command == "die":
            raise SystemExit(9)
        return None

    def case_of(seed: int, number: int) -> Case:
        return Case("x", {}, "die" if number == 3 else "live", [])

    monkeypatch.setattr(workers, "run_case", dying)
    monkeypatch.setattr(workers, "case_of", case_of)
    monkeypatch.setattr(workers, "BATCH", 1)
    monkeypatch.setattr(workers, "WARM", 0)
    report = workers.run(1, range(6), jobs=1)
    assert [(f.number, f.fault) for f in report.failures] == [
        (3, "crash: the process ended with 9")
    ]
    assert report.done == 6


def test_a_list_without_one_hypothesis_is_a_loss(tmp_path: Path) -> None:
    """The readings beside the program's are what silent loss is measured by."""
    messages = streams.kbest(seeded(3, 1), False)
    (tmp_path / "k").write_bytes(wire.dumps(messages))
    (tmp_path / "out").write_bytes(wire.dumps(messages[:-1]))
    with pytest.raises(Loss, match="hypotheses"):
        streams.CHECKS["score-bleu"](tmp_path)


def sound() -> Case:
    """A case without a fault."""
    files = {"k": wire.dumps(streams.kbest(seeded(1, 1), False))}
    return Case("stream", files, "merge-kbest", ["-q", "k"], streams.CHECKS["merge-kbest"])
