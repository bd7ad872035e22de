from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentjournal.recall.harvest.places import is_plan_name, is_record_name
from agentjournal.recall.harvest.reason import reason_of
from agentjournal.recall.harvest.record import read_record
from agentjournal.recall.harvest.subject import bare, key_of, read_subject

MADR = """---
status: accepted
---
# Keep categories in subfolders

## Context and Problem Statement

Records grow in number.

## Decision Drivers

* Easy to find

## Considered Options

* Use labels
* Use YAML front matter
* Use subfolders
* Don't do it

## Decision Outcome

Chosen option: "Use subfolders", because it needs no tool.

## Pros and Cons of the Options

### Use labels

* Good, because it is plain Markdown
* Bad, because it cannot be [filtered](http://example.org) with `ls`
* Bad, because badges need a service

### Use YAML front matter

```yaml
bad: because this is code
```

* Good, because it is nearly easy to parse
* Bad, because no viewer shows it
"""

NYGARD = """# 7. Use PostgreSQL for the job queue

Date: 2024-01-02

## Status

Accepted

Supersedes [3. Redis](0003-redis.md)

## Context

Jobs get lost.

## Decision

We will keep jobs in a PostgreSQL table, because one store is easier to operate.

## Alternatives considered

* **Redis lists** - a popped job is gone when its worker dies.
* **RabbitMQ**: another service to run.
* Celery. It hides failures in its result backend.

## Consequences

Polling.
"""

RFC = """- Feature Name: parser_cache

# Summary

Cache parsed templates.

# Rationale and alternatives

Parsing takes 80 % of a request.

We considered caching in memory per process. That would lose the cache at each restart.

Eight workers would hold eight copies.

An alternative is to store the cache in Redis. However, that adds a service.

We could also warm the cache at start. It would take a minute.

A template compiler would help as well.

This was rejected because nobody could maintain it.

# Drawbacks

Disk.
"""

PEP = """PEP: 9999
Title: Lazy imports by default
Status: Final

Abstract
========

Imports are lazy.

Rejected Ideas
==============

A context manager
-----------------

A ``with lazy:`` block was rejected because it cannot be analysed statically.

A module attribute
------------------

It would be evaluated too late, see :pep:`1`.

.. code-block:: python

    __lazy__ = True

Copyright
=========
"""

NUMBERED = """# Choose an HTTP client
Status: Accepted
## Options
### Option 1: requests
Pros:
- simple
Cons:
- no async support
### Option 2: httpx
Pros:
- async
Cons:
- younger
## Decision
Option 2, since we need async calls.
"""

ASCIIDOC = """= ADR 6: Log format
:status: accepted

== Decision

We log JSON lines.

== Rejected alternatives

. XML: nobody reads it
. Plain text -- cannot be queried
"""

TABLE = """# Transport
**Status:**
- [ ] proposed by (Ada)
- [x] accepted by (Bob)
- [ ] superseded by (Eve)

## Considered Options

| Option | Verdict | Why |
|---|---|---|
| MQTT | rejected | brokers are hard |
| HTTP polling | chosen | simple |

## Decision Outcome
HTTP polling.
"""

BOLD = """# [ADR-012] Primary database
<!-- Status: rejected
## Alternatives
- none: of it -->
**Status:** Accepted

**Decision:**
Use PostgreSQL, since the team knows it.

### Positive
- ✅ transactions

**Alternatives Considered:**

**MySQL**
- Considered: similar cost
- Rejected: poorer JSON operations

**MongoDB**
- `+` flexible
- `-` relations are needed
- ❌ another licence
"""
SELECTED = """# Cache
## Considered alternatives
1. Memcached
2. (SELECTED) Valkey
## Decision
We go with the second.
"""


def read(text, path="docs/adr/0001-x.md"):
    record = read_record(path, text)
    assert record is not None
    return record


def rejected(text, path="docs/adr/0001-x.md"):
    return [(option.what, option.why) for option in read(text, path).rejected]


def test_madr_names_what_was_chosen_and_what_spoke_against_the_rest():
    record = read(MADR)
    assert (record.title, record.standing) == ("Keep categories in subfolders", "accepted")
    assert (record.chosen, record.reason) == ("Use subfolders", "it needs no tool")
    assert rejected(MADR) == [
        ("Use labels", "it cannot be filtered with `ls`; badges need a service"),
        ("Use YAML front matter", "no viewer shows it"),
    ]  # and "Don't do it", in words by which nobody finds it, is left out


def test_nygards_template_with_alternatives():
    record = read(NYGARD)
    assert record.title == "Use PostgreSQL for the job queue"
    assert record.chosen == "We will keep jobs in a PostgreSQL table"
    assert record.reason == "one store is easier to operate"
    assert rejected(NYGARD) == [
        ("Redis lists", "a popped job is gone when its worker dies."),
        ("RabbitMQ", "another service to run."),
        ("Celery", "It hides failures in its result backend."),
    ]


def test_an_rfcs_alternatives_told_in_prose():
    assert read(RFC).title == "parser_cache"
    assert rejected(RFC) == [
        (
            "caching in memory per process",
            "That would lose the cache at each restart. Eight workers would hold eight copies.",
        ),
        ("store the cache in Redis", "However, that adds a service."),
        ("warm the cache at start", "It would take a minute."),
        (
            "A template compiler would help as well",
            "This was rejected because nobody could maintain it.",
        ),
    ]


