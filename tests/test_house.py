"""The house: the import law, a test file for every source file, every command in the README."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from formats import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SCRIPTS: dict[str, str] = PROJECT["scripts"]
EXECUTABLES = {target.partition(":")[0] for target in SCRIPTS.values()}
FOLDERS = ("formats", "stages", "pipelines")
SOURCES = sorted(p.relative_to(ROOT) for folder in FOLDERS for p in (ROOT / folder).rglob("*.py"))
CODE = [path for path in SOURCES if path.name != "__init__.py"]
TESTS = sorted(p.relative_to(ROOT) for p in (ROOT / "tests").rglob("*.py"))

FILES = {"argparse", "gzip", "io", "os", "pathlib", "shutil", "subprocess", "sys", "tempfile"}
PICKLES = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}


def name(path: Path) -> str:
    return str(path)


def folder_of(path: Path) -> str:
    """Folder that the law speaks of; a package within it is a part of it."""
    return "stages/kernels" if path.parts[1] == "kernels" else path.parts[0]


def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(), str(path))


def modules(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield every module that may be meant: `from a import b` gives a and a.b."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    else:
        assert node.module is not None, "relative import"
        assert node.level == 0, "relative import"
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported(node: ast.AST, at_start: bool = False) -> Iterator[str]:
    """Yield the modules that a file imports; at its start, not what functions or types need."""
    for child in ast.iter_child_nodes(node):
        function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
        typing = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield from modules(child)
        elif not (at_start and (function or typing)):
            yield from imported(child, at_start)


def within(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def forbidden(path: Path, module: str) -> bool:
    """Whether the import law forbids a module to a file."""
    folder = folder_of(path)
    if within(module, *PICKLES) or (within(module, "numba") and path.stem != "compiled"):
        return True
    if folder == "formats":
        return within(module, "stages", "pipelines")
    if folder == "stages/kernels":
        outside = within(module, "stages") and module != "stages"
        outside = outside and not within(module, "stages.kernels")
        # the package itself looks after the compiled forms of its kernels, and how Numba loads
        files = () if path.stem in ("__init__", "compiled") else FILES
        return outside or within(module, "formats", "pipelines", *files)
    if folder == "stages":
        return within(module, "pipelines", *EXECUTABLES)
    return within(module, "stages") and module != "stages" and not within(module, "stages.command")


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_import_law(path: Path) -> None:
    assert [module for module in imported(tree(path)) if forbidden(path, module)] == []


def reached(module: str, seen: set[str]) -> set[str]:
    """Add to `seen` what importing a module imports, and what that imports, within the sources."""
    if module not in seen:
        seen.add(module)
        path = Path(*module.split(".")).with_suffix(".py")
        for other in imported(tree(path), at_start=True) if path in SOURCES else ():
            reached(other, seen)
    return seen


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_command_waits_for_numba_to_show_its_help(script: str) -> None:
    assert "numba" not in reached(SCRIPTS[script].partition(":")[0], set())


@pytest.mark.parametrize("path", [p for p in CODE if p.parts[1] == "kernels"], ids=name)
def test_kernels_open_and_print_nothing(path: Path) -> None:
    calls = (node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
    called = {func.id for func in calls if isinstance(func, ast.Name)}
    assert called & {"open", "print", "input", "exec", "eval"} == set()


@pytest.mark.parametrize("path", CODE, ids=name)
def test_the_law_sees_what_is_forbidden(path: Path) -> None:
    """The law itself: each folder has a neighbour that it may not import."""
    neighbour = {
        "formats": "stages.rerank",
        "stages": "stages.rerank",
        "stages/kernels": "formats.files",
        "pipelines": "stages.kernels.losses",
    }
    assert forbidden(path, neighbour[folder_of(path)])


def test_every_command_has_its_file() -> None:
    for script, target in SCRIPTS.items():
        module, _, function = target.partition(":")
        assert (module.rpartition(".")[2], function) == (script.replace("-", "_"), "main")
        assert Path(*module.split(".")).with_suffix(".py") in SOURCES


@pytest.mark.parametrize("path", CODE, ids=name)
def test_every_source_file_has_its_test_file(path: Path) -> None:
    assert (ROOT / "tests" / path.parent / f"test_{path.name}").is_file()


def test_every_folder_of_tests_is_a_package() -> None:
    folders = {path.parent for path in TESTS}
    assert [
        str(folder) for folder in folders if not (ROOT / folder / "__init__.py").is_file()
    ] == []


@pytest.mark.parametrize("path", CODE, ids=name)
def test_a_file_begins_with_what_it_does(path: Path) -> None:
    assert ast.get_docstring(tree(path))


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=name)
def test_nothing_is_left_open(path: Path) -> None:
    marks = "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "Not" + "ImplementedError"))
    assert re.findall(rf"\b({marks})\b", (ROOT / path).read_text()) == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_command_stands_in_the_readme(script: str) -> None:
    assert f"`{script}`" in (ROOT / "README.md").read_text()


def test_the_changelog_knows_the_version() -> None:
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heading is not None
    assert heading[1] == __version__


def test_every_loss_and_solver_stands_in_the_readme() -> None:
    from stages.kernels.losses import LOSSES
    from stages.tuning.solvers import SOLVERS

    text = (ROOT / "README.md").read_text()
    assert [name for name in (*LOSSES, *SOLVERS) if f"`{name}`" not in text] == []


def test_links_of_the_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
