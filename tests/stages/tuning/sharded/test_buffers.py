from campanula.stages.tuning.sharded.buffers import Buffers
from tests.stages.tuning.sharded.shards import both


def test_a_buffer_that_was_given_back_is_taken_again():
    buffers = Buffers()
    one, two = buffers.take(5), buffers.take(5)
    assert one is not two
    buffers.give(one)
    assert buffers.take(4) is one
    buffers.give(one)
    assert len(buffers.take(9)) == 9


def test_passes_in_used_buffers_are_as_in_fresh_ones():
    _, parts, theta = both("expected-bleu", jobs=3)
    first = parts.value_and_gradient(theta)
    parts.value(-theta)
    parts.value_and_gradient(-theta)
    again = parts.value_and_gradient(theta)
    assert first[0] == again[0]
    assert first[1].tobytes() == again[1].tobytes()
    assert 1 <= len(parts.data.buffers._free) <= 8
