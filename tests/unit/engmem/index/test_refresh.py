from __future__ import annotations

import os
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentjournal.engmem.document import read_document
from agentjournal.engmem.index import reading, refresh
from agentjournal.engmem.index.looked import looked_at
from agentjournal.engmem.index.shelf import FORMAT
from agentjournal.engmem.ranking.encoded import encode, terms
from agentjournal.errors import NotFoundError
from support.engmem_store import Shop, many
from support.laws import examples


@pytest.fixture
def shop(tmp_path):
    return Shop(tmp_path)


@pytest.fixture
def read(monkeypatch):
    """Names the files that were read."""
    names: list[str] = []
    real = reading.read_file

    def noted(root, file):
        names.append(file)
        return real(root, file)

    monkeypatch.setattr(reading, "read_file", noted)
    return names


def test_a_new_document_is_found_and_nothing_else_is_read(shop, read):
    shop.write("1-cache", body="We evict the response cache.")
    assert shop.found("evict response cache") == ["1-cache"]
    read.clear()
    shop.write("2-queue", body="The queue retries.")
    assert shop.found("queue retries") == ["2-queue"]
    assert read == ["2-queue.md"]


def test_an_unchanged_store_is_answered_without_reading_anything(shop, read):
    shop.write("1-cache", body="We evict the response cache.")
    shop.write("2-bad", "---\ntitle: [\n---\n")
    shop.index()
    read.clear()
    index = shop.index()
    assert [hit.header.id for hit in index.search("evict cache")] == ["1-cache"]
    assert [each.file for each in index.failures] == ["2-bad.md"]
    assert read == []


