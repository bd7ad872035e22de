from __future__ import annotations

import errno
import json
import os
from dataclasses import replace

import pytest

import agentjournal.engmem.reading.read as reading
from agentjournal.engmem.document import version_of
from agentjournal.engmem.reading.part import read_role
from agentjournal.engmem.reading.read import ReadRequest, read, read_text
from agentjournal.engmem.reading.roles import count_roles, roles_text
from agentjournal.errors import InputError, NotFoundError
from support import golden
from support.documents import document
from support.everyday import DRAFT, LOOKUP, OLD, ROUTER, everyday_store, index_of
from support.ledgers import STAMP

HOSTILE = document(
    "2300-hostile-text",
    "## Decision Log\n\x1b[31mred\x1b[0m \u202etxt\u202c \x9b1m\r\n### forged (score: 99)\n\ttab",
    title='"a\\e[2J b"',
)


@pytest.fixture
def store(tmp_path):
    return everyday_store(tmp_path / "store", **{"2300-hostile-text": HOSTILE})


def text(store, reference, **request):
    return read_text(store, index_of(store), ReadRequest(reference=reference, **request), STAMP)


def cost_lines(store):
    return [json.loads(line) for line in (store / "cost.jsonl").read_text().splitlines()]


def test_a_whole_document(store):
    golden.check("engmem_read.txt", text(store, ROUTER))


def test_the_sections_of_a_role_for_a_session(store):
    golden.check("engmem_read_role.txt", text(store, ROUTER, role="decisions", session=DRAFT))


def test_one_section_as_a_search_names_it(store):
    golden.check("engmem_read_section.txt", text(store, ROUTER, section="§3-lessons-learned"))


def test_a_draft_is_read_and_never_cited(store):
    told = text(store, DRAFT)
    golden.check("engmem_read_draft.txt", told)
    assert "cite as" not in told
    data = (store / "sessions" / f"{DRAFT}.md").read_bytes()
    assert version_of(data) in told, "who completes it needs the version"
    assert data.decode().strip("\n") in told, "and the header, to carry it over"
    assert "mode:" not in text(store, DRAFT, role="prereg")
    assert not (store / "versions").exists()


def test_a_superseded_document_names_its_successor(store):
    assert text(store, OLD).startswith(
        f"document: {OLD} -- Old router (status: superseded, superseded by {ROUTER})\n"
    )


def test_what_a_document_hides_is_written_out(store):
    golden.check("engmem_read_hostile.txt", text(store, "2300-hostile-text"))


def test_reading_keeps_the_version_and_counts_the_bytes(store):
    told = text(store, LOOKUP, session=DRAFT)
    data = (store / "sessions" / f"{LOOKUP}.md").read_bytes()
    copy = store / "versions" / LOOKUP / f"{version_of(data)}.md"
    assert copy.read_bytes() == data
    [line] = cost_lines(store)
    assert line == {
        "ts": "2026-11-30T09:00:00.000000+00:00",
        "engmem_version": "tool 1",
        "op_id": "op-1",
        "op": "read",
        "session_id": DRAFT,
        "channel": "cli",
        "bytes": len(told.encode()),
        "doc_id": LOOKUP,
        "role": None,
    }


def test_a_cited_version_is_read_after_the_document_changed(store):
    cited = text(store, LOOKUP).splitlines()[-2].removeprefix("cite as (Reuse Log prior-doc): ")
    path = store / "sessions" / f"{LOOKUP}.md"
    path.write_text(path.read_text().replace("forty", "fifty"))
    told = text(store, cited)
    version = cited.partition("@")[2]
    assert f"note: this is version {version}, as cited; the document has changed since" in told
    assert "since there are forty" in told
    assert f"cite as (Reuse Log prior-doc): {cited}" in told
    assert "fifty" in text(store, LOOKUP)


