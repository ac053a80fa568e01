"""score-bleu end to end: statistics equal sacrebleu's, references must fit, any --jobs."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.stages import score_bleu
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.gain_column import GainColumn
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.table import metric_of
from tests.examples import MOSES, MULTI30K, write_kbest
from tests.present import present

LISTS = [
    ["the cat sat", "the cat", "", "The Cat sat on"],
    ["ein\u3000Hund läuft ."],
    ["\u4e2d\u6587 \u6587\u5b57", "\u4e2d\u6587\u6587\u5b57", "x\x1cy\xa0z"],
]
REFS = [
    ["the cat sat on the mat", "ein Hund läuft .", "\u4e2d\u6587 \u6587\u5b57"],
    ["a cat sat", "", "x y z"],
]


def records(lists: list[list[str]]) -> list[KBest]:
    names = Names(["f"])
    ids, kbests = np.zeros(1, np.int32), []
    for sid, texts in enumerate(lists):
        features = Features.of_dense(ids, np.arange(len(texts), dtype=np.float64)[None])
        kbests.append(KBest(sid, Texts.of(texts), features, names))
    return kbests


@pytest.fixture
def kbest(tmp_path: Path) -> str:
    return write_kbest(tmp_path / "dev.kbest", records(LISTS))


def write_refs(tmp_path: Path, refs: list[list[str]] = REFS) -> list[str]:
    flags = []
    for i, lines in enumerate(refs):
        path = tmp_path / f"ref{i}"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        flags += ["--ref", str(path)]
    return flags


def read(path: Path) -> tuple[list[KBest], Metric | None]:
    with Reader(str(path), KBest) as lists:
        return list(lists), metric_of(lists.metric)


@pytest.mark.parametrize("tokenize", ["none", "13a", "char"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_statistics_and_gains_equal_sacrebleus(
    kbest: str, tmp_path: Path, tokenize: str, lowercase: bool
) -> None:
    out, flags = tmp_path / "out", ["--lowercase"] if lowercase else []
    argv = [kbest, *write_refs(tmp_path), "-o", str(out), "--tokenize", tokenize, *flags, "-q"]
    assert score_bleu.main(argv) == 0
    scored, metric_read = read(out)
    bleu = BLEU(
        tokenize=tokenize,
        lowercase=lowercase,
        force=True,
        effective_order=True,
        smooth_method="add-k",
    )
    for sid, texts in enumerate(LISTS):
        refs = [lines[sid] for lines in REFS]
        stats = bleu._extract_corpus_statistics(texts, [[ref] * len(texts) for ref in refs])
        assert present(scored[sid].stats).tolist() == stats
        gain = [bleu.sentence_score(text, refs).score / 100.0 for text in texts]
        assert scored[sid].gain == pytest.approx(gain, rel=1e-12)
    assert metric_read == Bleu(n_refs=2, lowercase=lowercase, tokenize=tokenize)


@pytest.mark.parametrize("gain", ["none", "floor", "add-k", "exp"])
def test_smoothings_are_sacrebleus(kbest: str, tmp_path: Path, gain: str) -> None:
    out = tmp_path / "out"
    argv = [kbest, *write_refs(tmp_path), "-o", str(out), "--gain", gain, "-q"]
    assert score_bleu.main(argv) == 0
    bleu = BLEU(tokenize="none", force=True, effective_order=True, smooth_method=gain)
    for sid, texts in enumerate(LISTS):
        refs = [lines[sid] for lines in REFS]
        expected = [bleu.sentence_score(text, refs).score / 100.0 for text in texts]
        assert read(out)[0][sid].gain == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_all_else_is_kept_and_an_empty_hypothesis_has_gain_0(kbest: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert score_bleu.main([kbest, *write_refs(tmp_path), "-o", str(out), "-q"]) == 0
    for before, after in zip(records(LISTS), read(out)[0], strict=True):
        assert list(after.text) == list(before.text)
        assert after.features.dense.tolist() == before.features.dense.tolist()
    assert present(read(out)[0][0].gain)[2] == 0.0


def test_summary_is_sacrebleus_corpus_bleu(
    kbest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [kbest, *write_refs(tmp_path), "-o", str(tmp_path / "out")]
    assert score_bleu.main(argv) == 0
    bleu = BLEU(tokenize="none", force=True)
    score = bleu.corpus_score([texts[0] for texts in LISTS], REFS)
    line = score.format(signature=bleu.get_signature().format())
    said = capsys.readouterr().err
    assert said.startswith(f"score-bleu: 3 lists, 8 hypotheses; first: {line}; oracle: ")
    assert said.count("\n") == 1


def test_the_summary_goes_to_a_file(kbest: str, tmp_path: Path) -> None:
    flags = [*write_refs(tmp_path), "-q", "-o", str(tmp_path / "scored")]
    assert score_bleu.main([kbest, *flags, "--summary", str(tmp_path / "summary")]) == 0
    said = json.loads((tmp_path / "summary").read_text())
    lists, _ = read(tmp_path / "scored")
    assert (said["lists"], said["hypotheses"]) == (len(lists), sum(map(len, lists)))
    outputs = [texts[0] for texts in LISTS]
    assert said["first"] == BLEU(tokenize="none", force=True).corpus_score(outputs, REFS).score


@pytest.mark.parametrize("summary", ["", "nofolder/x", "/dev/full"])
def test_without_room_for_the_summary_there_are_no_lists(
    kbest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], summary: str
) -> None:
    flags = [*write_refs(tmp_path), "-q", "-o", str(tmp_path / "scored")]
    path = str(tmp_path / summary)
    assert score_bleu.main([kbest, *flags, "--summary", path]) == 1
    assert capsys.readouterr().err.startswith(f"score-bleu: {path}: cannot be written")
    assert not (tmp_path / "scored").exists()


@pytest.mark.parametrize("jobs", [2, 3])
def test_any_number_of_jobs_gives_the_same_bytes(kbest: str, tmp_path: Path, jobs: int) -> None:
    argv = [kbest, *write_refs(tmp_path), "-q", "-o"]
    assert score_bleu.main([*argv, str(tmp_path / "one")]) == 0
    assert score_bleu.main([*argv, str(tmp_path / "many"), "--jobs", str(jobs)]) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "many").read_bytes()


def test_a_dash_after_ref_is_the_input(
    kbest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref, out = write_refs(tmp_path, REFS[:1]), str(tmp_path / "out")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(kbest).read_bytes())))
    assert score_bleu.main([*ref, "-", "-o", out, "-q"]) == 0
    assert len(read(Path(out))[0]) == 3


@pytest.mark.parametrize(
    ("refs", "problem"),
    [
        ([["a", "b"]], "dev.kbest: sentence 2: expected a reference in"),
        ([["a", "b", "c", "d"]], "ref0: line 4: expected a k-best list of sentence 3 in"),
        ([["a", "b", "c"], ["a", "b"]], "ref1: expected 3 lines, as"),
        ([[]], "dev.kbest: sentence 0: expected a reference in"),
    ],
)
def test_references_that_do_not_fit(
    kbest: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    refs: list[list[str]],
    problem: str,
) -> None:
    out = tmp_path / "out"
    assert score_bleu.main([kbest, *write_refs(tmp_path, refs), "-o", str(out)]) == 1
    said = capsys.readouterr().err
    assert problem in said
    assert said.count("\n") == 1
    assert not out.exists()


def test_references_left_over_can_be_allowed(kbest: str, tmp_path: Path) -> None:
    refs, out = write_refs(tmp_path, [["a", "b", "c", "d"]]), str(tmp_path / "out")
    assert score_bleu.main([kbest, *refs, "-o", out, "-q", "--allow-missing"]) == 0


@pytest.mark.parametrize(
    "flags",
    [
        ["--smooth-value", "0.2"],
        ["--gain", "exp", "--smooth-value", "0.2"],
        ["--tokenize", "nonsense"],
        ["--ref", "-"],
        ["--ref", "-", "--ref", "-"],
    ],
)
def test_flags_that_do_not_fit(kbest: str, tmp_path: Path, flags: list[str]) -> None:
    source = "-" if flags == ["--ref", "-"] else kbest
    assert score_bleu.main([source, *write_refs(tmp_path, REFS[:1]), *flags]) == 2


@pytest.mark.parametrize("metric", ["wer", "ter", "chrf", "chrf++", "meteor"])
def test_other_metrics_are_summed_up_to_their_corpus_value(
    kbest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], metric: str
) -> None:
    out = tmp_path / "out"
    argv = [kbest, *write_refs(tmp_path), "--metric", metric, "-o", str(out), "--jobs", "2"]
    assert score_bleu.main(argv) == 0
    scored, found = read(out)
    assert found is not None
    line = found.report(sum(present(record.stats)[0] for record in scored)).line
    assert f"first: {line}; oracle: " in capsys.readouterr().err


def test_numbers_of_another_program(kbest: str, tmp_path: Path) -> None:
    (tmp_path / "numbers").write_text("".join(f"{10 * i}\n" for i in range(8)))
    argv = [kbest, "--metric", "gain-column", "--column", str(tmp_path / "numbers"), "-q"]
    out = tmp_path / "out"
    assert score_bleu.main([*argv, "--gain-range", "0", "100", "-o", str(out)]) == 0
    scored, metric_read = read(out)
    assert [gain for record in scored for gain in present(record.gain)] == pytest.approx(
        [i / 10 for i in range(8)]
    )
    assert metric_read == GainColumn(n_refs=0, gain_settings=(0.0, 100.0))
    assert score_bleu.main([*argv, "-o", str(tmp_path / "none")]) == 1
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(not MOSES.is_dir(), reason="the shared data is absent")
def test_real_lists_equal_sacrebleu(tmp_path: Path) -> None:
    lists: list[list[str]] = []
    with gzip.open(MOSES / "run1.best100.gz", "rt", encoding="utf-8") as file:
        for line in file:
            sid, text, *_ = line.split(" ||| ")
            if int(sid) == 60:
                break
            if int(sid) == len(lists):
                lists.append([])
            lists[-1].append(text)
    refs = (MULTI30K / "val.en").read_text(encoding="utf-8").split("\n")[:60]
    kbest, out = write_kbest(tmp_path / "dev.kbest", records(lists)), tmp_path / "out"
    assert score_bleu.main([kbest, *write_refs(tmp_path, [refs]), "-o", str(out), "-q"]) == 0
    bleu = BLEU(tokenize="none", force=True)
    for record in read(out)[0]:
        texts = lists[record.sid]
        expected = bleu._extract_corpus_statistics(texts, [[refs[record.sid]] * len(texts)])
        assert present(record.stats).tolist() == expected


def test_lists_and_summary_cannot_go_to_one_place(kbest: str, tmp_path: Path) -> None:
    out = str(tmp_path / "x")
    argv = [kbest, *write_refs(tmp_path)]
    assert score_bleu.main([*argv, "-o", out, "--summary", out]) == 2
    assert score_bleu.main([*argv, "--summary", "-"]) == 2
    assert not Path(out).exists()
