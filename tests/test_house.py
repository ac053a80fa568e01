"""The house: the import law, a test file for every source file, every command in the README."""

from __future__ import annotations

import ast
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from campanula import cli
from campanula.formats import __version__
from tests.conftest import LONG, SLOW
from tests.pages import ROOT

PACKAGE = "campanula"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SCRIPTS: dict[str, str] = PROJECT["scripts"]
EXECUTABLES = set(cli.SCRIPTS.values())
FOLDERS = ("formats", "stages", "pipelines")


def python_files(folder: Path) -> list[Path]:
    """Python files below a folder, which may be a link, from ROOT."""
    found = folder.resolve().rglob("*.py")
    return [folder.relative_to(ROOT) / path.relative_to(folder.resolve()) for path in found]


# In an unpacked source distribution the three folders stand below `campanula` alone.
OWN = [path.relative_to(ROOT) for path in (ROOT / PACKAGE).glob("*.py")]
SOURCES = sorted(p for folder in FOLDERS for p in python_files(ROOT / PACKAGE / folder))
CODE = [path for path in [*OWN, *SOURCES] if path.name not in ("__init__.py", "__main__.py")]
TESTS = sorted(python_files(ROOT / "tests"))

FILES = {"argparse", "gzip", "io", "os", "pathlib", "shutil", "subprocess", "sys", "tempfile"}
PICKLES = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}

Module = ast.Module
TREES = {path: ast.parse((ROOT / path).read_text(), str(path)) for path in [*OWN, *SOURCES]}


def offenders(paths: list[Path], at_fault: Callable[[Path], object]) -> dict[str, object]:
    """The files that break a rule, each with what breaks it."""
    found = {str(path): at_fault(path) for path in paths}
    return {path: fault for path, fault in found.items() if fault}


def folder_of(path: Path) -> str:
    """Folder that the law speaks of, without the package's own name."""
    parts = path.parts[1:]
    for special in (("stages", "kernels"), ("formats", "arrays")):
        if parts[:2] == special:
            return "/".join(special)
    return parts[0] if len(parts) > 1 else ""


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


def ours(module: str, *folders: str) -> bool:
    return within(module, *(f"{PACKAGE}.{folder}" for folder in folders))


KEEPERS = ("compiled", "kernel_cache", "numba_cache", "place")


def keeps_kernels(path: Path) -> bool:
    """Whether a file looks after the compiled forms of the kernels, and how Numba loads."""
    return path.stem in KEEPERS or path.parent.name == "native"


def forbidden(path: Path, module: str) -> bool:
    """Whether the import law forbids a module to a file."""
    folder = folder_of(path)
    if within(module, *PICKLES) or within(module, *FOLDERS):
        return True
    if within(module, "numba") and not keeps_kernels(path):
        return True
    if folder == "formats/arrays":
        return within(module, PACKAGE, *FILES) and not ours(module, "formats.arrays")
    if folder == "formats":
        return ours(module, "stages", "pipelines")
    if folder == "stages/kernels":
        outside = within(module, PACKAGE) and not ours(module, "stages.kernels", "formats.arrays")
        files = () if path.stem == "__init__" or keeps_kernels(path) else FILES
        return (outside and module not in PARENTS) or within(module, *files)
    if folder == "stages":
        return ours(module, "pipelines") or within(module, *EXECUTABLES)
    if folder == "pipelines":
        others = EXECUTABLES - {f"{PACKAGE}.pipelines.tune"}
        return ours(module, "stages.kernels") or within(module, *others)
    return False


PARENTS = {PACKAGE, f"{PACKAGE}.stages", f"{PACKAGE}.formats"}


def test_import_law() -> None:
    def broken(path: Path) -> list[str]:
        return [module for module in imported(TREES[path]) if forbidden(path, module)]

    assert offenders([*OWN, *SOURCES], broken) == {}


