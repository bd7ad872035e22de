"""The checks of programs: the command on the PATH, and the server that a client would start."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.compose.engmem_doctor.finding import Finding, error, ok, unverified, warning
from agentjournal.compose.engmem_doctor.handshake import ABSENT, Answers, try_server
from agentjournal.engmem.install.entry import ServerCommand, is_ours
from agentjournal.engmem.install.target import PROGRAMS
from agentjournal.engmem.install.wiring import Wired, sandbox_note, wired
from agentjournal.engmem.ledger.rows import ledger_rows
from agentjournal.engmem.ledger.search_row import TELEMETRY
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.compose.engmem_doctor.patient import Patient

__all__ = ["program_findings"]

TIMEOUT = 15.0  # seconds that a command may take
START = 60.0  # seconds that a server may take, since its index may have to be made first
# All that Codex hands to a server; what works with these works everywhere.
_HANDED = ("HOME", "LANG", "PATH", "SHELL", "TERM")


def program_findings(patient: Patient) -> Iterator[Finding]:
    """Look at what is started."""
    agent = patient.target.agent
    yield ok("engmem", f"{patient.version}, run by {patient.python}")
    if patient.target.templates:
        yield _command(patient)
    if agent in {"claude-desktop", "codex"}:
        yield from _client(
            patient, wired("codex" if agent == "codex" else "claude-desktop", patient.place)
        )
    if agent == "chatgpt":
        command = ServerCommand(patient.python, patient.store)
        yield _server(patient, [command.python, *command.args], {})
        yield _runtime(patient.store, patient)
        yield from _bridge(patient)
    if agent != "chatgpt":
        yield _sandbox(patient)


def _command(patient: Patient) -> Finding:
    """Ask the command that templates call whether it runs, from a folder that lends it nothing."""
    folders = patient.place.environment.get("PATH", "").split(os.pathsep)
    path = shutil.which(
        "engmem", path=os.pathsep.join(each for each in folders if each.startswith("/"))
    )
    if path is None:
        told = "`engmem` is not on the PATH, and the templates call it: install it as a command"
        return error("engmem command", f"{told}, for instance with `uv tool install agent-journal`")
    try:
        done = subprocess.run(  # noqa: S603 - the user's own PATH
            [path, "--help"],
            cwd="/",
            env=dict(patient.place.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        return error("engmem command", f"{path} does not run ({failure})")
    if done.returncode != 0:
        return error("engmem command", f"{path} ends with {done.returncode}: install it again")
    return ok("engmem command", path)


def _client(patient: Patient, found: Wired) -> Iterator[Finding]:
    subject = "mcp entry"
    again = f"run `engmem install --agent {found.agent}`"
    if found.fault:
        yield error(subject, f"{found.path} cannot be read: {found.fault}")
    elif found.entry is None:
        yield error(subject, f"{found.path} names no server engmem \u2014 {again}")
    elif not is_ours(found.entry):
        yield warning(
            subject,
            f"{found.path} names a server engmem that is not this program's; it was not started",
        )
    else:
        yield _match(patient, found)
        yield _server(patient, _words(found.entry), _given(found.entry))
        yield _runtime(Path(found.store or patient.store), patient)


def _match(patient: Patient, found: Wired) -> Finding:
    told = f"{found.path} starts the server with"
    if found.store is None:
        return warning("mcp entry", f"{told}out --store: it finds {patient.later}")
    if Path(found.store) != patient.store:
        again = f"run `engmem install --agent {found.agent} --store {patient.store}` to change it"
        return warning("mcp entry", f"{told} --store {found.store}, not {patient.store}: {again}")
    return ok("mcp entry", f"{told} --store {found.store}, the store of this command")


def _words(entry: Mapping[str, object]) -> list[str]:
    args = entry.get("args")
    return [str(entry.get("command")), *(map(str, args) if isinstance(args, list) else ())]


def _given(entry: Mapping[str, object]) -> dict[str, str]:
    given = entry.get("env")
    return {str(k): str(v) for k, v in given.items()} if isinstance(given, dict) else {}


def _server(patient: Patient, command: list[str], given: Mapping[str, str]) -> Finding:
    """Start the server as the client would, and let it answer."""
    here = patient.place.environment
    environment = {name: here[name] for name in _HANDED if name in here} | dict(given)
    try:
        answers = try_server(command, environment, START)
    except AgentJournalError as failure:
        return error("mcp command", f"{' '.join(command)}: {failure.message}")
    fault = _fault(answers)
    if fault:
        return error("mcp command", f"{' '.join(command)}: {fault}")
    named = answers[1]["result"]["serverInfo"]
    tools = len(answers[2]["result"]["tools"])
    return ok(
        "mcp command",
        f"{named['name']} {named['version']} answers, {tools} tools, a call came back",
    )


def _fault(answers: Answers) -> str | None:
    """Say what is wrong with a server that answers: it must know its tools and its store."""
    for number, name in ((1, "initialize"), (2, "tools/list")):
        if "result" not in answers[number]:
            return f"{name} is refused: {answers[number].get('error')}"
    call = answers[3].get("result") or {"content": [answers[3].get("error", {})]}
    said = str(call["content"][0].get("text") or call["content"][0].get("message"))
    return None if ABSENT in said or "--read-only" in said else f"a call fails: {said}"


def _runtime(store: Path, patient: Patient) -> Finding:
    """Say which version the server had that last searched: an open client may run an older one."""
    subject = "mcp runtime"
    try:
        rows = [row for row in ledger_rows(store, TELEMETRY) if row and row.get("channel") == "mcp"]
    except AgentJournalError as failure:
        return unverified(subject, failure.message)
    program = PROGRAMS[patient.target.agent]
    if not rows:
        return unverified(
            subject, f"no search through it is logged in {store}: restart {program} and search once"
        )
    newest = str(rows[-1].get("engmem_version"))
    if patient.version not in newest:
        told = f"the last search through it was answered by {newest}, this is {patient.version}"
        return warning(subject, f"{told}: restart {program}")
    return ok(subject, f"the last search through it was answered by {newest}")


def _sandbox(patient: Patient) -> Finding:
    note = sandbox_note(patient.place, patient.store) if patient.target.agent == "codex" else None
    if note:
        return warning("sandbox", note)
    program = PROGRAMS[patient.target.agent]
    return unverified(
        "sandbox",
        f"whether {program}'s own sandbox and permissions allow all this is not seen from here",
    )


def _bridge(patient: Patient) -> Iterator[Finding]:
    found = shutil.which("tunnel-client", path=patient.place.environment.get("PATH", ""))
    told = f"tunnel-client is {found}" if found else "tunnel-client is not on the PATH"
    yield unverified(
        "tunnel", f"{told}; compare the command and the store in its profile with those above"
    )
    yield unverified(
        "public bridge",
        "whether one is in use is not seen from here: anybody who learns its address reads your documents",
    )
