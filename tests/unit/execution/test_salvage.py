"""Whatever a worker wrote: what is kept of it is valid, and nothing of it is lost."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from agentjournal.execution.fields import FORM
from agentjournal.execution.handoff import HANDOFF, size_faults
from agentjournal.execution.rules import Shape
from agentjournal.execution.salvage import salvage
from support.bad_inputs import BAD_INPUTS, DECISION, FAILED, GATE, REUSED

ITEM = FAILED["ruled_out"][0]
WHOLE = FAILED | {
    "goal": "Reach it",
    "ruled_out": [ITEM, ITEM | {"reopen_if": "date 2030-01-01"}],
    "decisions": [DECISION],
    "reused": [REUSED],
    "open_questions": ["Which port?"],
    "gate_events": [GATE],
    "artifacts": [{"kind": "commit", "ref": "abc"}],
    "touches": [{"kind": "file", "name": "src/one.py"}],
    "token_usage": {"input_tokens": 0},
    "log": "Words",
}
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 7),
    st.text(max_size=30),
    st.sampled_from(["x" * 130, "é" * 250, "w" * 1300, "a\0b", "\ud800", "two\nlines"]),
    st.just({"option": "x"}),
    st.just([ITEM] * 14),
    st.lists(st.text(max_size=5), max_size=3),
)


@st.composite
def forms(draw: st.DrawFn) -> dict[str, object]:
    """Give the whole form with some of its values, at any depth, in other words or gone."""

    def mangled(value: object) -> object:
        if draw(st.integers(0, 9)) == 0:
            return draw(JUNK)
        match value:
            case dict():
                return {name: mangled(each) for name, each in value.items()}
            case list():
                return [mangled(each) for each in value for _ in range(draw(st.integers(1, 2)))]
            case _:
                return value

    form = {name: mangled(value) for name, value in WHOLE.items()}
    return form | draw(st.dictionaries(st.text(max_size=8), JUNK, max_size=2))


def leaves(value: object) -> list[str]:
    match value:
        case dict():
            return [text for each in value.values() for text in leaves(each)]
        case list() | tuple():
            return [text for each in value for text in leaves(each)]
        case None | "":
            return []
        case _:
            return [json.dumps(value)]


@given(forms())
def test_what_is_kept_is_valid_and_the_rest_holds_all_the_others(form: dict[str, object]) -> None:
    saved = salvage(form)
    fields = {**saved.handoff, **saved.others}
    assert list(Shape(FORM).faults("", fields)) == []
    assert list(size_faults(fields)) == []
    assert saved.handoff.keys() <= HANDOFF.keys()
    kept = [*leaves(fields), *leaves(saved.rest), *leaves(saved.log)]
    told = {name: value for name, value in form.items() if name != "attempt"}
    assert set(leaves(told)) <= set(kept)


def test_of_a_valid_form_everything_is_kept() -> None:
    saved = salvage(WHOLE | {"attempt": "aj-" + "a" * 26})
    assert {**saved.handoff, **saved.others, "log": saved.log, **saved.rest} == WHOLE
    assert saved.rest == {"result": "failed"}


def test_only_what_is_refused_leaves_its_item() -> None:
    item = ITEM | {"supersedes": "01999999-0000-7000-8000-00000000dead#1"}
    saved = salvage({"ruled_out": [ITEM, item]}, frozenset({"ruled_out[1].supersedes"}))
    assert saved.handoff == {"ruled_out": [ITEM, ITEM]}
    assert saved.rest == {"ruled_out[1].supersedes": item["supersedes"]}


def test_a_quote_a_path_and_a_condition_are_never_cut() -> None:
    saved = salvage(
        {
            "reused": [REUSED | {"quote": "q" * 401}],
            "touches": [{"kind": "file", "name": "p" * 401}],
            "ruled_out": [ITEM | {"reopen_if": "library x >= 1" + "0" * 200, "why": "w" * 401}],
        }
    )
    assert saved.handoff == {"ruled_out": [ITEM | {"why": "w" * 399 + "…"}]}
    assert saved.others == {}
    places = ["reused", "ruled_out[0].reopen_if", "ruled_out[0].why", "touches"]
    assert sorted(saved.rest) == places


def test_every_bad_input_of_the_table_is_salvaged_into_something_valid() -> None:
    for bad in BAD_INPUTS:
        if isinstance(bad.written, dict):
            saved = salvage(bad.written)
            assert list(Shape(FORM).faults("", {**saved.handoff, **saved.others})) == []
