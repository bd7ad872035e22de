from __future__ import annotations

import stat
import threading

import pytest

from agentjournal.engmem.document import version_of
from agentjournal.engmem.writing.completing import complete_draft
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.refusal import WriteRefused
from agentjournal.errors import NotFoundError
from support.documents import document

ID = "2201-parcel-router"
ROW = '| {} | "kept the limit" | {} | {} |'
TABLE = "## Reuse Log\n| prior-doc | taken | impact | classification |\n|---|---|---|---|\n"


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def root(tmp_path):
    (tmp_path / "sessions").mkdir()
    return tmp_path


def draft(**fields):
    return document(ID, **{"status": "draft", "mode": "daily", **fields}).encode()


def finished(*sections, **fields):
    return document(
        ID, *(sections or ("## Decision Log\nJitter.",)), mode="daily", **fields
    ).encode()


def begun(root, **fields):
    create_draft(root, ID, draft(**fields), mode=fields.get("mode", "daily"))
    return version_of(draft(**fields))


def on_disk(root):
    return (root / "sessions" / f"{ID}.md").read_bytes()


def test_a_draft_is_written_as_given_and_its_version_is_told(root):
    told = create_draft(root, ID, draft(), mode="daily")
    assert told.startswith(
        f"created sessions/{ID}.md (status: draft, version: {version_of(draft())}). Now pass "
        f"--session {ID} on every engmem search"
    )
    assert "Recorded mode: daily" in told
    assert told.endswith("or exactly `Prior docs used: none.`")
    assert on_disk(root) == draft()
    assert stat.S_IMODE((root / "sessions" / f"{ID}.md").stat().st_mode) == 0o600
    assert names(root / "sessions") == [f"{ID}.md"]


def test_over_mcp_the_words_are_those_of_its_tools(root):
    told = create_draft(root, ID, draft(), mode="daily", channel="mcp")
    assert f"pass session_id {ID} on every engmem_search" in told
    assert "expected_version to engmem_complete_draft" in told


def test_a_draft_never_overwrites(root):
    begun(root)
    with pytest.raises(WriteRefused, match="already exists"):
        create_draft(root, ID, draft(title="other"), mode="daily")
    assert on_disk(root) == draft()


def test_a_draft_never_takes_the_place_of_a_link(root, tmp_path):
    (root / "sessions" / f"{ID}.md").symlink_to(tmp_path / "nowhere.md")
    with pytest.raises(WriteRefused, match="already exists"):
        create_draft(root, ID, draft(), mode="daily")
    assert not (tmp_path / "nowhere.md").exists()


@pytest.mark.parametrize(
    ("id_", "content", "why"),
    [
        (ID, b"", "content is empty"),
        (ID, b"\xff", "does not parse: it is not UTF-8"),
        (ID, b"---\nid: x", "does not parse: the front matter that line 1 opens"),
        (ID, draft(date="soon"), "does not parse: date is no date: soon"),
        (ID, draft(tags="{a: b}"), "does not parse: tags is no list"),
        (ID, draft(id="other-id"), "id is 'other-id'"),
        (ID, draft(status="active"), "status is 'active'"),
        (ID, draft(mode=""), "states no mode"),
        (ID, draft(mode="weekly"), "mode is 'weekly', the configured one 'daily'"),
        (ID, draft(mode="research"), "mode is 'research', the configured one 'daily'"),
        (ID, draft() + b"x" * 2**21, "more than 2 MB"),
        ("Bad_Id", draft(), "invalid document id 'Bad_Id'"),
        ("single", draft(), "invalid document id"),
        ("a-b.c", draft(), "invalid document id"),
        ("../a-b", draft(), "invalid document id"),
    ],
)
def test_what_breaks_a_rule_is_refused_and_nothing_is_written(root, id_, content, why):
    with pytest.raises(WriteRefused, match=why):
        create_draft(root, id_, content, mode="daily")
    assert names(root / "sessions") == []


