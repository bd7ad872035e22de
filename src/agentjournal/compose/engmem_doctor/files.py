"""The checks of an agent program's files: templates, the rule, the hook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.compose.engmem_doctor.finding import Finding, error, ok, warning
from agentjournal.engmem.install.change import contents
from agentjournal.engmem.install.installing import BESIDE, rendered
from agentjournal.engmem.install.template import WORKFLOW, is_unedited, stamp_of
from agentjournal.engmem.install.trigger import has_rule
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.compose.engmem_doctor.patient import Patient

__all__ = ["file_findings"]


def file_findings(patient: Patient) -> Iterator[Finding]:
    """Look at what an installation wrote."""
    target = patient.target
    again = f"run `engmem install --agent {target.agent}`"
    for source, path in target.templates.items():
        subject = "skill" if path.name == "SKILL.md" else "template"
        try:
            yield _template(patient, source, path, subject, again)
        except AgentJournalError as failure:
            yield error(subject, failure.message)
    if target.rule is not None:
        try:
            yield _rule(target.rule, again)
        except AgentJournalError as failure:
            yield error("trigger rule", f"{target.rule}: {failure.message}")


def _template(patient: Patient, source: str, path: Path, subject: str, again: str) -> Finding:
    data = contents(path)
    if data is None:
        return error(subject, f"{path} is missing \u2014 {again}")
    if contents(path.with_name(path.name + BESIDE)) is not None:
        told = (
            f"{path}{BESIDE} waits to be merged \u2014 take over what you want, then move it over"
        )
        return warning(subject, told)
    target = patient.target
    newest = rendered(target.agent, path, patient.templates[source], source, patient.version)
    fault = _fault(data, newest, again)
    return (
        warning(subject, f"{path} {fault}")
        if fault
        else ok(subject, f"{path} (v{patient.version})")
    )


def _fault(data: bytes, newest: str, again: str) -> str | None:
    text = data.decode(errors="replace")
    stamp = stamp_of(text)
    if stamp is None:
        return "has no stamp: it is not engmem's, or was rewritten"
    if stamp.workflow != WORKFLOW:
        told = "older than" if stamp.workflow < WORKFLOW else "newer than"
        return f"follows a workflow {told} this version's \u2014 {again}"
    if not is_unedited(data):
        return f"was changed by hand since v{stamp.version}"
    return None if text == newest else f"is of v{stamp.version} \u2014 {again}"


def _rule(path: Path, again: str) -> Finding:
    data = contents(path)
    if data is None or not has_rule(data):
        return warning("trigger rule", f"{path} does not tell to search \u2014 {again}")
    return ok("trigger rule", str(path))
