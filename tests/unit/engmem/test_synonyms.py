from __future__ import annotations

import pytest

from agentjournal.engmem.front_matter import Refusal
from agentjournal.engmem.synonyms import read_synonyms
from support.documents import document
from support.ranked import ranked

LIST = b"ttl: [time to live, expiry]\nk8s: kubernetes\n"


@pytest.mark.parametrize(
    ("question", "found"),
    [("TTL", "1-a"), ("time to live", "2-b"), ("kubernetes", "3-c"), ("K8S", "3-c")],
)
def test_a_store_says_what_means_the_same_and_is_understood_from_either_side(question, found):
    files = {
        "a.md": document("1-a", "## Notes\nThe expiry of entries.", title="x"),
        "b.md": document("2-b", "## Notes\nA TTL of an hour.", title="x"),
        "c.md": document("3-c", "## Notes\nk8s, also Kubernetes.", title="x"),
    }
    hits = ranked(files, question, synonyms=read_synonyms(LIST))
    assert found in [hit.header.id for hit in hits]


@pytest.mark.parametrize(
    "data", [b"\xff", b"a: &x b\nc: *x", b"- a\n- b", b"a: [", b"a: " + b"b" * 20_000]
)
def test_a_list_that_cannot_be_read_says_why(data):
    assert isinstance(read_synonyms(data), Refusal)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a: b\nc: }\nd: e\n", "it is no YAML at line 2"),
        (b"- a\n- b", "it holds no fields"),
        (b"a: &x b\nc: *x", "it uses an anchor or alias"),
        (b"a: b\n---\nc: d\n", "it holds more than one document"),
    ],
)
def test_a_list_is_spoken_of_as_a_file_of_its_own(data, reason):
    assert read_synonyms(data) == Refusal(reason)


def test_a_list_may_begin_as_files_of_yaml_do():
    assert read_synonyms(b"# ours\n---\n" + LIST) == read_synonyms(LIST)


@pytest.mark.parametrize("data", [b"", b"\n \n", b"# nothing yet\n", b"a:\n"])
def test_an_empty_list_says_nothing(data):
    assert not any(read_synonyms(data).values())


def test_what_is_no_text_means_nothing():
    assert read_synonyms(b"x: {b: c}\nthe: of\n") == {"x": ()}


def test_a_title_or_a_heading_spells_out_a_short_name_too():
    files = {
        "a.md": document("1-a", "## Notes\nAlerts.", title="Service Level Objective (SLO) alerts"),
        "b.md": document("2-b", "## Entity tag (ETAG)\nSent."),
        "c.md": document("3-c", "## Notes\nThe service level objective burns; an entity tag too."),
    }
    assert [hit.header.id for hit in ranked(files, "SLO")] == ["1-a", "3-c"]
    assert [hit.header.id for hit in ranked(files, "ETAG")] == ["2-b", "3-c"]
