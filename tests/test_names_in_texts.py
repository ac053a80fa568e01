"""What docstrings and comments name is there: files, modules, and what modules and classes have.

    kbest.py (a neighbour), formats/records/kbest.py, docs/losses.md     files
    kernels/metrics, kernels/metrics/tokens.number                       folders, and what is there
    records.Options, campanula.formats.stream, Metric.gain_names         modules and classes

A name that ends in small letters may also be an attribute of whatever an example calls so, if some
class of ours has it (`weights.items`, `out.write`), or something of another library.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.pages import ROOT
from tests.test_house import PACKAGE, TREES, folder_of, offenders

PATH = re.compile(
    r"(?<![\w/.-])((?:[\w-]+/)*[\w-]+\.(?:py|md)|(?:\w+/)+\w+)(?:\.(\w+))?\b(?![\w/-])"
)
DOTTED = re.compile(r"(?<![\w/.$-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w/(=-]*[/=])")
SUFFIXES = {
    *("alignment", "arpa", "asv", "bbe", "cfg", "compare", "config", "csv", "de", "en", "exc"),
    *("fr", "gz", "indices", "json", "jsonl", "kbest", "kjv", "lists", "nbest", "noun", "out"),
    *("pl", "png", "py", "source", "svg", "target", "toml", "txt", "web"),
}
"""What files of examples end in."""

OUTSIDE = {
    *("alignment.py", "asr_recog.py", "mert/Data"),  # NLTK's, ESPnet's, Moses's
    *("dask.distributed", "index.noun"),  # a package that may be missing, WordNet's
    "cli.score_bleu",  # made when it is asked for
    *(f"{PACKAGE}.{group}" for group in ("losses", "metrics", "features", "solvers")),
    *(f"{PACKAGE}.{group}" for group in ("list_formats", "weight_formats")),  # entry points
}
FILES = {path.as_posix(): path for path in TREES}
ENDS = {path.removeprefix(f"{PACKAGE}/") for path in FILES}
FOLDERS = {parent.as_posix() for path in map(Path, ENDS) for parent in path.parents}


@cache
def texts(path: Path) -> list[str]:
    """The docstrings of a file, those below an assignment among them, and its comments."""
    alone = [node.value for node in ast.walk(TREES[path]) if isinstance(node, ast.Expr)]
    strings = [str(node.value) for node in alone if isinstance(node, ast.Constant)]
    return strings + re.findall(r"(?:^|  )#.*$", (ROOT / path).read_text(), re.MULTILINE)


@cache
def defined(tree: ast.AST, deep: bool = False) -> set[str]:
    """Names that a module or a class defines or imports; deep: `self.name` of methods, too."""
    names: set[str] = set()
    for node in ast.walk(tree) if deep else tree.body:  # type: ignore[attr-defined]
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in node.names}
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.If, ast.With)):
            stored = (n for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute)))
            of_store = (n for n in stored if isinstance(n.ctx, ast.Store))
            names |= {n.id if isinstance(n, ast.Name) else n.attr for n in of_store}
    return names


@cache
def classes() -> dict[str, set[str]]:
    """What classes of a name have, bases of ours included."""
    own: dict[str, set[str]] = defaultdict(set)
    bases: dict[str, set[str]] = defaultdict(set)
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                own[node.name] |= defined(node, deep=True)
                bases[node.name] |= {re.split(r"[.\[]", ast.unparse(b))[-1] for b in node.bases}
                bases[node.name] |= {re.split(r"[.\[]", ast.unparse(b))[0] for b in node.bases}

    def whole(name: str) -> set[str]:
        return own[name].union(*(whole(b) for b in bases[name] - {name} if b in own))

    return {name: whole(name) for name in list(own)}


@cache
def modules() -> dict[str, list[Path]]:
    """Files by the ends of their dotted names: `records`, `kernels.records`, ..."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in TREES:
        parts = path.with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        for start in range(len(parts)):
            found[".".join(parts[start:])].append(path)
    return found


def is_path(text: str, attribute: str, path: Path) -> bool:
    """Whether a path leads somewhere: below ROOT, below a package, or beside the file it is in."""
    if "/" not in text:
        return (ROOT / path.parent / text).is_file()
    if text.endswith((".py", ".md")):
        ends = [end for end in ENDS if f"/{end}".endswith(f"/{text}")]
        return bool(ends) or (ROOT / text).is_file()
    ends = [end for end in ENDS if f"/{end}".endswith(f"/{text}.py")]
    if ends and attribute:
        return any(attribute in defined(TREES[Path(PACKAGE, end)]) for end in ends)
    return bool(ends) or any(f"/{folder}".endswith(f"/{text}") for folder in FOLDERS)


def is_ours(text: str) -> bool:
    """Whether a path is meant to be one of the repository: with an ending, or of its folders."""
    first = text.partition("/")[0]
    folders = {part for folder in FOLDERS for part in Path(folder).parts} | {"docs", "tests"}
    return text.endswith((".py", ".md")) or first in folders


def resolves(name: str) -> bool:
    """Whether a dotted name is a module of ours, or something that one or a class of ours has."""
    if modules()[name]:
        return True
    before, _, last = name.rpartition(".")
    if any(last in defined(TREES[path]) for path in modules()[before]):
        return True
    owner = before.rpartition(".")[2]
    if owner in classes():
        return last in classes()[owner]
    example = last.islower() and (owner == "args" or last in attributes())
    return example or has(name)


@cache
def attributes() -> set[str]:
    """Attributes of all classes, and of text, maps and lists."""
    known = {attribute for kind in (str, bytes, dict, list) for attribute in dir(kind)}
    return known.union(*classes().values())


def has(name: str) -> bool:
    """Whether a library, or Python itself, has a name."""
    first, *rest = name.split(".")
    first = {"np": "numpy"}.get(first, first)
    try:
        value = getattr(builtins, first, None) or importlib.import_module(first)
    except ImportError:
        return False
    for part in rest:
        value = getattr(value, part, None)
    return value is not None


def test_files_and_folders_are_there() -> None:
    def lost(path: Path) -> list[str]:
        found = [m for text in texts(path) for m in PATH.findall(text)]
        ours = [m for m in found if is_ours(m[0]) and m[0] not in OUTSIDE]
        return [".".join(filter(None, m)) for m in ours if not is_path(m[0], m[1], path)]

    assert offenders(list(TREES), lost) == {}


def test_dotted_names_resolve() -> None:
    def lost(path: Path) -> list[str]:
        names = {name for text in texts(path) for name in DOTTED.findall(text)}
        names = {name for name in names if name.rpartition(".")[2] not in SUFFIXES}
        return sorted(name for name in names - OUTSIDE if not resolves(name))

    assert offenders(list(TREES), lost) == {}


def test_what_is_not_there_is_seen() -> None:
    here = Path(PACKAGE, "stages/tuning/losses.py")
    assert folder_of(here) == "stages"
    assert is_path("objective.py", "", here)
    assert is_path("kernels/metrics/tokens", "number", here)
    assert not is_path("descent.py", "", here)
    assert not is_path("kernels/losses.py", "", here)
    assert not is_path("kernels/metrics/tokens", "numbers", here)
    names = ("records.Options", "kernels.records", "Metric.gain_names", "str.split", "out.write")
    assert [name for name in names if not resolves(name)] == []
    wrong = ("search.Options", "kernels.search_records", "Metric.gain_titles", "np.uniq")
    assert [name for name in wrong if resolves(name)] == []
