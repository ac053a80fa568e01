import argparse
import io
import os
import subprocess
import sys

import pytest

from campanula.formats.errors import DataError
from campanula.formats.registry import Registry
from campanula.stages import command
from campanula.stages.kernels import kernel_cache


def run(body, *argv):
    return command.run(body, command.parser("name", "What it does.", "name -o x"), list(argv))


def failing(error):
    def body(args):
        raise error

    return body


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (
            DataError("a.kbest", "sentence 3", "expected x, found y"),
            1,
            "name: a.kbest: sentence 3: ",
        ),
        (command.UsageError("--a needs --b"), 2, "name: --a needs --b (see name --help)"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_exit_codes_tell_whose_fault_it_was(error, status, text, capsys):
    assert run(failing(error)) == status
    captured = capsys.readouterr()
    assert captured.err.startswith(text)
    assert captured.out == ""
    assert captured.err.count("\n") == (1 if text else 0)


def test_a_bug_of_ours_is_a_traceback():
    with pytest.raises(ZeroDivisionError):
        run(failing(ZeroDivisionError()))


def test_a_reader_that_leaves_ends_the_command_silently():
    code = (
        "import sys\nfrom campanula.stages import command\n"
        "def body(args):\n    for i in range(10**6): print(i)\n"
        "sys.exit(command.run(body, command.parser('name', 'Doc.', 'name'), []))\n"
    )
    found = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "$0" | head -c1; echo ${{PIPESTATUS[0]}}', code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (found.stdout, found.stderr) == ("0141\n", "")


@pytest.mark.parametrize(
    ("body", "status", "written"),
    [
        ("print('x' * 10**5)", 0, 100_001),
        ("raise DataError('a.kbest', None, 'expected x, found y')", 1, 0),
        ("raise command.UsageError('--a needs --b')", 2, 0),
    ],
)
def test_a_command_ends_its_process_with_all_output_and_its_status(body, status, written):
    code = (
        "import sys\nfrom campanula.formats.errors import DataError\n"
        "from campanula.stages import command\n"
        f"def body(args):\n    {body}\n"
        "sys.exit(command.run(body, command.parser('name', 'Doc.', 'name')))\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (found.returncode, len(found.stdout)) == (status, written)
    assert found.stderr.count(b"\n") == (status > 0)


def test_signatures_name_program_command_and_settings():
    found = command.signature("score-bleu", metric="bleu", seed=3)
    program, *rest = found.split("|")
    assert program.startswith("campanula:")
    assert rest == ["command:score-bleu", "metric:bleu", "seed:3"]


def test_the_signature_of_an_output_ends_with_those_of_its_inputs_each_once():
    own = command.signature("merge-kbest", seed=3)
    assert command.signature("merge-kbest", "a", seed=3) == f"{own} < a"
    assert command.signature("merge-kbest", "b", "a", "b", seed=3) == f"{own} < b + a"


def test_quiet_commands_say_nothing(capsys):
    command.say(argparse.Namespace(quiet=True), "hello")
    assert capsys.readouterr().err == ""
    command.say(argparse.Namespace(quiet=False), "hello")
    assert capsys.readouterr().err == "hello\n"


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (command.positive_int, "3", "0"),
        (command.positive_int, "3", "x"),
        (command.non_negative_int, "0", "-1"),
        (command.non_negative_float, "0.5", "inf"),
        (command.non_negative_float, "0.5", "0,5"),
        (command.non_negative_float, "0", "nan"),
    ],
)
def test_numbers_of_flags_are_checked(kind, good, bad):
    assert kind(good) == float(good)
    with pytest.raises(argparse.ArgumentTypeError, match="expected"):
        kind(bad)


def test_two_inputs_cannot_both_be_stdin():
    command.one_stdin("-", None, "a", "a")
    with pytest.raises(command.UsageError, match="only one input can be stdin"):
        command.one_stdin("-", "a", "-")


def test_the_first_fault_in_the_flags_is_said():
    command.refuse_faults([])
    with pytest.raises(command.UsageError, match="the worst"):
        command.refuse_faults(iter(["the worst", "another"]))


@pytest.mark.parametrize(("words", "path"), [([], "-"), (["a"], "a")])
def test_an_input_is_a_path_or_stdin(words, path):
    p = argparse.ArgumentParser()
    command.add_input(p, "lists")
    assert p.parse_args(words).input == path
    assert "lists (default: stdin)" in p.format_help()


