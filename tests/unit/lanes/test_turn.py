"""A turn as it is stored: what a render shows of it, and who said what in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.errors import DamagedError
from agentjournal.lanes.turn import Said, composed, said_in

TEXTS = st.text(st.sampled_from('ab \n:\t\u200b\r\x1fé\\"[]'), max_size=12) | st.text(max_size=9)
SAID = st.builds(Said, st.sampled_from(["situation", "heard", "own"]), TEXTS, TEXTS)
LAYOUTS = pytest.mark.parametrize("layout", ["v1", "v2"])


@LAYOUTS
@given(said=st.lists(SAID, max_size=5))
def test_what_was_said_is_found_again_in_what_is_shown(layout, said):
    shown, entries = composed(said, layout)
    assert list(said_in(shown, json.loads(json.dumps(entries)), layout)) == said


@LAYOUTS
def test_a_text_stands_in_a_turn_once(layout):
    said = [
        Said("situation", "world", "It rained.\n  All day.\n\nThen not."),
        Said("own", "a", "Oh"),
    ]
    shown, entries = composed(said, layout)
    assert "rained" in shown
    assert "rained" not in json.dumps(entries)


def test_only_a_text_with_hidden_characters_is_kept_beside_what_v2_shows():
    shown, entries = composed(
        [Said("own", "a", "zero\u200bwidth"), Said("own", "a", "plain")], "v2"
    )
    assert [entry[2] for entry in entries] == ["zero\u200bwidth", 5]
    assert "zero\\u200bwidth" in shown


def test_turns_that_were_stored_with_every_text_beside_are_read_as_before():
    said = [Said("heard", "Ben", "one\ntwo"), Said("own", "a", "three")]
    shown, _ = composed(said, "v2")
    assert list(said_in(shown, [list(each) for each in said], "v2")) == said


@LAYOUTS
def test_a_turn_that_was_cut_is_damaged(layout):
    shown, entries = composed([Said("own", "a", "All of it.")], layout)
    with pytest.raises(DamagedError, match="described as one of"):
        list(said_in(shown[:-2], entries, layout))
