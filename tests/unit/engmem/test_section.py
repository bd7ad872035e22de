from __future__ import annotations

import pytest

from agentjournal.engmem.heading import headings
from agentjournal.engmem.role import ROLES, role_of
from agentjournal.engmem.section import split


def test_a_document_is_split_as_its_headings_say():
    long = "word " * 500
    body = f"""Before.
## 2. Business Context (glossary)
### Actors
{long}
### Terms
{long}
##  Glossary ##
Setext Head
---
text
## Testing Knowledge Gaps
## 3.1. Müller & Söhne"""
    assert [(each.locator, each.role) for each in split(body)] == [
        ("§1-preamble", None),
        ("§2-actors", "context"),
        ("§3-terms", "context"),
        ("§4-glossary", "context"),
        ("§5-setext-head", None),
        ("§6-testing-knowledge-gaps", None),
        ("§7-muller-sohne", None),
    ]


def test_the_lead_of_a_long_section_keeps_its_heading():
    body = "## Decision Log\nLead.\n### One\n" + "word " * 900
    assert [each.locator for each in split(body)] == ["§1-decision-log", "§2-one"]
    assert [each.role for each in split(body)] == ["decisions", "decisions"]


def test_a_body_without_headings_is_one_section():
    (section,) = split("Just text.\n")
    assert (section.locator, section.text) == ("§1-body", "Just text.")


def test_a_heading_of_nothing_but_signs_still_has_an_anchor():
    assert split("## ???\n")[0].locator == "§1-section"


def texts(body):
    return [(each.level, each.text) for each in headings(body.split("\n"))]


def test_headings_in_closed_fences_are_none_and_an_open_fence_hides_nothing():
    assert texts("```\n## no\n```\n## yes\n~~~\n## open") == [(2, "yes"), (2, "open")]
    assert texts("````\n## no\n```\n## no\n````") == []
    assert texts("```\n## yes\n~~~") == [(2, "yes")]


def test_dashes_make_a_heading_only_of_plain_text():
    assert texts("Title\n---") == [(2, "Title")]
    for line in ("- item", "* item", "> quote", "2. item", "| cell", ""):
        assert texts(f"{line}\n---") == []
    assert texts("Title\n===") == []


def test_closing_marks_and_indents_are_no_part_of_a_heading():
    assert texts("   ## Title ##   \n## C#\n##none\n## \n    ## code") == [(2, "Title"), (2, "C#")]


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("8. Decision Log", "decisions"),
        ("DECISION  LOG", "decisions"),
        ("Decision Log (2026)", "decisions"),
        ("Landmines", "lessons"),
        ("Future LLM Context (cold-start primer)", "primer"),
        ("Testing Knowledge Gaps", None),
        ("()", None),
    ],
)
def test_a_role_is_named_exactly_or_with_one_bracket_behind(heading, role):
    assert role_of(heading) == role


def test_there_are_nineteen_roles_and_each_names_itself():
    assert len(ROLES) == 19
    assert all(role_of(role) == role for role in ROLES)
