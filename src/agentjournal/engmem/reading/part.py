"""Which part of a document is read: all of it, the sections of a role, or one section."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.role import ROLES
from agentjournal.errors import InputError, NotFoundError
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from agentjournal.engmem.document import Document
    from agentjournal.engmem.role import Role
    from agentjournal.engmem.section import Section

__all__ = ["Part", "part_of", "read_role"]

_LOCATOR = re.compile(r"§?(?:(\d{1,9})-)?(.+)", re.DOTALL)
_NAMED = 600  # bytes of the sections that a refusal names


@dataclass(frozen=True)
class Part:
    """The text of a part, and the line that says which one it is, empty for the whole."""

    label: str
    text: str


def read_role(text: str) -> Role:
    """Read the name of a role.

    Raises:
        InputError: there is no such role.
    """
    for role in ROLES:
        if text == role:
            return role
    raise InputError(
        f"unknown role {text!r} — valid roles: {', '.join(ROLES)}.", next="List them: engmem roles"
    )


def part_of(document: Document, *, role: Role | None = None, section: str | None = None) -> Part:
    """Take the sections of a role, the section with that locator or anchor, or the whole body.

    Raises:
        NotFoundError: the document has none such.
        InputError: both a role and a section were asked for.
    """
    if role is not None and section is not None:
        raise InputError("A role and a section were asked for.", next="Give one of the two.")
    if role is not None:
        return Part(f"section role: {role}", _texts(_of_role(document, role)))
    if section is not None:
        found = _of_anchor(document, section)
        return Part(f"section: {one_line(found.locator)}", _text(found))
    return Part("", document.body)


def _of_role(document: Document, role: Role) -> list[Section]:
    found = [each for each in document.sections if each.role == role]
    if not found:
        held = ", ".join(sorted({each.role for each in document.sections if each.role})) or "none"
        raise NotFoundError(f"{document.id!r} has no {role} section.", next=f"Its roles: {held}.")
    return found


def _of_anchor(document: Document, wanted: str) -> Section:
    """Find by anchor; the number before it decides only where several have the same one."""
    match = _LOCATOR.fullmatch(wanted.strip())
    named = [each for each in document.sections if match and match[2] == each.anchor]
    literal = [each for each in document.sections if each.anchor == wanted.strip()]
    placed = [each for each in named if match and match[1] == str(each.place)]
    for section in (*literal, *placed, *named):
        return section
    held = one_line(", ".join(each.locator for each in document.sections), _NAMED)
    raise NotFoundError(f"{document.id!r} has no section {wanted!r}.", next=f"It has: {held}.")


def _texts(sections: list[Section]) -> str:
    return "\n\n".join(map(_text, sections))


def _text(section: Section) -> str:
    """Give a section with its heading at its level; what stands before the first has none."""
    if not section.heading:
        return section.text
    return f"{'#' * section.level} {section.heading}\n\n{section.text}".rstrip("\n")
