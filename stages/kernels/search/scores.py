"""Scores of candidates that have been drawn, with the language models, which are asked only now."""

from __future__ import annotations

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.bits import natural
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import (
    BACKWARD,
    H_BACKWARD,
    LENGTH,
    LM_LOG,
    LM_STATE,
    ORIENTATIONS,
    PLACE,
    PLAIN,
    AnyLanguageModel,
    Options,
    Sentence,
)
from campanula.stages.kernels.search.records import (
    CUBE_BACK,
    CUBE_FORTH,
    CUBE_ORIENTATION,
    JUMP,
    Cubes,
    Drawn,
    Hypotheses,
    Steps,
)
from campanula.stages.kernels.search.steps import answer
from campanula.stages.kernels.wide import wide


@njit(**LEAN)
def ask_models(
    n: int, last: bool, hypotheses: Hypotheses, sentence: Sentence, drawn: Drawn, steps: Steps
) -> None:
    """Write log probabilities and states of the first n candidates to drawn.log, after and first.

    last: the candidates end the sentence, which counts as a word.
    """
    nodes = hypotheses.nodes
    lm_states = hypotheses.lm_states
    lm = sentence.lm
    for x in range(n):
        drawn.first[x] = 0.0
    # model by model, and all candidates of a model together: see steps.py
    for m in range(lm_states.shape[1]):
        for x in range(n):
            state = wide(nodes.state[drawn.node[x]])
            if lm_states.shape[1] > 1:
                state = wide(lm_states[state, m])
            drawn.after[m, x] = state
        read_words(m, n, lm, sentence.options, drawn, steps)
        if last:
            read_end(m, n, lm, drawn, steps)


@njit(**LEAN)
def read_words(
    model: int, n: int, lm: AnyLanguageModel, options: Options, drawn: Drawn, steps: Steps
) -> None:
    """Read the words of n candidates' options in a model, after the states in drawn.after.

    Pass k reads the k-th words of all candidates that still need the model.
    """
    info, lm_word, rest = options.info, options.lm_word, options.rest
    log, after = drawn.log[model], drawn.after[model]
    asked = 0
    for x in range(n):
        option = natural(drawn.option[x])
        log[x] = 0.0
        if info[option, LENGTH] > 0:
            steps.item[asked] = x
            steps.state[asked] = after[x]
            steps.word[asked] = lm_word[info[option, PLACE], model]
            asked += 1
    k = 0
    while asked > 0:
        answer(lm, steps, asked)
        k += 1
        left = 0
        for y in range(asked):
            x = natural(steps.item[y])
            option = natural(drawn.option[x])
            place = natural(wide(info[option, PLACE]) + k)
            state = steps.after[y]
            log[x] += steps.log[y]
            if k == 1 and model == 0:
                drawn.first[x] = steps.log[y]
            # the state holds words of the phrase alone, so the rest is the same after any history:
            # options.rest has it (never with a sentence's own models: steps.ANY_CONTEXT)
            if steps.context[y] <= k:
                log[x] += rest[place, model]
                state = wide(info[option, LM_STATE + model])
            elif k < info[option, LENGTH]:  # asked again; written over a step that has been read
                steps.item[left] = x
                steps.state[left] = state
                steps.word[left] = lm_word[place, model]
                left += 1
            after[x] = state
        asked = left


@njit(**LEAN)
def read_end(model: int, n: int, lm: AnyLanguageModel, drawn: Drawn, steps: Steps) -> None:
    """Read the end of the sentence after n candidates in a model; it counts as a first word."""
    for x in range(n):
        steps.state[x] = drawn.after[model, x]
        steps.word[x] = lm.end[model]
    answer(lm, steps, n)
    for x in range(n):
        drawn.log[model, x] += steps.log[x]
        if model == 0:
            drawn.first[x] = steps.log[x] + drawn.first[x]


@njit(**LEAN, inline="always")
def drawn_score(
    x: int, cubes: Cubes, hypotheses: Hypotheses, sentence: Sentence, drawn: Drawn, own: Floats
) -> float:
    """Return the score of candidate x without sparse features.

    Writes the arc's language model features to own[LM_LOG:]: the log probability in each model, and
    last, if settings.split is 1, that of the first word.
    """
    nodes = hypotheses.nodes
    options = sentence.options
    settings = sentence.settings
    grid, node = natural(drawn.grid[x]), natural(drawn.node[x])
    option = natural(drawn.option[x])
    orientation = natural(cubes.info[grid, CUBE_ORIENTATION])
    log = drawn.log
    weight = settings.lm_weight
    own[LM_LOG] = log[0, x]
    score = nodes.score[node] + cubes.value[grid, JUMP] + options.score[option, PLAIN]
    score += weight[0] * log[0, x] + options.score[option, BACKWARD + orientation]
    if settings.split != 0:
        own[own.shape[0] - 1] = drawn.first[x]
        score += settings.first_weight * drawn.first[x]
    if log.shape[0] > 1:
        total = 0.0
        for m in range(1, log.shape[0]):
            own[LM_LOG + m] = log[m, x]
            total += weight[m] * log[m, x]
        score += total
    score += nodes.forth[node, orientation]
    if options.score.shape[1] > H_BACKWARD:
        score += options.score[option, H_BACKWARD + cubes.info[grid, CUBE_BACK]]
        score += nodes.forth[node, ORIENTATIONS + cubes.info[grid, CUBE_FORTH]]
    return float(score)
