"""Compile all kernels for this machine at once; later commands load them from disk.

Every command that has kernels runs on a text of a few lines, with all flags that select other
kernels, in a temporary folder.  Kernels that are compiled already are kept.  The folder of the
kernels is below $CAMPANULA_CACHE, or $XDG_CACHE_HOME/campanula, or ~/.cache/campanula.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stderr
from typing import NamedTuple

from campanula import cli
from campanula.formats.atomic import temporary_folder
from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.files import Output
from campanula.stages import command
from campanula.stages.command_line.parsing import Parser
from campanula.stages.kernels import kernel_cache

# A language of eight words: enough that phrases, orders and sparse features of every kind occur.
LEXICON = {
    "der": "the",
    "ein": "a",
    "hund": "dog",
    "mann": "man",
    "katze": "cat",
    "sieht": "sees",
    "schläft": "sleeps",
    "grosse": "big",
}
PATTERNS = ("der {} schläft", "ein {} sieht der {}", "der grosse {} sieht ein {}", "ein {}")
NOUNS = ("hund", "mann", "katze")
SPARSE = ",".join(TEMPLATES)
DENSE = "LMFirst0,LMRest0,OutboundDistortion0,InboundDistortion0"
WEIGHTS = {
    "LM0": 0.5,
    "LMFirst0": 0.1,
    "LMRest0": 0.1,
    "Distortion0": 0.3,
    "OutboundDistortion0": 0.1,
    "InboundDistortion0": 0.1,
    "WordPenalty0": -1.0,
    "PhrasePenalty0": 0.2,
    "UnknownWordPenalty0": 1.0,
    **{f"TranslationModel0_{i}": 0.2 for i in range(4)},
    **{f"LexicalReordering0_{i}": 0.3 for i in range(6)},
}
MODEL = "--phrase-table table.gz --lm lm.arpa --cache models.d"
ORDER = f"{MODEL} --reordering-table order.gz"
THETA = "--weights weights.txt --allow-missing"
DECODE = f"decode source.txt {ORDER} {THETA} -k 20"
TWO_ORDERS = f"{DECODE} --reordering-table turns.gz,hierarchical"
SHARDS = "own.lists --weights zero.weights --cache models.d"
RESCORE = f"rescore graphs.lattice {THETA} -k 20"
PATH = re.compile(r"[a-z]+\.[a-z]+(,hierarchical)?")  # words of a job that name files in its folder


class Job(NamedTuple):
    """A command line; with may_fail, exit status 2 (flags that do not fit together) is accepted."""

    line: str
    may_fail: bool = False


def parser() -> Parser:
    """Return the parser of the flags."""
    p = Parser(
        prog="campanula warm-up",
        description=__doc__,
        epilog="example:\n  campanula warm-up",
    )
    p.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary on stderr")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Run all jobs in a temporary folder, and say how many kernels were compiled."""
    kernels = kernel_cache.folder()
    if kernels is None:
        problem = "expected a folder that can keep compiled kernels, found none"
        raise DataError(kernel_cache.home(), None, problem)
    kernel_cache.quiet = True  # this command has a summary line of its own
    before = count(kernels)
    all_jobs = jobs()
    with temporary_folder() as folder:
        write_texts(folder)
        for job in command.progress(all_jobs, args, "warm-up", len(all_jobs), "jobs"):
            run(job, folder)
        for_large_inputs()
    command.say(args, f"warm-up: {count(kernels) - before} kernels compiled, kept in {kernels}")


def count(folder: str | None) -> int:
    """Return the number of compiled kernels in a folder; one kernel may have several signatures."""
    files = (name for _, _, names in os.walk(folder or os.devnull) for name in names)
    return sum(name.endswith(".nbc") for name in files)


