"""Winners and envelopes of lists at a theta, with all features free."""

import numpy as np

from campanula.stages.kernels.solvers import axes, envelope, visits


def visited(lists, theta, last=None, stale=None):
    """The pieces of all axes, the winning rows, and the envelopes."""
    pieces = axes.index(lists, np.ones(len(theta), bool))
    winner, found = np.zeros(lists.n_lists, np.int64), axes.envelopes(pieces)
    last = axes.envelopes(pieces) if last is None else last
    stale = np.ones(lists.n_lists, bool) if stale is None else stale
    room = envelope.scratch(int(np.diff(pieces.pad).max()))
    visits.visit(lists, pieces, np.asarray(theta, float), stale, last, found, winner, room)
    return pieces, winner, found
