"""What a task in a process of its own says of itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.tasks.failures import StageFailed
from campanula.pipelines.tasks.task_process import Children, TaskReport
from campanula.stages.command import UsageError


def child(children: Children, work: Callable[[], None]) -> int:
    """Run some work in a forked process; returns its status."""
    pid = os.fork()
    if pid == 0:
        status = 0
        try:
            assert children.inside()
            children.run("mine", "1", work)
        except SystemExit as stop:
            status = int(stop.code or 0)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def says(text: str, failure: BaseException | None = None) -> Callable[[], None]:
    """Work that writes to stderr as Python does and as a program does, and may fail."""

    def work() -> None:
        print(text, file=sys.stderr)
        os.write(2, b"and more\n")
        if failure is not None:
            raise failure

    return work


def test_a_report_has_the_time_and_the_words(capfd: pytest.CaptureFixture[str]) -> None:
    children = Children()
    assert not children.inside()
    assert child(children, says("one")) == 0
    assert child(children, says("two")) == 0
    found = list(children.reports())
    children.close()
    assert [report.messages for report in found] == ["one\nand more\n", "two\nand more\n"]
    for report in found:
        assert (report.command, report.digest) == ("mine", "1")
        assert report.seconds > 0.0
        assert report.exception() is None
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "failure",
    [
        DataError("dev.en", "line 3", "expected a word"),
        DataError("dev.en", None, "empty"),
        StageFailed("decode", 3),
        UsageError("--beam and --no-beam"),
        KeyboardInterrupt(),
    ],
    ids=repr,
)
def test_a_failure_comes_back_as_it_was(failure: BaseException) -> None:
    children = Children()
    assert child(children, says("", failure)) == 1
    (report,) = children.reports()
    children.close()
    found = report.exception()
    assert (type(found), str(found)) == (type(failure), str(failure))


def test_a_bug_is_a_traceback() -> None:
    children = Children()
    assert child(children, says("", ZeroDivisionError("a bug"))) == 1
    (report,) = children.reports()
    children.close()
    assert "Traceback" in report.messages
    assert report.messages.endswith("ZeroDivisionError: a bug\n")
    assert isinstance(report.exception(), StageFailed)


def test_a_report_without_failure() -> None:
    assert TaskReport("decode", "1", 2.0).exception() is None
