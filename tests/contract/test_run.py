"""One worker, wrapped: whatever happens to it, its attempt is closed with what it learned."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import ConflictError, ForeignProgramError, StoreBusyError
from agentjournal.execution.dispatch import load_statuses
from agentjournal.execution.history.single import get_step_data
from agentjournal.execution.observed import NOTHING_OBSERVED
from agentjournal.execution.policy import DEFAULT_LIMITS
from agentjournal.execution.reap import open_attempts
from agentjournal.orchestrator import close as closing
from agentjournal.orchestrator import worker
from agentjournal.orchestrator.close import take_spooled
from agentjournal.orchestrator.desk import Desk
from agentjournal.orchestrator.reaping import reap_workers
from agentjournal.orchestrator.run import claim, run_worker
from agentjournal.orchestrator.stop import StopRequest
from agentjournal.system.process import start_time
from support.workshop import SLUG, Workers, open_log, workshop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agentjournal.execution.observed import Observed
    from agentjournal.orchestrator.run import Job, Run
    from agentjournal.orchestrator.workshop import Workshop
    from agentjournal.storage.database import Database


@pytest.fixture
def shop(database: Database, tmp_path: Path) -> Workshop:
    return workshop(open_log(database), tmp_path)


@pytest.fixture
def workers(tmp_path: Path) -> Workers:
    return Workers(tmp_path)


def run(shop: Workshop, job: Job) -> Run:
    return run_worker(shop, job, StopRequest())


def stored(shop: Workshop, ended: Run) -> dict[str, object]:
    assert ended.closed.logged is not None
    return get_step_data(shop.log, ended.closed.logged.id)


def word(shop: Workshop, task: str = "T-1") -> str:
    with shop.log.database.snapshot() as reader:
        return str(load_statuses(reader, SLUG, DEFAULT_LIMITS)[1][task])


def test_a_handoff_in_the_file_closes_the_attempt(shop, workers):
    ended = run(shop, workers.job("done()"))
    assert (ended.exit_code, word(shop)) == (0, "done")
    assert stored(shop, ended)["end"] == "handoff"


def test_a_valid_handoff_counts_whatever_the_exit_status(shop, workers):
    ended = run(shop, workers.job("done(); sys.exit(7)"))
    body = stored(shop, ended)
    assert (ended.exit_code, body["result"], body["end"]) == (7, "success", "handoff")
    assert body["exit_status"] == 7


def test_a_block_in_the_output_counts_with_its_token(shop, workers):
    program = """
token = os.environ["AGENTJOURNAL_ATTEMPT"]
print("```handoff")
print(json.dumps({"attempt": token, "result": "success", "action": "Made it", "current_state": "Ok"}))
print("```")
"""
    assert stored(shop, run(shop, workers.job(program)))["end"] == "handoff"


def test_a_block_with_a_foreign_token_is_not_looked_at(shop, workers):
    program = """
print("```handoff")
print(json.dumps({"attempt": "aj-" + "a" * 26, "result": "success", "action": "Lied", "current_state": "x"}))
print("```")
"""
    body = stored(shop, run(shop, workers.job(program)))
    assert (body["result"], body["end"]) == ("partial", "contract_missing")


def test_the_last_block_of_several_is_taken(shop, workers):
    program = """
token = os.environ["AGENTJOURNAL_ATTEMPT"]
for action in ("First", "Second"):
    form = {"attempt": token, "result": "success", "action": action, "current_state": "Ok"}
    print("```handoff", json.dumps(form), "```", sep="\\n")
"""
    assert stored(shop, run(shop, workers.job(program)))["action"] == "Second"


def test_no_handoff_is_a_partial_with_the_last_output_kept(shop, workers):
    body = stored(shop, run(shop, workers.job("print('the last words')")))
    assert (body["result"], body["end"]) == ("partial", "contract_missing")
    assert "the last words" in str(body["log"])


def test_an_invalid_handoff_is_kept_as_text_with_its_faults(shop, workers):
    ended = run(shop, workers.job("hand_off(result='success', action='x', wrong=1)"))
    body = stored(shop, ended)
    assert (body["result"], body["end"]) == ("partial", "contract_missing")
    assert '"wrong": 1' in str(body["log"])
    assert ended.closed.logged is not None
    assert any("wrong" in fault.field for fault in ended.closed.logged.faults)


def test_a_worker_that_fails_without_words_is_told_by_its_exit(shop, workers):
    ended = run(shop, workers.job("print('boom', file=sys.stderr); sys.exit(3)"))
    body = stored(shop, ended)
    assert (ended.exit_code, body["end"], body["exit_status"]) == (3, "exit_nonzero", 3)
    assert "boom" in str(body["log"])


def test_a_worker_killed_by_a_signal_gives_128_and_its_number(shop, workers):
    ended = run(shop, workers.job("os.kill(os.getpid(), 9)"))
    assert (ended.exit_code, stored(shop, ended)["end"]) == (137, "signal")


class TimerOf:
    """Runs out when a file appears, whatever time it is."""

    def __init__(self, sign: Path, end: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=self._wait, args=(sign, end), daemon=True)
        self.start = self._thread.start

    def cancel(self) -> None:
        """Run on: what is awaited has come."""

    @staticmethod
    def _wait(sign: Path, end: Callable[[], None]) -> None:
        while not sign.exists():
            os.sched_yield()
        end()


def test_past_its_time_the_whole_group_is_ended(shop, workers, tmp_path, monkeypatch):
    sign = tmp_path / "child"
    monkeypatch.setattr(worker, "Timer", lambda _seconds, end: TimerOf(sign, end))
    program = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
open({str(sign) + ".new"!r}, "w").write(str(child.pid))
os.rename({str(sign) + ".new"!r}, {str(sign)!r})
child.wait()
"""
    ended = run(shop, workers.job(program))
    assert stored(shop, ended)["end"] == "timeout"
    assert start_time(int(sign.read_text())) is None


