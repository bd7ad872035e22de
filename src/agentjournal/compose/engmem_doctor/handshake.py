"""Starts a server as an agent program would, shakes hands with it, and calls one tool that writes nothing."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

from agentjournal.errors import ForeignProgramError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["ABSENT", "Answers", "try_server"]

ABSENT = "no-such-document"  # reading it proves that the store was opened, and leaves no trace
_CLIENT = {"name": "engmem-doctor", "version": "1"}
_VERSION = "2025-06-18"

Answers = dict[int, dict[str, Any]]


def try_server(command: Sequence[str], environment: Mapping[str, str], timeout: float) -> Answers:
    """Give the server's answers to initialize (1), tools/list (2) and a read (3).

    Raises:
        ForeignProgramError: it does not start, does not end in time, or writes what is no frame.
    """
    sent = "".join(json.dumps(frame) + "\n" for frame in _frames())
    try:
        done = subprocess.run(  # noqa: S603 - an entry that engmem wrote
            list(command),
            input=sent.encode(),
            capture_output=True,
            cwd="/",
            env=dict(environment),
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ForeignProgramError(f"it gave no answer within {timeout:g} seconds") from error
    except (OSError, ValueError) as error:
        raise ForeignProgramError(f"it cannot be started ({error})") from error
    answers = _answers(done.stdout)
    if set(answers) != {1, 2, 3}:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        last = f": {said[-1]}" if said else ""
        raise ForeignProgramError(f"it left {3 - len(answers)} of 3 requests unanswered{last}")
    return answers


def _frames() -> list[dict[str, object]]:
    hello = {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": _CLIENT}
    call = {"name": "engmem_read", "arguments": {"id": ABSENT}}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call},
    ]


def _answers(out: bytes) -> Answers:
    found: Answers = {}
    for line in out.splitlines():
        try:
            frame = json.loads(line)
            found[int(frame["id"])] = frame
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise ForeignProgramError("it writes something that is no frame") from error
    return found
