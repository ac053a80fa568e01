"""The page: whole, the same each time, without a request; a browser shows it where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from campanula.pipelines.reporting.markup import VOID
from campanula.pipelines.reporting.page import page
from tests.pipelines.reporting.runs import materials

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)


class Nesting(HTMLParser):
    """Raises AssertionError for an element that is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_it_is_whole_and_the_same_each_time() -> None:
    found = page(materials("mert", "rampion"))
    nesting = Nesting()
    nesting.feed(found)
    assert nesting.open == []
    assert nesting.seen.count("script") == nesting.seen.count("style") == 1
    assert page(materials("mert", "rampion")) == found


def test_it_asks_for_nothing() -> None:
    found = page(materials("mert"))
    assert not re.search(r"\b(src|url|import|fetch)\b\s*[=(]", found)
    targets = re.findall(r'href="(.*?)"', found)
    assert targets == [f"#{name}" for name in re.findall(r'<section id="(.*?)">', found)]


def test_its_parts_are_in_order() -> None:
    found = re.findall(r"<h2>(.*?)</h2>", page(materials("mert", "rampion")))
    expected = ["Systems", "Learning curves", "Weights of mert"]
    assert found[:3] == expected
    assert found[-3:] == ["Where it differs on test", "Time", "How it was made"]


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_browser_shows_it_without_an_error(tmp_path: Path) -> None:
    assert BROWSER is not None
    path = tmp_path / "report.html"
    path.write_text(page(materials("mert")))
    own = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0"]
    alone = [f"--user-data-dir={tmp_path / 'profile'}", "--host-resolver-rules=MAP * ~NOTFOUND"]
    done = subprocess.run(
        [BROWSER, *own, *alone, "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "CONSOLE" not in done.stderr
    assert 'class="filter"' in done.stdout  # the script has run
