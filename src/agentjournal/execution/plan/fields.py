# ruff: noqa: RUF001 - the punctuation of Chinese, and dashes, are what is looked for
"""What a task's own words say besides its title: dependencies, files, services, acceptance."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.plan.ids import ID, NUMBER, WORD
from agentjournal.execution.plan.scan import BULLET

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agentjournal.execution.plan.items import Item
    from agentjournal.execution.plan.source import Line

__all__ = [
    "Block",
    "Mention",
    "blocks",
    "dependencies",
    "files",
    "is_done",
    "is_independent",
    "services",
    "verify",
]

MAX_FILES = 200
MAX_NAME = 200
_WRAP = r"[\s*_`~\[(]*"
_LABEL = re.compile(r"[*_>\s]{0,8}(?:[A-Z][\w -]{0,30}|[^\x00-\x7f]{2,8})[*_]{0,3}[:：](?!//)")
_DEPENDENCY = (
    r"(?<![a-z])(?:depends[\s_-]+on|(?:depends|blocked[\s_-]+by|dependenc(?:y|ies))(?=[*_]{0,3}[:：])"
    rf"|依赖于?|依賴於?|의존성?|선행)[*_]{{0,3}}[:：]?{_WRAP}"
)
_DEPENDS = re.compile(rf"{_DEPENDENCY}(?={WORD}|[#A-Za-z0-9])", re.IGNORECASE)
_INDEPENDENT = re.compile(
    rf"{_DEPENDENCY}(?:none|nothing|n/a|[-—–]|无|無|없음)[\s*_`~\])]{{0,8}}(?:[.,;(。，；（]|$)",
    re.IGNORECASE,
)
_NAME = re.compile(
    rf"{_WRAP}(?:{WORD}[\s#:]*)?(?P<name>{ID}|{NUMBER}(?![A-Za-z0-9]|[_-][A-Za-z]|\.\w))"
)
_THROUGH = re.compile(
    r"\s*(?:[-–—…]|\.{2,3}|(?:to|through|bis)(?=\s))(?=\s*[`*\[]{0,4}[A-Za-z0-9])"
)
_BEHIND = re.compile(r"(?:\|[^\]\n]{0,200})?[\]*_`~]*(?:\s*\([^()\n]{0,300}\))?")
_COMMA = re.compile(
    r"\s*(?:[,;，、；/&+]\s*(?:(?:and|&|和|及|및)(?![A-Za-z]))?|(?:and|和|及|및)(?![A-Za-z]))",
    re.IGNORECASE,
)
_CODE = re.compile(r"`([^`]+)`")
_IN = re.compile(r"(?<![\w`-])in\s+([^\s`'\",;]+)")
_FILES = re.compile(r"\bFiles?[*_]{0,3}[:：][*_]{0,3}\s*(.*)")
_SERVICES = re.compile(r"\bServices?[*_]{0,3}[:：][*_]{0,3}\s*(.*)")
_VERIFY = re.compile(r"\bverify[*_]{0,3}[:：][^`]{0,60}`([^`]+)`", re.IGNORECASE)
_DONE = re.compile(
    r"\W{0,8}(?:status|state|done|状态|상태)[*_]{0,3}[:：]\W{0,8}?"
    r"(?:\[[xX]\]|✅|☑|✔|(?:done|completed?)(?![\w-]))",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:\./)?((?:[\w@+.$=\[\]-]+/)*[\w@+.$=\[\]-]+/?)(?::\d+(?:-\d+)?|#L\d+)?")
_ENDING = re.compile(r".+\.([A-Za-z][A-Za-z0-9]{0,11})")
_BARE_FILES = frozenset(("Dockerfile", "Makefile", "Justfile", "Procfile", "Gemfile", "CODEOWNERS"))
_KNOWN_ENDING = re.compile(
    r"adoc|arb|astro|avsc|bash|bat|bib|c|cc|cfg|cjs|clj|cmake|conf|cpp|cs|cshtml|css|csv|cxx|dart|"
    r"docx|ejs|elm|env|erl|ex|exs|fish|fs|gemspec|go|gql|gradle|graphql|h|haml|hbs|hcl|hpp|hrl|hs|"
    r"html|ini|ipynb|java|jinja|j2|jl|js|json|json5|jsonc|jsonl|jsx|kt|kts|less|lock|lua|m|md|mdx|"
    r"mjs|ml|mm|mod|mts|nix|php|plist|po|prisma|properties|proto|ps1|pug|py|pyi|pyx|r|rb|rs|rst|"
    r"sass|scala|scss|sh|sol|sql|sum|svelte|svg|swift|tcl|template|tex|tf|tfvars|toml|ts|tsv|tsx|"
    r"txt|vue|xml|yaml|yml|zig|zsh",
    re.IGNORECASE,
)
_DESIGN = frozenset(  # say what is to be built; no task's work
    ("plan.md", "spec.md", "research.md", "data-model.md", "quickstart.md", "tasks.md", "design.md")
)
_NOTHING = frozenset(("", "-", "—", "–", "none", "n/a", "无", "없음"))


@dataclass(frozen=True)
class Block:
    """One paragraph, bullet or labelled line, its wrapped lines joined; `line` is its first."""

    line: int
    text: str


@dataclass(frozen=True)
class Mention:
    """An id that a dependency names, or the ids from it up to another; `line` is the words'."""

    name: str
    until: str
    line: int


