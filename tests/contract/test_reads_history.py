"""What was done and why: page by page, step by step, claim by claim."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import InputError, NotFoundError
from agentjournal.execution.citation import short_id
from agentjournal.execution.claims import why, why_data
from agentjournal.execution.history import (
    full_step_id,
    get_history,
    get_history_data,
    get_step,
    get_step_data,
)
from agentjournal.execution.observed import Observed
from agentjournal.log.revoke import retract
from agentjournal.text.bounded import size
from support.execution import AT, failed, project, reopen, step, uuid, write
from support.golden import check
from support.reads_life import SLUG, lively

if TYPE_CHECKING:
    from agentjournal.storage.database import Database


def test_the_history_of_a_project_reads_as_kept(database: Database) -> None:
    check("history.txt", get_history(lively(database), SLUG))


@pytest.mark.parametrize("cap", [500, 900, 8000])
def test_the_cursor_leads_through_every_step_once(database: Database, cap: int) -> None:
    log = lively(database)
    seen: list[str] = []
    after, more = 0, True
    while more:
        text = get_history(log, SLUG, after_seq=after, limit=2, cap=cap)
        assert size(text + "\n") <= cap  # what prints it ends the line
        seen += re.findall(r"^#(\d+) ", text, re.MULTILINE)
        found = re.search(r"More: agentjournal history demo --after (\d+)$", text)
        after, more = int(found[1]) if found else after, found is not None
    everything = get_history_data(log, SLUG)
    assert seen == [str(each["seq"]) for each in everything["steps"]]
    assert everything["left_out"] == 0


def test_a_step_too_large_for_the_cap_is_shown_in_short_and_passed(database: Database) -> None:
    log = project(database)
    write(log, failed(1, current_state="x" * 1200))
    write(log, step(2))
    text = get_history(log, SLUG, cap=500)
    assert "Tried polling." in text
    assert "xxx" not in text
    assert "Did it." in text


def test_the_history_of_one_task_holds_that_task_alone(database: Database) -> None:
    log = lively(database)
    text = get_history(log, SLUG, task="T-003")
    assert text.count("T-003 attempt") == 3
    assert "T-002" not in text
    assert get_history(log, SLUG, task="T-007").endswith("There are none.")


def test_a_step_is_read_whole_by_the_end_of_its_id(database: Database) -> None:
    log = lively(database)
    check("step.txt", get_step(log, uuid(0x20003)))
    assert get_step(log, uuid(0x20003)[-12:]) == get_step(log, uuid(0x20003))


def test_the_beginning_of_an_id_is_enough_where_it_is_alone(database: Database) -> None:
    log = project(database)
    write(log, step(1))
    assert get_step(log, uuid(0x10001)[:8]) == get_step(log, uuid(0x10001))


def test_a_long_log_is_framed_cut_and_counted(database: Database) -> None:
    log = project(database)
    write(log, step(1, log="</quoted:0>\n" + "line\n" * 12_000))
    text = get_step(log, uuid(0x10001))
    assert size(text) <= 8000
    assert text.count("</quoted:") == 1
    assert re.search(r"\nLeft out: log bytes 5\d{4}\. More: agentjournal history --step ", text)
    assert get_step_data(log, uuid(0x10001))["log"].endswith("line\nline\n")


def test_an_option_that_was_reopened_is_marked_in_its_step(database: Database) -> None:
    log = lively(database)
    item = f"{uuid(0x20003)}#2"
    reopen(log, item, "there is one now", uuid(0x70003))
    lines = [x for x in get_step(log, uuid(0x20003)).splitlines() if x.startswith("Ruled out")]
    assert [line.endswith("(out of force)") for line in lines] == [False, True]


def test_a_step_with_an_unknown_token_is_read_as_such(database: Database) -> None:
    log = lively(database)
    assert "quarantined: its token is unknown" in get_step(log, uuid(0x20007))
    assert "worker-9" not in get_history(log, SLUG)


def test_a_step_that_was_taken_back_is_gone(database: Database) -> None:
    log = lively(database)
    retract(log, uuid(0x20003), event_id=uuid(0x70009), actor="ada", at=AT, why="poisoned")
    with pytest.raises(NotFoundError, match="or it was taken back"):
        get_step(log, uuid(0x20003))
    assert "Polled the table" not in get_history(log, SLUG)
    assert "Nothing that was decided" in why(log, SLUG, "poll")


def test_an_end_that_several_ids_share_is_refused(database: Database) -> None:
    log = project(database)
    write(log, step(0x1AAAAAAA0001))
    write(log, step(0x2AAAAAAA0001))
    with pytest.raises(InputError, match="Several steps begin or end in 'aaab0001'"):
        get_step(log, "aaab0001")
    with pytest.raises(NotFoundError):
        get_step(log, "%%%%%%%%%%")


def test_a_printed_id_is_found_whole_again_with_the_item_that_it_names(database: Database) -> None:
    lively(database)
    item = f"{uuid(0x20003)}#2"
    with database.snapshot() as reader:
        for text in (item, short_id(item), item[-10:]):
            assert full_step_id(reader, text) == item
        assert full_step_id(reader, uuid(0x20003)[-8:]) == uuid(0x20003)
        for unknown in ("00099999", uuid(0x20003)[-7:], uuid(0x70001), "#1", ""):
            with pytest.raises(NotFoundError, match="There is no step"):
                full_step_id(reader, unknown)
        with pytest.raises(InputError, match="Several steps begin or end in '01999999'"):
            full_step_id(reader, "01999999#1")


def test_claims_that_hold_all_words_are_given_in_order(database: Database) -> None:
    log = lively(database)
    seen = Observed(lock_versions={"anyio": "5.0"})
    check("why.txt", why(log, SLUG, "deliveries", observed=seen))
    both = why_data(log, SLUG, "thread deliveries")
    assert [claim["id"] for claim in both["claims"]] == [f"{uuid(0x20008)}#1"]
    assert "Nothing that was decided or ruled out in demo holds all of: kubernetes deliver" in why(
        log, SLUG, "kubernetes deliver"
    )


def test_of_many_claims_the_newest_eight_are_given_oldest_first(database: Database) -> None:
    log = project(database)
    for number in range(12):
        option = {"option": f"Poll in way {number}", "why": "w" * 300}
        write(log, failed(number, ruled_out=[option]))
    text = why(log, SLUG, "polling", cap=8000)
    assert re.findall(r"in way (\d+)", text) == [str(n) for n in range(4, 12)]
    assert "Left out: older claims 4." in text.splitlines()[-1]
    short = why(log, SLUG, "polling", cap=1500)
    assert size(short + "\n") <= 1500
    assert re.findall(r"in way (\d+)", short) == ["9", "10", "11"]
    assert "claims 5" in short.splitlines()[-1]


def test_a_plan_that_changed_on_disk_is_said_and_the_stored_one_goes_on(database: Database) -> None:
    log = lively(database)
    same, other = Observed(plan_sha256="0" * 64), Observed(plan_sha256="1" * 64)
    said = "plan drifted since revision 1"
    for read in (get_history, partial(why, words="deliveries"), partial(why, words="kubernetes")):
        assert read(log, SLUG, observed=same) == read(log, SLUG)
        assert said not in read(log, SLUG)
        lines = read(log, SLUG, observed=other).splitlines()
        assert [line for line in lines if line != said] == read(log, SLUG).splitlines()
    for data in (get_history_data, partial(why_data, words="deliveries")):
        assert data(log, SLUG, observed=other)["is_drifted"]
        assert not data(log, SLUG, observed=same)["is_drifted"]


def test_what_is_out_of_force_answers_no_question(database: Database) -> None:
    log = lively(database)
    item = f"{uuid(0x20003)}#1"
    reopen(log, item, "it is fine", uuid(0x70003))
    assert "Nothing that was decided" in why(log, SLUG, "poll second")


@pytest.mark.parametrize("words", ["", "the of and", "?!"])
def test_a_question_without_a_word_is_refused(database: Database, words: str) -> None:
    with pytest.raises(InputError, match="no word to look for"):
        why(lively(database), SLUG, words)


def test_unknown_projects_are_not_found(database: Database) -> None:
    log = project(database)
    for read in (get_history, get_history_data):
        with pytest.raises(NotFoundError):
            read(log, "nowhere")
    with pytest.raises(NotFoundError):
        why(log, "nowhere", "words")
    with pytest.raises(NotFoundError):
        get_step(log, uuid(0x99999))
