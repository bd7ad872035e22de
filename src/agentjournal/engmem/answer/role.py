"""The role that a search asks for."""

from __future__ import annotations

from agentjournal.engmem.role import ROLES
from agentjournal.errors import InputError
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.engmem.role import Role

__all__ = ["read_role"]


def read_role(text: str) -> Role:
    """Read the name of a role.

    Raises:
        InputError: it is none of the nineteen.
    """
    for role in ROLES:
        if role == text:
            return role
    raise InputError(
        f"engmem search: unknown role {text!r} — valid roles: {', '.join(ROLES)} "
        "(see `engmem roles`)"
    )
