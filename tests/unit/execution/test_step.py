import dataclasses

import pytest

from agentjournal.errors import InputError
from agentjournal.execution.handoff import GateConsideration, Handoff, RuledOut
from agentjournal.execution.step import Artifact, Step, TokenUsage, Touch
from support.execution import AT, step, uuid

VALID = step(1)


def fields_of(error: pytest.ExceptionInfo[InputError]) -> list[str]:
    return [fault.field for fault in error.value.faults]


def changed(**fields: object) -> Step:
    return dataclasses.replace(VALID, **fields)


def test_a_step_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        VALID.result = "failed"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "not a uuid"),
        ("id", "01999999-0000-4000-8000-000000000001"),
        ("project_slug", "Two Words"),
        ("project_slug", "a" * 65),
        ("plan_ref", "T 1"),
        ("attempt", "aj-" + "a" * 26),
        ("actor", "someone else"),
        ("action", "two\nlines"),
        ("action", "x" * 121),
        ("result", "done"),
        ("log", "x" * (64 * 1024 + 1)),
        ("ended_at", "2026-01-31"),
        ("ended_at", "9999-12-31T23:59:59-14:00"),
        ("parent_id", "7"),
    ],
)
def test_no_step_can_be_built_around_a_broken_field(field: str, value: object) -> None:
    with pytest.raises(InputError) as error:
        changed(**{field: value})
    assert field in fields_of(error)


def test_limits_are_inclusive() -> None:
    assert changed(action="x" * 120).action == "x" * 120
    assert changed(log="é" * 32 * 1024)
    assert changed(project_slug="a" * 64)
    assert changed(touches=tuple(Touch("file", f"a/{n}") for n in range(200)))
    assert changed(artifacts=tuple(Artifact("commit", str(n)) for n in range(50)))


def test_one_too_many_is_refused_with_its_count() -> None:
    with pytest.raises(InputError) as error:
        changed(artifacts=tuple(Artifact("commit", str(n)) for n in range(51)))
    (fault,) = error.value.faults
    assert (fault.field, fault.rule, fault.got) == ("artifacts", "at most 50 items", "51 items")


def test_a_start_after_the_end_is_refused() -> None:
    with pytest.raises(InputError) as error:
        changed(started_at="2026-01-31T09:00:00.000001Z")
    assert fields_of(error) == ["started_at"]


def test_equal_instants_in_other_offsets_are_no_later_start() -> None:
    assert changed(started_at="2026-01-31T10:00:00+01:00", ended_at=AT)


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../up", "a/../b", "a//b", "./a", "a\\b", "C:/x", "a/", "a\nb", "."]
)
def test_a_touched_file_stays_inside_the_project(name: str) -> None:
    with pytest.raises(InputError):
        Touch("file", name)


def test_a_touched_service_is_only_a_name() -> None:
    assert Touch("service", "https://queue:5672").name == "https://queue:5672"


@pytest.mark.parametrize("value", [-1, True, 1.5, "7", 2**53])
def test_tokens_are_whole_numbers_within_2_to_the_53(value: object) -> None:
    with pytest.raises(InputError):
        TokenUsage(input_tokens=value)  # type: ignore[arg-type]


def test_zero_tokens_are_measured_and_none_is_not() -> None:
    usage = TokenUsage(input_tokens=0)
    assert changed(token_usage=usage).flat()["token_usage"] == {"input_tokens": 0}


@pytest.mark.parametrize(
    ("result", "handoff", "missing"),
    [
        ("success", Handoff(), ["current_state"]),
        ("skipped", Handoff(), ["current_state"]),
        ("partial", Handoff(), ["current_state", "next_step"]),
        ("failed", Handoff(), ["current_state", "next_step", "ruled_out"]),
        ("gated", Handoff(), ["current_state", "next_step", "gate_events"]),
        ("failed", Handoff(current_state="x", next_step="y"), ["ruled_out"]),
        ("success", None, ["current_state"]),
    ],
)
def test_each_result_asks_for_what_the_next_worker_needs(
    result: str, handoff: Handoff | None, missing: list[str]
) -> None:
    with pytest.raises(InputError) as error:
        changed(result=result, handoff=handoff)
    assert fields_of(error) == missing


def test_a_failure_may_name_a_question_in_place_of_an_option() -> None:
    told = {"current_state": "x", "next_step": "y"}
    assert changed(result="failed", handoff=Handoff(**told, open_questions=("Which port?",)))
    option = RuledOut(option="Poll", why="Slow")
    assert changed(result="failed", handoff=Handoff(**told, ruled_out=(option,)))


def test_gated_needs_an_operation_that_was_not_simply_in_scope() -> None:
    told = Handoff(current_state="x", next_step="y")

    def gate(decision: str) -> GateConsideration:
        return GateConsideration(
            category="secrets",
            operation="read .env",
            decision=decision,  # type: ignore[arg-type]
            why="It was asked for",
        )

    assert changed(result="gated", handoff=told, gate_events=(gate("deny"),))
    with pytest.raises(InputError):
        changed(result="gated", handoff=told, gate_events=(gate("in_scope"),))


def test_a_step_of_the_whole_project_needs_no_handoff() -> None:
    assert changed(plan_ref=None, handoff=None, result="failed").handoff is None


def test_the_flat_form_of_a_step_is_that_of_the_form() -> None:
    flat = changed(parent_id=uuid(7), touches=(Touch("file", "a"),)).flat()
    assert flat == {
        "id": VALID.id,
        "project_slug": "demo",
        "plan_ref": "T-1",
        "actor": "worker-1",
        "action": "Did it",
        "result": "success",
        "current_state": "It is done",
        "ended_at": AT,
        "parent_id": uuid(7),
        "touches": [{"kind": "file", "name": "a"}],
    }
