import json

import pytest

from agentjournal.errors import InputError
from agentjournal.execution.contract import read_step
from agentjournal.execution.form import FORM_BYTES, form, handoff_blocks, read_form
from support.execution import AT, SLUG, uuid

RESULTS = ["success", "failed", "partial", "skipped", "gated"]
DEFAULTS = {
    "id": uuid(1),
    "project_slug": SLUG,
    "plan_ref": "T-1",
    "actor": "me",
    "ended_at": AT,
}


@pytest.mark.parametrize("result", RESULTS)
def test_the_empty_form_asks_for_exactly_what_the_result_needs(result: str) -> None:
    with pytest.raises(InputError) as error:
        read_step(read_form(form(result)), source="log", defaults=DEFAULTS)
    assert all("required" in fault.rule for fault in error.value.faults)


@pytest.mark.parametrize("result", RESULTS)
def test_the_filled_form_is_a_step(result: str) -> None:
    filled = "\n".join(
        line.split("#")[0].rstrip() + " dependency_change"
        if line.split("#")[0].rstrip().endswith(":")
        and "ruled_out:" not in line
        and "gate_events:" not in line
        and not line.startswith("#")
        else line
        for line in form(result).splitlines()
    )
    assert read_step(read_form(filled), source="log", defaults=DEFAULTS).result == result


def test_there_is_no_form_for_an_unknown_result() -> None:
    with pytest.raises(InputError) as error:
        form("done")
    assert "success" in error.value.faults[0].remedy


def test_json_yaml_and_a_fenced_block_say_the_same() -> None:
    value = {"result": "success", "token_usage": {"input_tokens": 7}, "action": "Did it"}
    as_yaml = "result: success\ntoken_usage: {input_tokens: 7}\naction: Did it\n"
    as_json = json.dumps(value)
    for text in (
        as_yaml,
        as_json,
        f"Talk.\n```handoff\n{as_json}\n```\n",
        f"~~~handoff\n{as_yaml}~~~",
    ):
        assert read_form(text) == value


def test_the_last_closed_block_counts() -> None:
    text = (
        "```handoff\nresult: failed\n```\n````handoff\nlog: |\n  ```\n  x\n````\n```handoff\nopen"
    )
    assert handoff_blocks(text) == ("result: failed", "log: |\n  ```\n  x")
    assert read_form(text) == {"log": "```\nx"}


def test_a_block_is_given_as_it_was_written_between_its_fences() -> None:
    text = '```handoff\r\n{"log": "a\u2028b\x0cc"}\r\n```\r\n'
    assert handoff_blocks(text) == ('{"log": "a\u2028b\x0cc"}',)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("plan_ref: 2.1", "2.1"),
        ("plan_ref: 2026-01-31", "2026-01-31"),
        ("plan_ref: yes", "yes"),
        ("plan_ref: 10:30", "10:30"),
        ("plan_ref: 007", "007"),
        ("plan_ref: 1_000", "1_000"),
        ("plan_ref: 'null'", "null"),
        ("plan_ref: null", None),
        ("plan_ref: 12", 12),
        ("plan_ref: 1e3", "1e3"),
    ],
)
def test_yaml_reads_nothing_into_a_text(text: str, read: object) -> None:
    assert read_form(text) == {"plan_ref": read}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a: &x 1\nb: *x", "anchor"),
        ("a: !!python/object:os.system x", "tag"),
        ("a: 1\na: 2", "twice"),
        ("a: " + "[" * 9 + "]" * 9, "8 levels"),
        ("? [a]\n: b", "no text"),
        ("a: 1\n---\nb: 2", "2 documents"),
        ("a: 'x", "line"),
        ("a: \x07", "(whole form)"),
        ("just words", "one flat object"),
        ("- a\n- b", "one flat object"),
        ("[1]", "one flat object"),
        ("", "one flat object"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": ', "JSON"),
        ("{" * 100_000, "JSON"),
        ("[" * 100_000, "deeply"),
        ("a: " + "[" * 50_000, "nesting depth"),
        ("x" * (FORM_BYTES + 1), f"{FORM_BYTES} bytes"),
    ],
    ids=range(19),
)
def test_what_cannot_be_read_in_one_way_is_refused_with_field_and_remedy(
    text: str, what: str
) -> None:
    with pytest.raises(InputError) as error:
        read_form(text)
    assert what in str(error.value)
    assert all(f.field and f.rule and f.remedy for f in error.value.faults)
    assert error.value.faults


def test_a_step_read_back_from_its_flat_form_is_the_same_step() -> None:
    given = {
        "result": "failed",
        "action": "Tried polling",
        "current_state": "x",
        "next_step": "y",
        "ruled_out": [{"option": "a", "why": "b", "reopen_if": "date 2027-01-01"}],
        "decisions": [{"point": "p", "options": ["a", "b"], "chosen": "a", "why": "w"}],
        "reused": [{"document": "d", "quote": "q", "impact": "i"}],
        "open_questions": ["Which?"],
        "touches": [{"kind": "file", "name": "a"}],
        "artifacts": [{"kind": "commit", "ref": "abc"}],
        "token_usage": {"input_tokens": 0},
    }
    step = read_step(given, source="log", defaults=DEFAULTS)
    again = read_step(read_form(json.dumps(step.flat())), source="log", defaults={})
    assert again == step