def write_texts(folder: str) -> None:
    """Write the inputs of the first jobs: a parallel text, its word alignments, and weights."""
    pairs = list(sentences())
    files = {
        "source.txt": [source for source, _ in pairs],
        "target.txt": [target for _, target in pairs],
        "other.txt": [target.replace("a ", "one ") for _, target in pairs],
        "links.txt": [" ".join(f"{i}-{i}" for i in range(len(s.split()))) for s, _ in pairs],
        "weights.txt": [f"{name} {value}" for name, value in WEIGHTS.items()],
        "none.weights": [],
        "short.txt": ["der hund schläft", "ein mann"],
        "reference.txt": ["the dog sleeps", "one man"],
    }
    for name, lines in files.items():
        with Output(os.path.join(folder, name)) as out:
            for line in lines:
                out.write_line(line)


def sentences() -> Iterator[tuple[str, str]]:
    """Yield sentences and their translations, word by word."""
    for pattern in PATTERNS:
        for i, noun in enumerate(NOUNS):
            source = pattern.format(noun, NOUNS[i - 1])
            yield source, " ".join(LEXICON[word] for word in source.split())


def run(job: Job, folder: str) -> None:
    """Run a job in this process, with its files in the folder; raises RuntimeError if it fails."""
    name, *words = job.line.split()
    argv = [os.path.join(folder, word) if PATH.fullmatch(word) else word for word in words]
    main = importlib.import_module(cli.MODULES[name]).main
    # in this process: one for each job would load NumPy and Numba again every time
    with redirect_stderr(io.StringIO()) as messages:
        try:
            status = main([*argv, "-q"])
        except SystemExit as stop:
            status = stop.code
    if status and not (job.may_fail and status == 2):
        raise RuntimeError(f"{job.line}: {messages.getvalue()}")


def for_large_inputs() -> None:
    """Call, on small inputs, the kernels that commands use for large inputs only."""
    import numpy as np

    from campanula.formats.arpa.writer import NgramLines
    from campanula.stages.estimating.arpa_typesetting import arpa_text
    from campanula.stages.estimating.word_numbering import CAPACITY, BlockNumbering
    from campanula.stages.kernels.bitext.ngrams import by_kernels

    # each in a list, since generators run no kernel before they are asked
    one = np.zeros(1, np.int64)
    number = np.zeros(1)
    # few=0: by kernels, which otherwise write only long models
    list(arpa_text(["a"], [NgramLines(one[:, None].copy(), number, number)], 1, few=0))
    list(by_kernels(one, one + 1, 1, 1))
    list(BlockNumbering([b"".join(b"%d\n" % number for number in range(CAPACITY))]).batches())


