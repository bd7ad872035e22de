"""All checks in their order, as one text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agentjournal.compose.engmem_doctor.files import file_findings
from agentjournal.compose.engmem_doctor.programs import program_findings
from agentjournal.compose.engmem_doctor.store import store_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.compose.engmem_doctor.finding import Finding
    from agentjournal.compose.engmem_doctor.patient import Patient

__all__ = ["examine", "told"]


def examine(patient: Patient) -> list[Finding]:
    """Make every check; nothing is changed and nothing is recorded."""
    return [*store_findings(patient), *file_findings(patient), *program_findings(patient)]


def told(agent: str, findings: Sequence[Finding]) -> str:
    """Give the counts, then a line for each finding."""
    counts = Counter(finding.level for finding in findings)
    head = (
        f"engmem doctor --agent {agent}: {counts['error']} error(s), "
        f"{counts['warning']} warning(s), {counts['unverified']} unverified"
    )
    return "\n".join([head, *map(str, findings)])