def test_the_law_sees_what_is_forbidden() -> None:
    neighbours = {
        "formats/arrays/types.py": "campanula.formats.errors",
        "formats/files.py": "campanula.stages.rerank",
        "stages/optimize.py": "campanula.stages.rerank",
        "stages/tuning/objective.py": "numba",
        "stages/kernels/lists/scores.py": "campanula.formats.files",
        "stages/kernels/lists/lists.py": "os",
        "pipelines/tasks/cache.py": "campanula.stages.kernels.lists.scores",
        "pipelines/loops/mert.py": "campanula.stages.optimize",
        "stages/command.py": "pickle",
        "stages/rerank.py": "formats.files",
        "stages/tuning/solvers/table.py": "campanula.pipelines.tasks.cache",
    }
    assert [p for p, m in neighbours.items() if not forbidden(Path(PACKAGE, p), m)] == []


def reached(module: str, seen: set[str]) -> set[str]:
    """Add to `seen` what importing a module imports, and what that imports, within the sources."""
    if module not in seen:
        seen.add(module)
        path = Path(*module.split(".")).with_suffix(".py")
        for other in imported(TREES[path], at_start=True) if path in TREES else ():
            reached(other, seen)
    return seen


def test_no_command_waits_for_numba_to_show_its_help() -> None:
    slow = [name for name in cli.MODULES if "numba" in reached(cli.MODULES[name], set())]
    assert slow == []


def test_no_import_goes_in_a_circle() -> None:
    """What a file imports at its start never leads back to it."""
    arrows: dict[str, set[str]] = {}
    for path, tree in TREES.items():
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        arrows[name] = set(imported(tree, at_start=True)) - {name}
    arrows = {name: arrows[name] & arrows.keys() for name in arrows}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way, name))
        if name not in done:
            for other in sorted(arrows[name]):
                # a package imports its modules; that they name the package is no circle
                if not name.startswith(f"{other}."):
                    visit(other, (*way, name))
            done.add(name)

    for name in sorted(arrows):
        visit(name, ())


def test_kernels_open_and_print_nothing() -> None:
    def called(path: Path) -> set[str]:
        calls = (node.func for node in ast.walk(TREES[path]) if isinstance(node, ast.Call))
        names = {func.id for func in calls if isinstance(func, ast.Name)}
        return names & {"open", "print", "input", "exec", "eval"}

    kernels = [path for path in CODE if folder_of(path) == "stages/kernels"]
    assert offenders([p for p in kernels if not keeps_kernels(p)], called) == {}


def has_main(path: Path) -> bool:
    return any(isinstance(n, ast.FunctionDef) and n.name == "main" for n in TREES[path].body)


def test_every_command_has_its_file() -> None:
    for name, module in cli.SCRIPTS.items():
        assert SCRIPTS[name] == f"campanula.cli:{name.replace('-', '_')}"
        assert module.rpartition(".")[2] == name.replace("-", "_")
        assert Path(*module.split(".")).with_suffix(".py") in SOURCES
    assert set(SCRIPTS) == {*cli.SCRIPTS, PACKAGE}
    stages = Path(PACKAGE, "stages")
    mains = [path.stem for path in SOURCES if stages in path.parents and has_main(path)]
    commands = sorted(name.replace("-", "_") for name in cli.STAGES)
    assert sorted(mains) == commands
    # a list of the folder shows the commands; what they share stands in packages
    shown = {path.stem for path in SOURCES if path.parent == stages} - {"__init__", "command"}
    assert sorted(shown) == commands


DOORS = {"command", "flags", "from_flags", "optimizing", "parallel_text", "parsing"}


def test_flags_stop_at_the_door() -> None:
    """Below the commands and what makes settings of their flags no function knows a Namespace."""

    def takes_flags(path: Path) -> list[str]:
        if path.stem in DOORS or path.stem.endswith("_flags") or has_main(path):
            return []
        kinds = {
            f.name: [ast.unparse(a.annotation) for a in f.args.args if a.annotation]
            for f in functions(path)
        }
        return [name for name in kinds if any("Namespace" in kind for kind in kinds[name])]

    assert offenders([*OWN, *SOURCES], takes_flags) == {}


def test_every_source_file_has_its_test_file() -> None:
    def file_of_tests(path: Path) -> Path:
        below = path.relative_to(PACKAGE) if folder_of(path) else path
        return ROOT / "tests" / below.parent / f"test_{path.name}"

    assert [str(path) for path in CODE if not file_of_tests(path).is_file()] == []


