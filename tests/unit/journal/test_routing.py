from __future__ import annotations

import pytest

from agentjournal import Prompt, routing


def test_an_owners_key_is_the_same_in_body_and_headers():
    made = routing("session:7")
    assert made.body == {"prompt_cache_key": "session:7"}
    assert made.headers == {"X-Flexinfer-Cache-Key": "session:7", "X-Session-Id": "session:7"}
    assert Prompt.routing("session:7") == made


@pytest.mark.parametrize("owner", ["", " \t\n", "\u00a0"])
def test_a_blank_owner_has_no_key(owner):
    assert (routing(owner).body, routing(owner).headers) == ({}, {})


def test_the_names_are_the_callers():
    made = routing("a", body_keys=("user",), headers=("X-Affinity",))
    assert (made.body, made.headers) == ({"user": "a"}, {"X-Affinity": "a"})


def test_no_body_key_is_written_for_an_engine_that_refuses_unknown_ones():
    assert routing("a", body_keys=()).body == {}


@pytest.mark.parametrize("owner", ["a\r\nX-Evil: 1", "Größe", "with space", "x" * 65, "\ud800"])
def test_what_cannot_stand_in_a_header_goes_as_its_digest(owner):
    (key,) = set(routing(owner).headers.values())
    assert len(key) == 64
    assert key.isalnum()
    assert routing(owner) == routing(f" {owner} ")


def test_two_owners_have_two_keys():
    assert routing("x" * 65) != routing("x" * 66)