def blocks(item: Item) -> Sequence[Block]:
    """Give the item's own words, title first, code left out."""
    found: list[tuple[int, list[str]]] = [(item.line, [item.title])]
    is_open = item.form == "box"
    for line in item.own:
        text = line.text.strip()
        if not text or line.is_quiet:
            is_open = False
        elif is_open and not _begins(line):
            found[-1][1].append(text)
        else:
            bullet = BULLET.match(text)
            found.append((line.number, [text[bullet.end() :] if bullet else text]))
            is_open = item.form != "row"
    return [Block(number, _unwrapped(words)) for number, words in found]


def _unwrapped(lines: Sequence[str]) -> str:
    """Join wrapped lines; one that ends in `permission-` or `success/` without a space."""
    ends = ((line[-1:], line[-2:-1]) for line in lines)
    gaps = (
        "" if last in {"-", "/"} and before not in {"", " ", "-"} else " " for last, before in ends
    )
    return "".join(line + gap for line, gap in zip(lines, gaps, strict=True)).strip()


def _begins(line: Line) -> bool:
    text = line.text.lstrip()
    return text[0] in "#|" or bool(BULLET.match(text) or _LABEL.match(text))


def dependencies(found: Iterable[Block]) -> Iterator[Mention]:
    """Give every id that follows a word of dependency, as it is written."""
    for block in found:
        for words in _DEPENDS.finditer(block.text):
            for name, until in _names(block.text, words.end()):
                yield Mention(name, until, block.line)


def is_independent(found: Iterable[Block]) -> bool:
    """Say whether a line such as `Depends on: none` says that the task needs no other."""
    return any(_INDEPENDENT.search(block.text) for block in found)


def _names(text: str, at: int) -> Iterator[tuple[str, str]]:
    while first := _NAME.match(text, at):
        through = _THROUGH.match(text, first.end())
        last = _NAME.match(text, through.end()) if through else None
        yield first["name"], last["name"] if last else ""
        end = (last or first).end()
        behind = _BEHIND.match(text, end)
        comma = _COMMA.match(text, behind.end() if behind else end)
        if comma is None:
            return
        at = comma.end()


def files(found: Iterable[Block]) -> tuple[str, ...]:
    """Give the paths that stand in backticks, behind `in`, or behind `Files:`."""
    paths: dict[str, None] = {}
    for block in found:
        paths.update(dict.fromkeys(_paths(block.text)))
    return tuple(paths)[:MAX_FILES]


def _paths(text: str) -> Iterator[str]:
    for code in _CODE.finditer(text):
        yield from _path(code[1])
    plain = _CODE.sub("`", text)
    for words in _IN.finditer(plain):
        word = words[1].rstrip(".):*_").lstrip("(*_")
        is_lone_folder = word.endswith("/") and word.count("/") == 1  # `in success/failure`
        if word not in _DESIGN and not is_lone_folder:
            yield from _path(word)
    if label := _FILES.search(plain):
        for word in re.split(r"[,;\s]+", label[1]):
            yield from _path(word.rstrip(".").strip("()*_"))


def _path(word: str) -> Iterator[str]:
    """Give the word as a path below the project's root, where it is one."""
    found = _PATH.fullmatch(word) if len(word) <= MAX_NAME else None
    if not found:
        return
    path = found[1]
    *folders, name = path.split("/")
    if any(not part.strip(".") for part in (*folders, name or "folder")):
        return
    ending = _ENDING.fullmatch(name)
    known = name in _BARE_FILES or (ending and _KNOWN_ENDING.fullmatch(ending[1]))
    if known or (folders and (not name or ending or name.startswith("."))):
        yield path


def services(found: Iterable[Block]) -> tuple[str, ...]:
    """Give the names behind `Services:`, up to the end of the sentence."""
    names: dict[str, None] = {}
    for block in found:
        if label := _SERVICES.search(block.text):
            said = re.split(r"[.。](?:\s|$)|\s[A-Z]\w*[*_]*:", label[1])[0]
            words = (word.strip(" *_`.()[]") for word in re.split(r"[,;，、；]|\sand\s", said))
            names.update(dict.fromkeys(w for w in words if w.casefold() not in _NOTHING))
    return tuple(name[:MAX_NAME] for name in names)[:MAX_FILES]


def verify(found: Iterable[Block]) -> str | None:
    """Give the command in backticks behind the first `Verify:`."""
    commands = (words[1].strip() for block in found if (words := _VERIFY.search(block.text)))
    return next((command for command in commands if command), None)


def is_done(found: Iterable[Block]) -> bool:
    """Say whether a line such as `Status: done` or `Status: [x]` says so."""
    return any(_DONE.match(block.text) for block in found)
