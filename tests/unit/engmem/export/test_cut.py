from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.engmem.export.cut import EXCLUDED, Cutter
from agentjournal.engmem.export.paths import local_paths
from agentjournal.engmem.export.references import Others
from agentjournal.engmem.header import Header

OWN = "20261111-edge-case"


def header(id_: str, title: str, file: str = "") -> Header:
    return Header(
        id=id_,
        file=file or f"{id_}.md",
        title=title,
        date="2026-01-01",
        status="active",
        version="",
    )


HEADERS = [
    header(OWN, "Edge case"),
    header("20261005-depot-lookup", "Depot lookup tables"),
    header("20261111-edge", "Edge"),
    header("482", "One number"),
    header("odd id: x", "Twins twice", "file-of-odd.md"),
]


def cut(text: str, own: tuple[str, ...] = ()) -> str:
    return cutter(own).body(text, 1)


def cutter(own: tuple[str, ...] = ()) -> Cutter:
    return Cutter(Others.of(HEADERS, HEADERS[0]), own)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("See 20261005-depot-lookup.", "See X."),
        ("(20261005-depot-lookup.md#x)", "(X#x)"),
        ("20261005-DEPOT-lookup", "X"),
        ("**20261005**-depot-lookup", "**X"),
        ("20261005-depot-lookup-more x20261005-depot-lookup", None),
        (f"{OWN} 20261111-edge", f"{OWN} X"),
        ("the depot lookup\ntables are", "the X are"),
        ("an edge of it", None),
        ("482 and 4820", "X and 4820"),
        ("odd id: x or file-of-odd", "X or X"),
        ("[[Some Page|alias]]", "X"),
        ("unknown-doc@0123456789abcdef", "X"),
        ("me@example.org", None),
        ("/home/me/x/y.py and ~/foo, ~bob/x", "X and X, X"),
        (r"C:\Users\me\a.txt C:/a c:\x.", "X X X."),
        (r"\\srv\share\z file:///x/y $HOME/x ${ROOT}/y %APPDATA%\x", "X X X X X"),
        ('"/Users/me/My Docs/x" `/home/me/a b.txt`', '"X" `X`'),
        ("user@host:/srv/git (/etc/passwd)", "user@host:X (X)"),
        ("https://example.org/home/me/x http://localhost:8080/tmp/x", None),
        ("/api/v1/orders and/or ../x/y ./src/a.py src/a.py 1/2 ~5", None),
        ("![i](/home/me/i.png)", "![i](X)"),
    ],
)
def test_what_leads_back_is_cut_and_nothing_else(text, left):
    expected = text if left is None else left.replace("X", EXCLUDED)
    assert cut(text) == expected


def test_folders_of_this_machine_are_cut_wherever_they_lie():
    assert cut("in /data/me/store/sessions", ("/data/me/store",)) == f"in {EXCLUDED}"
    assert cut("in /data/me/storeroom", ("/data/me/store",)) == "in /data/me/storeroom"


def test_the_reuse_log_stays_in_the_store_but_for_the_line_of_none():
    body = (
        '## 16. Reuse Log\n\n| a | "quote" | b | reuse |\n\n### more\ntext\n\n## End\nx\n\n'
        "## Reuse Log\nPrior docs used: none.\n"
    )
    assert cut(body) == (
        f"## 16. Reuse Log\n\n{EXCLUDED}\n\n## End\nx\n\n## Reuse Log\nPrior docs used: none.\n"
    )


def test_a_secret_is_cut_and_named_by_its_line_without_its_text():
    token = "ghp_" + "a1B2" * 9
    found = cutter()
    assert found.body(f"one\ntwo {token}\n", 10) == "one\ntwo [redacted:github-token]\n"
    [exclusion] = found.exclusions
    assert (exclusion.where, exclusion.kind) == ("line 11", "secret (github-token)")
    assert exclusion.text == ""


def test_each_cut_is_listed_by_the_line_of_the_file():
    found = cutter()
    found.body("one ~/x\n\nthree ~/y and 20261005-depot-lookup", 5)
    assert [(each.where, each.kind, each.text) for each in found.exclusions] == [
        ("line 5", "local path", "~/x"),
        ("line 7", "local path", "~/y"),
        ("line 7", "document id", "20261005-depot-lookup"),
    ]


@pytest.mark.parametrize(
    "text",
    ["</home/a " * 40_000, '"/home/a ' * 40_000, "[[" * 100_000, "/" * 200_000, "~" * 200_000,
     "20261005 " * 50_000, "$" * 200_000, "a" * 300_000 + "@"],
    ids=lambda text: text[:10],
)  # fmt: skip
def test_hostile_text_costs_little(text):
    list(local_paths(text))
    cut(text)


NOISE = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
LEADS = st.sampled_from(
    ["20261005-depot-lookup", "Depot lookup tables", "/home/me/secret", "~/secret/x",
     r"C:\secret\x", "[[secret page]]", "secret-doc@0123456789abcdef", "/data/own/secret"]
)  # fmt: skip


@given(st.lists(st.tuples(NOISE, LEADS), max_size=6), NOISE)
def test_no_text_keeps_what_was_to_be_excluded(parts, end):
    text = "".join(f"{noise} {lead} " for noise, lead in parts) + end
    left = cut(text, ("/data/own",)).casefold()
    noise = "".join(part for part, _ in parts).casefold() + end.casefold()
    for word in ("depot-lookup", "depot lookup tables", "/home/me", "secret page", "secret-doc@"):
        assert word not in left or word in noise
    assert "/data/own" not in left or "/data/own" in noise
