"""The templates of the ritual: they name only what exists, and nothing of the order can be skipped."""

from __future__ import annotations

import re
import shlex

import click
import pytest
import yaml

from agentjournal.cli.engmem import engmem
from agentjournal.engmem.install.template import for_codex, for_copilot_cli, skill
from agentjournal.engmem.ritual.template import TEMPLATES, body_of, description_of, template
from agentjournal.engmem.role import ROLES, role_of
from agentjournal.mcp_server.tools import TOOLS

COMMAND = re.compile(r"(?m)(?:^|`)(engmem [a-z][^`\n]*)")
VALUES = {"<number>": "12", "<version>": "0" * 16, "<their-version>": "0" * 16}


def commands(source):
    """Give every command line of a template, as a shell would split it."""
    found = []
    for line in COMMAND.findall(template(source)):
        words = [VALUES.get(word, word) for word in shlex.split(line.partition(" <<")[0])]
        found.append(words[1:])
    return found


def parse(words, group=engmem, path="engmem", above=None):
    """Parse a command line without running it; a usage error is the test's failure."""
    # A command keeps the help option of whoever parses it first: here it must be the real one.
    with click.Context(group, above, path, **group.context_settings) as context:
        name, command, rest = group.resolve_command(context, list(words))
        if isinstance(command, click.Group) and rest:
            return parse(rest, command, f"{path} {name}", context)
        return command.make_context(name, list(rest), parent=context)


@pytest.mark.parametrize("source", TEMPLATES)
def test_every_command_and_option_that_a_template_names_exists(source):
    found = commands(source)
    assert found
    for words in found:
        if words[0] != "start" or len(words) > 1:  # a command's bare name in a sentence
            parse(words)
    named = set(re.findall(r"engmem_\w+", template(source)))
    assert named <= {tool.name for tool in TOOLS}
    assert set(re.findall(r"--role (\w+)", template(source))) <= set(ROLES)


@pytest.mark.parametrize("source", TEMPLATES)
def test_a_template_has_a_header_that_clients_can_read_and_stays_short(source):
    text = template(source)
    header = yaml.safe_load(text.split("---\n")[1])
    assert header["description"] == description_of(text)
    assert not body_of(text).startswith("---")
    assert len(text.encode()) < 5_500
    assert max(map(len, text.splitlines())) <= 120
    assert text.isascii()


def test_the_plan_comes_before_the_search_and_the_search_before_the_reading():
    text = template("engmem.start")
    order = [
        "sub-agent",
        "engmem start",
        "engmem search",
        "engmem read",
        "prior context: none found",
    ]
    places = [text.index(each) for each in order]
    assert places == sorted(places)
    assert text.index("$ARGUMENTS") < places[0]


def test_a_sub_agent_that_is_given_the_rule_to_search_is_told_not_to():
    """Claude Code shows a general sub-agent the user's CLAUDE.md, the trigger rule in it."""
    step = template("engmem.start").partition("## 2.")[0]
    request = " ".join(step[step.index('"In two') :].split('"')[1].split())
    assert "call no tool, run no command, read no file" in request
    assert "engmem" not in request


def test_a_full_save_asks_for_every_section_in_order():
    text = template("engmem.save")
    block = text[text.index("## Pre-reg") :].partition("```")[0]
    headings = [re.sub(r"\s{2,}\(.*", "", line).removeprefix("## ") for line in block.splitlines()]
    assert len(headings) == 19
    assert [role_of(each) for each in headings] == [
        "prereg", "summary", "context", "flow", "requirements", "acceptance", "architecture",
        "code", "decisions", "production", "testing", "lessons", "graph", "primer", "keywords",
        "cheatsheet", "reuse", "status", "trace",
    ]  # fmt: skip
    assert "| prior-doc | taken | impact | classification |" in text
    assert "Prior docs used: none." in text


def test_a_quick_save_asks_once_and_not_about_overturned_decisions():
    text = template("engmem.save.quick")
    assert text.count("Save? (y / edits)") == 1
    assert "supersede" not in text
    assert "not stated in the available material." in text


def test_skills_call_their_siblings_as_their_agent_does():
    for source, name in TEMPLATES.items():
        hyphened = name.replace(".", "-")
        copilot = skill(template(source), hyphened, for_copilot_cli)
        assert yaml.safe_load(copilot.split("---\n")[1])["name"] == hyphened
        assert "/engmem.save" not in copilot
        codex = skill(template(source), hyphened, for_codex)
        assert not re.search(r"(?<![\w/])/engmem", codex)
        assert "$ARGUMENTS" not in codex
        assert f"${hyphened}" in codex
