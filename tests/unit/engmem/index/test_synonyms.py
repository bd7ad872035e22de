"""A store's own list of synonyms: used as it stands now, and never in the way of a search."""

from __future__ import annotations

import pytest

from support.engmem_store import Shop


@pytest.fixture
def shop(tmp_path):
    shop = Shop(tmp_path)
    shop.write("1-cluster", body="We moved the workers to kubernetes.")
    return shop


def test_a_list_is_used_from_the_next_search_on_until_it_goes_away(shop):
    assert shop.found("orchestrator") == []
    listed = shop.root / "synonyms.yml"
    listed.write_text("orchestrator: kubernetes\n")
    assert shop.found("orchestrator") == ["1-cluster"]
    listed.write_text("orchestrator: zookeeper\n")
    assert shop.found("orchestrator") == []
    listed.unlink()
    assert shop.found("orchestrator") == []


@pytest.mark.parametrize("text", ["a: [", "a: " + "b" * 20_000, "a: &x b\nc: *x\n"])
def test_a_list_that_cannot_be_used_is_told_and_stops_nothing(shop, text):
    (shop.root / "synonyms.yml").write_text(text)
    index = shop.index()
    assert [hit.header.id for hit in index.search("kubernetes")] == ["1-cluster"]
    assert index.synonyms_error


def test_a_link_in_its_place_is_not_followed(shop, tmp_path):
    (tmp_path / "outside.yml").write_text("orchestrator: kubernetes\n")
    (shop.root / "synonyms.yml").symlink_to(tmp_path / "outside.yml")
    assert shop.found("orchestrator") == []
    assert shop.index().synonyms_error