def test_a_missing_command_uses_up_no_attempt(shop, workers):
    job = replace(workers.job(""), command=("no-such-program-here",))
    with pytest.raises(ForeignProgramError, match="no-such-program-here"):
        run(shop, job)
    assert "spawn" in str(get_closes(shop)[-1])
    assert run(shop, workers.job("done()")).exit_code == 0


def get_closes(shop: Workshop) -> list[object]:
    with shop.log.database.snapshot() as reader:
        events = shop.log.events(reader, f"project/{SLUG}", limit=1000)
    return [event.body.get("end") for event in events if event.kind == "close"]


def test_a_step_that_the_worker_logged_itself_is_its_handoff(shop, workers, location):
    program = """
import subprocess
form = {"result": "failed", "action": "Tried it", "current_state": "No.", "next_step": "Else.",
        "ruled_out": [{"option": "The own way", "why": "It broke."}]}
command = [sys.executable, "-c", "from agentjournal.cli.main import main; main()", "log", "--from", "-"]
subprocess.run(command, input=json.dumps(form), text=True, check=True)
"""
    environment = {**shop.environment, "AGENTJOURNAL_DATABASE": location}
    shop = replace(shop, environment=environment)
    body = stored(shop, run(shop, workers.job(program)))
    assert (body["result"], body["end"], body["action"]) == ("failed", "handoff", "Tried it")


def test_ten_megabytes_of_output_are_cut_in_the_middle(shop, workers):
    program = """
sys.stdout.write("begin\\n" + "x" * 12_000_000 + "\\nend\\n")
"""
    body = stored(shop, run(shop, workers.job(program)))
    assert str(body["log"]).endswith("end")
    assert len(str(body["log"]).encode()) <= 64 * 1024


def test_output_that_is_no_utf8_is_kept_readable(shop, workers):
    body = stored(shop, run(shop, workers.job("sys.stdout.buffer.write(b'a\\xff\\xfeb')")))
    assert "a\ufffd\ufffdb" in str(body["log"])


def test_the_worker_knows_only_its_brief_and_where_to_hand_off(shop, workers):
    program = """
names = sorted(name for name in os.environ if name.startswith("AGENTJOURNAL_"))
whole = open(os.environ["AGENTJOURNAL_BRIEF"]).read()
stable = open(os.environ["AGENTJOURNAL_BRIEF_STABLE"]).read()
part = open(os.environ["AGENTJOURNAL_BRIEF_TASK"]).read()
done(log=json.dumps([names, whole == brief, whole.startswith(stable), whole.endswith(part)]))
"""
    log = str(stored(shop, run(shop, workers.job(program)))["log"])
    assert log.endswith("true, true, true]")
    for name in ("ATTEMPT", "BRIEF", "BRIEF_STABLE", "BRIEF_TASK", "HANDOFF", "PROJECT", "TASK"):
        assert f'"AGENTJOURNAL_{name}"' in log


def test_the_desk_is_gone_once_the_log_holds_the_handoff(shop, workers, tmp_path):
    run(shop, workers.job("done()"))
    assert list((tmp_path / "attempts").iterdir()) == []