def test_research_needs_a_plan_or_the_reason_why_there_is_none(root):
    with pytest.raises(WriteRefused, match="needs `## Pre-reg`"):
        create_draft(root, ID, draft(mode="research"), mode="research")
    create_draft(root, ID, draft(mode="research", baseline_unavailable="none"), mode="research")
    with_plan = document("2202-x", "## Pre-reg\nA table.", status="draft", mode="research")
    create_draft(root, "2202-x", with_plan.encode(), mode="research")


def test_without_a_store_nothing_is_made(tmp_path):
    with pytest.raises(NotFoundError, match="store not found"):
        create_draft(tmp_path / "none", ID, draft(), mode="daily")
    assert not (tmp_path / "none").exists()


def test_a_folder_that_is_a_link_is_not_written_into(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "sessions").symlink_to("other")
    with pytest.raises(WriteRefused, match="writes only inside the store"):
        create_draft(tmp_path, ID, draft(), mode="daily")
    assert names(tmp_path / "other") == []


def test_a_finished_document_takes_the_place_of_its_draft(root):
    version = begun(root)
    told = complete_draft(root, ID, finished(entities="[X]"), version)
    assert told == (
        f"completed sessions/{ID}.md (status: draft -> active)\n"
        "note: there is no Reuse Log section, so nothing tells what memory was used"
    )
    assert on_disk(root) == finished(entities="[X]")
    assert names(root / "sessions") == [f"{ID}.md"]


@pytest.mark.parametrize("given", ["", "0123456789abcdef"])
def test_another_version_is_refused_and_shown_what_is_there(root, given):
    version = begun(root)
    with pytest.raises(WriteRefused) as refused:
        complete_draft(root, ID, finished(), given)
    assert f"the current version is {version!r}" in str(refused.value)
    assert str(refused.value).endswith(f"--- current sessions/{ID}.md ---\n{draft().decode()}")
    assert on_disk(root) == draft()


def test_a_document_that_was_completed_is_not_completed_again(root):
    version = begun(root)
    complete_draft(root, ID, finished(), version)
    with pytest.raises(WriteRefused, match="is active, no draft"):
        complete_draft(root, ID, finished(), version_of(finished()))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (draft(), "status is 'draft', and must be 'active' here"),
        (document(ID, mode="research").encode(), "a session keeps its mode"),
        (document(ID).encode(), "front matter states no mode.*write `mode: daily`"),
    ],
)
def test_a_session_keeps_its_conditions(root, content, why):
    version = begun(root)
    with pytest.raises(WriteRefused, match=why):
        complete_draft(root, ID, content, version)


def test_why_there_is_no_baseline_stays(root):
    version = begun(root, mode="research", baseline_unavailable="no sub-agent")
    content = document(ID, "## Decision Log\nJitter.", mode="research").encode()
    with pytest.raises(WriteRefused, match="keep that line"):
        complete_draft(root, ID, content, version)


@pytest.mark.parametrize(
    ("log", "faults"),
    [
        ("## Reuse Log\nNothing really.", ["a Reuse Log needs rows of"]),
        (
            "## Reuse Log\n| prior-doc | impact | taken | classification |\n|---|---|---|---|\n",
            ["columns must be | prior-doc | taken | impact | classification |"],
        ),
        (TABLE + ROW.format("a-b@12", "y", "reuse"), ["the version behind the @"]),
        (TABLE + "| a-b | kept the limit | y | reuse |", ["the cell `taken` needs a quoted span"]),
        (TABLE + '| a-b | "abc" | y | reuse |', ["the cell `taken` needs a quoted span"]),
        (TABLE + ROW.format("a-b", "y", "good"), ["the fourth cell, classification"]),
        (TABLE + '| a-b | "kept the limit" | y |', ["the fourth cell, classification"]),
        (
            TABLE + ROW.format("a-b@12", "y", "") + "\n| c-d | x | y | reuse |",
            ["the version behind the @", "the fourth cell", "the cell `taken` needs a quoted span"],
        ),
    ],
)
def test_a_reuse_log_that_cannot_be_counted_is_refused(root, log, faults):
    version = begun(root)
    with pytest.raises(WriteRefused) as refused:
        complete_draft(root, ID, finished(log), version)
    said = str(refused.value).split("\n")[1:]
    assert [line.startswith(f"  - {fault}") for line, fault in zip(said, faults, strict=True)] == [
        True
    ] * len(faults)
    assert on_disk(root) == draft()