def test_what_is_slow_or_long_is_there() -> None:
    """A test that was renamed would leave these lists unseen."""
    names = set()
    for path in TESTS:
        tree = ast.parse((ROOT / path).read_text())
        functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
        names |= {f"{path.relative_to('tests').as_posix()}::{f.name}" for f in functions}
    wanted = {name.partition("[")[0] for name in (*SLOW, *LONG)}
    assert [w for w in sorted(wanted) if not any(name.startswith(w) for name in names)] == []


def test_every_folder_of_tests_is_a_package() -> None:
    folders = {path.parent for path in TESTS}
    assert [str(f) for f in folders if not (ROOT / f / "__init__.py").is_file()] == []


def test_a_file_begins_with_what_it_does() -> None:
    assert [str(path) for path in CODE if not ast.get_docstring(TREES[path])] == []


def test_nothing_is_left_open() -> None:
    marks = "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "Not" + "ImplementedError"))

    def left(path: Path) -> list[str]:
        return re.findall(rf"\b({marks})\b", (ROOT / path).read_text())

    assert offenders([*OWN, *SOURCES, *TESTS], left) == {}


def reasoned(path: Path, line: int) -> bool:
    """Whether a comment `Long: ...` or `Many: ...` above gives the reason."""
    lines = (ROOT / path).read_text().splitlines()
    return any(re.search(r"# (Long|Many): ", text) for text in lines[max(line - 4, 0) : line])


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    yield from (node for node in ast.walk(TREES[path]) if isinstance(node, ast.FunctionDef))


def test_files_have_at_most_300_lines() -> None:
    def long(path: Path) -> int:
        lines = (ROOT / path).read_text().splitlines()
        return 0 if len(lines) <= 300 else len(lines)

    assert offenders([*OWN, *SOURCES], long) == {}


def test_functions_have_at_most_60_lines() -> None:
    def long(path: Path) -> list[str]:
        sizes = [(f, (f.end_lineno or 0) - f.lineno + 1) for f in functions(path)]
        return [f"{f.name} {n}" for f, n in sizes if n > 60 and not reasoned(path, f.lineno)]

    assert offenders([*OWN, *SOURCES], long) == {}


def test_kernels_have_at_most_8_arguments() -> None:
    def many(path: Path) -> list[str]:
        counts = [
            (f, len(f.args.posonlyargs + f.args.args + f.args.kwonlyargs)) for f in functions(path)
        ]
        return [f"{f.name} {n}" for f, n in counts if n > 8 and not reasoned(path, f.lineno)]

    assert offenders([p for p in CODE if folder_of(p) == "stages/kernels"], many) == {}


DIRECTIVE = re.compile("# (noqa|type:|fmt:|pragma:)")


def comments(path: Path) -> int:
    """Number of lines of a file with a comment that is meant for readers, not for tools."""
    with (ROOT / path).open(encoding="utf-8") as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    texts = {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}
    return sum(DIRECTIVE.match(text) is None for text in texts.values())


def test_kernels_have_3_to_8_lines_of_comments_in_100() -> None:
    kernels = [path for path in CODE if folder_of(path) == "stages/kernels"]

    def density(folder: Path) -> float:
        files = [path for path in kernels if path.parent == folder]
        lines = sum(len((ROOT / path).read_text().splitlines()) for path in files)
        return 100 * sum(map(comments, files)) / lines

    densities = {str(folder): density(folder) for folder in {path.parent for path in kernels}}
    assert {folder: d for folder, d in densities.items() if not 3 <= d <= 8} == {}


def test_every_command_stands_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [script for script in SCRIPTS if f"`{script}`" not in readme] == []


def test_the_changelog_knows_the_version() -> None:
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heading is not None
    assert heading[1] == __version__


def test_every_loss_and_solver_stands_in_the_readme() -> None:
    from campanula.stages.tuning.losses import LOSSES
    from campanula.stages.tuning.solvers.table import SOLVERS

    text = (ROOT / "README.md").read_text()
    assert [name for name in (*LOSSES, *SOLVERS) if f"`{name}`" not in text] == []


def test_a_class_name_means_one_class() -> None:
    nodes = [node for tree in TREES.values() for node in ast.walk(tree)]
    counts = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert {name for name, count in counts.items() if count > 1} == set()
