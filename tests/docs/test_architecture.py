"""All pages: files and names of the code.  docs/architecture.md: methods, the table of layers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.pages import ROOT, text_of
from tests.test_house import PACKAGE, TREES, folder_of, imported, within

PAGE = text_of("architecture")
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
# with a folder: a bare name is that of an example's own file
PLACE = re.compile(r"`((?:\w+/)+\w+\.py)(?::(\w+))?`")
PLACES = {place for page in PAGES for place in PLACE.findall(page.read_text(encoding="utf-8"))}
LAYERS = re.findall(r"^\| `([\w/]+)` \| (.*?) \|", PAGE.split("### Where")[0], re.MULTILINE)


def defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines itself."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))


def missing(path: str, name: str) -> bool:
    if not (ROOT / path).is_file():
        return True
    return bool(name) and name not in defined(ast.parse((ROOT / path).read_text()))


def test_files_and_names_are_there() -> None:
    assert len(PLACES) > 80
    assert [place for place in sorted(PLACES) if missing(*place)] == []


def methods() -> set[str]:
    """`Class.method` of all classes."""
    nodes = [node for tree in TREES.values() for node in ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    parts = [(c.name, f.name) for c in classes for f in c.body if isinstance(f, ast.FunctionDef)]
    return {f"{name}.{method}" for name, method in parts}


def test_its_methods_are_there() -> None:
    named = set(re.findall(r"`([A-Z]\w+\.[a-z_]\w+)`", PAGE))
    assert len(named) > 4
    assert named - methods() == set()


def test_the_layers_import_what_the_table_says() -> None:
    arrows: dict[str, set[str]] = {}
    for path, tree in TREES.items():
        targets = arrows.setdefault(folder_of(path) or PACKAGE, set())
        for module in imported(tree):
            target = Path(*module.split(".")).with_suffix(".py")
            if within(module, PACKAGE) and target in TREES:
                targets.add(folder_of(target) or PACKAGE)
    told = {layer: set(re.findall(r"`([\w/]+)`", others)) for layer, others in LAYERS}
    told[PACKAGE] = {*told}
    assert arrows == told
