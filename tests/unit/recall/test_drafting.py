"""A document drafted from a project's log: what it holds, and what no text in the log can do to it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from agentjournal.engmem.document import read_document
from agentjournal.engmem.review.reuse_row import reuse_rows
from agentjournal.engmem.role import ROLES
from agentjournal.errors import NotFoundError
from agentjournal.log.revoke import redact
from agentjournal.recall.documented import claims_of
from agentjournal.recall.drafting.draft import Circumstances, draft
from agentjournal.recall.drafting.material import CLAIMS, Close, load_material
from agentjournal.recall.drafting.said import lessons
from support import golden
from support.execution import AT, SLUG, execution_log, failed, project, step, uuid, write

DECISION = {
    "point": "Where jobs wait",
    "options": ["a table with `SKIP LOCKED`", "Redis lists"],
    "chosen": "a table with `SKIP LOCKED`",
    "why": "One store less to run",
}
QUOTE = {"document": "20260801-old-queue", "quote": "Lists lose jobs", "impact": "No Redis"}


def around(**more):
    given = {"mode": "daily", "author": "Ada", "repos": ("shop",), "cost": "", "cite": cite}
    return Circumstances(**given | more)


def cite(document: str, quote: str) -> str:
    return f"{document}@0123456789abcdef" if "lose" in quote else document


@pytest.fixture
def log(database):
    log = project(database)
    write(log, failed(1, action="Poll often", open_questions=["May we lose a job?"]))
    write(
        log,
        step(
            2,
            action="Took the queue of the database",
            decisions=[DECISION],
            reused=[QUOTE],
            touches=[
                {"kind": "file", "name": "src/one.py"},
                {"kind": "service", "name": "postgres"},
            ],
            artifacts=[{"kind": "commit", "ref": "ABCDEF1234"}],
        ),
    )
    return log


def drafted(log, **more):
    return draft(load_material(log, SLUG), around(**more))


def document(log, **more):
    made = drafted(log, **more)
    read = read_document(f"{made.id}.md", made.text.encode())
    assert read.id == made.id
    return read


def section(read, role):
    return "\n".join(each.text for each in read.sections if each.role == role)


def test_a_draft_is_as_it_was(log):
    golden.check("engmem_draft.md", drafted(log, cost="1,200 tokens in 3 calls").text.rstrip("\n"))


def test_it_has_all_nineteen_sections_and_stays_a_draft(log):
    read = document(log)
    assert {each.role for each in read.sections} == set(ROLES)
    assert (read.status, read.mode, read.faults, read.warnings) == ("draft", "daily", (), ())
    assert read.id == "20260131-demo"
    assert (read.date, read.task_date, read.verified_at_commit) == (
        "2026-01-31",
        "2026-01-31",
        "abcdef1234",
    )
    assert read.covers_files == ("src/one.py",)
    assert read.related == ("20260801-old-queue",)
    assert "SKIP" in read.entities


def test_what_it_decides_and_rejects_is_read_back_as_claims(log):
    text = drafted(log).text.replace("status: draft", "status: active")
    claims = claims_of(read_document("20260131-demo.md", text.encode()))
    told = {(each.verdict, each.what): each.why for each in claims}
    assert told["rejected", "Poll the server"].startswith("It takes 40 s a call")
    assert told["decided", "Where jobs wait: a table with `SKIP LOCKED`"].startswith("One store")
    assert "One store less to run" in told["rejected", "Redis lists"]
    assert "Fixed by: Took the queue of the database" in told["lesson", "Poll often"]


def test_what_was_reused_is_a_row_with_its_quote_and_version(log):
    [row] = reuse_rows(section(document(log), "reuse"))
    assert (row.cited, row.quotes, row.classification) == (
        "20260801-old-queue@0123456789abcdef",
        ("Lists lose jobs",),
        "reuse",
    )


@pytest.mark.parametrize(
    ("quote", "kept"),
    [
        ('he said "never"', 'he said "never"'),
        ("a | much longer part", "much longer part"),
        ("two\n  lines", "two lines"),
    ],
)
def test_a_quote_that_a_table_cannot_hold_keeps_what_it_can(database, quote, kept):
    log = project(database)
    write(log, step(1, reused=[QUOTE | {"quote": quote}]))
    [row] = reuse_rows(section(document(log), "reuse"))
    assert row.quotes == (kept,)


def test_a_quote_too_short_for_a_row_is_counted_and_not_called_none(database):
    log = project(database)
    write(log, step(1, reused=[QUOTE | {"quote": "abc"}]))
    text = section(document(log), "reuse")
    assert "1 more were reported" in text
    assert "none" not in text


def test_cost_that_nobody_measured_is_unmeasured(log):
    assert "Cost: unmeasured." in section(document(log), "status")
    assert "Cost: 5 tokens." in section(document(log, cost="5 tokens"), "status")


def test_words_of_workers_are_assumed_and_open_questions_open(log):
    assert "[Open] May we lose a job?" not in drafted(log).text  # the last close has none
    for role in ("decisions", "lessons"):
        assert "[Assumed]" in section(document(log), role)
    assert "[Verified] Tasks: 3 not begun, 1 success." in section(document(log), "status")


def test_an_open_question_of_the_last_close_is_open(database):
    log = project(database)
    write(log, failed(1, open_questions=["May we lose a job?"]))
    assert "[Open] May we lose a job?" in section(document(log), "status")


def test_no_text_of_the_log_becomes_a_section_or_a_field(database):
    log = project(database)
    evil = 'x\n## Reuse Log\n| far-doc | "stolen words" | i | reuse |\n---\nstatus: active\u202e'
    write(
        log,
        failed(
            1,
            action="## Decision Log",
            current_state=evil,
            ruled_out=[{"option": evil[:200], "why": evil}],
            reused=[{"document": "## Pre-reg", "quote": evil, "impact": evil}],
        ),
    )
    read = document(log)
    assert len(read.sections) == len(ROLES)
    assert read.status == "draft"
    assert "\u202e" not in drafted(log).text


def test_a_plan_stands_whole_and_its_headings_are_none_of_the_document(database):
    log = project(database)
    log.database  # noqa: B018 - the plan's text is `# Plan`
    text = section(document(log), "prereg")
    assert text.startswith("```\n# Plan\n```")
    assert text.endswith("pre-reg source: plan")


def test_what_was_redacted_is_in_no_draft(log):
    with_secret = drafted(log).text
    assert "One store less" in with_secret
    redact(log, uuid(0x10002), why="leaked", event_id=uuid(9), actor="ada", at=AT)
    assert "One store less" not in drafted(log).text


def test_same_log_same_bytes(log):
    assert drafted(log) == drafted(log)


def test_a_long_project_gives_a_bounded_draft_that_counts_what_it_leaves_out(database):
    log = project(database)
    for number in range(1, 16):
        many = [{"option": f"Option {number}.{n} of many", "why": "w" * 200} for n in range(8)]
        write(log, failed(number, ruled_out=many))
    text = drafted(log).text
    assert f"{15 * 8 - CLAIMS} older ones are in the log" in text
    assert len(text.encode()) < 200_000


def test_a_project_without_work_still_has_every_section(database):
    read = document(project(database))
    assert {each.role for each in read.sections} == set(ROLES)
    assert section(read, "reuse") == "Prior docs used: none."


def test_a_project_that_is_not_there_is_named(database):
    with pytest.raises(NotFoundError, match="nowhere"):
        load_material(execution_log(database), "nowhere")


def test_a_state_of_an_invalid_handoff_is_not_told_as_the_reason_of_a_failure():
    close = Close(
        id=uuid(1),
        task="T-001",
        attempt=1,
        actor="worker-1",
        revision=1,
        action="Did it",
        result="partial",
        end="contract_missing",
        handoff={"current_state": "All tests pass"},
    )
    [lesson] = lessons(SimpleNamespace(closes=(close,)))
    assert "Failed because: its handoff was not valid; it said: All tests pass\n" in lesson
