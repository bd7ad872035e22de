import pytest

from agentjournal.errors import InputError
from agentjournal.execution.handoff import Decision, GateConsideration, Handoff, Reused, RuledOut

OPTION = RuledOut(option="Poll", why="Slow")


@pytest.mark.parametrize(
    ("field", "cap"), [("goal", 300), ("current_state", 1200), ("next_step", 500)]
)
def test_texts_have_their_caps_in_characters(field: str, cap: int) -> None:
    assert Handoff(**{field: "é" * cap})
    with pytest.raises(InputError) as error:
        Handoff(**{field: "é" * (cap + 1)})
    (fault,) = error.value.faults
    assert (fault.field, fault.got) == (field, f"{cap + 1} characters")


@pytest.mark.parametrize(
    ("field", "item", "cap"),
    [
        ("ruled_out", OPTION, 12),
        ("decisions", Decision(point="p", options=("a", "b"), chosen="a", why="w"), 6),
        ("reused", Reused("doc", "quote", "impact"), 6),
        ("open_questions", "Which?", 5),
    ],
)
def test_lists_have_their_caps(field: str, item: object, cap: int) -> None:
    assert Handoff(**{field: (item,) * cap})
    with pytest.raises(InputError) as error:
        Handoff(**{field: (item,) * (cap + 1)})
    assert error.value.faults[0].got == f"{cap + 1} items"


def test_the_whole_is_at_most_six_kibibytes() -> None:
    item = RuledOut(option="x" * 200, why="y" * 300)
    assert Handoff(ruled_out=(item,) * 11)
    with pytest.raises(InputError) as error:
        Handoff(ruled_out=(item,) * 11, next_step="z" * 400)
    (fault,) = error.value.faults
    assert fault.field == "handoff"
    assert "6144 bytes" in fault.rule


def test_whitespace_and_unicode_are_kept_as_given() -> None:
    state = "  tabs\tand\nlines, \x1b[31m colours and \u202e directions  "
    assert Handoff(current_state=state).current_state == state


@pytest.mark.parametrize("broken", ["a\0b", "a\ud800b"])
def test_nul_and_lone_surrogates_are_refused_everywhere(broken: str) -> None:
    with pytest.raises(InputError):
        Handoff(current_state=broken)
    with pytest.raises(InputError):
        RuledOut(option=broken, why="w")


def test_control_characters_are_refused_where_one_line_is_shown() -> None:
    with pytest.raises(InputError) as error:
        RuledOut(option="a\x1b[2Jb", why="w")
    assert error.value.faults[0].got == "U+001B at character 2"


@pytest.mark.parametrize("options", [("a",), ("a", "b", "c", "d", "e", "f", "g"), ()])
def test_a_decision_has_two_to_six_options(options: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as error:
        Decision(point="p", options=options, chosen="a", why="w")
    assert error.value.faults[0].field == "options"


def test_a_reused_document_without_a_verbatim_quote_is_none() -> None:
    with pytest.raises(InputError) as error:
        Reused("doc", "", "It saved a day")
    assert error.value.faults[0].field == "quote"


def test_an_option_is_ruled_out_for_a_reason_also_when_it_supersedes_another() -> None:
    item = "01999999-0000-7000-8000-000000000001#1"
    with pytest.raises(InputError) as error:
        RuledOut(option="Poll", why="", supersedes=item)
    assert error.value.faults[0].field == "why"
    assert RuledOut(option="Poll", why="Slow", supersedes=item)


def test_gate_events_speak_in_closed_words() -> None:
    with pytest.raises(InputError) as error:
        GateConsideration(category="fun", operation="x", decision="maybe", why="w")  # type: ignore[arg-type]
    assert [fault.field for fault in error.value.faults] == ["category", "decision"]
    assert "outside_project" in error.value.faults[0].remedy
