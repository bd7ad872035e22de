"""Each bad input is refused by hand with field, rule and remedy, and kept at a worker's end."""

import json
from collections.abc import Iterator

import pytest

from agentjournal.errors import InputError
from agentjournal.execution.contract import read_step
from agentjournal.execution.fields import LOG_BYTES
from agentjournal.execution.form import read_form
from agentjournal.log.log import Log
from agentjournal.log.verify import verify
from agentjournal.storage.database import Database
from agentjournal.storage.open import open_database
from support.bad_inputs import BAD_ADDRESSES, BAD_INPUTS, BadInput
from support.execution import AT, SLUG, claim, close, events, facts, project, task, uuid, write

DEFAULTS = {
    "id": uuid(0x888),
    "project_slug": SLUG,
    "plan_ref": "T-1",
    "actor": "me",
    "ended_at": AT,
}


@pytest.fixture
def log() -> Iterator[Log]:
    store = open_database(":memory:")
    yield project(store)
    store.close()


def hand_in(log: Log, bad: BadInput) -> None:
    """Go the way of `agentjournal log --from`."""
    fields = read_form(bad.written) if isinstance(bad.written, str) else bad.written
    write(log, read_step(fields, source="log", defaults=DEFAULTS))


@pytest.mark.parametrize("bad", BAD_INPUTS + BAD_ADDRESSES, ids=lambda bad: bad.name)
def test_by_hand_it_is_refused_with_field_rule_and_remedy(log: Log, bad: BadInput) -> None:
    with pytest.raises(InputError) as error:
        hand_in(log, bad)
    named = [fault for fault in error.value.faults if fault.field == bad.field]
    assert any(bad.rule in fault.rule for fault in named), error.value.faults
    assert all(fault.got and fault.remedy for fault in error.value.faults)
    assert len(str(error.value).encode()) < 4000
    assert len(events(log)) == 2


@pytest.mark.parametrize("bad", BAD_INPUTS + BAD_ADDRESSES, ids=lambda bad: bad.name)
def test_at_a_workers_end_it_is_kept_and_nothing_is_refused(log: Log, bad: BadInput) -> None:
    claim(log, 1)
    answer = close(log, 1, bad.written)
    assert (answer.kind, answer.is_late, answer.is_quarantined) == ("close", False, False)
    assert answer.faults
    body = events(log)[-1].body
    assert (body["result"], body["end"]) == ("partial", "contract_missing")
    assert len(body["log"].encode()) <= LOG_BYTES
    assert all(fault.field in " ".join(body["faults"]) for fault in answer.faults)
    kept = "\n".join([body["log"], *texts(body)])
    for piece in texts(bad.written):
        assert piece in kept or json.dumps(piece, ensure_ascii=False)[1:-1] in body["log"]
    assert (facts(log)["open_attempt"], facts(log)["contracts_missing"]) == (None, 1)


def texts(value: object) -> Iterator[str]:
    """Give the texts that must be found again; those that are cut or replaced are left out."""
    match value:
        case dict():
            yield from (text for each in value.values() for text in texts(each))
        case list():
            yield from (text for each in value for text in texts(each))
        case str():
            lines = (line for line in value.splitlines() if len(line) < 1500)
            yield from (line for line in lines if not set(line) & {"\0", "\ud800"})


def test_a_whole_table_of_bad_endings_leaves_a_sound_store(database: Database) -> None:
    everything = BAD_INPUTS + BAD_ADDRESSES
    tasks = [task(f"T-{number}", number + 1) for number in range(len(everything))]
    log = project(database, *tasks)
    for number, bad in enumerate(everything):
        name = f"T-{number}"
        claim(log, number, task=name)
        assert close(log, number, bad.written, plan_ref=name).kind == "close"
    assert verify(log).is_good


def test_more_than_64_kib_are_cut_in_the_middle_and_counted(log: Log) -> None:
    claim(log, 1)
    close(log, 1, "BEGIN" + "é" * 5_000_000 + "END", output="LAST " * 100_000 + "WORD")
    kept = str(events(log)[-1].body["log"])
    assert len(kept.encode()) <= LOG_BYTES
    assert "BEGIN" in kept
    assert kept.endswith("WORD")
    assert "bytes, cut in the middle to 65536" in kept


def test_secrets_in_what_is_kept_are_replaced_and_nothing_else(log: Log) -> None:
    claim(log, 1)
    answer = close(
        log, 1, "I used AKIAIOSFODNN7EXAMPLE\n" + "x\0y\ud800", output="AKIAIOSFODNN7EXAMPLE"
    )
    kept = str(events(log)[-1].body["log"])
    assert answer.redacted == ("aws-access-key",)
    assert "AKIAIOSFODNN7EXAMPLE" not in events(log)[-1].payload
    assert "x\ufffdy\ufffd" in kept
    assert "2 characters of the log replaced by U+FFFD" in answer.notes


@pytest.mark.parametrize("source", ["file", "fence"])
def test_another_attempts_handoff_closes_nothing_as_valid(log: Log, source: str) -> None:
    claim(log, 1)
    forged = {
        "attempt": "aj-" + "z" * 26,
        "result": "success",
        "action": "Did it",
        "current_state": "Believe me",
    }
    answer = close(log, 1, forged, source=source)
    assert [fault.field for fault in answer.faults] == ["attempt"]
    assert facts(log)["last_result"] == "partial"