def test_a_link_in_place_of_the_handoff_is_not_followed(shop, workers, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text('{"result": "success", "action": "Stolen", "current_state": "x"}')
    body = stored(
        shop,
        run(shop, workers.job(f"os.symlink({str(secret)!r}, os.environ['AGENTJOURNAL_HANDOFF'])")),
    )
    assert body["end"] == "contract_missing"
    assert "Stolen" not in str(body)


def test_a_task_that_somebody_holds_is_refused_with_who_and_until_when(shop, workers):
    claim(shop, workers.job(""))
    with pytest.raises(ConflictError, match="held by worker-1 until"):
        run(shop, workers.job("done()"))


def test_a_request_to_stop_ends_the_worker_and_is_recorded(shop, workers, tmp_path):
    stop = StopRequest()
    sign = tmp_path / "running"
    job = workers.job(
        f"os.mkfifo({str(sign) + '.pipe'!r}); open({str(sign)!r}, 'w').close(); open({str(sign) + '.pipe'!r})"
    )
    thread = threading.Thread(target=stop_when, args=(sign, stop), daemon=True)
    thread.start()
    ended = run_worker(shop, job, stop)
    assert ended.exit_code == 128 + signal.SIGTERM
    assert stored(shop, ended)["end"] == "signal"


def stop_when(sign: Path, stop: StopRequest) -> None:
    while not sign.exists():
        os.sched_yield()
    stop.ask(signal.SIGTERM)


def test_a_store_that_is_busy_when_files_are_looked_at_costs_no_close(shop, workers):
    looks = iter([NOTHING_OBSERVED])  # the brief's; the second is the close's

    def observed(_slug: str) -> Observed:
        for seen in looks:
            return seen
        raise StoreBusyError("store busy, held by pid 1")

    program = "failed('One file', open_questions=['Is reopen_if right here?'])"
    ended = run(replace(shop, observed=observed), workers.job(program))
    assert stored(shop, ended)["result"] == "failed"


def test_a_close_that_the_store_cannot_take_waits_in_the_spool(shop, workers, monkeypatch):
    def busy(*_args: object, **_named: object) -> None:
        raise StoreBusyError("store busy, held by pid 1")

    with monkeypatch.context() as patch:
        patch.setattr(closing, "close_attempt", busy)
        ended = run(shop, workers.job("done(log='password = \"hunter2hunter2\"')"))
    assert ended.closed.logged is None
    assert "hunter2" not in (shop.spool.folder / "events.jsonl").read_text()
    assert word(shop) == "in_flight"
    shop.spool.drain(take_spooled(shop.log, shop.spool, shop.new_id))
    assert word(shop) == "done"
    assert shop.spool.counts() == (0, 0)


def test_a_spooled_line_that_names_no_project_is_set_aside(shop):
    shop.spool.append(
        {"v": 1, "type": "close", "ending": {"project_slug": "gone"}, "written": None}
    )
    shop.spool.drain(take_spooled(shop.log, shop.spool, shop.new_id))
    assert shop.spool.counts() == (0, 1)


def test_what_a_worker_left_on_its_desk_outlives_its_wrapper(shop, workers):
    job = workers.job("")
    attempt = claim(shop, job)
    desk = Desk.of(shop.attempts, attempt.claim_id)
    desk.folder.mkdir(parents=True)
    (desk.folder / "handoff.json").write_text(
        '{"result": "success", "action": "Made it before the end", "current_state": "It works."}'
    )
    gone = replace(shop, machine=replace(shop.machine, is_alive=lambda _pid, _started: False))
    [reaped] = reap_workers(gone)
    assert get_step_data(shop.log, reaped.step)["action"] == "Made it before the end"
    assert word(shop) == "done"
    assert not desk.folder.exists()


@pytest.mark.parametrize(
    ("is_closed", "is_old", "is_ours", "stays"),
    [
        (True, True, True, False),
        (True, False, True, True),
        (False, True, True, True),
        (True, True, False, True),
    ],
)
def test_a_desk_that_a_killed_wrapper_left_is_cleared_later(  # noqa: PLR0917 - a table
    shop, workers, is_closed, is_old, is_ours, stays
):
    attempt = claim(shop, workers.job(""))
    name = attempt.claim_id if is_ours else "01999999-0000-7000-8000-00000000dead"
    desk = Desk.of(shop.attempts, name)
    desk.folder.mkdir(parents=True)
    if is_closed:
        gone = replace(shop, machine=replace(shop.machine, is_alive=lambda _pid, _started: False))
        reap_workers(replace(gone, attempts=shop.attempts / "other"))
    if is_old:
        os.utime(desk.folder, (0, 0))
    reap_workers(shop)
    assert desk.folder.exists() is stays


def test_a_worker_runs_only_once_the_store_knows_its_process(shop, workers, monkeypatch, tmp_path):
    from agentjournal.orchestrator import run as running

    def dies(*_args: object, **_named: object) -> None:
        raise StoreBusyError("store busy, held by pid 1")

    monkeypatch.setattr(running, "set_worker", dies)
    sign = tmp_path / "ran"
    with pytest.raises(StoreBusyError):
        run(shop, workers.job(f"open({str(sign)!r}, 'w')"))
    assert not sign.exists()
    with shop.log.database.snapshot() as reader:
        assert open_attempts(reader, SLUG) == []
