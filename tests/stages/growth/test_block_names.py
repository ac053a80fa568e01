import pytest

from campanula.formats.feature_names.sparse import sparse_name
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.names import Names
from campanula.stages.growth.block_names import BlockIds, block_name, is_copy
from campanula.stages.inventories.growing import Growing

PHRASES = ["das Haus", "100 %", "a~b , c", "x|y =", "caf\u00e9 \u00a0b", "\u4e2d \u200bz", ""]


@pytest.mark.parametrize("source", PHRASES[:-1])
@pytest.mark.parametrize("target", PHRASES)
def test_names_are_those_of_the_decoder(source, target):
    words = [tuple(phrase.split(" ")) if phrase else () for phrase in (source, target)]
    assert block_name(source.encode(), target.encode()) == sparse_name("block", "", *words)


def test_a_copy_is_a_word_that_stays():
    assert is_copy(block_name(b"%x", b"%x"))
    assert not is_copy(block_name(b"a b", b"a b"))
    assert not is_copy(block_name(b"a", b"b"))
    assert not is_copy("block_a")


def test_ids_are_those_of_the_names_or_of_an_inventory(tmp_path):
    names = ["LM0", "block_a~~b", "block_", "blocks", "block_x~~", "blo"]
    with Growing(str(tmp_path / "inv"), new=True) as growing:
        growing.ids_of_names(names)
        growing.commit()
    for table in (Names(names), Inventory.open(str(tmp_path / "inv"))):
        blocks = BlockIds(table)
        assert blocks.ids_of(["blo", "block_a~~c", "block_a~~b"]).tolist() == [5, -1, 1]
        marked = [n for n, is_block in zip(names, blocks.are_blocks(), strict=True) if is_block]
        assert "block_a~~b" in marked
        assert set(marked) <= {"block_a~~b", "block_", "block_x~~"}
