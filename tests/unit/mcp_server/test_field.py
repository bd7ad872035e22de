"""Arguments of tools: what says nothing is absent, and what breaks a rule is refused by name."""

from __future__ import annotations

import pytest

from agentjournal.mcp_server.field import ArgumentError, read_arguments
from agentjournal.mcp_server.tools import TOOLS

FIELDS = {tool.name: tool.fields for tool in TOOLS}


def read(name, **given):
    return read_arguments(FIELDS[f"engmem_{name}"], given)


def test_null_false_and_unknown_arguments_say_nothing():
    given = {"query": "x", "repo": None, "unscoped": False, "session_id": "", "more": 1}
    assert read("search", **given) == {"query": "x"}


def test_a_scope_of_several_repositories_joins_the_single_one():
    assert read("search", query="x", repo="a", repos=["b"]) == {
        "query": "x",
        "repo": "a",
        "repos": ["b"],
    }


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("search", {}, "'query' must be a non-empty string"),
        ("search", {"query": " "}, "'query' must be a non-empty string"),
        ("search", {"query": 1}, "'query' must be a non-empty string"),
        ("search", {"query": "x", "session_id": 1}, "'session_id' must be a string"),
        ("search", {"query": "x", "repo": " "}, "'repo' needs a repository name"),
        ("search", {"query": "x", "repos": []}, "'repos' needs at least one repository name"),
        ("search", {"query": "x", "repos": ["a", " "]}, "'repos' needs at least one"),
        ("search", {"query": "x", "repos": "a"}, "'repos' needs at least one"),
        ("search", {"query": "x", "unscoped": 1}, "'unscoped' must be true or false"),
        (
            "search",
            {"query": "x", "repo": "a", "unscoped": True},
            "'repo' and 'unscoped' are different",
        ),
        ("search", {"query": "x", "repos": ["a"], "all_repos": True}, "'repo' and 'all_repos' are"),
        (
            "search",
            {"query": "x", "unscoped": True, "all_repos": True},
            "'unscoped' and 'all_repos'",
        ),
        ("search_by_role", {"query": "x"}, "'role' must be one of: acceptance, "),
        ("search_by_role", {"query": "x", "role": "nope"}, "'role' must be one of: acceptance, "),
        ("read", {"id": "x", "role": []}, "'role' must be one of"),
        ("read", {}, "'id' must be a non-empty string"),
        ("create_draft", {"id": "a-b", "content": ""}, "'content' must be a non-empty string"),
        (
            "complete_draft",
            {"id": "a-b", "content": "x", "expected_version": 1},
            "must be a string",
        ),
        ("mark_superseded", {"id": "a-b", "superseded_by": "c-d"}, "'expected_version' must be"),
        ("record_feedback", {"session_id": "a-b", "doc_id": "c-d"}, "'assessment' must be"),
        ("record_baseline", {"session_id": "a-b", "tokens": True}, "'tokens' must be an integer"),
        ("record_baseline", {"session_id": "a-b", "tokens": 0}, "'tokens' must be an integer"),
        ("record_baseline", {"session_id": "a-b", "tokens": 1.5}, "'tokens' must be an integer"),
        ("record_baseline", {"session_id": "a-b", "seconds": 0}, "'seconds' must be a number"),
        ("record_baseline", {"session_id": "a-b", "seconds": float("inf")}, "'seconds' must be"),
        ("record_baseline", {"session_id": "a-b", "seconds": float("nan")}, "'seconds' must be"),
    ],
)
def test_an_argument_that_breaks_its_rule_is_named(name, given, told):
    with pytest.raises(ArgumentError) as refusal:
        read(name, **given)
    assert told in str(refusal.value)


def test_the_version_of_a_draft_is_left_to_the_call_which_can_show_the_current_text():
    assert read("complete_draft", id="a-b", content="x") == {"id": "a-b", "content": "x"}