def jobs() -> list[Job]:
    """Return the jobs in an order in which each comes after those that make its inputs."""
    lines = [
        "align-words source.txt target.txt --model fast-align --jobs 1 -o out.txt",
        "extract-blocks source.txt target.txt links.txt -o table.gz --reordering-table order.gz",
        "extract-blocks source.txt target.txt links.txt -o out.table --reordering-table turns.gz"
        " --orientation hierarchical",
        "estimate-lm target.txt --order 3 -o lm.arpa",
        "estimate-classes target.txt --classes 3 -o words.classes",
        "select-sentences source.txt target.txt links.txt --test short.txt -o pairs.chosen",
        "select-sentences source.txt target.txt --test short.txt --criterion cross-entropy --keep 5"
        " -o pairs.chosen",
        "estimate-distortion source.txt target.txt links.txt -o jumps.txt",
        "extract-features source.txt target.txt links.txt --min-count 1 -o lexical.txt",
        *decoding(),
        f"oracle-search short.txt --ref reference.txt {MODEL} --n 2 -o out.kbest",
        f"oracle-search short.txt --ref reference.txt {MODEL} --distinct --n 2 -o out.kbest",
        f"oracle-search short.txt --ref reference.txt {MODEL} --reordering monotone -o out.kbest",
        f"oracle-search short.txt --ref reference.txt {MODEL} --bag-of-blocks -o out.kbest",
        "merge-kbest dense.kbest sparse.kbest -o out.kbest",
        "drop-features sparse.kbest -o out.kbest",
        "index-features sparse.kbest --inventory out.names -o out.kbest",
        "add-feature lm --arpa lm.arpa --name LM9 dense.kbest -o out.kbest",
        "add-feature length --name Length9 dense.kbest -o out.kbest",
        "export-nbest dense.kbest -o list.txt",
        "import-nbest list.txt -o out.kbest",
        "compare source.txt target.txt --ref other.txt --samples 10 --trials 10 -o out.txt",
    ]
    score = "score-bleu dense.kbest --ref target.txt"
    lines += [
        f"{score} --metric {name} -o out.kbest"
        for name in ("wer", "ter", "chrf", "chrf++", "meteor")
    ]
    lines += [f"{score} --gain {name} -o out.kbest" for name in ("he-deng", "none", "exp")]
    lines += [f"{score} --gain {name} -o out.kbest" for name in ("floor", "add-k")]
    lines += [
        f"{score} --ref other.txt -o dense.scored",
        "score-bleu sparse.kbest --ref target.txt --ref other.txt -o sparse.scored",
        "oracle-search dense.scored -o out.kbest",
        f"rerank dense.scored {THETA} -o out.txt",
        f"impute-hope dense.scored {THETA} -o out.hope",
        f"select-violating dense.scored --truth dense.scored {THETA} -o out.kbest",
        "kbest-stats dense.scored -o out.txt",
        "index-features sparse.scored --inventory own.names --shards 2 -o own.lists",
        "import-weights none.weights --inventory own.names -o zero.weights",
        "condense-features zero.weights --inventory own.names --features block,block-orientation"
        " --phrase-table table.gz --orientation-table out.order -o out.table",
        f"growth-transform sparse.scored --phrase-table table.gz {THETA} --iterations 1 -o out.gz",
        f"optimize {SHARDS} --loss expected-bleu --iterations 2 -o out.weights",
        f"optimize {SHARDS} --loss ramp3 --cccp-iterations 1 -o out.weights",
    ]
    return [*map(Job, lines), *tuning_jobs()]


def decoding() -> list[str]:
    """Return the command lines of `decode` and `rescore`, with every kind of feature."""
    return [
        f"{DECODE} -o dense.kbest",
        f"{TWO_ORDERS} -o out.kbest",
        f"{TWO_ORDERS} --exact-orientation -o out.kbest",
        f"{DECODE} --distinct --reordering monotone -o out.kbest",
        f"decode source.txt {MODEL} {THETA} -k 20 --reordering swap -o out.kbest",
        f"decode short.txt {ORDER} {THETA} -k 20 --no-pruning -o out.kbest",
        f"{DECODE} --distortion-table jumps.txt --dense-features {DENSE} -o out.kbest",
        f"{DECODE} --features {SPARSE} -o sparse.kbest",
        f"{DECODE} --feature-list lexical.txt -o out.kbest",
        f"{DECODE} --leave-one-out target.txt links.txt --leave-out all -o out.kbest",
        f"{DECODE} --features block --lattice graphs.lattice -o out.kbest",
        f"{RESCORE} -o out.kbest",
        f"{RESCORE} --distinct -o out.kbest",
        f"{RESCORE} --feature-list lexical.txt -o out.kbest",
    ]


def tuning_jobs() -> Iterator[Job]:
    """Yield one optimisation for every loss and solver, on dense lists and on sparse lists."""
    from campanula.stages.tuning.losses import LOSSES
    from campanula.stages.tuning.solvers.table import SOLVERS

    for lists in ("dense.scored", "sparse.scored"):
        for loss in LOSSES:
            needs = "--ref target.txt" if LOSSES[loss].needs_references else ""
            for solver in SOLVERS:
                way = f"--loss {loss} --solver {solver} {needs}"
                # `optimize` knows which solvers can minimise which losses: all pairs are tried
                yield Job(f"optimize {lists} {THETA} {way} -o out.weights", may_fail=True)


if __name__ == "__main__":
    raise SystemExit(main())
