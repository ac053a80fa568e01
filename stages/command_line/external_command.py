"""A command line of the user's, with placeholders, which runs without a shell unless asked for one.

    moses -f moses.ini -weight-overwrite {weight-overwrite} -n-best-list {nbest} {k} < {source}

Words are split and quoted as in a shell; `< FILE` and `> FILE` are understood, and a placeholder
may stand within a word.  Whatever else a shell does (pipes, variables, wildcards) needs --shell:
then /bin/sh gets the line, with quoted paths in it.  stderr goes to a file; a command that fails,
or takes longer than it may, is one line: the command, its exit status, the last lines of stderr.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from campanula.formats import signals
from campanula.formats.errors import DataError
from campanula.stages.command import UsageError

PLACEHOLDER = re.compile(r"\{([a-z-]+)\}")
OPERATORS = set("();<>|&")
LAST_LINES = 3  # of stderr, in a message
SPAN = 0.5  # seconds after which a wait is ended, for signals that did not end it


@dataclass(frozen=True, slots=True)
class Command:
    """A command line whose placeholders can be filled in.

    flag: the flag that gave it.  words, stdin and stdout: its words, and the files after `<` and
    `>`; none of them for a line that a shell runs.
    """

    flag: str
    line: str
    words: tuple[str, ...]
    stdin: str | None
    stdout: str | None
    shell: bool

    @classmethod
    def of(
        cls, flag: str, line: str, shell: bool, placeholders: Sequence[str], needed: Sequence[str]
    ) -> Command:
        """Return the command of a line.

        placeholders: those that the line may have, `needed` those that it must have.  Raises
        UsageError for a line that cannot be run so.
        """
        used = set(PLACEHOLDER.findall(line))
        for name in sorted(used - set(placeholders)):
            raise UsageError(f"{flag}: {{{name}}} is none of {', '.join(placeholders)}")
        for name in needed:
            if name not in used:
                raise UsageError(f"{flag}: expected {{{name}}} in it, found {line!r}")
        if shell:
            return cls(flag, line, (), None, None, True)
        words, files = _parse(flag, line)
        return cls(flag, line, tuple(words), files.get("<"), files.get(">"), False)

    @property
    def name(self) -> str:
        """The command's name in messages: `decode command` of --decode-command."""
        return self.flag.strip("-").replace("-", " ")

    def uses(self, name: str) -> bool:
        """Whether the line has the placeholder `name`."""
        return f"{{{name}}}" in self.line

    def names(self) -> list[str]:
        """Return the words that may name files: those without placeholders."""
        words = [*self.words, self.stdin or ""]
        if self.shell:
            with contextlib.suppress(ValueError):  # quotes that only a shell pairs
                words = shlex.split(self.line)
        return [word for word in words if word and not PLACEHOLDER.search(word)]

    def files(self) -> list[str]:
        """Return the program, and the files that the line names, as the line spells them."""
        words = enumerate(self.names())
        return [w for n, w in words if os.path.isfile(w) or (n == 0 and shutil.which(w))]

    def make(
        self,
        placeholder: str,
        path: str,
        values: Mapping[str, str],
        stderr: str,
        timeout: float | None,
    ) -> None:
        """Run the command so that it writes the file `path`.

        It gets the path for the placeholder; a line without the placeholder writes to stdout.
        Raises DataError where there is no such file afterwards.
        """
        path = os.path.abspath(path)
        stdout = None if self.uses(placeholder) else path
        self.run({**values, placeholder: path}, stdout, stderr, timeout)
        if not os.path.exists(path):
            raise DataError(self.name, self.line, f"ended and has written no {{{placeholder}}}")

    def run(
        self, values: Mapping[str, str], stdout: str | None, stderr: str, timeout: float | None
    ) -> None:
        """Run the command; raises DataError unless it ends with status 0 in time.

        values fill the placeholders.  stdout: path for its stdout unless the line redirects it,
        None for the null device.  stderr: path for its stderr.  timeout: seconds, None for any.
        """
        argv = [_filled(word, values) for word in self.words]
        if self.shell:
            # the shell splits the whole line, so a path with blanks needs quotes there; words need
            # none
            quoted = {name: shlex.quote(value) for name, value in values.items()}
            argv = ["/bin/sh", "-c", _filled(self.line, quoted)]
        output = _filled(self.stdout, values) if self.stdout else stdout or os.devnull
        with ExitStack() as stack:
            try:
                read = _filled(self.stdin, values) if self.stdin else os.devnull
                streams = [
                    stack.enter_context(open(path, mode))
                    for path, mode in ((read, "rb"), (output, "wb"), (stderr, "wb"))
                ]
                # no signal between the start and `add_cleanup`, or the process would outlive ours
                with signals.delayed():
                    process = subprocess.Popen(
                        argv, stdin=streams[0], stdout=streams[1], stderr=streams[2],
                        start_new_session=True,
                    )  # fmt: skip
                    cleanup = signals.add_cleanup(lambda: _kill(process))
            except OSError as error:
                file = f"{error.filename}: " if error.filename else ""
                raise self._failure(f"cannot be run: {file}{error.strerror}", None) from error
            try:
                self._wait(process, stderr, timeout)
            finally:
                signals.remove_cleanup(cleanup)

    def _wait(self, process: subprocess.Popen[bytes], stderr: str, timeout: float | None) -> None:
        try:
            if not _ends(process, timeout):
                raise self._failure(f"took longer than {timeout:g} s", stderr)
            status = process.wait()
        finally:
            if process.poll() is None:
                _kill(process)
                process.wait()
        if status:
            ended = f"exit status {status}" if status > 0 else f"signal {-status}"
            raise self._failure(f"ended with {ended}", stderr)

    def _failure(self, what: str, stderr: str | None) -> DataError:
        if stderr is not None:
            last = " / ".join(last_lines(stderr)) or "nothing"
            what = f"{what}; it said: {last} (stderr: {stderr})"
        return DataError(self.name, self.line, what)


