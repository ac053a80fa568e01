"""estimate-lm on a larger text, in memory and within a bound of it: seconds and peak memory.

    python -m benchmarks.bench_language_model TEXT [--sentences 700000] [--memory 300M]
    python -m benchmarks.bench_language_model TEXT --steps

The text is drawn from TEXT: each sentence is the beginning of one and the end of another, with one
word exchanged, so that longer n-grams are new.  With --steps: the time of each step of estimating a
model of TEXT itself, and of scoring TEXT under it.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.side_by_side import cost_of_ours
from campanula.formats.arpa.writer import arpa_parts
from campanula.formats.files import Output
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.kept_language_models import load_language_models
from campanula.formats.records.texts import Texts
from campanula.formats.text.corpus import SPECIALS, corpus_of
from campanula.formats.text.parts import TextLines
from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.estimating.arpa_typesetting import arpa_text
from campanula.stages.estimating.model import specials_of
from campanula.stages.estimating.word_numbering import BlockNumbering
from campanula.stages.kernels.lm import kneser_ney, text_logs


def main() -> None:
    """Write a text, estimate both ways, compare the bytes."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("text")
    p.add_argument("--sentences", type=int, default=700_000)
    p.add_argument("--memory", default="300M")
    p.add_argument("--steps", action="store_true")
    args = p.parse_args()
    if args.steps:
        steps(args.text)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = write_text(args.text, args.sentences, folder / "text")
        print(f"{args.sentences} sentences, {words} words")
        whole = measured(folder, "whole")
        print(f"in memory: {whole}")
        print(f"--memory {args.memory}: {measured(folder, 'bounded', '--memory', args.memory)}")
        same = (folder / "whole").read_bytes() == (folder / "bounded").read_bytes()
        print("the same bytes" if same else "other bytes")


def steps(path: str) -> None:
    """Print milliseconds of each step, the kernels being loaded."""
    with tempfile.TemporaryDirectory() as folder:
        # the first time loads the kernels, and is not printed
        for quiet in (True, False):
            clock = Clock(quiet)
            model = os.path.join(folder, "lm.arpa")
            estimate(path, model, clock)
            score(path, model, os.path.join(folder, "cache"), clock)


class Clock:
    """Prints the time of each step, unless quiet."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._start = time.perf_counter()

    def step(self, name: str) -> None:
        """End a step, print its time, and begin the next."""
        now = time.perf_counter()
        if not self._quiet:
            print(f"{1000 * (now - self._start):8.1f} ms  {name}")
        # read again, so that printing belongs to no step
        self._start = time.perf_counter()


def estimate(path: str, model: str, clock: Clock) -> None:
    """The steps of estimate-lm."""
    corpus = corpus_of(BlockNumbering(TextLines(path).blocks()), path, SPECIALS)
    clock.step("estimate-lm: words read and numbered")
    specials = specials_of(corpus.words)
    counts = kneser_ney.counted(corpus.token, corpus.start, len(corpus.words), specials, 5)
    clock.step("estimate-lm: n-grams sorted and counted")
    orders = kneser_ney.interpolated(counts, specials, kneser_ney.FALLBACK)
    clock.step("estimate-lm: interpolated")
    size = sum(len(order.word) for order in orders)
    with Output(model) as out:
        for piece in arpa_text(corpus.words, arpa_parts(orders), size):
            out.write(piece)
    clock.step("estimate-lm: text written and flushed to disk")


def score(path: str, model: str, cache: str, clock: Clock) -> None:
    """The steps of scoring a text."""
    files = [LanguageModelFile(model)]
    load_language_models(files, cache)
    clock.step("scores: ARPA file read, compiled and kept, or mapped")
    scorer = SentenceScorer(load_language_models(files, cache))
    clock.step("scores: mapped and checked")
    texts = Texts.of(TextLines(path))
    blob = np.frombuffer(texts.blob, np.uint8)
    clock.step("scores: text read")
    word, pointer = text_logs.numbered_texts(scorer.words, blob, texts.pointer)
    clock.step(f"scores: {len(word)} words numbered")
    text_logs.sentence_logs(scorer.model, word, pointer)
    clock.step("scores: looked up, side by side")


def write_text(path: str, n_sentences: int, to: Path) -> int:
    """Write a text that is drawn from another; returns how many words it has."""
    rng = random.Random(1)
    lines = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    count = 0
    with to.open("w", encoding="utf-8") as file:
        for _ in range(n_sentences):
            one, other = rng.choice(lines), rng.choice(lines)
            words = one[: rng.randrange(len(one) + 1)] + other[rng.randrange(len(other) + 1) :]
            if words:
                words[rng.randrange(len(words))] = rng.choice(rng.choice(lines))
            file.write(" ".join(words) + "\n")
            count += len(words)
    return count


def measured(folder: Path, output: str, *flags: str) -> str:
    """Wall time and peak memory of a run as a process of its own."""
    taken = cost_of_ours(["estimate-lm", "text", *flags, "-q", "-o", output], folder)
    return f"{taken.wall:.1f} s, {taken.peak * (1 << 20) / 1e9:.2f} GB"


if __name__ == "__main__":
    main()
