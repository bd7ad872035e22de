"""Reads a render of layout v2 back: what can be read in one way only cannot be forged."""

from __future__ import annotations

import json
import re

from agentjournal.journal.tiered_wire import INTRODUCTION

HEAD = re.compile(r"\[Epochs? -?\d+(?:--?\d+)?, distilled\]")


def read_back(render):
    """Give the entries of the turns as (epoch, kind, speaker, text), and the distilled spans' lines."""
    assert render.startswith(INTRODUCTION)
    entries, lines, epoch = [], [], None
    whole = render[len(INTRODUCTION) :].replace("\n  ", "\0").split("\n")
    for line in (part.replace("\0", "\n") for part in whole):
        if line.startswith("Who you were: ") or HEAD.fullmatch(line):
            assert not entries
        elif line.startswith("[Epoch "):
            epoch = int(line[len("[Epoch ") : -1])
        elif line.startswith("- "):
            lines.append(line[2:])
        elif line.startswith("World: "):
            entries.append([epoch, "situation", "world", line[7:]])
        elif line.startswith("You: "):
            entries.append([epoch, "own", None, line[5:]])
        elif line.startswith("Heard "):
            speaker, end = json.JSONDecoder().raw_decode(line, 6)
            entries.append([epoch, "heard", speaker, line[end + 2 :]])
        else:
            assert line == "", line
    return [tuple(entry) for entry in entries], lines
