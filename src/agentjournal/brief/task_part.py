"""What stands below the boundary: for one attempt of one task only."""

from __future__ import annotations

from dataclasses import dataclass

from agentjournal.brief.contain import framed, plain_line
from agentjournal.text.bounded import size
from agentjournal.text.visible import one_line

_TITLE_BYTES = 300


@dataclass(frozen=True, kw_only=True)
class Work:
    """The task and the attempt that a brief is for; without a token it is only looked at."""

    slug: str
    task: str
    title: str
    body: str
    attempt: int
    token: str | None

    @property
    def text(self) -> str:
        """Give what the plan says beyond the title, with which its text begins."""
        first, _, rest = self.body.strip().partition("\n")
        return rest.strip() if one_line(first) == one_line(self.title) else self.body.strip()


def render_task(work: Work, cap_bytes: int) -> str:
    """Write the task; a text beyond its cap is cut, and one line says how to read all of it."""
    head = plain_line(f"{work.task} {work.title}", _TITLE_BYTES)
    if not work.text:
        return head
    everything = f"`agentjournal plan show {work.slug} {work.task}` prints all"

    def rest(shown: int, total: int) -> str:
        return f"({shown} of {total} bytes are shown: {everything}.)"

    room = cap_bytes - size(head) - 1
    return f"{head}\n{framed('the text of your task', work.text, room, rest=rest)}"


def render_attempt(work: Work) -> str:
    """Write what binds the handoff to this attempt."""
    token = work.token or "(none: this brief is only looked at)"
    return f"Project {work.slug}, task {work.task}, attempt {work.attempt}. Your token: {token}"


def section(heading: str, text: str) -> str:
    """Write one part under its heading."""
    return f"== {heading} ==\n{text}\n"
