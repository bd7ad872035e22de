from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.documents import document
from support.ranked import ranked

CASES = {
    each["name"]: each
    for each in json.loads(
        (Path(__file__).parents[3] / "data" / "engmem_cases.json").read_text(encoding="utf-8")
    )
}
RETRY = "20260901-export-retry"
WORDS = ["valve", "queue", "retry", "ledger", "cache", "route", "budget", "depot"]


def case(name):
    files = {
        file: text.replace("{20,000 spaces}", " " * 20_000)
        for file, text in CASES[name]["sessions"].items()
    }
    return ranked(files, CASES[name]["query"])


def ids(hits):
    return [hit.header.id for hit in hits]


def told(hits):
    return [
        (hit.header.id, hit.parts, hit.matched, hit.sections, hit.is_weak, hit.covered)
        for hit in hits
    ]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("plural and verb forms", RETRY),
        ("typo in a class name", "20260903-invoice-numbering"),
        ("first document of a new store", "20260908-first-note"),
        ("file name in covers_files", "20260905-ledger-writer"),
        ("accents both ways", "20260906-naive-cache"),
        ("unspaced script", "20260907-cache-warmup"),
        ("exact numeric id beats a mention", "1000001-response-cache"),
        ("alias bomb", RETRY),
        ("heading with 20,000 spaces", RETRY),
        ("impossible date", RETRY),
        ("hidden and editor files", RETRY),
        ("question in plain words", RETRY),
    ],
)
def test_small_inputs_that_failed_elsewhere_find_their_document_first(name, first):
    assert ids(case(name))[:1] == [first]


def test_a_question_in_plain_words_is_answered_reliably():
    assert not case("question in plain words")[0].is_weak


def test_a_slip_of_the_key_does_not_match_the_initials_of_the_name():
    hits = case("typo in a class name")
    assert all(hit.is_weak for hit in hits if hit.header.id == "20260904-search-index")
    assert ("entities", ("invoicesequenze~invoicesequence", "invoice")) in hits[0].matched


def test_an_identifier_that_exists_nowhere_is_weak_by_its_fragment():
    (hit,) = case("identifier that exists nowhere")
    assert hit.is_weak


BRAND = {
    "a.md": document("101-alpha-doc", "## Notes\nThe valve turns.", entities="[brand policy]"),
    "b.md": document("102-beta-doc", "## Notes\nA valve again.", entities="[WAL, EtagCache]"),
}


@pytest.mark.parametrize(
    ("question", "is_weak"),
    [
        ("valve rotation", True),
        ("brand policy kubernetes", False),
        ("brand kubernetes", True),
        ("101 kubernetes", False),
        ("alpha kubernetes", True),
        ("GammaValve", True),
        ("WAL kubernetes", False),
    ],
)
def test_a_hit_is_weak_unless_it_is_named_or_enough_is_found(question, is_weak):
    assert ranked(BRAND, question)[0].is_weak == is_weak


@pytest.mark.parametrize("question", ["for and the", "ET", "482", "vacation approval", "", "?!"])
def test_what_is_not_there_finds_nothing_reliable(question):
    files = {**BRAND, "c.md": document("1000482-c", "## Notes\nThe ETAG for a cache and 1000001.")}
    assert all(hit.is_weak for hit in ranked(files, question))


def test_a_short_word_or_number_is_never_found_inside_another():
    files = {"a.md": document("1000001-a", "## Notes\nETAG.", entities="[HTTPServer2XX]")}
    for question in ("ET", "1000", "2", "xx"):
        assert ranked(files, question) == []


def test_a_class_name_is_found_by_its_lowercase_parts_and_finds_them():
    files = {"a.md": document("1-a", "## Notes\nx", entities="[ResponseCacheController]")}
    (hit,) = ranked(files, "response cache controller")
    assert hit.matched == (("entities", ("response", "cache", "controller")),)
    assert ranked({"b.md": document("2-b", "## Notes\nThe response cache.")}, "ResponseCache")


def test_two_of_two_beat_one_of_two():
    files = {
        "a.md": document("1-a", "## Notes\nvalve", title="Valve"),
        "b.md": document("2-b", "## Notes\nvalve rotation", title="Valve rotation"),
    }
    assert ids(ranked(files, "valve rotation")) == ["2-b", "1-a"]


@pytest.mark.parametrize("field", ["title", "entities", "tags", "covers_files"])
def test_the_form_asked_for_beats_another_of_the_same_field(field):
    form = "{}" if field == "title" else "[{}]"
    files = {
        f"{id_}.md": document(id_, "## Notes\nx", **{"title": "x", field: form.format(word)})
        for id_, word in (("1-a", "retries"), ("2-b", "retry"))
    }
    assert ids(ranked(files, "retry")) == ["2-b", "1-a"]
    assert ids(ranked(files, "retries")) == ["1-a", "2-b"]


def test_the_form_asked_for_beats_another_in_a_text():
    files = {
        "a.md": document("1-a", "## Notes\nIt retries."),
        "b.md": document("2-b", "## Notes\nIt retry."),
    }
    assert ids(ranked(files, "retry")) == ["2-b", "1-a"]


