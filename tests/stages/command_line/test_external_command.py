"""A command of the user's: words, redirections, what needs a shell, and how it fails."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.command import UsageError
from campanula.stages.command_line.external_command import Command, last_lines

KNOWN = ("source", "weights", "nbest", "k")


def command(line: str, shell: bool = False) -> Command:
    return Command.of("--decode-command", line, shell, KNOWN, ())


def test_words_and_redirections() -> None:
    line = "moses -f 'my dir/moses.ini' --n={nbest},{k} <{source} > {nbest} \"a<b\" x\\>y #z"
    found = command(line)
    words = ("moses", "-f", "my dir/moses.ini", "--n={nbest},{k}", "a<b", "x>y", "#z")
    assert (found.words, found.stdin, found.stdout) == (words, "{source}", "{nbest}")
    assert found.uses("k")
    assert not found.uses("weights")
    assert found.names() == ["moses", "-f", "my dir/moses.ini", "a<b", "x>y", "#z"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a | b", ": | means something to a shell only; quote it, or give --shell"),
        ("a && b", ": && means something to a shell only"),
        ("a >> {nbest}", ": >> means something to a shell only"),
        ("a (b", ": ( means something to a shell only"),
        ("a 2> log", "stdin and stdout alone"),
        ("a <", "one file after <"),
        ("a < x < y", "one file after <"),
        ("a < > y", "one file after <"),
        ("a 'b", "quotation"),
        ("< {source}", "expected a command"),
        ("", "expected a command"),
        ("a {sources}", "{sources} is none of source, weights"),
    ],
)
def test_what_cannot_be_run_is_refused(line: str, words: str) -> None:
    with pytest.raises(UsageError) as error:
        command(line)
    assert words in str(error.value)


def test_what_must_be_there() -> None:
    with pytest.raises(UsageError, match=r"expected \{source\}"):
        Command.of("--decode-command", "a {k}", False, KNOWN, ("source",))


def run(folder: Path, line: str, shell: bool = False, timeout: float | None = None) -> None:
    (folder / "in put").write_text("one\ntwo\n")
    values = {"source": str(folder / "in put"), "nbest": str(folder / "out"), "k": "3"}
    values["weights"] = "w"
    stderr = os.fspath(folder / "stderr")
    command(line, shell).run(values, os.fspath(folder / "stdout"), stderr, timeout)


def test_stdin_stdout_and_stderr(tmp_path: Path) -> None:
    run(tmp_path, f"{sys.executable} -c 'import sys; print(sys.stdin.read(), {{k}})' < {{source}}")
    assert (tmp_path / "stdout").read_text() == "one\ntwo\n 3\n"
    run(tmp_path, "cat {source} > {nbest}")
    assert (tmp_path / "out").read_text() == "one\ntwo\n"
    run(tmp_path, "sh -c 'echo said >&2'")
    assert (tmp_path / "stderr").read_text() == "said\n"


def test_a_placeholder_is_one_word_and_nothing_is_expanded(tmp_path: Path) -> None:
    run(tmp_path, f"{sys.executable} -c 'import sys; print(sys.argv[1:])' s={{source}} $HOME '*'")
    expected = [f"s={tmp_path / 'in put'}", "$HOME", "*"]
    assert (tmp_path / "stdout").read_text() == f"{expected}\n"


def test_a_shell_when_asked(tmp_path: Path) -> None:
    run(tmp_path, "cat {source} | tail -n 1 > {nbest}", shell=True)
    assert (tmp_path / "out").read_text() == "two\n"
    assert command("cat 'a b' {source} | x", shell=True).names() == ["cat", "a b", "|", "x"]


def test_failure_names_the_command_the_status_and_the_last_lines(tmp_path: Path) -> None:
    line = "sh -c 'for i in 1 2 3 4 5; do echo line $i >&2; done; exit 7'"
    with pytest.raises(DataError) as error:
        run(tmp_path, line)
    text = str(error.value)
    assert text.startswith(f"decode command: {line}: ended with exit status 7; it said: ")
    assert "line 3 / line 4 / line 5" in text
    assert len(text.splitlines()) == 1
    assert (tmp_path / "stderr").read_text().startswith("line 1\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("no-such-program {k}", "cannot be run: no-such-program: No such file"),
        ("cat < no-such-file", "cannot be run: no-such-file: No such file"),
        ("sh -c 'kill -9 $$'", "ended with signal 9; it said: nothing"),
    ],
)
def test_other_failures(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(DataError) as error:
        run(tmp_path, line)
    assert words in str(error.value)


def test_a_file_is_made_by_name_or_from_stdout(tmp_path: Path) -> None:
    text, made = tmp_path / "text", tmp_path / "made"
    text.write_text("one\n")
    values = {"source": os.fspath(text)}
    stderr = os.fspath(tmp_path / "stderr")
    for line in ("cp {source} {nbest}", "cat {source}"):
        command(line).make("nbest", os.fspath(made), values, stderr, None)
        assert made.read_text() == "one\n"
        made.unlink()
    with pytest.raises(DataError, match=r"decode command: true .* has written no \{nbest\}"):
        command("true {nbest}").make("nbest", os.fspath(made), values, stderr, None)


def test_files_that_a_line_names(tmp_path: Path) -> None:
    (tmp_path / "sh").write_text("x")
    line = f"sh -c {tmp_path}/sh {tmp_path}/none {{source}}"
    assert command(line).files() == ["sh", f"{tmp_path}/sh"]
    assert command("no-such-program {source}").files() == []


def test_a_command_is_called_as_its_flag() -> None:
    score = Command.of("--score-command", "x {k}", False, KNOWN, ())
    assert (score.name, command("x").name) == ("score command", "decode command")
    with pytest.raises(UsageError, match="--score-command: expected"):
        Command.of("--score-command", "", False, KNOWN, ())


def test_time_is_up_for_all_its_processes(tmp_path: Path) -> None:
    started = time.perf_counter()
    line = "echo begun >&2; (sleep 30; echo late > {nbest}) & sleep 30"
    with pytest.raises(DataError, match=r"took longer than 0\.3 s; it said: begun"):
        run(tmp_path, line, shell=True, timeout=0.3)
    assert time.perf_counter() - started < 10
    assert not (tmp_path / "out").exists()


def test_a_signal_that_another_thread_took_ends_the_wait(tmp_path: Path) -> None:
    """As happens to one that comes while the main thread starts the program."""

    def stop(number: int, frame: object) -> None:
        raise InterruptedError(number)

    def take_the_signal() -> None:
        time.sleep(0.3)  # by then the main thread waits
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, stop)
    thread = threading.Thread(target=take_the_signal)
    started = time.perf_counter()
    thread.start()
    try:
        with pytest.raises(InterruptedError):
            run(tmp_path, "sleep 30")
    finally:
        thread.join()
        signal.signal(signal.SIGUSR1, before)
    assert time.perf_counter() - started < 10


def test_last_lines_of_anything(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"x" * 9000 + b"\n\xff\nprogress 1\rprogress 2\n\n")
    found = last_lines(os.fspath(tmp_path / "log"))
    assert found == ["\ufffd", "progress 1", "progress 2"]
