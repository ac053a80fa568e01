"""Estimate an n-gram language model from tokenised text.

Interpolated modified Kneser-Ney (Chen and Goodman 1998), as KenLM's lmplz does it:

    p(w | h) = (c(h w) - D(c(h w))) / sum_v c(h v) + gamma(h) p(w | h')

Reads sentences, one a line, words apart by blanks, and writes an ARPA file (gzip if its name ends
in .gz).  The unigrams are interpolated with the uniform distribution, of which <unk> has its
share.  Counts of counts that give no discount (small texts) take --discount-fallback instead, and
that is said on stderr.  With --classes the model is one over classes: each word stands for its own.
With --prune n-grams that are rare in the text are left out (0 0 1: those of three words and more
that occur once).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from campanula.formats.atomic import temporary_folder
from campanula.formats.files import Output, display_name, is_file
from campanula.formats.text.corpus import Numbering, WordNumbering
from campanula.formats.text.parts import TextLines
from campanula.formats.text.word_classes import classes_of_lines, read_word_classes
from campanula.stages import command
from campanula.stages.estimating.arpa_typesetting import arpa_text

if TYPE_CHECKING:
    from campanula.stages.estimating.model import EstimatedModel

LARGE = 1_000_000  # bytes of a text from which a kernel numbers the words
EXAMPLE = "estimate-lm train.en --order 5 -o lm.arpa.gz"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("estimate-lm", __doc__, EXAMPLE)
    p.add_argument("text", metavar="TEXT", help="tokenised sentences, one a line (- for stdin)")
    p.add_argument(
        "--order", type=command.positive_int, default=5, help="longest n-grams (default: 5)"
    )
    p.add_argument(
        "--classes",
        metavar="MAP",
        help="take the class of each word in its place: `word<TAB>class` a line, as"
        " estimate-classes and mkcls write them",
    )
    p.add_argument(
        "--prune",
        type=command.non_negative_int,
        nargs="+",
        metavar="N",
        default=[0],
        help="leave out n-grams that occur at most N times: an N for words, one for pairs, ..., the"
        " last for all longer ones; they must not fall (default: 0)",
    )
    p.add_argument(
        "--memory",
        type=command.byte_count,
        metavar="SIZE",
        help="estimate in about so much memory beside the words, 500M or 4G, with the rest in files"
        " of the folder for temporary ones; the same bytes (default: all in memory)",
    )
    p.add_argument(
        "--discount-fallback",
        type=command.non_negative_float,
        nargs=3,
        metavar=("D1", "D2", "D3"),
        default=[0.5, 1.0, 1.5],
        help="discounts where the counts of counts give none (default: 0.5 1 1.5)",
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the text, estimate, write the model."""
    from campanula.stages.estimating.model import EstimateSettings, bounded, in_memory

    _check_discounts(args.discount_fallback)
    d1, d2, d3 = args.discount_fallback
    thresholds = _thresholds(args.prune, args.order)
    name = display_name(args.text)
    command.one_stdin(args.text, args.classes)
    numbered = _numbered(args, name)
    settings = EstimateSettings(args.order, (d1, d2, d3), thresholds)
    with ExitStack() as stack:
        if args.memory is None:
            model = in_memory(numbered, name, settings)
        else:
            folder = stack.enter_context(temporary_folder())
            model = bounded(numbered, name, settings, folder, args.memory)
        out = stack.enter_context(Output(args.output))
        for piece in arpa_text(model.words, model.parts, sum(model.sizes)):
            out.write(piece)
    command.say(args, summary(model, args.order))


def _numbered(args: argparse.Namespace, name: str) -> WordNumbering:
    """Return the text with numbers for words, or for the classes of words with --classes."""
    text = TextLines(args.text)
    if args.classes is None and _is_large(text.files):
        from campanula.stages.estimating.word_numbering import BlockNumbering

        blocks = command.progress(text.blocks(), args, "reading", unit="blocks")
        return BlockNumbering(blocks)
    lines: Iterable[str] = command.progress(text, args, "reading")
    if args.classes is not None:
        classes = read_word_classes(args.classes)
        lines = classes_of_lines(lines, classes, name, display_name(args.classes))
    return Numbering(lines)


def _is_large(files: Sequence[str]) -> bool:
    """Whether a kernel numbers the words of files faster, the time to load it included."""
    return sum(os.path.getsize(file) for file in files if is_file(file)) >= LARGE


def _thresholds(given: list[int], order: int) -> list[int]:
    """Return the threshold of each length: the last one given holds for all longer n-grams.

    lmplz reads its --prune so.  Raises UsageError for too many numbers, and for numbers that fall.
    """
    if len(given) > order:
        raise command.UsageError(
            f"--prune: expected at most {order} numbers, as --order says, found {len(given)}"
        )
    if given != sorted(given):
        listed = " ".join(map(str, given))
        raise command.UsageError(f"--prune: expected numbers that do not fall, found {listed}")
    return given + [given[-1]] * (order - len(given))


def _check_discounts(discounts: list[float]) -> None:
    """Raise UsageError for a discount above its count, which gives negative probabilities."""
    for count, discount in enumerate(discounts, 1):
        if not 0 < discount <= count:
            raise command.UsageError(
                f"--discount-fallback: expected D{count} above 0 and at most {count}, "
                f"found {discount:g}"
            )


def summary(model: EstimatedModel, wanted: int) -> str:
    """Return the summary line of a model of n-grams up to the `wanted` length."""
    counts = " ".join(map(str, model.sizes))
    message = f"estimate-lm: {model.n_sentences} sentences, n-grams by order: {counts}"
    fallen = [str(n) for n, fell_back in enumerate(model.fell_back, 1) if fell_back]
    if fallen:
        message += f"; too few counts for the discounts of order {', '.join(fallen)}: fallback used"
    if model.longest < wanted:
        message += f"; no sentence is long enough for more than order {model.longest}"
    if len(model.sizes) < model.longest:
        message += f"; no n-gram of more than {len(model.sizes)} words is left"
    return message


if __name__ == "__main__":
    raise SystemExit(main())
