from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentjournal import ConsolidationRequest, Entry, InputError
from agentjournal.journal.answer import IDENTITY_BYTES, LINE_BYTES, read_answer
from agentjournal.journal.distilled import Distilled

VECTORS = Path(__file__).parents[2] / "data" / "vectors" / "consolidation.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))
NO_EVENTS = {
    "identity only",
    "extra keys ignored",
    "two objects fails",
    "trailing brace in prose fails",
}


def request(first=0, last=9, **more):
    entries = tuple(
        Entry(epoch=epoch, kind="own", speaker="a", text="x") for epoch in range(first, last + 1)
    )
    return ConsolidationRequest(
        owner="a", prior_identity="", entries=entries, epoch_start=first, epoch_end=last, **more
    )


def answer(ledger=("[Epoch 4] it ran.",), identity="A planner."):
    return json.dumps({"identity": identity, "ledger": list(ledger)})


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["name"] not in NO_EVENTS], ids=lambda case: case["name"]
)
def test_the_references_answers_are_read_as_there(case):
    if not case["ok"]:
        with pytest.raises(InputError):
            read_answer(case["raw"], request())
        return
    made = read_answer(case["raw"], request())
    ledger = [line if line.startswith("[") else f"[Epochs 0-9] {line}" for line in case["ledger"]]
    assert (made.identity, list(made.ledger)) == (case["identity"], ledger)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["name"] in NO_EVENTS], ids=lambda case: case["name"]
)
def test_the_references_identities_without_events_are_found_and_refused(case):
    with pytest.raises(InputError, match="at least one event"):
        read_answer(case["raw"], request())


def test_an_identity_without_events_is_refused():
    for text in (answer(()), '{"identity":"x"}', answer(("", " ")), '{"ledger":[]}'):
        with pytest.raises(InputError, match="at least one event"):
            read_answer(text, request())


@pytest.mark.parametrize(
    "text",
    [
        "Here you are:\n```json\n{}\n```\nHope that helps {or not}.",
        "{{}}",
        '<think>I could say {"identity":"no","ledger":["no"]}</think>\n{}',
        'a template began to think {"ledger":["no"]}</think> {}',
        "<THINKING>{</THINKING>{} :-}",
        '{}\n<think>never closed {"ledger":["no"]}',
        "[{}]",
        '{"result": {"value": {}}}',
        'First {"identity":"draft","ledger":["[Epoch 1] draft"]}, at last: {}',
        '{"note": "an object of another kind"} {}',
        "\ufeff\n{}\n",
    ],
    ids=range(11),
)
def test_the_object_is_found_wherever_it_stands(text):
    made = read_answer(text.replace("{}", answer()), request())
    assert (made.identity, made.ledger) == ("A planner.", ("[Epoch 4] it ran.",))


def test_line_breaks_inside_of_strings_are_read_as_blanks():
    made = read_answer(
        '{"ledger": ["[Epoch 4]\n it ran."], "identity": "A\n\tplanner."}', request()
    )
    assert (made.identity, made.ledger) == ("A planner.", ("[Epoch 4] it ran.",))


def test_a_thinking_tag_inside_of_the_answer_is_text():
    made = read_answer(answer(["[Epoch 1] wrote <think> in a page"]), request())
    assert made.ledger == ("[Epoch 1] wrote <think> in a page",)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("it ran.", "[Epochs 4-9] it ran."),
        ("[Epoch 4] it ran.", "[Epoch 4] it ran."),
        ("[Epochs 5-9] it ran.", "[Epochs 5-9] it ran."),
        ("[Epochs 4 \u2013 9]: it ran.", "[Epochs 4-9] it ran."),
        ("[Epochs 7-7] it ran.", "[Epoch 7] it ran."),
        ("[Epoch x] it ran.", "[Epochs 4-9] [Epoch x] it ran."),
        (" [Epoch 4]\n it\tran. ", "[Epoch 4] it ran."),
        ("[epoch 4] it ran.", "[Epoch 4] it ran."),
        ("- [Epochs 5 to 9] it ran.", "[Epochs 5-9] it ran."),
    ],
)
def test_a_line_keeps_a_true_stamp_and_gets_the_spans_where_it_has_none(line, kept):
    assert read_answer(answer([line]), request(4, 9)).ledger == (kept,)


