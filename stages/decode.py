"""Translate sentences and write the k best translations of each.

Beam search over blocks (phrase pairs), with the score of a derivation

    score = theta . f,   f = Moses's features: LM0, Distortion0, WordPenalty0, PhrasePenalty0,
                         UnknownWordPenalty0, TranslationModel0_*, LexicalReordering0_*,
                         and the sparse features that --features turns on

Reads source sentences, one a line, words between blanks or tabs; writes a k-best stream.  The list
is the exact k best of the pruned search graph (Huang & Chiang 2005).  A word that the phrase table
lacks is copied.  The model's files are Moses's phrase table, Moses's lexicalised reordering table
(msd-bidirectional-fe) and an ARPA language model, plain or gzip; they are compiled once and then
mapped from a cache.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import numpy as np
import xxhash

from formats.errors import DataError
from formats.files import read_lines
from formats.kbest import KBest
from formats.lattice import Lattice
from formats.model import Model, ModelFiles, default_cache, load_model, read_model_folder
from formats.names import Names
from formats.stream import Writer
from formats.weights import Weights
from stages import command
from stages.decoder import MAX_WINDOW, REORDERING, Decoder, SearchSettings
from stages.sparse_flags import add_sparse_flag, split_weights, templates_on
from stages.sparse_options import SparseWeights

DEFAULT = SearchSettings()
EVERYTHING = 1 << 40  # more candidates than any stack has


def decode(decoder: Decoder, lines: Iterable[str], jobs: int = 1) -> Iterator[KBest]:
    """Yield the k-best list of every line, in order."""
    return decoder.decode_all(lines, jobs)


def decode_to(
    decoder: Decoder, lines: Iterable[str], jobs: int, lattices: Writer[Lattice]
) -> Iterator[KBest]:
    """Yield the k-best list of every line, in order, and write the search graph of each."""
    for kbest, lattice in decoder.decode_with_lattices(lines, jobs):
        lattices.write(lattice)
        yield kbest


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    p = command.parser(
        "decode", __doc__, "decode --model model --weights w0 -k 500 dev.de -o dev.kbest"
    )
    p.add_argument("input", nargs="?", default="-", help="source sentences (default: stdin)")
    p.add_argument("--weights", required=True, metavar="FILE", help="weights theta")
    command.add_missing_flag(p)
    add_model_flags(p)
    add_sparse_flag(p)
    p.add_argument(
        "-k",
        type=command.positive_int,
        default=DEFAULT.k,
        help="length of the lists (default: 500)",
    )
    p.add_argument(
        "--distinct",
        action="store_true",
        help="k different strings, each with its best derivation (default: k derivations)",
    )
    p.add_argument(
        "--lattice",
        metavar="PATH",
        help="write the pruned search graph of each sentence here, too, for rescore",
    )
    add_search_flags(p)
    p.add_argument(
        "--jobs", type=command.positive_int, default=1, help="threads; the output is the same"
    )
    return command.run(body, p, argv)


def add_model_flags(p: argparse.ArgumentParser) -> None:
    """Flags that say which model."""
    p.add_argument(
        "--model",
        metavar="DIR",
        help="folder with model.json, which names the files and the features that are on"
        ' ({"phrase-table": F, "reordering-table": F, "lm": F, "features": [...]}), or moses.ini',
    )
    p.add_argument("--phrase-table", metavar="FILE", help="Moses phrase table")
    p.add_argument(
        "--reordering-table",
        metavar="FILE",
        help="Moses lexicalised reordering table; without it LexicalReordering0 is off",
    )
    p.add_argument("--lm", metavar="FILE", help="ARPA language model; without it LM0 is off")
    p.add_argument(
        "--cache",
        metavar="DIR",
        help="folder of compiled models (default: campanula in the user's cache folder)",
    )


def add_search_flags(p: argparse.ArgumentParser) -> None:
    """Flags of the search: reordering and pruning."""
    p.add_argument(
        "--reordering",
        choices=list(REORDERING),
        default=DEFAULT.reordering,
        help="order of the source phrases: monotone; swap, where two neighbours may change places;"
        " distance, jumps up to the distortion limit (default)",
    )
    p.add_argument(
        "--distortion-limit",
        type=command.non_negative_int,
        default=DEFAULT.distortion_limit,
        metavar="WORDS",
        help=f"longest jump with --reordering distance, at most {MAX_WINDOW} (default: 6)",
    )
    p.add_argument(
        "--table-limit",
        type=command.positive_int,
        default=DEFAULT.table_limit,
        metavar="N",
        help="translations of a source phrase, the best by score (default: 20)",
    )
    p.add_argument(
        "--beam",
        "--pop-limit",
        dest="pop_limit",
        type=command.positive_int,
        default=DEFAULT.pop_limit,
        metavar="N",
        help="candidates tried per stack of cube pruning; more is slower and finds better"
        " translations (default: 500)",
    )
    p.add_argument(
        "--stack",
        type=command.positive_int,
        default=DEFAULT.stack,
        metavar="N",
        help="hypotheses kept per number of covered words (default: 200)",
    )
    p.add_argument(
        "--beam-threshold",
        type=command.non_negative_float,
        default=DEFAULT.beam_threshold,
        metavar="X",
        help="drop what is worse than its stack's best by more than X (default: nothing)",
    )
    p.add_argument(
        "--no-pruning",
        action="store_true",
        help="keep every hypothesis and every translation of a phrase: for short sentences only",
    )


def body(args: argparse.Namespace) -> None:
    """Load the model, decode, write."""
    refuse_one_output(args)
    templates, files = templates_on(args.features, model_files(args))
    if templates and args.lattice is not None:
        raise command.UsageError("a lattice holds no sparse features: --lattice or --features")
    settings = search_settings(args)
    weights, sparse = split_weights(Weights.read(args.weights), templates)
    model = load_model(files, args.cache or default_cache())
    on = features_on(files, model)
    theta = theta_of(weights, model, on, args)
    decoder = Decoder(model, theta, settings, on, sparse)
    how = command.signature(
        "decode",
        model=model.digest,
        weights=xxhash.xxh3_64_hexdigest(theta.tobytes()),
        **vars(settings),
        **sparse_signature(sparse),
    )
    lines = command.progress(read_lines(args.input), args, "decode")
    with ExitStack() as stack:
        if args.lattice is None:
            lists = decode(decoder, lines, args.jobs)
        else:
            lattices = stack.enter_context(Writer(args.lattice, Lattice, how))
            lists = decode_to(decoder, lines, args.jobs, lattices)
        out = stack.enter_context(Writer(args.output, KBest, how))
        for kbest in lists:
            out.write(kbest)
    command.say(args, f"decode: {out.count} sentences")


def refuse_one_output(args: argparse.Namespace) -> None:
    """Raise UsageError when both streams would go to the same place."""
    if args.lattice is None:
        return
    paths = (args.output or "-", args.lattice)
    if paths[0] == paths[1] or len({os.path.realpath(path) for path in paths}) == 1:
        raise command.UsageError("the lists and the lattices cannot be the same file")


def model_files(args: argparse.Namespace) -> ModelFiles:
    """Files of the model that the flags name; raises UsageError when they do not fit together."""
    tables = (args.phrase_table, args.reordering_table, args.lm)
    if args.model is not None:
        if any(table is not None for table in tables):
            raise command.UsageError("--model names the files; give it or the files, not both")
        return read_model_folder(args.model)
    if args.phrase_table is None:
        raise command.UsageError("expected --model or --phrase-table")
    return ModelFiles(*tables)


def search_settings(args: argparse.Namespace) -> SearchSettings:
    """Search settings that the flags ask for."""
    if args.distortion_limit > MAX_WINDOW:
        raise command.UsageError(f"--distortion-limit is at most {MAX_WINDOW}")
    limits = (args.pop_limit, args.stack, args.beam_threshold, args.table_limit)
    if args.no_pruning:
        limits = (EVERYTHING, EVERYTHING, float("inf"), EVERYTHING)
    return SearchSettings(args.k, args.distinct, args.reordering, args.distortion_limit, *limits)


def features_on(files: ModelFiles, model: Model) -> list[str]:
    """Names of the features that are on; raises DataError for one that the model has not."""
    names = model.feature_names()
    if files.features is None:
        return names
    for name in files.features:
        if name not in names:
            problem = f"expected one of {', '.join(names)}"
            raise DataError("model.json", f"feature {name!r}", problem)
    return [name for name in names if name in files.features]


def sparse_signature(sparse: SparseWeights | None) -> dict[str, str]:
    """Part of the signature that tells of sparse features, empty without them."""
    if sparse is None:
        return {}
    weights = Weights(dict(sparse.theta)).digest()
    return {"features": ",".join(sparse.templates), "sparse_weights": weights}


def theta_of(
    weights: Weights, model: Model, on: list[str], args: argparse.Namespace
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Weights of all features of the model; those that are off weigh 0."""
    names = Names()
    for name in on:
        names.id(name)
    by_name = dict(zip(on, command.vector(weights, names, "the model", args).tolist(), strict=True))
    return np.array([by_name.get(name, 0.0) for name in model.feature_names()])


if __name__ == "__main__":
    raise SystemExit(main())
