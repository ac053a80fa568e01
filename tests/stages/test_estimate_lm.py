"""estimate-lm end to end: sums to one, equals KenLM's model of the same text, refuses bad input."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from campanula.stages import estimate_lm
from campanula.stages.kernels.lm.kneser_ney import FALLBACK
from tests.examples import MOSES, MULTI30K
from tests.naive import arpa_model

TEXT = [
    "the cat sat on the mat .",
    "the dog sat on the cat .",
    "a dog saw the cat on a mat",
    "",
    "the dog ran",
    "a cat ran on the mat .",
    "\u3000 the\u00a0dog ran .",
]


def write(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def text(tmp_path: Path) -> str:
    return write(tmp_path / "train", TEXT)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("prune", ["0", "1", "2"])
def test_sums_to_one_over_every_context(tmp_path: Path, text: str, order: int, prune: str) -> None:
    path = tmp_path / "lm.arpa"
    argv = [text, "--order", str(order), "--prune", prune, "-q", "-o", str(path)]
    assert estimate_lm.main(argv) == 0
    model = arpa_model.read(path)
    words = [gram[0] for gram in model if len(gram) == 1 and gram != ("<s>",)]
    assert "<unk>" in words
    assert "</s>" in words
    contexts = {gram for gram in model if len(gram) < order and gram[-1] != "</s>"} | {()}
    # contexts that were never seen back off
    contexts |= {("<unk>",), ("mat", "dog"), ("cat", "<unk>")}
    for context in contexts:
        total = sum(10 ** arpa_model.log10_prob(model, context, word) for word in words)
        assert total == pytest.approx(1.0, abs=1e-6), context


def test_gzip_pipe_and_a_second_run_give_the_same_bytes(
    tmp_path: Path,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    for name in ("a.gz", "b.gz"):
        assert estimate_lm.main([text, "-q", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    stdin = io.BytesIO(Path(text).read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(stdin)))
    assert estimate_lm.main(["-", "-q"]) == 0
    assert capsysbinary.readouterr().out == gzip.decompress((tmp_path / "a.gz").read_bytes())


def test_the_summary_says_what_fell_back(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert estimate_lm.main([text, "--order", "12", "-o", "/dev/null"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("estimate-lm: 7 sentences, n-grams by order: 15 ")
    assert "fallback used" in line
    assert line.endswith("no sentence is long enough for more than order 10")


def test_the_fallback_is_a_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = write(tmp_path / "one", ["a"])
    assert estimate_lm.main([text, "--discount-fallback", "1", "1", "1", "-q"]) == 0
    assert "\t<s> a\t" in capsys.readouterr().out
    assert estimate_lm.main([text, "--discount-fallback", "1.5", "1", "1"]) == 2
    assert "expected D1 above 0 and at most 1, found 1.5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["0", "2", "1"], "--prune: expected numbers that do not fall, found 0 2 1"),
        (["0", "0", "0", "1"], "--prune: expected at most 3 numbers, as --order says, found 4"),
    ],
)
def test_thresholds_at_fault(
    text: str, capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    assert estimate_lm.main([text, "--order", "3", "--prune", *flags]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("flags", [[], ["--prune", "0", "1"], ["--order", "1"]])
def test_any_memory_gives_the_same_bytes(tmp_path: Path, text: str, flags: list[str]) -> None:
    for name, memory in (("a", []), ("b", ["--memory", "1"]), ("c", ["--memory", "1G"])):
        assert estimate_lm.main([text, *flags, *memory, "-q", "-o", str(tmp_path / name)]) == 0
    written = {(tmp_path / name).read_bytes() for name in "abc"}
    assert len(written) == 1


def test_pruned_words_are_in_no_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lm.arpa"
    argv = [text, "--order", "3", "--prune", "1", "-o", str(path)]
    assert estimate_lm.main(argv) == 0
    model = arpa_model.read(path)
    assert ("saw",) not in model
    assert ("the", "dog") in model
    assert len({gram for gram in model if len(gram) == 3}) > 0
    assert {word for gram in model for word in gram} <= {g[0] for g in model if len(g) == 1}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "expected at least one sentence, found none"),
        (["a b", "c <s> d"], "line 2: expected words of text, found the reserved '<s>'"),
        (["<unk>"], "line 1: expected words of text, found the reserved '<unk>'"),
    ],
)
def test_bad_text_is_one_line_and_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str], message: str
) -> None:
    text, out = write(tmp_path / "train", lines), tmp_path / "lm.arpa"
    assert estimate_lm.main([text, "-o", str(out)]) == 1
    assert capsys.readouterr().err == f"estimate-lm: {text}: {message}\n"
    assert not out.exists()


@pytest.mark.skipif(not MOSES.is_dir(), reason="the shared data is not here")
def test_equals_the_model_that_kenlm_made_of_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "lm.arpa.gz"
    assert estimate_lm.main([str(MULTI30K / "train.en"), "-q", "-o", str(path)]) == 0
    ours, theirs = arpa_model.read(path), arpa_model.read(MOSES / "lm.arpa.gz")
    assert ours.keys() == theirs.keys()
    assert max(abs(ours[gram][0] - theirs[gram][0]) for gram in ours) < 1e-5
    assert max(abs(ours[gram][1] - theirs[gram][1]) for gram in ours) < 1e-5
    val = [line.split(" ") for line in (MULTI30K / "val.en").read_text().splitlines()]
    expected = arpa_model.perplexity(theirs, 5, val)
    assert arpa_model.perplexity(ours, 5, val) == pytest.approx(expected, rel=1e-5)


def test_a_model_over_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same model as of the text with classes in the places of words."""
    text = write(tmp_path / "text", ["the cat  sat", "a\tcat ran", ""])
    classes = write(tmp_path / "classes", ["the\t1", "a\t1", "cat\t2", "sat\t3", "ran\t3"])
    mapped = write(tmp_path / "mapped", ["1 2 3", "1 2 3", ""])
    for name, argv in (("a", [text, "--classes", classes]), ("b", [mapped])):
        assert estimate_lm.main([*argv, "--order", "3", "-q", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    lacking = write(tmp_path / "lacking", ["the\t1", "a\t1", "cat\t2", "sat\t3"])
    out = str(tmp_path / "out")
    assert estimate_lm.main([text, "--classes", lacking, "-o", out]) == 1
    message = f"line 2: expected words that have a class in {lacking}, found 'ran'"
    assert capsys.readouterr().err == f"estimate-lm: {text}: {message}\n"
    assert not (tmp_path / "out").exists()
    assert estimate_lm.main(["-", "--classes", "-"]) == 2


def test_the_fallback_is_what_leave_one_out_takes() -> None:
    assert tuple(estimate_lm.parser().parse_args(["text"]).discount_fallback) == FALLBACK
