"""The memory of one owner: it grows at its end, and every render extends the one before."""

from __future__ import annotations

from itertools import accumulate, pairwise
from threading import RLock
from typing import TYPE_CHECKING, Self

from agentjournal.errors import RevisionConflict
from agentjournal.journal.consolidation import (
    Consolidation,
    ConsolidationPlan,
    ConsolidationRequest,
)
from agentjournal.journal.entry import Entry
from agentjournal.journal.memory import empty_memory
from agentjournal.journal.snapshot import decode, encode, read_snapshot
from agentjournal.journal.tokens import TokenLedger
from agentjournal.journal.wire import WORLD, repair, trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.journal.memory import LayoutName, Memory, Render
    from agentjournal.journal.segment import Segment


class Journal:
    """What one owner carries in its prompt; safe for threads.

    Recording, estimating and deciding cost what the turn costs, whatever the history; `render`
    costs at most one copy. Each render of a journal that is not empty is a prefix of the next,
    except across a rewrite (consolidation, ledger append, clear), which `resets` counts.

    `strict` refuses text that could pass for the journal's own markers; by default, as the wire
    format v1 demands, text is rendered as it is. Layout `v2` escapes it, so that nothing can; what
    was distilled stands there in spans that are written once. An owner keeps its layout for life.

    >>> from agentjournal import Journal
    >>> journal = Journal("agent")
    >>> journal.record_turn(1, "A ticket arrived.", [("Reviewer", "hurry")], "Reading it.")
    >>> journal.render().splitlines()[-1]
    'You said: Reading it.'
    """

    def __init__(
        self,
        owner: str,
        tokens: TokenLedger | None = None,
        *,
        strict: bool = False,
        layout: LayoutName = "v1",
    ) -> None:
        self._owner = repair(owner)
        self._layout: LayoutName = layout
        self._tokens = tokens or TokenLedger()
        self._is_strict = strict
        self._lock = RLock()
        self._revision = 0
        self._resets = 0
        self._empty()

    def _empty(self) -> None:
        self._entries: list[Entry] = []
        self._turn_ends: list[int] = []
        self._memory = empty_memory(self._layout)
        self._consolidations = 0
        self._last_heard: dict[str, str] = {}
        self._rendering: Render = self._memory.render()

    # -- reading

    @property
    def owner(self) -> str:
        """Give the owner's name, fixed at construction."""
        return self._owner

    @property
    def layout(self) -> LayoutName:
        """Give the layout of the render, fixed at construction."""
        return self._layout

    @property
    def tokens(self) -> TokenLedger:
        """Give the ledger that estimates; calibrate it with what engines report."""
        return self._tokens

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Give a copy of the entries of the lived memory, oldest first."""
        with self._lock:
            return tuple(self._entries)

    @property
    def core_memories(self) -> tuple[str, ...]:
        """Give who the owner has become: in v1 none or one, in v2 one for each span that has it."""
        return self._memory.core

    @property
    def episodic_ledger(self) -> tuple[str, ...]:
        """Give the neutral lines of what was distilled, oldest first."""
        return self._memory.ledger

    @property
    def consolidations(self) -> int:
        """Count the consolidations applied; a snapshot keeps it."""
        return self._consolidations

    @property
    def revision(self) -> int:
        """Count the rewrites of what was rendered; recording leaves it as it is."""
        return self._revision

    @property
    def resets(self) -> int:
        """Count the rewrites after which the earlier render was no prefix any more."""
        return self._resets

    def render(self) -> str:
        """Give the journal as text, the stable part of a prompt."""
        with self._lock:
            return self._rendering.text()

    def segments(self) -> tuple[Segment, ...]:
        """Give the render in parts, for APIs that cache blocks; joined they are the render."""
        with self._lock:
            return self._rendering.segments()

    @property
    def size(self) -> int:
        """Give the length of the render in bytes, without rendering."""
        with self._lock:
            return self._rendering.size

    def token_estimate(self) -> int:
        """Estimate the tokens of the render, without rendering."""
        with self._lock:
            return self._tokens.estimate_bytes(self._rendering.size)

    def needs_consolidation(self, budget_tokens: float, threshold: float) -> bool:
        """Say whether the estimate has reached that share of the budget.

        System prompt and tail are not part of the estimate: leave room for them.
        """
        return self.token_estimate() >= budget_tokens * threshold

    # -- recording

    def record(self, epoch: int, kind: str, speaker: str, text: str) -> None:
        """Record one entry; a blank text is nothing.

        Raises:
            InputError: the journal is strict and the entry could forge a marker, or its kind is
                none of the three and the layout is v2.
        """
        with self._lock:
            self._append([_entry(epoch, kind, speaker, text)])

    def record_turn(
        self, epoch: int, situation: str, heard: Iterable[tuple[str, str]] = (), own: str = ""
    ) -> None:
        """Record one turn: the situation, what was heard in that order, what the owner said.

        Blank parts are dropped, as is what the owner is said to have said, and a message that its
        speaker has already said last (a redelivery).

        Raises:
            InputError: the journal is strict and a part could forge a marker; nothing was recorded.
        """
        utterances = tuple(heard)  # whatever makes them, it runs outside of the lock
        with self._lock:
            self._append(
                [
                    _entry(epoch, "situation", WORLD, situation),
                    *self._news(epoch, utterances),
                    _entry(epoch, "own", self._owner, own),
                ]
            )

    def _news(self, epoch: int, heard: Iterable[tuple[str, str]]) -> list[Entry]:
        """Give what is neither the owner's nor what its speaker has said last."""
        news: list[Entry] = []
        said: dict[str, str] = {}
        for speaker, text in heard:
            entry = _entry(epoch, "heard", speaker, text)
            before = said.get(entry.speaker, self._last_heard.get(entry.speaker))
            if entry.text and entry.speaker != self._owner and entry.text != before:
                news.append(entry)
                said[entry.speaker] = entry.text
        return news

    def _append(self, entries: list[Entry]) -> None:
        entries = [entry for entry in entries if entry.text]
        self._memory.refuse_entries(entries, strict=self._is_strict)
        self._keep(entries)

    def _keep(self, entries: Iterable[Entry]) -> None:
        """Keep the entries of one turn."""
        before = len(self._entries)
        for entry in entries:
            self._entries.append(entry)
            self._rendering.add(entry)
            if entry.kind == "heard":
                self._last_heard[entry.speaker] = entry.text
        if len(self._entries) > before:
            self._turn_ends.append(len(self._entries))
            self._rendering.end_turn()

    # -- rewriting

    def split_oldest(self, keep_fraction: float) -> tuple[tuple[Entry, ...], int]:
        """Give the oldest entries, whole epochs, and the index of the first one that would stay.

        Changes nothing. At least one entry is split off, unless all of a single epoch is kept. In
        layout v2 the last four turns stay, whatever the fraction.
        """
        with self._lock:
            first_kept = self._first_kept(keep_fraction)
            return tuple(self._entries[:first_kept]), first_kept

    def is_divisible(self, keep_fraction: float = 0.5) -> bool:
        """Say whether there is anything to distil."""
        with self._lock:
            return bool(self._first_kept(keep_fraction))

    def plan_consolidation(self, keep_fraction: float = 0.5) -> ConsolidationPlan | None:
        """Give what is to be distilled next, or None where nothing is; changes nothing.

        Give the plan's revision to `apply_consolidation`, and the number of its request's `folded`.
        """
        with self._lock:
            first_kept = self._first_kept(keep_fraction)
            if not first_kept:
                return None
            entries, folded = tuple(self._entries[:first_kept]), tuple(self._memory.folded())
            request = ConsolidationRequest(
                owner=self._owner,
                prior_identity=next(reversed(self._memory.core), ""),
                entries=entries,
                epoch_start=folded[0].epoch_start if folded else entries[0].epoch,
                epoch_end=entries[-1].epoch,
                folded=folded,
                text=self._memory.span_text(entries, self._turn_ends),
                layout=self._layout,
            )
            return ConsolidationPlan(
                request=request, first_kept=first_kept, revision=self._revision
            )

    def append_ledger(self, lines: Iterable[str]) -> int:
        """Add lines to the episodic ledger and count the new ones; blank and known ones are not.

        The ledger stands above the lived memory, so that this is a reset wherever a line is new.

        Raises:
            InputError: the journal is strict and a line could forge a marker; nothing was added.
        """
        with self._lock:
            new = self._memory.news(Consolidation("", tuple(lines))).ledger
            self._memory.refuse_lines("", new, strict=self._is_strict)
            if new:
                self._rewrite(self._memory.with_lines(new), 0)
            return len(new)

    def is_news(self, consolidation: Consolidation) -> bool:
        """Say whether it brings another identity or a ledger line that is not known yet."""
        with self._lock:
            return not self._memory.news(consolidation).is_empty

    def apply_consolidation(
        self,
        consolidation: Consolidation,
        first_kept: int,
        *,
        revision: int | None = None,
        folded: int = 0,
    ) -> None:
        """Replace the entries before `first_kept` by a distilled span; counted even if none goes.

        Give the `revision` that the plan or the split was made under, and a rewrite by somebody else
        in between becomes a conflict instead of a loss. `folded` counts the newest distilled spans
        that the result replaces too (layout v2).

        Raises:
            RevisionConflict: the journal was rewritten since that revision; nothing was changed.
            InputError: the journal is strict and a line could forge a marker; nothing was changed.
        """
        with self._lock:
            self._refuse_stale(revision)
            news = self._memory.news(consolidation)
            self._memory.refuse_lines(news.identity, news.ledger, strict=self._is_strict)
            first_kept = min(max(0, first_kept), len(self._entries))
            spans = self._memory.folded()[-folded:] if folded > 0 else ()
            memory = self._memory.with_span(news, self._entries[:first_kept], spans)
            self._consolidations += 1
            self._rewrite(memory, first_kept)

    def replace_memory(
        self, by: Consolidation, first_kept: int, *, revision: int | None = None
    ) -> None:
        """Replace the entries before `first_kept` and all that was ever distilled by this alone.

        What a floor does when even the distilled part has outgrown its room; it counts as a
        consolidation.

        Raises:
            RevisionConflict: the journal was rewritten since that revision; nothing was changed.
            InputError: the journal is strict and a line could forge a marker; nothing was changed.
        """
        with self._lock:
            self._refuse_stale(revision)
            news = empty_memory(self._layout).news(by)
            self._memory.refuse_lines(news.identity, news.ledger, strict=self._is_strict)
            first_kept = min(max(0, first_kept), len(self._entries))
            memory = self._memory.replaced(news, self._entries[:first_kept])
            self._consolidations += 1
            self._rewrite(memory, first_kept)

    def clear(self) -> None:
        """Forget everything but the owner and the calibration."""
        with self._lock:
            before = self._rendering
            self._empty()
            self._count_rewrite(before)

    def _first_kept(self, keep_fraction: float) -> int:
        return self._memory.first_kept(self._entries, self._turn_ends, keep_fraction)

    def _refuse_stale(self, revision: int | None) -> None:
        if revision is not None and revision != self._revision:
            raise RevisionConflict(
                f"The journal of {self._owner} is at revision {self._revision}, "
                f"not {revision}; nothing was changed.",
                next="split it again and distil what is there now",
            )

    def _rewrite(self, memory: Memory, first_kept: int) -> None:
        before, entries = self._rendering, self._entries[first_kept:]
        ends = [end - first_kept for end in self._turn_ends if end > first_kept]
        self._restart(memory)
        for start, end in pairwise([0, *ends]):
            self._keep(entries[start:end])
        self._count_rewrite(before)

    def _restart(self, memory: Memory) -> None:
        self._entries, self._turn_ends = [], []
        self._memory, self._rendering = memory, memory.render()

    def _count_rewrite(self, before: Render) -> None:
        self._revision += 1
        is_extended = self._rendering.text().startswith(before.text())
        self._resets += not (before.is_empty or is_extended)

    # -- keeping

    def snapshot(self) -> dict[str, object]:
        """Give the state as plain values; `last_heard` only where the entries no longer tell it."""
        with self._lock:
            told = {entry.speaker for entry in self._entries if entry.kind == "heard"}
            untold = {
                who: self._last_heard[who] for who in sorted(self._last_heard) if who not in told
            }
            ratio = self._tokens.chars_per_token
            return {
                "owner": self._owner,
                **self._layout_fields(),
                "entries": [_plain(entry) for entry in self._entries] or None,
                **self._memory.fields(),
                "consolidations": self._consolidations,
                "chars_per_token": int(ratio) if ratio.is_integer() else ratio,
                **({"last_heard": untold} if untold else {}),
            }

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, object], *, strict: bool = False) -> Self:
        """Restore a journal: what is missing gets its default, what has the wrong type is refused.

        Raises:
            InputError: names each wrong field.
        """
        state = read_snapshot(snapshot)
        state.memory.refuse_entries(state.entries, strict=strict)
        state.memory.refuse_lines("\n".join(state.memory.core), state.memory.ledger, strict=strict)
        tokens = TokenLedger(state.chars_per_token)
        journal = cls(state.owner, tokens, strict=strict, layout=state.layout)
        journal._consolidations = state.consolidations
        journal._last_heard.update(state.last_heard)
        journal._restart(state.memory)
        for start, end in pairwise([0, *accumulate(state.turns)]):
            journal._keep(state.entries[start:end])
        return journal

    def _layout_fields(self) -> dict[str, object]:
        """Give the fields that only a layout after v1 has: v1's snapshots keep their bytes."""
        if self._layout == "v1":
            return {}
        sizes = [end - start for start, end in pairwise([0, *self._turn_ends])]
        return {"layout": self._layout, "turns": sizes or None}

    def to_json(self) -> str:
        """Give the snapshot as JSON, byte for byte as the wire format writes it."""
        return encode(self.snapshot())

    @classmethod
    def from_json(cls, text: str, *, strict: bool = False) -> Self:
        """Restore a journal from what `to_json` wrote.

        Raises:
            InputError: it is no JSON object, or a field has the wrong type.
        """
        return cls.from_snapshot(decode(text), strict=strict)


def _entry(epoch: int, kind: str, speaker: str, text: str) -> Entry:
    return Entry(epoch=epoch, kind=kind, speaker=repair(speaker), text=trim(repair(text)))


def _plain(entry: Entry) -> dict[str, object]:
    return {
        "epoch": entry.epoch,
        "kind": entry.kind,
        "speaker": entry.speaker,
        "text": entry.text,
    }