def test_restructured_text_with_rejected_ideas_as_headings():
    assert read(PEP, "peps/pep-9999.rst").title == "Lazy imports by default"
    assert rejected(PEP, "peps/pep-9999.rst") == [
        (
            "A context manager",
            "A `with lazy:` block was rejected because it cannot be analysed statically.",
        ),
        ("A module attribute", "It would be evaluated too late, see `1`."),
    ]


def test_an_option_chosen_by_its_number_has_its_name():
    record = read(NUMBERED)
    assert (record.chosen, record.reason) == ("httpx", "we need async calls")
    assert rejected(NUMBERED) == [("requests", "no async support")]


def test_asciidoc_and_its_lists():
    assert read(ASCIIDOC, "docs/adr/0006.adoc").title == "Log format"
    assert rejected(ASCIIDOC, "docs/adr/0006.adoc") == [
        ("XML", "nobody reads it"),
        ("Plain text", "cannot be queried"),
    ]


def test_a_table_of_options():
    assert read(TABLE).standing == "accepted"
    assert rejected(TABLE) == [("MQTT", "rejected; brokers are hard")]


def test_bold_lines_are_headings_and_comments_say_nothing():
    record = read(BOLD)
    assert (record.title, record.standing) == ("Primary database", "accepted")
    assert (record.chosen, record.reason) == ("Use PostgreSQL", "the team knows it")
    assert rejected(BOLD) == [
        ("MySQL", "poorer JSON operations"),
        ("MongoDB", "relations are needed; another licence"),
    ]


def test_an_option_that_is_marked_was_chosen():
    assert rejected(SELECTED) == [("Memcached", "")]


def test_options_of_which_none_is_known_to_be_chosen_are_left_out():
    text = MADR.replace('Chosen option: "Use subfolders"', 'Chosen option: "Something else"')
    assert rejected(text.partition("## Pros")[0]) == []


@pytest.mark.parametrize(
    ("status", "standing"),
    [
        ("Status: Accepted", "accepted"),
        ("* Status: superseded by [ADR-7](7.md)", "superseded"),
        ("**Status**: Deprecated", "superseded"),
        ("## Status\n\nRejected", "rejected"),
        ("| Status | Withdrawn |\n|---|---|", "rejected"),
        ("- Status: proposed", "undecided"),
        ("", "accepted"),
    ],
)
def test_where_a_record_stands(status, standing):
    text = f"# Use a queue\n{status}\n\n## Decision\nWe use a queue.\n"
    assert read(text).standing == standing


@pytest.mark.parametrize(
    "text",
    [
        "# {short title}\n## Considered Options\n* {option 1}\n",
        "# [short title]\n## Decision Outcome\nChosen option: x\n",
        "# A guide\n\nJust prose.\n",
        "",
    ],
)
def test_templates_and_guides_are_no_records(text):
    assert read_record("docs/adr/0001-x.md", text) is None


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("docs/adr/0001-use-x.md", True),
        ("doc/architecture/decisions/0001-use-x.rst", True),
        ("Architecture_Decision_Records/use-x.md", True),
        ("rfcs/use-x.md", True),
        ("keps/sig-node/127-user-namespaces/README.md", True),
        ("docs/ADR-0001-use-x.md", True),
        ("text/1234-use-x.md", True),
        ("docs/adr/README.md", False),
        ("docs/adr/0000-template.md", False),
        ("docs/adr/index.md", False),
        ("docs/guide.md", False),
    ],
)
def test_records_are_told_by_their_place(path, is_one):
    assert is_record_name(path) is is_one


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("tasks.md", True),
        ("specs/001-login/tasks.md", True),
        (".kiro/specs/login/tasks.md", True),
        ("docs/plans/rewrite.md", True),
        ("docs/implementation-plan.md", True),
        ("docs/guide.md", False),
        ("planet.md", False),
    ],
)
def test_plans_are_told_by_their_place(path, is_one):
    assert is_plan_name(path) is is_one


PIECES = st.lists(
    st.sampled_from(
        [
            "# Title", "## Decision", "## Alternatives", "## Considered Options", "### Option 1: x",
            "**Rejected:**", "- a: b", "  - bad, because c", "| a | b |", "|---|---|", "```", "---",
            "====", "Status: accepted", "Chosen option: x, because y.", "We considered z. No.", "",
            "This was rejected.", "<!--", "-->", "{x}", "\x00", "\u202e",
        ]
    ),
    max_size=40,
)  # fmt: skip


@given(PIECES, st.sampled_from(["a.md", "a.rst", "a.adoc", "a"]))
def test_any_text_is_a_record_of_bounded_parts_or_none(pieces, name):
    record = read_record(f"docs/adr/{name}", "\n".join(pieces))
    if record:
        assert 0 < len(record.title) <= 200
        assert len(record.rejected) <= 12
        assert all(0 < len(option.what) <= 200 for option in record.rejected)


@given(st.text(alphabet=st.sampled_from("Revert \"':()[]#1a9f\n"), max_size=200))
@example("[1]1[1]")
def test_any_message_is_read(text):
    read = read_subject(text)
    assert read is None or read.what
    assert len(reason_of(text).encode()) <= 500
    assert key_of(bare(text)) == key_of(text)


def test_a_reason_that_begins_with_a_name_in_code_keeps_its_quotes():
    told = 'Chosen option: "Use apsw". `sqlite3` has the old fault.'
    text = f"# Rows\n\nStatus: accepted\n\n## Decision Outcome\n\n{told}\n"
    assert read(text).reason == "`sqlite3` has the old fault"