def test_a_document_edited_in_place_is_found_even_with_its_old_size_and_time(shop):
    path = shop.write("1-cache", body="We evict the response cache.")
    assert shop.found("evict") == ["1-cache"]
    before = path.stat()
    with path.open("r+") as file:
        text = file.read().replace("evict", "flush")
        file.seek(0)
        file.write(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert shop.found("flush") == ["1-cache"]
    assert shop.found("evict") == []


def test_a_document_that_may_change_within_the_same_tick_is_read_again(shop, read):
    path = shop.write("1-cache", body="We evict the response cache.")
    now = path.stat().st_ctime_ns  # it is read in the moment in which it was written
    first = refresh.refreshed(looked_at(shop.root), shop.cache, now=now)
    assert [hit.header.id for hit in first.search("evict")] == ["1-cache"]
    read.clear()
    shop.index()
    assert read == ["1-cache.md"]
    read.clear()
    shop.index()
    assert read == []


def test_a_touched_document_keeps_its_record(shop):
    path = shop.write("1-cache", body="We evict.", date="2026-11-01")
    first = shop.index().head
    os.utime(path, ns=(1, 1))
    again = shop.index().head
    assert (again.end, again.recent, again.dead) == (first.end, first.recent, first.dead)


def test_deleted_and_renamed_documents_leave_the_index(shop):
    many(shop, 40)
    shop.write("1-cache", body="We evict the response cache.")
    shop.write("2-queue", body="The queue retries.")
    shop.index()
    (shop.sessions / "1-cache.md").unlink()
    (shop.sessions / "2-queue.md").rename(shop.sessions / "3-line.md")
    (shop.sessions / "d001-doc.md").unlink()
    assert shop.found("evict") == []
    assert shop.found("queue") == ["3-line"]
    assert shop.found("only1word") == []
    assert shop.index().header("d001-doc") is None
    assert shop.index().counts.total == 40


def test_of_two_documents_with_one_id_the_earlier_file_wins_whenever_it_comes(shop):
    shop.write("b", body="The later file.", id="1-same")
    assert shop.index().header("1-same").file == "b.md"
    shop.write("a", body="The earlier file.", id="1-same")
    index = shop.index()
    assert index.header("1-same").file == "a.md"
    assert [(each.file, each.reason) for each in index.failures] == [
        ("b.md", "duplicate id '1-same' in a.md and b.md")
    ]
    (shop.sessions / "a.md").unlink()
    assert shop.index().header("1-same").file == "b.md"
    assert shop.index().failures == ()
    assert shop.found("later") == ["1-same"]


def test_whose_an_id_is_now_is_told_of_every_file_that_claims_it(shop):
    for name in ("b", "c", "d"):
        shop.write(name, id="x")
    shop.index()
    shop.write("a", id="x")
    told = [each.reason for each in shop.index().failures]
    assert told == [f"duplicate id 'x' in a.md and {name}.md" for name in ("b", "c", "d")]


def test_an_id_that_is_freed_by_an_edit_goes_to_whoever_claims_it(shop):
    shop.write("a", body="First.", id="1-same")
    shop.write("b", body="Second.", id="1-same")
    shop.index()
    shop.write("a", body="First.", id="2-other")
    index = shop.index()
    assert (index.header("1-same").file, index.header("2-other").file) == ("b.md", "a.md")
    assert index.failures == ()


def test_drafts_are_counted_and_found_apart_and_change_no_score(shop):
    shop.write("1-cache", body="We evict the response cache.")
    before = shop.index().search("evict cache")
    shop.write("2-draft", body="We evict the response cache.", status="draft")
    index = shop.index()
    assert index.search("evict cache") == before
    assert [hit.header.id for hit in index.search_drafts("evict cache")] == ["2-draft"]
    assert [each.id for each in index.drafts()] == ["2-draft"]
    assert (index.counts.drafts, index.counts.total) == (1, 2)


def test_superseded_documents_are_ranked(shop):
    shop.write("1-old", body="We evict.", status="superseded", superseded_by="2-new")
    (hit,) = shop.index().search("evict")
    assert (hit.header.status, hit.header.superseded_by) == ("superseded", "2-new")


def test_what_lost_values_and_what_lies_beside_is_told_from_the_index(shop):
    shop.write("1-cache", date="[a, b]")
    (shop.root / "beside.md").write_text("x")
    (shop.sessions / "below").mkdir()
    (shop.sessions / "below" / "deep.md").write_text("x")
    shop.index()
    index = shop.index()
    assert index.strays == ("beside.md", "sessions/below/deep.md")
    assert [file for file, _ in index.degraded] == ["1-cache.md"]
    (shop.sessions / "below" / "more.md").write_text("x")
    assert "sessions/below/more.md" in shop.index().strays


def test_a_missing_folder_is_an_error_and_one_that_is_a_link_is_told(shop, tmp_path):
    shop.write("1-cache")
    shop.index()
    shop.sessions.rename(tmp_path / "elsewhere")
    with pytest.raises(NotFoundError, match="store not found"):
        shop.index()
    shop.sessions.symlink_to(tmp_path / "elsewhere")
    index = shop.index()
    assert "cannot list directory" in index.scan_error
    assert (index.counts.total, index.counts.failed) == (0, 1)
    assert index.search("cache") == []


def test_a_document_is_given_with_its_sections_and_fields(shop):
    shop.write("1-cache", body="We evict.", title="The cache", tags="[a, b]", repos="[shop]")
    index = shop.index()
    header = index.header("1-cache")
    assert (header.title, header.tags, header.repos) == ("The cache", ("a", "b"), ("shop",))
    (passage,) = index.passages("1-cache")
    assert (passage.locator, passage.role, passage.text) == (
        "§1-decision-log",
        "decisions",
        "We evict.",
    )
    assert index.passages("none") == ()


def test_a_scope_narrows_what_is_found_however_much_else_matches(shop):
    many(shop, 120)
    shop.write("zz-mine", body="everywhere", repos="[mine]")

    class Mine:
        def admits(self, header):
            return "mine" in header.repos

    hits = shop.index().search("everywhere", scope=Mine())
    assert [hit.header.id for hit in hits] == ["zz-mine"]


def test_many_changes_move_to_the_postings_and_leave_what_is_gone_behind(shop):
    many(shop, 200)
    assert shop.index().head.recent == ()
    for number in range(150):
        shop.write(f"d{number:03}-doc", body=f"everywhere new{number}word", title="Again")
    shop.index()
    head = shop.index().head
    assert (head.recent, head.documents) == ((), 200)
    assert len(head.dead) <= 64
    assert shop.found("new7word") == ["d007-doc"]
    assert shop.found("only7word") == []


def test_documents_that_are_read_after_the_index_was_kept_are_found(shop, monkeypatch):
    many(shop, 40)
    shop.index()
    for number in range(5):
        shop.write(f"new{number}", body=f"fresh{number}word")
    monkeypatch.setattr(refresh, "CHUNK", 2)
    assert [shop.found(f"fresh{number}word") for number in range(5)] == [
        [f"new{number}"] for number in range(5)
    ]


def test_a_name_that_is_no_text_is_told_and_not_read(shop):
    shop.write("1-cache", body="We evict.")
    (shop.sessions / os.fsdecode(b"bad\xff.md")).write_text("x")
    shop.index()
    index = shop.index()
    assert [(each.file, each.reason) for each in index.failures] == [
        ("bad\\xff.md", "its name is not UTF-8")
    ]
    assert shop.found("evict") == ["1-cache"]


def test_a_change_of_what_is_encoded_needs_a_new_format():
    text = "---\nid: 1-cache\nentities: [ResponseCache]\ntags: [a]\n---\n## Lessons\nBack-off; retries, 482."
    encoded = encode(read_document("1-cache.md", text.encode()))
    standing = sorted((key, term) for term, keys in terms(encoded).items() for key in keys)
    digest = sha256(repr((encoded, standing)).encode()).hexdigest()[:16]
    # Where this fails, raise FORMAT, so that indexes are made again.
    assert (FORMAT, digest) == (6, "702bb04b4780a3ec")


WORDS = st.sampled_from(["cache", "queue", "retry", "CacheRoute", "482", "lock"])
CHANGES = st.lists(
    st.tuples(
        st.integers(0, 5), st.lists(WORDS, max_size=4), st.sampled_from(["", "active", "draft"])
    ),
    max_size=8,
)


@settings(
    max_examples=examples(12),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(changes=CHANGES, recent=st.sampled_from([0, 2, 32]))
def test_an_index_that_grew_is_one_that_was_made_at_once(
    tmp_path_factory, monkeypatch, changes, recent
):
    folder = tmp_path_factory.mktemp("grown")
    monkeypatch.setattr("agentjournal.engmem.index.refresh.RECENT", recent)
    monkeypatch.setattr("agentjournal.engmem.index.work.RECENT", recent)
    shop = Shop(folder)
    for number, said, status in changes:
        if said:
            shop.write(
                f"{number}-doc",
                body=" ".join(said),
                status=status or "active",
                id="1-one" if number > 4 else f"{number}-doc",
            )
        else:
            (shop.sessions / f"{number}-doc.md").unlink(missing_ok=True)
        shop.index()
    grown = shop.index()
    shop.cache = folder / "other"
    made = shop.index()
    assert grown.counts == made.counts
    assert grown.failures == made.failures
    assert list(grown.headers()) == list(made.headers())
    for question in ("cache", "queue retry 482", "CacheRoute lock"):
        assert grown.search(question) == made.search(question)
        assert grown.search_drafts(question) == made.search_drafts(question)
