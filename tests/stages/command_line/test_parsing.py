"""What is wrong with flags is one line that names what is close."""

import pytest

from campanula.stages.command_line.parsing import Parser, is_flag


def example():
    p = Parser(prog="name")
    p.add_argument("input", nargs="?", default="-")
    p.add_argument("-k", type=int)
    p.add_argument("-q", action="store_true")
    p.add_argument("--weights", required=True)
    p.add_argument("--metric", choices=["bleu", "chrf"])
    p.add_argument("--jobs", type=int, choices=(1, 2))
    p.add_argument("--bounds", nargs=3)
    return p


def refused(p, words, capsys):
    with pytest.raises(SystemExit) as stop:
        p.parse_args(words)
    assert stop.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--wieghts", "w"], "name: unknown flag --wieghts; did you mean --weights?"),
        (["--wieghts=w"], "name: unknown flag --wieghts; did you mean --weights?"),
        (["--zzz", "lists", "--weights", "w"], "name: unknown flag --zzz (see"),
        (["lists", "--weights", "w", "--zzz", "more"], "name: unknown flag --zzz (see"),
        (["-k5", "-qk5", "-z", "--weights", "w"], "name: unknown flag -z"),
        (["--weights", "w", "one", "two"], "name: unrecognized arguments: two"),
        ([], "name: the following arguments are required: --weights"),
        (["--weights", "w", "--", "--zzz", "two"], "name: unrecognized arguments"),
        (["--weights", "w", "-k", "x"], "name: argument -k: invalid int value: 'x'"),
        (["--metric", "blue"], "argument --metric: no metric is called 'blue'; did you mean bleu?"),
        (["--metric", "x"], "argument --metric: no metric is called 'x'; there are bleu, chrf"),
        (["--jobs", "3"], "argument --jobs: invalid choice: 3"),
    ],
)
def test_one_line_names_the_fault_and_what_is_close(words, message, capsys):
    said = refused(example(), words, capsys)
    assert message in said
    assert said.endswith(" (see name --help)\n")


@pytest.mark.parametrize(
    "words",
    [
        ["a", "b", "--name", "R", "lists"],
        ["a", "--name", "R", "b", "lists"],
        ["--name", "R", "a", "b", "lists"],
        ["a", "b", "lists", "--name=R"],
        ["a", "--name", "R", "--", "b", "lists"],
    ],
)
def test_inputs_may_stand_anywhere(words):
    p = Parser(prog="name")
    p.add_argument("first")
    p.add_argument("second")
    p.add_argument("input", nargs="?", default="-")
    p.add_argument("--name", required=True)
    args = p.parse_args(words)
    assert vars(args) == {"first": "a", "second": "b", "input": "lists", "name": "R"}
    assert p.parse_args(["--name", "R", "a", "b"]).input == "-"


def test_inputs_of_any_number_may_stand_anywhere():
    p = Parser(prog="name")
    p.add_argument("inputs", nargs="*", default=["-"])
    p.add_argument("-q", action="store_true")
    assert p.parse_args(["a", "-q", "b"]).inputs == ["a", "b"]
    assert p.parse_args(["-q"]).inputs == ["-"]


def test_numbers_are_no_flags():
    args = example().parse_args(
        ["--weights", "w", "--bounds", "LM0", "-Infinity", "-1e-3", "-k", "-5"]
    )
    assert (args.bounds, args.k) == (["LM0", "-Infinity", "-1e-3"], -5)
    assert [w for w in ("-", "-1", "-.5", "-inf", "-k", "--k", "-infix", "a b") if is_flag(w)] == [
        "-k",
        "--k",
        "-infix",
    ]


def test_a_flag_of_a_sub_command_is_blamed_on_it(capsys):
    p = Parser(prog="name")
    p.add_argument("--top")
    subs = p.add_subparsers(dest="loop", required=True, metavar="LOOP")
    subs.add_parser("mert").add_argument("--iterations")
    assert "name mert: unknown flag --iteration; did you mean --iterations?" in refused(
        p, ["mert", "--iteration", "3"], capsys
    )
    assert "name: unknown flag --tap; did you mean --top?" in refused(p, ["--tap", "mert"], capsys)
    assert "no loop is called 'mrt'; did you mean mert?" in refused(p, ["mrt"], capsys)
    assert p.parse_args(["mert", "--iterations", "3"]).iterations == "3"


def test_flags_of_another_command_are_known_and_near(capsys):
    p = example()
    p.other_flags = lambda: {"--beam"}
    assert "required: --weights" in refused(p, ["--beam", "5"], capsys)
    assert "unknown flag --baem; did you mean --beam?" in refused(p, ["--baem", "5"], capsys)