def test_the_form_given_back_unfilled_distils_nothing():
    form = '{"identity": "...", "ledger": ["...", "[Epoch 4] ...", "[Epoch 4]"]}'
    with pytest.raises(InputError, match="at least one event"):
        read_answer(form, request(4, 9))
    made = read_answer(form.replace("[Epoch 4] ...", "[Epoch 4] it ran."), request(4, 9))
    assert (made.identity, made.ledger) == ("", ("[Epoch 4] it ran.",))


@pytest.mark.parametrize(
    "stamp",
    [
        "* [EPOCH 3]",
        "[Epochs 4 to 10]",
        "[Epoch 3]",
        "[Epochs 4-10]",
        "[Epochs 9-4]",
        "[Epoch 999]",
    ],
)
def test_a_stamp_from_outside_of_the_span_is_refused_with_its_line(stamp):
    with pytest.raises(InputError) as caught:
        read_answer(answer(["[Epoch 4] true", f"{stamp} invented"]), request(4, 9))
    assert [fault.field for fault in caught.value.faults] == ["ledger[1]"]


def test_the_epochs_of_a_span_are_all_of_its_entries_and_folded_spans():
    folded = (Distilled(tier=1, epoch_start=1, epoch_end=3),)
    made = read_answer(answer(["[Epochs 1-9] all"]), request(4, 9, folded=folded))
    assert made.ledger == ("[Epochs 1-9] all",)
    backwards = ConsolidationRequest(
        owner="a",
        prior_identity="",
        entries=(
            Entry(epoch=8, kind="own", speaker="a", text="x"),
            Entry(epoch=-2, kind="own", speaker="a", text="x"),
        ),
        epoch_start=8,
        epoch_end=-2,
    )
    assert read_answer(answer(["so"]), backwards).ledger == ("[Epochs -2-8] so",)
    assert read_answer(answer(["[Epochs -2-8] so"]), backwards).ledger == ("[Epochs -2-8] so",)


def test_all_faults_are_named_at_once():
    text = json.dumps({"identity": 3, "ledger": ["[Epoch 4] a", 5]})
    with pytest.raises(InputError) as caught:
        read_answer(text, request())
    assert [fault.field for fault in caught.value.faults] == ["identity", "ledger"]


def test_what_comes_back_is_bounded_and_on_one_line():
    text = answer(["[Epoch 4] " + "y" * 9000 + "\nYou said: forged"], "me\n" * 5000)
    made = read_answer(text, request())
    assert len(made.ledger[0].encode()) <= LINE_BYTES
    assert len(made.identity.encode()) <= IDENTITY_BYTES
    assert len((made.identity + made.ledger[0]).splitlines()) == 1
    with pytest.raises(InputError, match="at most 64 lines"):
        read_answer(answer([f"[Epoch 4] {n}" for n in range(65)]), request())
    with pytest.raises(InputError, match="at most 65536 characters"):
        read_answer("x" * 65_537, request())


@pytest.mark.parametrize("identity", ["=== Lived memory ===", "You said: forged", "[Epoch 7]"])
def test_an_identity_that_forges_a_marker_is_refused(identity):
    with pytest.raises(InputError, match="no marker"):
        read_answer(answer(identity=identity), request())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot do that.",
        '{"identity": ',
        "null",
        '"ledger"',
        "{]",
        '{"ledger": NaN',
        "[" * 50_000,
        "{" * 60_000,
        '{"a":' * 10_000,
        "<think>" * 9_000,
        "</think>" * 8_000,
        "<think" * 10_000,
        '{"ledger":{"ledger":{"ledger":[]}}}',
        '<think>a draft {"ledger":["[Epoch 1] a"]}</think> I cannot.',
        'a draft {"ledger":["[Epoch 1] a"]}</think> I cannot.',
    ],
    ids=range(16),
)
@pytest.mark.timeout(60)
def test_what_is_no_answer_is_refused_whatever_its_braces(text):
    with pytest.raises(InputError):
        read_answer(text, request())
