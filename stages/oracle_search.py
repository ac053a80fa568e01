"""Find oracles: the block sequences, or the hypotheses of k-best lists, of highest gain.

    oracle_i = argmax_z gain_i(z)

Of given k-best lists: reads a scored stream, writes the oracle of each list, or with --n N its N
highest gains in order.  Ties go to the lower index.

With a phrase table: reads source sentences, one a line, and their references, and searches all
block sequences for those of highest sentence BLEU (BLEU+1, the gain of score-bleu), whatever a
model says of them.  Writes the N best as k-best lists with features, statistics, gains, and the
fields `segmentation` and `orientation`: V_N of Tillmann and Zhang, section II.  With
--bag-of-blocks their z_0 instead, a random block for every span that has one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping

from campanula.formats.files import Output, display_name, read_lines
from campanula.formats.model.model import default_cache, load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.decoding.model_flags import (
    add_model_flags,
    features_on,
    model_files,
    model_inputs,
)
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scored_lists import Summary, oracles, scored, text_lines

DEFAULT = OracleSettings()
TABLES = ("reordering_table", "lm", "distortion_table")
OF_A_SEARCH = ("ref", *TABLES, "dense_features", "bag_of_blocks")
EXAMPLE = """oracle-search dev.kbest --text -o dev.oracle
  oracle-search train.de --ref train.en --phrase-table phrase-table.gz -o truth.kbest"""


def oracle_search(lists: Iterable[KBest], n: int = 1) -> Iterator[KBest]:
    """Yield every scored list cut down to its n highest gains, highest first."""
    for kbest in lists:
        assert kbest.gain is not None
        yield kbest.take(oracles(kbest.gain, n))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("oracle-search", __doc__, EXAMPLE)
    p.add_argument(
        "input",
        nargs="?",
        default="-",
        help="scored k-best stream, or with a phrase table source sentences (default: stdin)",
    )
    p.add_argument(
        "--n",
        type=command.positive_int,
        metavar="N",
        help="hypotheses a list (default: 1; 5 with a phrase table)",
    )
    p.add_argument("--text", action="store_true", help="write texts, line i for sentence i")
    p.add_argument(
        "--allow-missing",
        action="store_true",
        help="with --text, of lists: an empty line for a sentence without a list",
    )
    add_model_flags(p)
    add_search_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def add_search_flags(p: argparse.ArgumentParser) -> None:
    """Flags of the search over block sequences."""
    search = p.add_argument_group("the search, with a model")
    search.add_argument(
        "--ref",
        action="append",
        default=[],
        metavar="FILE",
        help="references, a line a sentence; repeat it for several",
    )
    search.add_argument(
        "--reordering",
        choices=["monotone", "swap"],
        default="swap",
        help="order of the source phrases: monotone; swap, where two neighbours may change places"
        " (default)",
    )
    search.add_argument(
        "--beam",
        type=command.positive_int,
        default=DEFAULT.beam,
        metavar="N",
        help=f"hypotheses kept per number of covered words (default: {DEFAULT.beam})",
    )
    search.add_argument(
        "--no-pruning", action="store_true", help="keep all hypotheses: for short sentences only"
    )
    search.add_argument(
        "--distinct",
        action="store_true",
        help="N different strings, each with its shortest block sequence",
    )
    search.add_argument(
        "--bag-of-blocks",
        action="store_true",
        help="write z_0 instead: one random block for every source span that has blocks",
    )
    search.add_argument("--seed", type=command.non_negative_int, default=0, help="of the bags")
    search.add_argument(
        "--jobs",
        type=command.positive_int,
        default=1,
        help="threads; the output is the same (default: 1)",
    )


def body(args: argparse.Namespace) -> None:
    """Read, search, write."""
    refuse_faults(args)
    if searches(args):
        of_sentences(args)
    else:
        of_lists(args)


def searches(args: argparse.Namespace) -> bool:
    """Whether the flags name a model to search with."""
    models = (args.model, args.moses_ini, args.phrase_table)
    return any(model is not None for model in models)


def refuse_faults(args: argparse.Namespace) -> None:
    """Raise UsageError for flags that do not fit together."""
    search = searches(args)
    command.one_stdin(args.input, *args.ref, *model_inputs(args))
    faults = [
        (args.text and (args.n or 1) > 1, f"--text writes one hypothesis a list, not --n {args.n}"),
        (args.allow_missing and not args.text, "--allow-missing goes with --text"),
        (args.allow_missing and search, "--allow-missing is for k-best lists"),
        (search and not args.ref, "a search needs --ref FILE"),
        (
            not search and any(getattr(args, name) for name in OF_A_SEARCH),
            "expected a model, as --phrase-table, for a search; scored lists need no other flag",
        ),
        (args.bag_of_blocks and (args.n or 1) > 1, "--bag-of-blocks is one hypothesis a sentence"),
    ]
    for found, fault in faults:
        if found:
            raise command.UsageError(fault)


def of_lists(args: argparse.Namespace) -> None:
    """Write the oracles of scored k-best lists."""
    n = args.n or 1
    with Reader(args.input, KBest) as lists:
        summary = Summary(Metric.of_header(lists.metric))
        records = scored(command.progress(lists, args, "oracle-search"), lists.name)
        found = oracle_search(summary.count(records), n)
        how = command.signature("oracle-search", n=n)
        write(args, found, lists.name, f"{how} < {lists.signature}", lists.metric)
    command.say(args, f"oracle-search: {summary}")


def of_sentences(args: argparse.Namespace) -> None:
    """Search the block sequences of source sentences and write the best."""
    files = model_files(args)
    references = References.read(args.ref)
    model = load_model(files, args.cache or default_cache())
    on = features_on(files, model, args.dense_features)
    n = args.n or (1 if args.text else DEFAULT.n)
    settings = OracleSettings(n, args.distinct, args.reordering == "swap", beam_of(args))
    search = OracleSearch(model, references, settings, on, args.seed)
    made = {"seed": args.seed} if args.bag_of_blocks else vars(settings)
    how = command.signature(
        "oracle-search",
        model=model.digest,
        **search.metric.fields(),
        references=references.digest(),
        bag=args.bag_of_blocks,
        **made,
    )
    summary, source = Summary(search.metric), display_name(args.input)
    lines = command.progress(read_lines(args.input), args, "oracle-search")
    find = search.bags if args.bag_of_blocks else search.truth
    gains: list[float] = []
    found = with_gains(summary.count(find(lines, source, args.jobs)), gains)
    write(args, found, source, how, search.metric.header())
    mean = f"mean gain of the best: {sum(gains) / len(gains):.4f}; " if gains else ""
    command.say(args, f"oracle-search: {mean}{summary}")


def beam_of(args: argparse.Namespace) -> int:
    """Hypotheses kept per stack."""
    return 1 << 40 if args.no_pruning else int(args.beam)


def with_gains(lists: Iterable[KBest], gains: list[float]) -> Iterator[KBest]:
    """Pass the lists on and note the gain of each one's first hypothesis."""
    for kbest in lists:
        assert kbest.gain is not None
        gains.append(float(kbest.gain[0]))
        yield kbest


def write(
    args: argparse.Namespace,
    found: Iterable[KBest],
    source: str,
    signature: str,
    metric: Mapping[str, object] | None,
) -> None:
    """Write oracles as a k-best stream, or the text of each as the line of its sentence."""
    if args.text:
        with Output(args.output) as out:
            for line in text_lines(found, source, args.allow_missing):
                out.write_line(line)
    else:
        with Writer(args.output, KBest, signature, metric) as lists:
            for kbest in found:
                lists.write(kbest)


if __name__ == "__main__":
    raise SystemExit(main())