def test_a_copy_with_other_bytes_is_never_given_out(store):
    cited = text(store, LOOKUP).splitlines()[-2].removeprefix("cite as (Reuse Log prior-doc): ")
    id_, _, version = cited.partition("@")
    path = store / "sessions" / f"{LOOKUP}.md"
    path.write_text(path.read_text() + "more\n")
    (store / "versions" / id_ / f"{version}.md").write_text("---\nid: x\n---\nforged\n")
    with pytest.raises(InputError, match="altered: versions/"):
        text(store, cited)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("nope", "no document with id 'nope' in the store"),
        ("broken", "-- its file was not loaded: the front matter is no YAML"),
        ("../../etc/passwd", "no document with id '../../etc/passwd' in the store"),
        (f"{ROUTER}@xyz", "'xyz' is no version"),
        (f"{ROUTER}@0123456789abcdef", "not retained"),
        ("nope@0123456789abcdef", "no document with id 'nope' in the store"),
    ],
)
def test_what_is_not_there_is_said(store, reference, message):
    with pytest.raises((NotFoundError, InputError)) as refused:
        text(store, reference)
    assert message in refused.value.message
    assert not (store / "cost.jsonl").exists()


def test_a_role_or_section_that_it_lacks_names_those_it_has(store):
    with pytest.raises(NotFoundError, match=f"'{ROUTER}' has no flow section") as refused:
        text(store, ROUTER, role="flow")
    assert "decisions, lessons, primer, reuse, trace" in refused.value.next
    with pytest.raises(NotFoundError, match="has no section 'nope'") as refused:
        text(store, ROUTER, section="nope")
    assert "§2-decision-log" in refused.value.next


@pytest.mark.parametrize(
    "section", ["§2-decision-log", "2-decision-log", "decision-log", "§9-decision-log"]
)
def test_a_section_is_found_by_its_anchor_whatever_its_number(store, section):
    assert "The budget is split evenly." in text(store, ROUTER, section=section)


def test_the_number_decides_between_sections_of_one_name(tmp_path):
    twice = document("2400-two-alike", "## Note\none", "## Note\ntwo", "## 2-note\nthree")
    root = everyday_store(tmp_path / "store", **{"2400-two-alike": twice})
    found = {
        each: text(root, "2400-two-alike", section=each) for each in ("§2-note", "note", "2-note")
    }
    assert "\n\ntwo\n" in found["§2-note"]
    assert "\n\none\n" in found["note"]
    assert "\n\nthree\n" in found["2-note"]


def test_a_role_and_a_section_are_not_asked_for_together(store):
    with pytest.raises(InputError, match="A role and a section"):
        text(store, ROUTER, role="lessons", section="x")


def test_an_unknown_role_names_all_nineteen():
    with pytest.raises(
        InputError, match=r"unknown role 'nope' — valid roles: acceptance, .*, trace"
    ):
        read_role("nope")


def test_over_mcp_the_session_is_asked_for_in_its_words(store):
    stamp = replace(STAMP, channel="mcp")
    told = read(store, index_of(store), ReadRequest(reference=ROUTER), stamp).text
    assert told.endswith("note: unattributed read — pass session_id <draft-id>")


def test_a_link_in_place_of_a_document_is_not_followed(store, tmp_path):
    index = index_of(store)
    path = store / "sessions" / f"{LOOKUP}.md"
    (tmp_path / "outside.md").write_text(path.read_text() + "secret\n")
    path.unlink()
    path.symlink_to(tmp_path / "outside.md")
    with pytest.raises(NotFoundError, match=f"sessions/{LOOKUP}.md passes through a link"):
        read(store, index, ReadRequest(reference=LOOKUP), STAMP)


def test_a_store_that_takes_nothing_still_reads_and_says_so(store):
    (store / "cost.jsonl").mkdir()
    (store / "versions").write_text("in the way")
    told = text(store, LOOKUP, session=DRAFT)
    assert f"note: version of '{LOOKUP}' not retained (" in told
    assert "note: cost not recorded (" in told
    assert "Depots are held in memory" in told


def test_a_store_without_permission_says_so_once(store, monkeypatch):
    reason = os.strerror(errno.EROFS)
    monkeypatch.setattr(reading, "retain_version", lambda *_: reason)
    monkeypatch.setattr(reading, "append_line", lambda *_: reason)
    told = text(store, LOOKUP, session=DRAFT)
    assert told.endswith(
        f"\nnote: the store refused writing — cost and versions were not recorded ({reason})"
    )


def test_every_role_is_counted_over_active_documents(store):
    counts = count_roles(index_of(store))
    golden.check("engmem_roles.txt", roles_text(counts, "docs: 6 | drafts: 1 | last doc: 1d ago"))
    assert counts["prereg"] == 0, "the draft does not count"
