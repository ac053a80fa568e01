"""Add a feature to every hypothesis of k-best lists.

    lm       natural log probability under an ARPA language model, <s> and </s> included
    column   a number a hypothesis that another program made, such as COMET or a second model
    length   the number of words (or of characters)
    score    the score that the lists have
    field    a number that stands in a text field of the lists
    ratio    one feature over another: `ratio LogProb Tokens`
    product  two features multiplied

and features of your own: functions that are entry points of the group campanula.features.

Reads a k-best stream and writes it with one dense feature more.  The name must be new to the lists.
Weights for the longer lists need a value for it.  What reads the text takes another with
--text-field, or its words with --remove-subwords; the lists keep theirs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from campanula.formats.arrays.types import Floats
from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError, ListError
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names, is_name
from campanula.formats.registry import BrokenName
from campanula.stages import command
from campanula.stages.command_line.parsing import Parser
from campanula.stages.command_line.text_flags import TextForm, add_text_flags
from campanula.stages.hypothesis_features.own import add_flags
from campanula.stages.hypothesis_features.table import FEATURES
from campanula.stages.outputs.list_files import writer_for

COMMAND = "add-feature"
EXAMPLE = "add-feature lm --arpa lm.arpa.gz --name LM1 dev.kbest -o dev.lm.kbest"
OURS = tuple(FEATURES)
WITHOUT_TEXT = ("column", "score", "field", "ratio", "product")


def add_feature(
    lists: Iterable[KBest], name: str, values: Callable[[KBest], Floats], source: str
) -> Iterator[KBest]:
    """Yield every list with one dense feature more; raises DataError for a name that is not new."""
    # The new feature is numbered in a table of the output's own: in the table of the reader it
    # would take the id of the next name that the stream declares.
    table = Names()
    names_before: Names | None = None
    for kbest in lists:
        if names_before is not None and kbest.names is not names_before:
            table = Names()  # a new shard has a table of names of its own
        names_before = kbest.names
        if name in kbest.names:
            problem = "expected a new feature name, found it in the lists"
            raise DataError(source, f"sentence {kbest.sid}: feature {name!r}", problem)
        features = kbest.features.translate(table.ids_of(kbest.names))
        try:
            value = values(kbest)
        except ListError as error:
            raise DataError(source, f"sentence {kbest.sid}", str(error)) from error
        yield replace(kbest, names=table, features=features.with_dense(table.id(name), value))


def parser(words: Sequence[str] = ()) -> Parser:
    """Return the parser of the flags.

    Entry points are searched for features of other packages only if none of the words of the
    command line is a feature of ours: the search takes a while.
    """
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    kinds = p.add_subparsers(title="features", required=True, metavar="FEATURE")
    for name, feature in FEATURES.items():
        _kind(kinds, name, feature.summary, feature.add_flags, feature.name)
    if not any(word in FEATURES for word in words):
        for name in FEATURES.entry_points():
            if name in words:
                _add_own(p, kinds, name)
            elif name not in FEATURES:
                _kind(kinds, name, "a feature of another package", add_flags)
    return p


def _add_own(p: Parser, kinds: argparse._SubParsersAction[Parser], name: str) -> None:
    """Add the feature of another package; where it cannot be loaded, exit with status 2."""
    try:
        feature = FEATURES[name]
    except BrokenName as error:
        p.error(str(error))
    _kind(kinds, name, feature.summary, feature.add_flags, feature.name)


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(sys.argv[1:] if argv is None else argv), argv)


def _kind(
    kinds: argparse._SubParsersAction[Parser],
    name: str,
    summary: str,
    add_own_flags: Callable[[argparse.ArgumentParser], None],
    default_name: str = "",
) -> None:
    """Add the sub-command of a feature, with the flags of this feature and those of all features.

    default_name: that of the new feature, with options of the feature in braces: `{a}/{b}`.
    """
    p = kinds.add_parser(name, help=summary, description=summary, allow_abbrev=False)
    add_own_flags(p)  # first, since what it has for arguments stands before the input
    command.add_input(p, "k-best stream or collection")
    if default_name:
        default = default_name.replace("{", "").replace("}", "").upper()
        p.add_argument("--name", type=_name, help=f"name of the new feature (default: {default})")
    elif name in OURS:
        p.add_argument("--name", required=True, type=_name, help="name of the new feature")
    else:
        new = f"name of the new feature (default: {name})"
        p.add_argument("--name", default=name, type=_name, help=new)
    if name not in WITHOUT_TEXT:
        add_text_flags(p)
    output = "output file (default: stdout)"
    # without a default: one would undo a flag that stands before the sub-command
    p.add_argument("-o", "--output", metavar="PATH", default=argparse.SUPPRESS, help=output)
    p.add_argument("-q", "--quiet", action="store_true", default=argparse.SUPPRESS)
    p.set_defaults(feature=name)


def _name(text: str) -> str:
    if not is_name(text):
        raise argparse.ArgumentTypeError(f"expected a name without blanks, found {text!r}")
    return text


def body(args: argparse.Namespace) -> None:
    """Read the lists, add the feature to each, write them."""
    feature = FEATURES[args.feature]
    options = {name: getattr(args, name) for name in feature.options}
    name = feature.name.format(**options) if args.name is None else args.name
    command.one_stdin(args.input, *(text for text in options.values() if isinstance(text, str)))
    count = 0
    with open_lists(args.input, KBest, by_shard=True) as lists:
        # the new feature would need an id of the inventory, which is not extended here
        if isinstance(lists.names, NumberedNames):
            problem = "is against an inventory: run add-feature before index-features"
            raise DataError(lists.name, None, problem)
        values = feature.values(**options)
        form = TextForm() if args.feature in WITHOUT_TEXT else TextForm.of_flags(args)
        settings = {"feature": name, "source": values.signature, **form.signature()}
        signature = command.signature(COMMAND, lists.signature, **settings)
        with writer_for(lists, args.output, KBest, signature, lists.metric) as out:
            watched = command.progress(lists, args, COMMAND)
            of_list = form.reading(values.of_list, lists.name)
            for kbest in add_feature(watched, name, of_list, lists.name):
                out.write(kbest)
                count += len(kbest)
            values.finish()
    command.say(args, f"{COMMAND}: {name} for {count} hypotheses of {out.count} sentences")


if __name__ == "__main__":
    raise SystemExit(main())
