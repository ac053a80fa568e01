"""Align the words of a parallel text.

Two models, one of each direction, are estimated on the text itself by sil-thot: by default the
Bayesian IBM 1, HMM and fertility cascade of eflomal (Oestling and Tiedemann 2016), sampled from
the seed.  Their links are joined by a heuristic (Och and Ney 2003; Koehn et al. 2003).

Reads two texts, one sentence a line, words apart by blanks; writes the links `i-j` of each pair,
places from 0, one pair a line.  The two directions run side by side; the same input, seed and
settings give the same bytes for any --jobs.  Pairs with an empty side, or with more words than the
model takes, get an empty line.
"""

from __future__ import annotations

import argparse

from campanula.formats.files import Output
from campanula.stages import command
from campanula.stages.bitext import parallel_text
from campanula.stages.bitext.word_aligning import (
    HEURISTICS,
    MODELS,
    AlignSettings,
    align,
    alignable,
)

EXAMPLE = "align-words train.de train.en --seed 1 -o train.align"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("align-words", __doc__, EXAMPLE)
    parallel_text.add_text_flags(p)
    p.add_argument("--model", choices=MODELS, default="eflomal", help="default: eflomal")
    p.add_argument(
        "--symmetrise", choices=HEURISTICS, default=HEURISTICS[0], help=f"default: {HEURISTICS[0]}"
    )
    p.add_argument(
        "--iterations",
        type=command.positive_int,
        help="sweeps of the fertility stage, a quarter as many of each stage before it (eflomal; "
        "default: 5000 / sqrt(pairs)), or EM iterations (the others; default: 5)",
    )
    p.add_argument(
        "--samplers",
        type=command.positive_int,
        default=3,
        help="independent samplers of eflomal whose links are pooled: 1 is fastest (default: 3)",
    )
    p.add_argument(
        "--seed", type=command.integer, default=1, help="seed of the samplers (default: 1)"
    )
    p.add_argument(
        "--jobs",
        type=command.integer,
        choices=(1, 2),
        default=2,
        help="directions at a time (default: 2)",
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the texts, align them in both directions, write the joined links."""
    command.one_stdin(args.source, args.target)
    if not 0 <= args.seed < 1 << 32:
        raise command.UsageError(f"--seed: expected 0 to {(1 << 32) - 1}, found {args.seed}")
    watch = command.watch(args)
    source = parallel_text.read_text(args.source, watch)
    target = parallel_text.read_text(args.target, watch)
    parallel_text.refuse_other_length(args.target, len(target), args.source, len(source))
    pairs = alignable(source, target, args.model)
    settings = settings_of_flags(args)
    with Output(args.output) as out:
        lines = align(source, target, pairs, settings, args.jobs, args.quiet)
        n_links = 0
        for line in command.progress(lines, args, "joining", len(source)):
            n_links += line.count("-")
            out.write(line.encode() + b"\n")
    command.say(
        args,
        f"align-words: {len(source)} sentence pairs, {len(source) - len(pairs)} not aligned, "
        f"{n_links} links",
    )


def settings_of_flags(args: argparse.Namespace) -> AlignSettings:
    """Return the settings that the flags give."""
    return AlignSettings(args.model, args.symmetrise, args.iterations, args.samplers, args.seed)


if __name__ == "__main__":
    raise SystemExit(main())
