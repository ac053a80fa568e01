import argparse

import numpy as np
import pytest

from campanula.stages.command import UsageError
from campanula.stages.tuning import flags


def parse(*argv):
    p = argparse.ArgumentParser()
    p.add_argument("--hope")
    flags.add(p)
    args = p.parse_args(argv)
    flags.resolve(args)
    return args


@pytest.mark.parametrize(
    ("argv", "loss", "solver"),
    [
        ([], "ramp3", "ssd"),
        (["--loss", "cost"], "cost", "line-search"),
        (["--solver", "batch-mira"], "cost", "batch-mira"),
        (["--loss", "expected-bleu"], "expected-bleu", "rprop"),
        (["--loss", "pairwise"], "pairwise", "lbfgs"),
    ],
)
def test_loss_and_solver_complete_each_other(argv, loss, solver):
    args = parse(*argv)
    assert (args.loss, args.solver) == (loss, solver)
    refuse(*argv)


def refuse(*argv):
    args = parse(*argv)
    flags.refuse(args, flags.rounds(args))


def test_the_papers_settings_are_the_defaults():
    args = parse()
    assert (args.loss, args.solver, args.alpha, args.C) == ("ramp3", "ssd", 10.0, 1.0)
    assert flags.settings(args).eta == 1e-4
    assert (flags.rounds(args), flags.settings(args).passes) == (10, 5)
    assert flags.sampling(args).kept == 50


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--loss", "bayes-risk", "--solver", "ssd"], "--solver ssd"),
        (["--loss", "ramp3", "--solver", "batch-mira"], "own loss"),
        (["--loss", "cost", "--C", "1"], "--C"),
        (["--loss", "cost", "--stream"], "--stream"),
        (["--loss", "ramp3", "--solver", "lbfgs"], "smooth"),
        (["--loss", "cost", "--solver", "sgd"], "line-search"),
        (["--loss", "bayes-risk", "--solver", "sgd", "--cccp-iterations", "3"], "concave"),
        (["--L1", "1"], "--L1"),
        (["--bounds", "*", "0", "1"], "--bounds"),
        (["--solver", "mira", "--C", "0"], "--C"),
        (["--loss", "hinge"], "--ref"),
        (["--hope", "x", "--cccp-iterations", "2"], "--hope"),
    ],
)
def test_what_does_not_go_together_is_refused_by_name(argv, words):
    with pytest.raises(UsageError, match=words):
        refuse(*argv)


def test_signatures_do_not_tell_how_cccp_was_cut():
    center = np.zeros(3)
    one, many = parse("--hope", "x"), parse("--cccp-iterations", "7")
    others = parse("--C", "2"), parse("--epochs", "2")
    said = [flags.signature(args, "abc", center, None) for args in (one, many, *others)]
    assert said[0] == said[1]
    assert len(set(said[1:])) == 3
