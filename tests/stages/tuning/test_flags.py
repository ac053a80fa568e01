import argparse
from functools import partial

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.command import UsageError
from campanula.stages.tuning import flags
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.solvers.table import SOLVERS


def parse(*argv):
    p = argparse.ArgumentParser()
    flags.add(p)
    return flags.settings_of(p.parse_args(argv))


def test_no_flag_makes_the_settings_that_python_has():
    assert parse() == TuneSettings()


def test_flags_become_settings():
    argv = ["--loss", "hinge", "--solver", "sgd", "--C", "2", "--batch-size", "3", "--shuffle"]
    found = parse(*argv, "--freeze", "a*", "--freeze", "b", "--bounds", "c", "-0.5", "inf")
    assert found == TuneSettings(
        loss="hinge", solver="sgd", C=2.0, batch_size=3, shuffle=True,
        freeze=("a*", "b"), bounds=(("c", -0.5, np.inf),),
    )  # fmt: skip


@pytest.mark.parametrize("end", ["low", "nan", ""])
def test_an_end_of_a_bound_is_a_number(end):
    with pytest.raises(UsageError, match="--bounds"):
        parse("--bounds", "LM0", end, "1")


@pytest.mark.parametrize(
    ("flag", "name", "close"), [("--loss", "rmap3", "ramp3"), ("--solver", "lbgfs", "lbfgs")]
)
def test_what_is_close_to_a_wrong_name_is_named(flag, name, close, capsys):
    with pytest.raises(SystemExit):
        parse(flag, name)
    assert f"did you mean {close}" in capsys.readouterr().err


def help_text():
    wide = partial(argparse.RawDescriptionHelpFormatter, width=100_000)  # which breaks no name
    p = argparse.ArgumentParser(formatter_class=wide)
    flags.add(p)
    return " ".join(p.format_help().split())


def test_help_names_the_tables_and_their_defaults():
    text = help_text()
    assert f"{{{','.join(LOSSES)}}}" in text
    assert f"{{{','.join(SOLVERS)}}}" in text
    assert "(default: 5; mira 100, batch-mira 60, online 40)" in text
    assert (
        "step size of ssd, sgd, adagrad, online (default: 1e-4; 1e-5 for relevant-perceptron)"
        in text
    )
    assert "of rprop, lbfgs: largest slope at the end (default: 1e-6)" in text
    assert "random starts of line-search (default: 20)" in text


def test_help_tells_the_usual_solvers():
    others = "line-search for cost; lbfgs for bayes-risk, pairwise, squared-gain; "
    others += "rprop for expected-bleu; online for costmargin, relevant-perceptron"
    assert f"(default: ssd; {others})" in help_text()
    assert {loss.solver for loss in LOSSES.values() if loss.has_terms} == {"ssd"}


def test_every_setting_of_a_solver_or_a_loss_has_its_flag():
    p = argparse.ArgumentParser()
    flags.add(p)
    names = set(vars(p.parse_args([])))
    assert {name for solver in SOLVERS.values() for name in solver.defaults} <= names
    assert {name for loss in LOSSES.values() for name in loss.reads} <= names


def test_misfits_name_flags():
    with pytest.raises(UsageError, match=r"^--batch-size and --hope$"), flags.misfits_name_flags():
        raise Misfit("`batch_size` and `hopes`")
    with pytest.raises(DataError), flags.misfits_name_flags():
        raise DataError("file", None, "is empty")
