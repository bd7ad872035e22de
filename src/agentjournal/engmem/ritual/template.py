"""The three templates, as they stand in the package."""

from __future__ import annotations

import re
from importlib.resources import files

__all__ = ["TEMPLATES", "body_of", "description_of", "template"]

# Source name, and the name under which it is called.
TEMPLATES = {
    "engmem.start": "engmem",
    "engmem.save": "engmem.save",
    "engmem.save.quick": "engmem.save.quick",
}


def template(source: str) -> str:
    """Give a template with its front matter."""
    return files(__package__).joinpath(f"{source}.md").read_text(encoding="utf-8")


def body_of(text: str) -> str:
    """Give a template's text without its front matter."""
    return text.split("\n---\n", 1)[1].strip("\n") + "\n"


def description_of(text: str) -> str:
    """Give the one line that clients show beside a template's name."""
    found = re.search(r"^description: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else ""
