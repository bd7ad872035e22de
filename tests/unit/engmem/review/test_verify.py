from __future__ import annotations

from agentjournal.engmem.review.verify import verify
from support import golden
from support.documents import make_store
from support.reviewed import story


def test_every_citation_that_cannot_stand_has_a_line(store):
    golden.check("engmem_verify.txt", "\n".join(map(str, verify(store).problems)))
    assert not verify(store).is_sound


def test_stale_and_conflicting_rows_leave_quotes_sound(store):
    for name in ("s03-lost", "s04-ghost", "s05-bare", "s07-version"):
        (store / "sessions" / f"{name}.md").unlink()
    found = verify(store)
    assert [each.kind for each in found.problems] == ["stale", "conflicting"]
    assert found.is_sound


def test_a_store_without_rows_is_sound(tmp_path):
    found = verify(make_store(tmp_path / "store", {"story-a.md": story("story-a")}))
    assert (found.rows, found.problems, found.is_sound) == (0, (), True)