def test_cited_versions_are_kept_and_what_does_not_hold_is_told(root):
    prior = document("a-b", "## Lessons Learned\nWe kept the\nlimit.").encode()
    (root / "sessions" / "a-b.md").write_bytes(prior)
    rows = [
        ROW.format(f"a-b@{version_of(prior)}", "y", "reuse"),
        ROW.format("a-b", "y", "reuse"),
        '| a-b | "not in there" | y | harmful |',
        ROW.format("gone-doc", "y", "anti-reuse"),
        ROW.format("a-b@0123456789abcdef", "y", "reuse"),
    ]
    version = begun(root)
    told = complete_draft(root, ID, finished(TABLE + "\n".join(rows), entities="[X]"), version)
    assert told.split("\n")[1:] == [
        "warning: citation of a-b: quote not found in cited document",
        "warning: citation of gone-doc: cited document not in store",
        (
            "warning: citation of a-b: cited version cannot be checked -- not retained: no copy at "
            "versions/a-b/0123456789abcdef.md"
        ),
        "note: cited without a version, checked against the current text only: a-b, a-b, gone-doc",
    ]
    assert (root / "versions" / "a-b" / f"{version_of(prior)}.md").read_bytes() == prior
    assert (root / "versions" / ".gitattributes").read_bytes() == b"* -text\n"


def test_a_log_that_says_none_is_held_against_what_was_read(root):
    (root / "cost.jsonl").write_text(
        f'{{"op": "read", "session_id": "{ID}", "bytes": 9, "doc_id": "a-b"}}\n'
        '{"op": "read", "session_id": "other-x", "bytes": 9, "doc_id": "c-d"}\n'
        f'{{"op": "read", "session_id": "{ID}", "bytes": 9, "doc_id": "{ID}"}}\n'
    )
    version = begun(root)
    told = complete_draft(
        root, ID, finished("## Reuse Log\nPrior docs used: none.", entities="[X]"), version
    )
    assert told.split("\n")[1:] == ["note: Reuse Log says none, but this session read: a-b"]


def test_of_two_writers_one_wins_and_the_other_is_shown_the_current_version(root):
    version = begun(root)
    contents = [finished(f"## Decision Log\nWriter {n}.", entities="[X]") for n in range(2)]
    together, answers = threading.Barrier(2), {}

    def write(number):
        together.wait()
        try:
            answers[number] = complete_draft(root, ID, contents[number], version)
        except WriteRefused as refused:
            answers[number] = str(refused)

    writers = [threading.Thread(target=write, args=(n,)) for n in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    won = next(n for n, told in answers.items() if told.startswith("completed"))
    assert on_disk(root) == contents[won]
    assert "is active, no draft" in answers[1 - won]


def test_an_editor_that_saves_meanwhile_loses_nothing(root, monkeypatch):
    version = begun(root)
    path = root / "sessions" / f"{ID}.md"
    real = complete_draft.__globals__["checked_content"]

    def edit_meanwhile(*arguments):
        path.write_bytes(draft(title="edited"))
        return real(*arguments)

    monkeypatch.setitem(complete_draft.__globals__, "checked_content", edit_meanwhile)
    with pytest.raises(WriteRefused, match="it changed since you read it"):
        complete_draft(root, ID, finished(), version)
    assert on_disk(root) == draft(title="edited")
