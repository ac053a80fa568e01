from campanula.stages.tuning.sharded.rooms import Rooms
from tests.stages.tuning.sharded.shards import both


def test_a_room_that_was_given_back_is_taken_again():
    rooms = Rooms()
    one, two = rooms.take(5), rooms.take(5)
    assert one is not two
    rooms.give(one)
    assert rooms.take(4) is one
    rooms.give(one)
    assert len(rooms.take(9)) == 9


def test_passes_in_used_rooms_are_as_in_fresh_ones():
    _, parts, theta = both("expected-bleu", jobs=3)
    first = parts.value_and_gradient(theta)
    parts.value(-theta)
    parts.value_and_gradient(-theta)
    again = parts.value_and_gradient(theta)
    assert first[0] == again[0]
    assert first[1].tobytes() == again[1].tobytes()
    assert 1 <= len(parts.data.rooms._free) <= 8
