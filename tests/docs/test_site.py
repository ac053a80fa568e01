"""The site: every page is in its navigation, every public name on its API page, links are right."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

import campanula
from tests.pages import ROOT, text_of

SETTINGS = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
NAVIGATION = re.findall(r"^ +- .*: (\S+\.md)$", SETTINGS, re.M)


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_in_the_navigation_once(hooks: ModuleType) -> None:
    pages = [path.name for path in (ROOT / "docs").glob("*.md")]
    assert sorted(NAVIGATION) == sorted([*pages, *hooks.HOME.values()])


def test_every_public_name_is_on_the_api_page() -> None:
    names = re.findall(r"^::: campanula\.(\w+)$", text_of("api"), re.M)
    assert sorted(names) == sorted(set(campanula.__all__) - {"__version__"})


def test_links_out_of_docs_and_into_it(hooks: ModuleType) -> None:
    def rewritten(text: str, path: str) -> str:
        made = hooks.rewritten(text, path, hooks.is_file)
        assert isinstance(made, str)
        return made

    assert rewritten("[a](docs/losses.md#memory)", "README.md") == "[a](losses.md#memory)"
    assert rewritten("[a](../README.md#install)", "docs/tutorial.md") == "[a](index.md#install)"
    notebook = "examples/reranking.ipynb"
    assert rewritten(f"[a](../{notebook})", "docs/python.md") == f"[a](repository/{notebook})"
    back = rewritten("[a](../docs/experiments.md)", "experiments/README.md")
    assert back == "[a](../../experiments.md)"
    for same in ("[a](losses.md)", "[a](#memory)", "[a](https://x.org)", "a[i](x.md)"):
        assert rewritten(same, "docs/metrics.md") == same


def test_what_pages_lead_to_is_in_the_site(hooks: ModuleType) -> None:
    files = hooks.outside()
    assert {"README.md", "examples/reranking.ipynb", "experiments/README.md"} <= set(files)
    places = [hooks.place(file) for file in files]
    assert len(set(places)) == len(places)
    assert not any(place.startswith("..") for place in places)
