"""This host and process, as leases name them."""

from __future__ import annotations

import os
from functools import partial

from agentjournal.orchestrator.worker import GRACE_SECONDS
from agentjournal.orchestrator.workshop import Machine
from agentjournal.system.process import boot_id, end_group, host_name, is_alive, start_time

__all__ = ["this_machine"]


def this_machine() -> Machine:
    """Say which host and process this is."""
    pid = os.getpid()
    return Machine(
        host=host_name(),
        boot=boot_id(),
        pid=pid,
        started=start_time(pid) or "",
        is_alive=is_alive,
        end_group=partial(end_group, grace=GRACE_SECONDS),
    )