def _ends(process: subprocess.Popen[bytes], timeout: float | None) -> bool:
    """Wait until a process ends or `timeout` seconds have passed; return whether it has ended.

    The main thread blocks signals while it starts a program.  The system gives a signal that comes
    then to another thread, which does not end the wait of the main thread; Python would handle
    the signal only when the program ends.  So the wait is cut into spans of SPAN seconds.
    """
    latest = math.inf if timeout is None else time.monotonic() + timeout
    with _watched(process) as ends_within:
        while True:
            left = latest - time.monotonic()
            if ends_within(max(0.0, min(left, SPAN))):
                return True
            if left <= 0:
                return False


@contextlib.contextmanager
def _watched(process: subprocess.Popen[bytes]) -> Iterator[Callable[[float], bool]]:
    """Give a function of seconds: whether the process ends within them.

    On Linux the system wakes the function when the process ends; elsewhere Python asks repeatedly.
    """
    if sys.platform != "linux":
        yield lambda seconds: _ended(process, seconds)
        return
    # a descriptor for the process: it can be waited for with a time limit and without asking again
    watch = os.pidfd_open(process.pid)
    try:
        waiting = select.poll()
        waiting.register(watch, select.POLLIN)
        yield lambda seconds: bool(waiting.poll(1000 * seconds))
    finally:
        os.close(watch)


def _ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return process.returncode is not None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children, before its status has been read.

    The status of a process keeps its number from being given to another process.
    """
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def last_lines(path: str) -> list[str]:
    """Return the last lines of a text file that are not blank, at most LAST_LINES."""
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 4096))
        # replaced: the seek may land within a character, and the program may write any bytes
        text = file.read().decode("utf-8", "replace")
    # progress bars write a line again and again behind a carriage return
    lines = [line.strip() for line in text.replace("\r", "\n").split("\n")]
    return [line for line in lines if line][-LAST_LINES:]


def _filled(text: str, values: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: values[match[1]], text)


def _parse(flag: str, line: str) -> tuple[list[str], dict[str, str]]:
    """Return the words of a line, and the files after `<` and `>` by these signs.

    Raises UsageError for what only a shell understands.
    """
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    # a # begins no comment: it may stand in the name of a file or a feature
    lexer.commenters = ""
    try:
        tokens = list(lexer)
    except ValueError as error:
        raise UsageError(f"{flag}: {error}: {line!r}") from error
    words: list[str] = []
    files: dict[str, str] = {}
    # the lexer would take the 2 of `2>` for a word of its own
    if re.search(r"(^|\s)\d+[<>]", line):
        raise UsageError(f"{flag}: stdin and stdout alone can be redirected; or --shell")
    remaining = iter(tokens)
    for token in remaining:
        if token in ("<", ">"):
            name = next(remaining, "")
            if not name or set(name) <= OPERATORS or token in files:
                raise UsageError(f"{flag}: expected one file after {token}: {line!r}")
            files[token] = name
        elif set(token) <= OPERATORS and token:
            problem = f"{token} means something to a shell only; quote it, or give --shell"
            raise UsageError(f"{flag}: {problem}")
        else:
            words.append(token)
    if not words:
        raise UsageError(f"{flag}: expected a command, found none")
    return words, files
