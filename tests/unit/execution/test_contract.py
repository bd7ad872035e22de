import pytest

from agentjournal.errors import InputError
from agentjournal.execution.contract import read_step, token_digest
from support.execution import AT, SLUG, token, uuid

DEFAULTS = {
    "id": uuid(1),
    "project_slug": SLUG,
    "plan_ref": "T-1",
    "actor": "worker-1",
    "ended_at": AT,
}
FORM = {"result": "success", "action": "Did it", "current_state": "Done"}


def faults(fields: object, source: str = "log", **more: object) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as error:
        read_step(fields, source=source, defaults=DEFAULTS | more)
    assert all(f.rule and f.got and f.remedy for f in error.value.faults)
    return [(f.field, f.rule) for f in error.value.faults]


def test_every_fault_is_named_at_once() -> None:
    given = {
        "result": "failed",
        "action": "x" * 121,
        "next_step": 7,
        "ruled_out": [{"option": "a"}, "b", {"option": "c", "why": "d", "when": "e"}],
        "touches": [{"kind": "dir", "name": "../x"}],
        "colour": "red",
        "started_at": "2026-02-01T00:00:00Z",
    }
    assert [field for field, _ in faults(given)] == [
        "colour",
        "action",
        "next_step",
        "ruled_out[0].why",
        "ruled_out[1]",
        "ruled_out[2].when",
        "touches[0].kind",
        "started_at",
        "current_state",
    ]


def test_unknown_keys_list_the_known_ones_of_their_source() -> None:
    with pytest.raises(InputError) as error:
        read_step(FORM | {"plan_ref": "T-2"}, source="file", defaults=DEFAULTS)
    (fault,) = error.value.faults
    assert fault.field == "plan_ref"
    assert "ruled_out, decisions" in fault.remedy
    assert "plan_ref" not in fault.remedy
    assert read_step(FORM | {"plan_ref": "T-2"}, source="log", defaults=DEFAULTS).plan_ref == "T-2"


def test_the_token_may_be_left_out_of_the_file_but_not_of_the_block() -> None:
    mine, digest = FORM | {"attempt": token(1)}, token_digest(token(1))
    for form, source in ((FORM, "file"), (mine, "file"), (mine, "fence")):
        step = read_step(form, source=source, defaults=DEFAULTS, attempt=digest)
        assert step.attempt == digest
    assert faults(FORM, "fence") == [("attempt", "is required in a handoff block")]


@pytest.mark.parametrize("source", ["file", "fence"])
def test_another_attempts_token_is_refused_and_never_repeated(source: str) -> None:
    with pytest.raises(InputError) as error:
        read_step(
            FORM | {"attempt": token(2)},
            source=source,
            defaults=DEFAULTS,
            attempt=token_digest(token(1)),
        )
    assert error.value.faults[0].field == "attempt"
    assert "aj-" not in str(error.value)


def test_a_mistyped_token_is_not_repeated_either() -> None:
    with pytest.raises(InputError) as error:
        read_step(FORM | {"attempt": token(1) + "x"}, source="log", defaults=DEFAULTS)
    assert "aj-" not in str(error.value)


def test_null_and_empty_values_count_as_left_out() -> None:
    step = read_step(
        FORM | {"goal": None, "next_step": "", "ruled_out": [], "log": None},
        source="log",
        defaults=DEFAULTS,
    )
    assert step.flat() == read_step(FORM, source="log", defaults=DEFAULTS).flat()


def test_a_person_may_give_what_has_a_default() -> None:
    given = {"id": uuid(9), "actor": "ada", "ended_at": "2026-01-31T11:00:00+01:00"}
    step = read_step(FORM | given, source="log", defaults=DEFAULTS)
    assert (step.id, step.actor) == (uuid(9), "ada")
    assert step.ended_at == "2026-01-31T10:00:00.000000Z"


def test_a_leading_dot_slash_of_a_touch_is_dropped() -> None:
    given = FORM | {"touches": [{"kind": "file", "name": "./src/a.py"}]}
    assert read_step(given, source="log", defaults=DEFAULTS).touches[0].name == "src/a.py"


def test_in_autonomous_mode_a_decision_says_what_would_have_asked_a_person() -> None:
    decision = {"point": "p", "options": ["a", "b"], "chosen": "a", "why": "w"}
    given = FORM | {"decisions": [decision]}
    assert read_step(given, source="log", defaults=DEFAULTS)
    with pytest.raises(InputError) as error:
        read_step(given, source="log", defaults=DEFAULTS, is_autonomous=True)
    assert error.value.faults[0].field == "decisions[0].would_gate"


def test_a_thousand_faults_are_counted_not_listed() -> None:
    with pytest.raises(InputError) as error:
        read_step(dict.fromkeys(map(str, range(1000)), 1), source="log", defaults=DEFAULTS)
    assert len(error.value.faults) == 61
    assert error.value.faults[-1].got == "942 faults"


def test_a_long_key_is_named_by_its_beginning() -> None:
    ((field, _),) = faults(FORM | {"\x1b" + "k" * 500: 1})
    assert field.startswith("\\u001bkkk")
    assert len(field) == 60
