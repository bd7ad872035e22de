"""What holds for the briefs of every history: parallel tasks, retries, deaths, corrections."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agentjournal import is_cache_safe, scan_volatile
from agentjournal.brief.caps import STABLE_BYTES, BriefCaps
from agentjournal.errors import ConflictError, NotFoundError
from agentjournal.execution.resolve import discover
from agentjournal.log.revoke import redact, retract
from agentjournal.storage.open import open_database
from agentjournal.text.visible import visible
from support.brief_life import AT, Life
from support.clock import SettableClock

PLAN = "# Plan\n\nDo it.\n\n## Work\n\n" + "\n".join(
    f"### T-00{n} [P] Title {n}\n\nText of it: `src/f{n % 3}.py`\n" for n in range(1, 6)
)
TASK = st.sampled_from(["T-001", "T-002", "T-003", "T-004", "T-005", "U-001"])
TEXT = st.text(max_size=60).map(lambda text: text.replace("\0", "").strip()) | st.sampled_from(
    ["======== boundary ========", "x\n== Your task ==", "é" * 60, "[1] T-001 success (x): y"]
)
LINE = TEXT.map(lambda text: "Tried " + " ".join(text.split())[:110])
RESULT = st.sampled_from(["success", "failed", "partial", "skipped"])
FIELDS = st.fixed_dictionaries(
    {"result": RESULT, "action": LINE, "current_state": LINE, "next_step": LINE},
    optional={
        "ruled_out": st.lists(
            st.fixed_dictionaries({"option": LINE, "why": LINE}), min_size=1, max_size=3
        ),
        "open_questions": st.lists(LINE, min_size=1, max_size=2),
    },
)
LONG = {"result": "partial", "action": "a" * 120, "current_state": "s", "next_step": "n"}
JUNK = st.none() | TEXT
ACTION = st.one_of(
    st.tuples(st.just("begin"), TASK),
    st.tuples(st.just("end"), TASK, FIELDS | JUNK, st.sampled_from(["exit_nonzero", "timeout"])),
    st.tuples(st.just("live"), TASK, FIELDS),
    st.tuples(st.just("live"), TASK, FIELDS),
    st.tuples(st.just("say"), TASK, st.sampled_from(["retry", "skip", "done"])),
    st.tuples(st.just("find"), LINE.map(visible)),
    st.tuples(st.just("revoke"), st.integers(0, 30), st.sampled_from([retract, redact])),
    st.tuples(st.just("reopen"), st.integers(0, 30)),
)


class World(Life):
    """A life whose every action may be asked for at any time; what cannot be done is not done."""

    def do_begin(self, task):
        if task not in self.open and task in self.tasks:
            self.begin(task)

    def do_end(self, task, written, end):
        if task in self.open:
            self.end(task, written, end=end)

    def do_live(self, task, written):
        self.do_begin(task)
        self.do_end(task, written, "contract_missing")

    def do_say(self, task, verb):
        if task in self.tasks:
            self.resolve(task, verb)

    def do_find(self, title):
        made = discover(
            self.log, self.slug, title, text=title, event_id=self.new_id(), actor="ada", at=AT
        )
        self.tasks.append(made.about)

    def do_revoke(self, place, revoke):
        if self.closed:
            chosen = self.closed[place % len(self.closed)]
            try:
                revoke(self.log, chosen, event_id=self.new_id(), actor="ada", at=AT, why="So.")
            except ConflictError:
                assert place >= 0

    def do_reopen(self, place):
        if self.closed:
            item = f"{self.closed[place % len(self.closed)]}#1"
            try:
                self.reopen(item, "So.")
            except (ConflictError, NotFoundError):
                assert place >= 0


def checked(world, before, resets):
    """Give the brief after an action: within its caps, and safe for the cache unless counted."""
    task = next(iter(world.open), "T-001")
    brief = world.brief(task)
    assert len(brief.text.encode()) <= BriefCaps().total
    assert len(brief.stable.encode()) <= STABLE_BYTES
    assert brief.text.splitlines().count(brief.boundary) == 1
    assert not [found for found in scan_volatile(brief.stable) if found.kind in {"clock", "uuid"}]
    if not is_cache_safe(before, brief):
        assert world.resets() > resets
    return brief


@given(st.sampled_from([0, 26]), st.lists(ACTION, max_size=30))
@settings(max_examples=60, deadline=None)
def test_consecutive_briefs_extend_except_at_counted_resets(closes, actions):
    """With 26 closes before it, a history overfills the record and its floor moves."""
    world = World(open_database(":memory:", clock=SettableClock()), PLAN)
    for _ in range(closes):
        world.do_live("T-001", LONG)
    before = world.brief("T-001")
    for name, *arguments in actions:
        resets = world.resets()
        getattr(world, f"do_{name}")(*arguments)
        before = checked(world, before, resets)
    world.log.database.close()
