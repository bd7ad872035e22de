"""The checks of a store: chosen how, readable, writable."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agentjournal.compose.engmem_doctor.finding import Finding, error, ok, warning
from agentjournal.engmem.store import read_store
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.compose.engmem_doctor.patient import Patient

__all__ = ["store_findings"]


def store_findings(patient: Patient) -> Iterator[Finding]:
    """Look at the store."""
    yield ok("store", f"{patient.store} \u2014 source: {patient.origin}")
    if patient.later != patient.store:
        yield warning(
            "store",
            f"--store chooses it for this command only; programs started without it use {patient.later}",
        )
    yield _sessions(patient)
    if (patient.store / "sessions").is_dir():
        yield _writing(patient)


def _sessions(patient: Patient) -> Finding:
    try:
        store = read_store(patient.store)
    except AgentJournalError as failure:
        return error("sessions", f"{failure.message} Run `engmem install` to make the store.")
    where = patient.store / "sessions"
    if store.failures:
        first = store.failures[0]
        told = (
            f"{len(store.failures)} of its files failed to load, first {first.file}: {first.reason}"
        )
        return warning("sessions", f"{where} is readable, but {told}")
    if not store.documents:
        return warning("sessions", f"{where} is readable and empty: every search finds nothing")
    return ok("sessions", f"{where} is readable, {len(store.documents)} document(s)")


def _writing(patient: Patient) -> Finding:
    """Try it with a file that no search would read, and take it away again."""
    folder = patient.store / "sessions"
    probe = folder / f".engmem-doctor.{os.getpid()}.tmp"
    try:
        descriptor = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        os.close(descriptor)
        probe.unlink()
    except OSError as failure:
        return error(
            "sessions write", f"{folder}: {failure.strerror}. Check its owner and permissions."
        )
    return ok("sessions write", f"{folder} \u2014 a probe file was made and removed")
