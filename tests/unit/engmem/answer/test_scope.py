from __future__ import annotations

import pytest

from agentjournal.engmem.answer.request import SearchRequest
from agentjournal.engmem.answer.scope import (
    AllRepositories,
    Unscoped,
    repositories,
    scope_line,
    scope_record,
)
from agentjournal.engmem.header import Header
from agentjournal.errors import InputError


def header(**fields):
    stated = {"id": "a-b", "file": "a-b.md", "title": "", "date": "2026-09-01", "status": "active"}
    return Header(**{**stated, "version": "0" * 16, **fields})


def test_repositories_are_compared_trimmed_and_without_case():
    scope = repositories([" Core ", "core", "Other"])
    assert scope.names == ("Core", "Other")
    assert scope.admits(header(repos=("CORE",)))
    assert not scope.admits(header(repos=("cor",)))
    assert not scope.admits(header())


def test_a_blank_name_is_refused():
    with pytest.raises(InputError, match="--repo needs a repository name"):
        repositories(["core", " "])


def test_unscoped_documents_are_linked_to_nothing_and_known_to_be():
    assert Unscoped().admits(header())
    assert not Unscoped().admits(header(repos=("core",)))
    assert not Unscoped().admits(header(has_unknown_repos=True))
    assert AllRepositories().admits(header(has_unknown_repos=True))


def test_each_scope_says_itself():
    assert scope_line(repositories(["core"]), 2) == (
        "scope: repo core (2 linked document(s) searched; "
        "records linked to no repository are left out)"
    )
    assert scope_line(repositories(["a", "b"]), 0).startswith("scope: repos a, b (0 linked")
    assert scope_line(Unscoped(), 3) == (
        "scope: unscoped (3 document(s) linked to no repository searched)"
    )
    assert scope_line(AllRepositories(), 4) == (
        "scope: all repositories (4 document(s) searched; "
        "the whole store, records linked to no repository included)"
    )


def test_many_and_long_names_are_counted():
    line = scope_line(repositories([f"repository-{n:03d}" for n in range(60)]), 1)
    assert line.startswith("scope: repos repository-000, ")
    assert " and 45 more (1 linked" in line
    record = scope_record(repositories([f"r{n}" for n in range(60)]), 1)
    assert len(record["repos"]) == 50
    assert record["repos_truncated"] is True
    assert record["repos_total"] == 60


def test_a_hostile_name_stays_on_its_line():
    assert scope_line(repositories(["a\n### b\x1b[2J"]), 0).startswith(
        "scope: repo a ### b\\x1b[2J ("
    )


def test_tags_and_days_narrow_a_search():
    within = SearchRequest(query="x", tags=("Cache",), since="2026-08-01").within
    assert within.admits(header(tags=("cache", "api")))
    assert not within.admits(header(tags=("api",)))
    assert not within.admits(header(tags=("cache",), date="2026-07-31"))
    assert SearchRequest(query="x").within.admits(header(date=""))
