"""The document that a project's log gives: all nineteen sections, for a person to confirm."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.recall.drafting.header import entities, files, front_matter
from agentjournal.recall.drafting.material import draft_id
from agentjournal.recall.drafting.reuse import reuse_log, reused_documents
from agentjournal.recall.drafting.said import decisions, lessons, line, questions
from agentjournal.text.bounded import clip, size
from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agentjournal.recall.drafting.material import Material
    from agentjournal.recall.drafting.reuse import Cite

__all__ = ["Circumstances", "Drafted", "draft"]

_PLAN = 16_000  # bytes of the plan's text
_SECTION = 60_000
_RELATED = 20
_NOTHING = "The log of this project says nothing about this."


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """What is not in the log: how the store is used, who asks, where, and what was measured.

    `cost` says in words what the work cost, empty where nothing was measured. `cite` gives an id
    with the version of the document that holds a quote, or as it is.
    """

    mode: str
    author: str
    repos: tuple[str, ...]
    cost: str
    cite: Cite


@dataclass(frozen=True)
class Drafted:
    """The id and the whole text of a document that is a draft."""

    id: str
    text: str


def draft(material: Material, around: Circumstances) -> Drafted:
    """Draft the document of a project: same log and circumstances, same bytes.

    Every text of the log stands in it as one visible line; the plan as a closed block, so that no
    heading in it is one of the document. What workers said is tagged `[Assumed]`, what the log
    itself counts `[Verified]`, what nobody answered `[Open]`.
    """
    block = front_matter(
        material,
        mode=around.mode,
        author=around.author,
        repos=around.repos,
        related=reused_documents(material)[:_RELATED],
    )
    parts = [block, *(f"## {name}\n{text}" for name, text in _sections(material, around))]
    return Drafted(draft_id(material.slug, material.began_at), "\n\n".join(parts) + "\n")


def _sections(material: Material, around: Circumstances) -> Iterator[tuple[str, str]]:
    goal = line(material.plan["goal"]) if material.plan else ""
    yield "Pre-reg", _prereg(material)
    yield "1. Executive Summary", _summary(material, goal)
    yield "2. Business Context", f"[Assumed] {goal}" if goal else _NOTHING
    yield "3. End-to-End Business Flow", _NOTHING
    yield "4. Functional Requirements", _joined(_requirements(material), "\n")
    yield "5. Acceptance Criteria Analysis", _joined(_acceptance(material), "\n")
    yield "6. System Architecture", _joined(_services(material), "\n")
    yield "7. Code Implementation", _joined(_files(material), "\n")
    yield "8. Decision Log", _joined(decisions(material))
    yield "9. Production Considerations", _joined(_gates(material), "\n")
    yield "10. Testing Knowledge", _NOTHING
    yield "11. Lessons Learned", _joined(lessons(material))
    yield "12. Knowledge Graph", _joined(_graph(material), "\n")
    yield "13. Future LLM Context (cold-start primer)", _primer(material, goal)
    yield "14. Search Keywords", ", ".join(entities(material)) or _NOTHING
    yield "15. One-Page Cheat Sheet", _joined(_cheat_sheet(material), "\n")
    yield "16. Reuse Log", reuse_log(material, around.cite)
    yield "17. Status at a Glance", _joined(_status(material, around), "\n")
    yield "Search Trace", "Not stated: briefs served what was recalled. Write shell, paste or miss."


def _joined(items: Iterable[str], sep: str = "\n\n") -> str:
    """Join what fits into a section; what does not is counted."""
    kept: list[str] = []
    room, left = _SECTION, 0
    for item in items:
        room -= size(item) + size(sep)
        if room > 0:
            kept.append(item)
        else:
            left += 1
    if left:
        kept.append(f"{left} more are in the log.")
    return sep.join(kept) or _NOTHING


def _prereg(material: Material) -> str:
    if material.plan is None:
        return "No plan was registered.\n\npre-reg source: plan"
    text = clip(visible(str(material.plan["body"])), _PLAN, "\n[the rest is in the log]").rstrip()
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}\n\npre-reg source: plan"


def _summary(material: Material, goal: str) -> str:
    done = material.results.get("success", 0) + material.results.get("done", 0)
    counted = (
        f"[Verified] Plan {line(material.title)}: {done} of {material.tasks.total} tasks done; "
        f"decisions: {material.decisions.total}, options ruled out: {material.ruled_out.total}."
    )
    return f"{counted}\n[Assumed] Goal: {goal}" if goal else counted


def _requirements(material: Material) -> Iterator[str]:
    for row in material.tasks.shown:
        word = str(row["resolution"] or row["last_result"] or "not begun")
        yield f"- {line(row['task'], 80)} {line(row['title'])} ({word})"
    if material.tasks.left_out:
        yield f"- {material.tasks.left_out} more tasks stand in the plan."


def _acceptance(material: Material) -> Iterator[str]:
    for row in material.tasks.shown:
        if row["verify"]:
            yield f"- [Open] {line(row['task'], 80)} is accepted when this passes: {line(row['verify'])}"


def _services(material: Material) -> Iterator[str]:
    for row in material.touches.shown:
        if row["kind"] == "service":
            yield f"- [Assumed] Service {line(row['name'])} was worked on."


def _files(material: Material) -> Iterator[str]:
    for name in files(material):
        yield f"- {line(name)}"
    for commit in material.commits:
        yield f"- Commit {line(commit)}"


def _gates(material: Material) -> Iterator[str]:
    for row in material.gates.shown:
        told = f"{line(row['category'])} {line(row['operation'])}: {line(row['decision'])}"
        yield f"- [Assumed] {told}, because {line(row['why'])}"


def _graph(material: Material) -> Iterator[str]:
    for close in material.closes:
        if close.files and close.result == "success":
            yield f"- {line(close.task, 80)} -> {', '.join(map(line, close.files))}"


def _primer(material: Material, goal: str) -> str:
    """Write the two lines that a search shows, then what to know first."""
    rejected = [line(row["what"], 120) for row in material.ruled_out.shown[-3:]]
    chosen = [line(row["chosen"], 120) for row in material.decisions.shown[-3:]]
    first = f"{line(material.title, 160)}: {goal}" if goal else line(material.title, 160)
    parts = [("Chosen", chosen), ("Ruled out", rejected)]
    second = ". ".join(f"{label}: {'; '.join(told)}" for label, told in parts if told)
    return "\n".join(filter(None, [first, second]))


def _cheat_sheet(material: Material) -> Iterator[str]:
    last = {close.task: close for close in material.closes}
    for close in last.values():
        state = line(close.handoff.get("current_state", ""))
        if state:
            yield f"- [Assumed] {line(close.task, 80) or 'project'}: {state}"


def _status(material: Material, around: Circumstances) -> Iterator[str]:
    counts = ", ".join(f"{count} {word}" for word, count in material.results.items())
    closes = len(material.closes)
    yield f"- [Verified] Tasks: {counts or 'none'}."
    yield f"- [Verified] Handoffs read: {closes}; plan revisions: {material.revision}."
    yield f"- Cost: {around.cost or 'unmeasured'}."
    yield from questions(material)
    yield (
        "- [Open] Drafted from the log: a person confirms it, writes what no log holds, and "
        "sets each tag and classification."
    )
