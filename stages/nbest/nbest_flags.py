"""The flags of import-nbest that only some formats take, and the settings that they become."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.key_paths import KeyPath
from campanula.formats.records.names import is_name
from campanula.stages import command
from campanula.stages.command import UsageError

FLAGS = {
    "size": "--size",
    "text": "--text",
    "id": "--id",
    "score": "--score",
    "features": "--feature",
    "list": "--list",
    "records": "--records",
    "costs": "--costs",
    "scores": "--scores",
}
NAMED = ("features", "costs", "scores")  # settings of flags NAME=..., which may be repeated
PLAIN = (None, "nemo", "kaldi", "srilm")  # formats that `detect` may take plain lines for
JSON = ("jsonl", "espnet", "hypr", "hyporadise", "vosk", "sockeye", "openai", "json")


def add_format_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags for what some formats do not say themselves."""
    lines = p.add_argument_group("plain lines (lines, nemo)")
    what = "lines a sentence, the k of k plain lines per sentence"
    lines.add_argument("--size", type=command.positive_int, metavar="K", help=what)
    keys = p.add_argument_group("json and csv, by key paths such as choices[].text, or by columns")
    for flag, metavar, text in (
        ("--records", "PATH", "the lists of a file (default: its records)"),
        ("--list", "PATH", "the hypotheses of a list; the paths below go on from there"),
        ("--text", "PATH", "text of a hypothesis"),
        ("--score", "PATH", "score of a hypothesis"),
        ("--id", "PATH", "what the sentence is called"),
    ):
        keys.add_argument(flag, type=_path, metavar=metavar, help=text)
    keys.add_argument(
        "--feature",
        dest="features",
        action="append",
        type=_named_path,
        metavar="NAME=PATH",
        help="a number of a hypothesis; repeatable",
    )
    kaldi = p.add_argument_group("kaldi")
    for flag, what in (("--costs", "costs, made scores by a minus"), ("--scores", "scores")):
        text = f"text archive of {what}; repeatable"
        kaldi.add_argument(flag, action="append", type=_named, metavar="NAME=FILE", help=text)


def _path(text: str) -> str:
    try:
        return KeyPath.of(text).text
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _named(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not is_name(name) or not value:
        raise argparse.ArgumentTypeError(f"expected NAME=..., found {text!r}")
    return name, value


def _named_path(text: str) -> tuple[str, str]:
    name, value = _named(text)
    return name, _path(value)


def settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the flags give; raises UsageError for a feature named twice."""
    given = {name: getattr(args, name) for name in FLAGS if getattr(args, name) is not None}
    names = [pair[0] for setting in ("costs", "scores") for pair in given.get(setting, ())]
    for group in (names, [pair[0] for pair in given.get("features", ())]):
        if len(set(group)) < len(group):
            again = next(name for name in group if group.count(name) > 1)
            raise UsageError(f"the feature {again} is named twice")
    return {name: dict(value) if name in NAMED else value for name, value in given.items()}


def settings_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same settings from Python's keywords; raises ValueError for what is none."""
    for name, value in given.items():
        if name not in FLAGS:
            raise ValueError(f"expected a setting such as {', '.join(FLAGS)}, found {name!r}")
        if name == "size" and (type(value) is not int or value < 1):
            raise ValueError(f"size: expected a whole number of at least 1, found {value!r}")
        if name in NAMED and not isinstance(value, Mapping):
            raise ValueError(f"{name}: expected a mapping from names of features, found {value!r}")
        for feature in value if name in NAMED else ():
            if not is_name(feature):
                raise ValueError(f"{name}: expected a feature's name, found {feature!r}")
    return {name: _setting(name, value) for name, value in given.items()}


def _setting(name: str, value: Any) -> Any:
    """Return the value of a setting, key paths normalised; raises ValueError for a bad path."""
    if name == "features":
        return {feature: KeyPath.of(path).text for feature, path in value.items()}
    if name in NAMED:
        return {feature: os.fspath(path) for feature, path in value.items()}
    return value if name == "size" else KeyPath.of(value).text


def implied(detected: str | None, given: Mapping[str, Any]) -> str | None:
    """Return the format of a file, given the one that its first lines show and the settings.

    --size makes plain lines `lines`, --text makes any kind of JSON `json`.
    """
    if "size" in given and detected in PLAIN:
        return "lines"
    return "json" if "text" in given and detected in JSON else detected


def check(form: str, given: Mapping[str, Any]) -> None:
    """Raise UsageError for settings that a format does not take, or lacks."""
    item = FORMATS[form]
    taken = item.options
    for name in given:
        if name not in taken:
            others = [other for other in FORMATS if name in FORMATS[other].options]
            raise UsageError(f"{FLAGS[name]} goes with --format {' or '.join(others)}, not {form}")
    for name in item.needed:
        if name not in given:
            raise UsageError(f"lists in the format {form} need {FLAGS[name]}")
    if form == "json" and given and "text" not in given:
        raise UsageError("key paths need --text")