def test_a_word_in_the_heading_of_a_section_tells_more_than_one_in_its_text():
    files = {
        "a.md": document("1-a", "## Notes\nThe valve turns.", title="x"),
        "b.md": document("2-b", "## Valve\nThe notes turn.", title="x"),
    }
    assert ids(ranked(files, "valve")) == ["2-b", "1-a"]


def test_a_long_document_with_the_same_section_is_no_worse():
    same = "## Lessons\nThe valve turns in the depot."
    files = {
        "a.md": document("1-a", same, "## Notes\n" + "budget route ledger " * 50, title="x"),
        "b.md": document("2-b", same, title="x"),
    }
    long, short = sorted(ranked(files, "valve depot"), key=lambda hit: hit.header.id)
    assert long.parts["body"] == short.parts["body"]


def test_words_are_named_as_they_were_found():
    (hit,) = ranked({"a.md": document("1-a", "## Notes\nIt retries.", title="x")}, "retry")
    assert hit.matched == (("§1-notes", ("retry~retries",)),)
    assert (hit.sections, hit.covered, hit.asked) == ((1,), ("retry",), ("retry",))


def test_a_score_is_the_sum_of_its_parts_and_orders():
    hits = ranked(BRAND, "valve brand policy")
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.score == pytest.approx(sum(hit.parts.values())) for hit in hits)


def test_names_at_hand_add_to_a_score_and_are_never_asked_for():
    plain, named = (ranked(BRAND, "valve", names=names) for names in ((), ("EtagCache",)))
    assert ids(named)[0] == "102-beta-doc"
    assert named[0].asked == plain[0].asked == ("valve",)
    assert named[0].score > max(hit.score for hit in plain)


def test_what_the_store_says_means_the_same_is_found_and_named():
    files = {"a.md": document("1-a", "## Notes\nThe entity tag stays.", title="x")}
    assert ranked(files, "ETAG") == []
    (hit,) = ranked(files, "ETAG", synonyms={"etag": ("entity-tag",)})
    assert hit.matched == (("§1-notes", ("etag~entity",)),)


def test_of_equal_documents_the_newer_is_first_then_the_lower_id():
    files = {
        f"{id_}.md": document(id_, "## Notes\nvalve", title="x", date=date)
        for id_, date in (("1-a", "2024-01-01"), ("3-c", "2026-01-01"), ("2-b", "2026-01-01"))
    }
    assert ids(ranked(files, "valve")) == ["2-b", "3-c", "1-a"]


@st.composite
def stores(draw):
    texts = draw(st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=6))
    return {
        f"{at}.md": document(f"{900 + at}-doc", f"## Notes\n{' '.join(text)}", title="x")
        for at, text in enumerate(texts)
    }


QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@given(stores(), QUESTIONS, st.randoms())
def test_the_order_does_not_depend_on_that_of_the_files(files, question, chance):
    shuffled = list(files.items())
    chance.shuffle(shuffled)
    assert told(ranked(dict(shuffled), question)) == told(ranked(files, question))


LENGTHS_THAT_TELL = [f"{'valve ' * most}queue" for most in (4, 3)] + ["", "valve valve valve"]


@given(stores(), QUESTIONS)
@example(
    {
        f"{at}.md": document(f"{900 + at}-doc", f"## Notes\n{text}", title="x")
        for at, text in enumerate(LENGTHS_THAT_TELL)
    },
    "queue",
)
def test_an_unrelated_document_never_reverses_exact_hits(files, question):
    before = ids(ranked(files, f"{question} 900 901"))
    more = {**files, "z.md": document("777-z", "## Notes\nsomething else entirely")}
    exact = [id_ for id_ in before if id_ in ("900-doc", "901-doc")]
    after = [id_ for id_ in ids(ranked(more, f"{question} 900 901")) if id_ in exact]
    assert after[:2] == before[:2] if len(exact) > 1 else after == exact


@given(st.text(max_size=80), st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
@example("中文-中文", "中文-中文")
def test_any_question_of_any_text_is_ranked(question, body):
    for hit in ranked({"a.md": document("1-a", f"## Notes\n{body}")}, f"{question} {body[:40]}"):
        assert hit.score > 0
        assert set(hit.covered) <= set(hit.asked)


def test_a_short_name_that_a_document_spells_out_finds_what_it_stands_for():
    files = {
        "a.md": document("1-a", "## Notes\nThe entity tag (ETAG) header.", title="x"),
        "b.md": document("2-b", "## Notes\nAn entity tag stays.", title="x"),
        "c.md": document("3-c", "## Notes\nETAG again.", title="x"),
    }
    assert set(ids(ranked(files, "ETAG"))) == {"1-a", "2-b", "3-c"}
    assert set(ids(ranked(files, "entity tag"))) == {"1-a", "2-b", "3-c"}
    assert ids(ranked(files, "ETAG"))[-1] == "2-b"
