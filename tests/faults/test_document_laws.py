"""F17: whatever stands in a document's file, reading it gives a document or a refusal, never an error."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.front_matter import BYTES, FrontMatter, Refusal, read_front_matter
from agentjournal.engmem.ledger.rows import ledger_rows
from agentjournal.engmem.review.judge import judge
from agentjournal.engmem.review.reuse_row import reuse_rows, says_none
from agentjournal.engmem.review.shelf import read_shelf
from agentjournal.engmem.section import split
from agentjournal.engmem.withheld import read_withheld
from agentjournal.errors import AgentJournalError
from support.documents import document, make_store
from support.hostile_documents import REFUSED, SHOWN

FIELDS = [
    "id",
    "title",
    "date",
    "task_date",
    "status",
    "tags",
    "entities",
    "related",
    "covers_files",
    "repos",
    "superseded_by",
    "mode",
    "backfilled",
    "capture_minutes",
    "verified_at",
    "verified_at_commit",
    "baseline_unavailable",
    "navigation_miss",
]
PIECES = [
    "---",
    ":",
    "-",
    ",",
    "[",
    "]",
    "{",
    "}",
    "&",
    "*",
    "!",
    "!!",
    "|",
    ">",
    "'",
    '"',
    "#",
    "%",
    "@",
    "`",
    "~",
    "?",
    "<<:",
    "*a",
    "&a",
    "!!binary",
    "!!python/name:os",
    "!!set",
    "===",
    "---",
    "##",
    "###",
    "```",
    "~~~",
    "true",
    "null",
    "2026-09-01",
    "2026-13-99",
    "0x1F",
    "1e999",
    ".inf",
    "12:30:45",
    "9999999999999999",
]
STRANGE = ["\x00", "\x1b", "\x85", "\ufeff", "\u2028", "\ud7ff", "\U000e0041", "\t", " " * 50, "é"]
SOUP = st.lists(
    st.one_of(
        st.sampled_from([*PIECES, *FIELDS, *STRANGE, "\n", "\n", "  ", "\r", "\n---\n"]),
        st.text(max_size=5),
    ),
    max_size=60,
).map("".join)
BLOCK = SOUP.map(lambda soup: f"---\n{soup}\n---\n## Decision Log\nKept.\n")
STATED = st.lists(st.tuples(st.sampled_from(FIELDS), SOUP), max_size=8).map(
    lambda pairs: "---\n" + "\n".join(f"{name}: {soup}" for name, soup in pairs) + "\n---\ntext"
)
MANY = pytest.mark.parametrize(
    "examples", [150, pytest.param(20_000, marks=pytest.mark.faults)], ids=["few", "many"]
)
KNOWN = [text for text in {**REFUSED, **SHOWN}.values() if isinstance(text, str)]


def check_document(data: bytes) -> None:
    read = read_document("some-file.md", data)
    assert read == read_document("some-file.md", data)
    if isinstance(read, Refusal):
        assert read.reason
        return
    assert isinstance(read, Document)
    assert read.id
    assert "\n" not in read.id + read.title
    assert read.status in {"draft", "active", "superseded"}
    for values in (read.tags, read.entities, read.related, read.covers_files, read.repos):
        assert len(values) <= 200
        assert all(isinstance(each, str) for each in values)
    assert len(repr(read)) < 40 * len(data) + 20_000  # nothing grows


@MANY
def test_any_text_is_a_document_or_a_refusal(examples):
    @settings(max_examples=examples)
    @given(st.one_of(BLOCK, STATED, SOUP))
    def law(text: str) -> None:
        check_document(text.encode(errors="surrogatepass"))

    law()


@MANY
def test_any_bytes_are_a_document_or_a_refusal(examples):
    @settings(max_examples=examples)
    @given(st.binary(max_size=400), st.booleans())
    def law(data: bytes, is_block: bool) -> None:  # noqa: FBT001 - hypothesis gives it so
        check_document(b"---\n" + data + b"\n---\n" if is_block else data)

    law()


@pytest.mark.parametrize("text", KNOWN)
def test_what_is_known_to_be_hostile_is_a_document_or_a_refusal(text):
    check_document(text.encode())


@given(SOUP)
@example("a: &a [x]\nb: [*a, *a]")
def test_front_matter_is_texts_lists_and_mappings_within_its_limit(soup):
    read = read_front_matter(f"---\n{soup}\n---\n")
    if isinstance(read, FrontMatter):
        assert len(json.dumps(read.fields)) <= 12 * BYTES


@given(SOUP)
def test_no_line_of_a_body_is_lost_or_twice_in_its_sections(soup):
    told = "\n".join(section.text for section in split(soup))
    for line in set(told.split("\n")) - {""}:
        assert told.count(line) <= soup.count(line)


@given(SOUP)
def test_any_text_has_rows_of_reuse_or_none(soup):
    says_none(soup)
    for row in reuse_rows(soup):
        assert row.text in soup
        assert all(quote in row.taken for quote in row.quotes)


@given(SOUP, st.text(max_size=30))
def test_any_reuse_log_can_be_judged(tmp_path_factory, soup, cited):
    text = f"## Reuse Log\n| {cited} | {soup} | x | reuse |\n{soup}"
    files = {"a-a.md": document("a-a", text), "b-b.md": document("b-b", "Kept.")}
    try:
        store = make_store(tmp_path_factory.mktemp("store"), files)
    except UnicodeEncodeError:
        return
    judge(read_shelf(store))


@given(st.one_of(st.binary(max_size=200), SOUP.map(lambda soup: soup.encode(errors="replace"))))
def test_any_bytes_are_a_ledger_and_a_setting_or_a_refusal(tmp_path_factory, data):
    root = tmp_path_factory.mktemp("store")
    (root / "telemetry.jsonl").write_bytes(data)
    (root / "engmem.toml").write_bytes(data)
    with contextlib.suppress(AgentJournalError):
        rows = list(ledger_rows(root, "telemetry.jsonl"))
        assert all(row is None or isinstance(row, dict) for row in rows)
    withheld = read_withheld(root)
    assert withheld.is_everything or not withheld.fault
