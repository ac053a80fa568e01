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
from dataclasses import dataclass

from campanula.formats.collections.opening import Lists, open_lists
from campanula.formats.files import Output
from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import default_cache, load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.text.parts import Text
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.decoding.model_flags import (
    add_model_flags,
    dense_features_of_flags,
    features_on,
    model_files,
    model_inputs,
)
from campanula.stages.list_files import made_of
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scored_lists import oracles, scored, sound, text_lines
from campanula.stages.metrics.summary import Summary
from campanula.stages.metrics.table import metric_of

COMMAND = "oracle-search"
DEFAULT = OracleSettings()
NO_PRUNING = 1 << 40  # hypotheses of a stack: more than any has
TABLES = ("reordering_table", "lm", "distortion_table")
OF_A_SEARCH = (
    *("ref", *TABLES, "dense_features", "bag_of_blocks"),
    *("reordering", "beam", "no_pruning", "distinct", "seed", "jobs"),
)
EXAMPLE = """oracle-search dev.kbest --text -o dev.oracle
  oracle-search train.de --ref train.en --phrase-table phrase-table.gz -o truth.kbest"""


@dataclass(frozen=True, slots=True)
class Search:
    """A search over block sequences: source sentences, references, the model, what is found.

    dense_features are those that --dense-features names; `bags`: z_0 in the place of V_N.
    """

    source: str
    refs: tuple[str, ...]
    files: ModelFiles
    cache: str
    dense_features: tuple[str, ...]
    settings: OracleSettings
    bags: bool
    seed: int
    jobs: int


@dataclass(frozen=True, slots=True)
class Destination:
    """Where oracles go: a k-best stream, or lines of text, one a sentence."""

    path: str | None
    text: bool
    allow_missing: bool

    def write(
        self,
        found: Iterable[KBest],
        source: Lists[KBest] | Text,
        signature: str,
        metric: Mapping[str, object] | None,
    ) -> None:
        """Write oracles as a k-best stream, or the text of each as the line of its sentence."""
        if self.text:
            with Output(self.path) as out:
                for line in text_lines(found, source.name, self.allow_missing):
                    out.write_line(line)
        else:
            with made_of(source, self.path, KBest, signature, metric) as out:
                for kbest in found:
                    out.write(kbest)


def oracle_search(lists: Iterable[KBest], metric: Metric | None, n: int = 1) -> Iterator[KBest]:
    """Yield every scored list cut down to its n best by the metric, best first."""
    for kbest in lists:
        yield kbest.take(oracles(kbest, metric, n))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    p.add_argument(
        "input",
        nargs="?",
        default="-",
        help="scored k-best stream or collection, or with a phrase table source sentences"
        " (default: stdin)",
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
        help="order of the source phrases: monotone; swap, where two neighbours may change places"
        " (default)",
    )
    search.add_argument(
        "--beam",
        type=command.positive_int,
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
    search.add_argument("--seed", type=command.non_negative_int, help="of the bags (default: 0)")
    search.add_argument(
        "--jobs",
        type=command.positive_int,
        help="threads; the output is the same (default: 1)",
    )


def body(args: argparse.Namespace) -> None:
    """Read, search, write."""
    refuse_faults(args)
    destination = Destination(args.output, args.text, args.allow_missing)
    if searches(args):
        search = search_of(args)
        text = Text(search.source)
        said = of_sentences(search, text, command.progress(text, args, COMMAND), destination)
    else:
        with open_lists(args.input, KBest, by_shard=True) as lists:
            watched = command.progress(lists, args, COMMAND)
            said = of_lists(lists, watched, args.n or 1, destination)
    command.say(args, f"{COMMAND}: {said}")


def searches(args: argparse.Namespace) -> bool:
    """Whether the flags name a model to search with."""
    models = (args.model, args.moses_ini, args.phrase_table)
    return any(model is not None for model in models)


def is_given(value: object) -> bool:
    """Whether this is the value of a flag that was given, not what argparse has without it."""
    return value is not None and value is not False and value != []


def refuse_faults(args: argparse.Namespace) -> None:
    """Raise UsageError for flags that do not fit together."""
    search = searches(args)
    command.one_stdin(args.input, *args.ref, *model_inputs(args))
    faults = [
        (args.text and (args.n or 1) > 1, f"--text writes one hypothesis a list, not --n {args.n}"),
        (args.allow_missing and not args.text, "--allow-missing goes with --text"),
        (args.allow_missing and search, "--allow-missing is for k-best lists"),
        (search and not args.ref, "a search needs --ref FILE"),
        *(
            (
                not search and is_given(getattr(args, name)),
                f"--{name.replace('_', '-')} is of a search: give a model, as --phrase-table",
            )
            for name in OF_A_SEARCH
        ),
        (args.bag_of_blocks and (args.n or 1) > 1, "--bag-of-blocks is one hypothesis a sentence"),
    ]
    for found, fault in faults:
        if found:
            raise command.UsageError(fault)


def search_of(args: argparse.Namespace) -> Search:
    """The search that the flags ask for; raises UsageError for a model that does not fit."""
    beam = NO_PRUNING if args.no_pruning else int(args.beam or DEFAULT.beam)
    n = args.n or (1 if args.text else DEFAULT.n)
    return Search(
        source=args.input,
        refs=tuple(args.ref),
        files=model_files(args),
        cache=args.cache or default_cache(),
        dense_features=dense_features_of_flags(args.dense_features),
        settings=OracleSettings(n, args.distinct, args.reordering != "monotone", beam),
        bags=args.bag_of_blocks,
        seed=args.seed or 0,
        jobs=args.jobs or 1,
    )


def of_lists(
    lists: Lists[KBest], watched: Iterable[KBest], n: int, destination: Destination
) -> str:
    """Write the oracles of scored k-best lists; `watched` are the lists behind a progress bar."""
    metric = metric_of(lists.metric, lists.name)
    summary = Summary(metric)
    checked = sound(scored(watched, lists.name), metric, lists.name)
    found = oracle_search(summary.count(checked), metric, n)
    how = command.signature(COMMAND, n=n)
    destination.write(found, lists, f"{how} < {lists.signature}", lists.metric)
    return str(summary)


def of_sentences(search: Search, text: Text, lines: Iterable[str], destination: Destination) -> str:
    """Search the block sequences of source sentences and write the best; `lines` are the text's."""
    references = References.read(search.refs)
    model = load_model(search.files, search.cache)
    on = features_on(search.files, model, search.dense_features)
    oracles = OracleSearch(model, references, search.settings, on, search.seed)
    made = {"seed": search.seed} if search.bags else vars(search.settings)
    how = command.signature(
        COMMAND,
        model=model.digest,
        **oracles.metric.fields(),
        references=references.digest(),
        bag=search.bags,
        **made,
    )
    summary = Summary(oracles.metric)
    find = oracles.bags if search.bags else oracles.truth
    gains: list[float] = []
    found = with_gains(summary.count(find(lines, text.name, search.jobs)), gains)
    destination.write(found, text, how, oracles.metric.header())
    mean = f"mean gain of the best: {sum(gains) / len(gains):.4f}; " if gains else ""
    return f"{mean}{summary}"


def with_gains(lists: Iterable[KBest], gains: list[float]) -> Iterator[KBest]:
    """Pass the lists on and note the gain of each one's first hypothesis."""
    for kbest in lists:
        assert kbest.gain is not None
        gains.append(float(kbest.gain[0]))
        yield kbest


if __name__ == "__main__":
    raise SystemExit(main())
