"""The demo's report: BLEU is sacrebleu's, examples are of what has changed, the times add up."""

from __future__ import annotations

import os
from pathlib import Path

import sacrebleu

from campanula.pipelines.demo import report as demo_report
from campanula.pipelines.demo.report import DemoData, DemoOutcome

SOURCE = [f"phrase {i}" for i in range(9)]
REFS = [[f"the sentence {i} of all" for i in range(9)], [f"sentence {i} of them" for i in range(9)]]
UNTUNED = [f"a sentence {i} of them" for i in range(9)]
TUNED = [text.replace("a ", "the ", 1) if i % 2 else text for i, text in enumerate(UNTUNED)]


def part(folder: Path, name: str = "test", source: list[str] | None = None) -> DemoData:
    texts = {"fr": source or SOURCE, "web": REFS[0], "kjv": REFS[1], "out": UNTUNED, "new": TUNED}
    path = {key: os.fspath(folder / f"{name}.{key}") for key in texts}
    for key, lines in texts.items():
        Path(path[key]).write_text("".join(f"{line}\n" for line in lines))
    return DemoData(name, path["fr"], (path["web"], path["kjv"]), path["out"], path["new"])


def test_bleu_is_sacrebleus(tmp_path: Path) -> None:
    head, untuned, tuned, _, signature = demo_report.bleu_table([part(tmp_path)])
    assert head.split() == ["BLEU", "test", "(9)"]
    for line, output in ((untuned, UNTUNED), (tuned, TUNED)):
        bleu = sacrebleu.corpus_bleu(output, REFS, tokenize="none", force=True)
        assert line.split()[1] == f"{bleu.score:.2f}"
    assert signature.startswith("nrefs:2|case:mixed|eff:no|tok:none|smooth:exp|version:")


def test_examples_are_of_sentences_that_have_changed(tmp_path: Path) -> None:
    lines = list(demo_report.examples(part(tmp_path)))
    blocks = [lines[i : i + 5] for i in range(0, len(lines), 5)]
    assert [block[0] for block in blocks] == [f"source    phrase {i}" for i in (1, 5, 7)]
    for source, untuned, tuned, reference, end in blocks:
        i = int(source[-1])
        assert (untuned, tuned) == (f"untuned   {UNTUNED[i]}", f"tuned     {TUNED[i]}")
        assert (reference, end) == (f"reference {REFS[0][i]}", "")


def test_examples_are_short_and_may_be_fewer(tmp_path: Path) -> None:
    long = [text if i == 3 else text + " word" * 30 for i, text in enumerate(SOURCE)]
    assert len(list(demo_report.examples(part(tmp_path, source=long)))) == 5
    same = part(tmp_path)
    Path(same.tuned).write_text(Path(same.untuned).read_text())
    assert list(demo_report.examples(same)) == []


def test_times_add_up() -> None:
    lines = list(demo_report.time_table({"text": 1.0, "decode": 3.0}))
    assert [line.split() for line in lines] == [
        ["text", "1.0", "s", "25.0%"],
        ["decode", "3.0", "s", "75.0%"],
        ["total", "4.0", "s"],
    ]


def test_the_report_names_the_files(tmp_path: Path) -> None:
    (tmp_path / "curve.png").touch()
    outcome = DemoOutcome(
        [part(tmp_path, "dev"), part(tmp_path)], {"text": 1.0}, os.fspath(tmp_path)
    )
    text = "\n".join(demo_report.report(outcome))
    for name in ("weights", "history.jsonl", "curve.png"):
        assert os.fspath(tmp_path / name) in text
