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
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from campanula.formats.arpa.writer import arpa_parts
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.text.corpus import SPECIALS, read_corpus
from campanula.formats.text.output import TextOutput
from campanula.formats.text.parts import Text
from campanula.formats.text.word_classes import classes_of_lines, read_word_classes
from campanula.stages import command
from campanula.stages.arpa_typesetting import arpa_text

if TYPE_CHECKING:
    from campanula.stages.kernels.lm import kneser_ney

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
    from campanula.stages.kernels.lm import kneser_ney

    _check_discounts(args.discount_fallback)
    thresholds = _thresholds(args.prune, args.order)
    name = display_name(args.text)
    command.one_stdin(args.text, args.classes)
    lines: Iterable[str] = command.progress(Text(args.text), args, "reading")
    if args.classes is not None:
        classes = read_word_classes(args.classes)
        lines = classes_of_lines(lines, classes, name, display_name(args.classes))
    corpus = read_corpus(lines, name, SPECIALS)
    if len(corpus) == 0:
        raise DataError(name, None, "expected at least one sentence, found none")
    specials = kneser_ney.Specials(*(corpus.words.index(word) for word in SPECIALS))
    d1, d2, d3 = args.discount_fallback
    with TextOutput(args.output) as out:
        counts = kneser_ney.counted(
            corpus.token, corpus.start, len(corpus.words), specials, args.order, any(thresholds)
        )
        words, orders = estimated(counts, corpus.words, specials, (d1, d2, d3), thresholds)
        size = sum(len(order.word) for order in orders)
        for piece in arpa_text(words, arpa_parts(orders), size):
            out.write(piece)
    command.say(args, summary(len(corpus), args.order, orders))


def estimated(
    counts: list[kneser_ney.Counts],
    words: list[str],
    specials: kneser_ney.Specials,
    fallback: kneser_ney.Discounts,
    thresholds: Sequence[int],
) -> tuple[list[str], list[kneser_ney.Order]]:
    """Words and n-grams of the model of a text that is counted, pruned if a threshold is not 0."""
    from campanula.stages.kernels.lm import kneser_ney, pruning

    if not any(thresholds):
        return words, kneser_ney.interpolated(counts, specials, fallback)
    kept = pruning.kept_ngrams(counts, specials, thresholds)
    orders = kneser_ney.interpolated(counts, specials, fallback, kept)
    words = [word for word, stays in zip(words, kept[0].tolist(), strict=True) if stays]
    return words, pruning.without_pruned(orders, kept)


def _thresholds(given: list[int], order: int) -> list[int]:
    """The threshold of each length, as lmplz reads them."""
    if len(given) > order:
        raise command.UsageError(
            f"--prune: expected at most {order} numbers, as --order says, found {len(given)}"
        )
    if given != sorted(given):
        listed = " ".join(map(str, given))
        raise command.UsageError(f"--prune: expected numbers that do not fall, found {listed}")
    return given + [given[-1]] * (order - len(given))


def _check_discounts(discounts: list[float]) -> None:
    """A discount larger than the count it is taken from would give negative probabilities."""
    for count, discount in enumerate(discounts, 1):
        if not 0 < discount <= count:
            raise command.UsageError(
                f"--discount-fallback: expected D{count} above 0 and at most {count}, "
                f"found {discount:g}"
            )


def summary(n_sentences: int, wanted: int, orders: Sequence[kneser_ney.Order]) -> str:
    """What was estimated of n-grams up to the wanted length."""
    counts = " ".join(str(len(order.word)) for order in orders)
    message = f"estimate-lm: {n_sentences} sentences, n-grams by order: {counts}"
    fallen = [str(n) for n, order in enumerate(orders, 1) if order.fell_back]
    if fallen:
        message += f"; too few counts for the discounts of order {', '.join(fallen)}: fallback used"
    if len(orders) < wanted:
        message += f"; no sentence is long enough for more than order {len(orders)}"
    return message


if __name__ == "__main__":
    raise SystemExit(main())