def test_what_is_said_without_stderr_goes_nowhere(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    assert run(failing(DataError("a", None, "b"))) == 1
    command.say(argparse.Namespace(quiet=False), "hello")
    assert list(command.progress([1], argparse.Namespace(quiet=False), "x")) == [1]
    assert capsys.readouterr().out == ""


CLOSED = """
import sys
from campanula.formats.files import Output
from campanula.stages import command
from campanula.stages.kernels import kernel_cache
def body(args):
    with Output(args.output) as out:
        sys.stderr and command.say(args, "said")
        out.write_line("data")
    command.say(args, "said")
sys.exit(command.run(body, command.parser("name", "Doc.", "name")))
"""


CANNOT = "name: stdout: cannot be written: "


@pytest.mark.parametrize(
    ("redirection", "status", "out", "err", "file"),
    [
        ("2>&-", 0, "data\n", "", None),
        ("-o x 2>&-", 0, "", "", "data\n"),
        (
            ">&-",
            1,
            "",
            CANNOT + "it is closed; name a file with -o\n",
            None,
        ),
        ("-o x >&-", 0, "", "said\nsaid\n", "data\n"),
        ("-o x <&- >&- 2>&-", 0, "", "", "data\n"),
        (
            "> /dev/full",
            1,
            "",
            f"said\n{CANNOT}No space left on device\n",
            None,
        ),
    ],
)
def test_stdout_and_stderr_may_be_closed(redirection, status, out, err, file, tmp_path):
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "$0" {redirection}', CLOSED],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, out, err)
    assert [path.read_text() for path in tmp_path.iterdir()] == ([] if file is None else [file])


def test_a_full_disk_behind_print_is_one_line():
    code = (
        "import sys\nfrom campanula.stages import command\n"
        "sys.exit(command.run(lambda args: print('x'), command.parser('name', 'Doc.', 'name')))\n"
    )
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "$0" > /dev/full', code],
        capture_output=True,
        text=True,
        check=False,
        env={name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )
    problem = "name: stdout: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, problem)


def test_a_name_of_a_table_is_checked_and_what_is_close_is_named():
    kind = command.Choice(Registry("loss", "no.such.group", {"ramp3": 1, "hinge": 2}))
    assert kind("ramp3") == "ramp3"
    with pytest.raises(argparse.ArgumentTypeError, match="no loss is called 'rmap3'; did you mean"):
        kind("rmap3")
    assert command.braces(["a", "b"]) == "{a,b}"


def test_another_word_may_stand_beside_the_names_of_a_table():
    kind = command.Choice(Registry("format", "no.such.group", {"moses": 1}), "auto")
    assert kind("auto") == "auto"
    assert kind("moses") == "moses"
    with pytest.raises(argparse.ArgumentTypeError, match="no format is called 'cdec'"):
        kind("cdec")


def test_what_is_watched_is_passed_on():
    watch = command.watch(argparse.Namespace(quiet=False))
    assert list(watch([1, 2], "counting")) == [1, 2]
    assert list(command.bar(range(2), True, "counting")) == [0, 1]


def test_a_bar_shows_how_many_there_are_and_which_shard_is_read(monkeypatch):
    class Lists(list):
        total, place = 2, "shard 1 of 3"

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert list(command.bar(Lists([1, 2]), False, "counting")) == [1, 2]
    shown = terminal.getvalue()
    assert "counting" in shown
    assert "/2 [" in shown


def test_a_step_within_a_command_leaves_what_the_user_asked_for(monkeypatch):
    monkeypatch.setattr(kernel_cache, "quiet", False)
    p = command.parser("step", "", "")
    assert command.run(lambda args: None, p, ["-q"]) == 0
    assert not kernel_cache.quiet


def test_what_is_no_thing_of_its_kind_is_one_line(capsys):
    def refused(name):
        raise TypeError(f"list format {name}: expected a function")

    class Formats(Registry[object]):
        def __getitem__(self, name):
            return refused(name)

    p = command.parser("step", "", "")
    p.add_argument("--format", type=command.Choice(Formats("list format", "none", {})))
    with pytest.raises(SystemExit) as stop:
        p.parse_args(["--format", "odd"])
    assert stop.value.code == 2
    assert "argument --format: list format odd: expected a function" in capsys.readouterr().err


def test_two_outputs_of_one_name_are_a_fault_of_the_flags(tmp_path):
    one = str(tmp_path / "x")
    command.outputs_apart(None, one)
    for pair in ((one, one), (None, "-"), ("-", "/dev/stdout")):
        with pytest.raises(command.UsageError, match="two outputs cannot both go to"):
            command.outputs_apart(*pair)


@pytest.mark.parametrize(
    ("text", "n"), [("0", 0), ("17", 17), ("3k", 3072), ("500M", 500 << 20), ("4G", 4 << 30)]
)
def test_numbers_of_bytes_have_units(text: str, n: int) -> None:
    assert command.byte_count(text) == n


@pytest.mark.parametrize("text", ["", "M", "-1", "1.5G", "4GB", "4MM"])
def test_what_is_no_number_of_bytes_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="such as 500M or 4G"):
        command.byte_count(text)
