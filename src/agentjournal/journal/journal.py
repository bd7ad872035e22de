"""The memory of one owner: it grows at its end, and every render extends the one before."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Self

from agentjournal.errors import RevisionConflict
from agentjournal.journal.consolidation import (
    Consolidation,
    ConsolidationPlan,
    ConsolidationRequest,
    ledger_lines,
)
from agentjournal.journal.entry import check_texts
from agentjournal.journal.lived import Lived, entry_of
from agentjournal.journal.memory import empty_memory
from agentjournal.journal.snapshot import decode, encode, read_snapshot
from agentjournal.journal.tokens import TokenLedger
from agentjournal.journal.wire import WORLD, repair

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.journal.entry import Entry
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
        check_texts(owner=owner)
        self._owner = repair(owner)
        self._layout: LayoutName = layout
        self._tokens = tokens or TokenLedger()
        self._is_strict = strict
        self._lock = RLock()
        self._revision = 0
        self._resets = 0
        self._empty()

    def _empty(self) -> None:
        self._lived = Lived(empty_memory(self._layout), {})
        self._consolidations = 0

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
            return tuple(self._lived.entries)

    @property
    def core_memories(self) -> tuple[str, ...]:
        """Give who the owner has become: in v1 none or one, in v2 one for each span that has it."""
        return self._lived.memory.core

    @property
    def episodic_ledger(self) -> tuple[str, ...]:
        """Give the neutral lines of what was distilled, oldest first."""
        return self._lived.memory.ledger

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
            return self._lived.render.text()

    def segments(self) -> tuple[Segment, ...]:
        """Give the render in parts, for APIs that cache blocks; joined they are the render."""
        with self._lock:
            return self._lived.render.segments()

    @property
    def size(self) -> int:
        """Give the length of the render in bytes, without rendering."""
        with self._lock:
            return self._lived.render.size

    def token_estimate(self) -> int:
        """Estimate the tokens of the render, without rendering."""
        with self._lock:
            return self._tokens.estimate_bytes(self._lived.render.size)

    def needs_consolidation(self, budget_tokens: float, threshold: float) -> bool:
        """Say whether the estimate has reached that share of the budget.

        System prompt and tail are not part of the estimate: leave room for them.
        """
        return self.token_estimate() >= budget_tokens * threshold

    # -- recording

    def record(self, epoch: int, kind: str, speaker: str, text: str) -> None:
        """Record one entry; a blank text is nothing.

        Raises:
            InputError: the epoch is no whole number or another part no text; the journal is strict
                and the entry could forge a marker; its kind is none of the three, in layout v2.
        """
        with self._lock:
            self._append([entry_of(epoch, kind, speaker, text)])

    def record_turn(
        self, epoch: int, situation: str, heard: Iterable[tuple[str, str]] = (), own: str = ""
    ) -> None:
        """Record one turn: the situation, what was heard in that order, what the owner said.

        Blank parts are dropped, as is what the owner is said to have said, and a message that its
        speaker has already said last (a redelivery).

        Raises:
            InputError: the epoch is no whole number or another part no text, or the journal is
                strict and a part could forge a marker; nothing was recorded.
        """
        utterances = tuple(heard)  # whatever makes them, it runs outside of the lock
        with self._lock:
            self._append(
                [
                    entry_of(epoch, "situation", WORLD, situation),
                    *self._lived.heard(self._owner, epoch, utterances),
                    entry_of(epoch, "own", self._owner, own),
                ]
            )

    def _append(self, entries: list[Entry]) -> None:
        entries = [entry for entry in entries if entry.text]
        self._lived.memory.refuse_entries(entries, strict=self._is_strict)
        self._lived.keep(entries)

    # -- rewriting

    def split_oldest(self, keep_fraction: float) -> tuple[tuple[Entry, ...], int]:
        """Give the oldest entries, whole epochs, and the index of the first one that would stay.

        Changes nothing. At least one entry is split off, unless all of a single epoch is kept. In
        layout v2 the last four turns stay, whatever the fraction.
        """
        with self._lock:
            first_kept = self._lived.first_kept(keep_fraction)
            return tuple(self._lived.entries[:first_kept]), first_kept

    def is_divisible(self, keep_fraction: float = 0.5) -> bool:
        """Say whether there is anything to distil."""
        with self._lock:
            return bool(self._lived.first_kept(keep_fraction))

    def plan_consolidation(self, keep_fraction: float = 0.5) -> ConsolidationPlan | None:
        """Give what is to be distilled next, or None where nothing is; changes nothing.

        Give the plan's revision to `apply_consolidation`, and the number of its request's `folded`.
        """
        with self._lock:
            first_kept = self._lived.first_kept(keep_fraction)
            if not first_kept:
                return None
            entries, folded = (
                tuple(self._lived.entries[:first_kept]),
                tuple(self._lived.memory.folded()),
            )
            request = ConsolidationRequest(
                owner=self._owner,
                prior_identity=next(reversed(self._lived.memory.core), ""),
                entries=entries,
                epoch_start=folded[0].epoch_start if folded else entries[0].epoch,
                epoch_end=entries[-1].epoch,
                folded=folded,
                text=self._lived.memory.span_text(entries, self._lived.turn_ends),
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
        given = ledger_lines(lines)  # whatever makes them, it runs outside of the lock
        with self._lock:
            new = self._lived.memory.news(Consolidation("", given)).ledger
            self._lived.memory.refuse_lines("", new, strict=self._is_strict)
            if new:
                self._rewrite(self._lived.memory.with_lines(new), 0)
            return len(new)

    def is_news(self, consolidation: Consolidation) -> bool:
        """Say whether it brings another identity or a ledger line that is not known yet."""
        with self._lock:
            return not self._lived.memory.news(consolidation).is_empty

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
            news = self._lived.memory.news(consolidation)
            self._lived.memory.refuse_lines(news.identity, news.ledger, strict=self._is_strict)
            first_kept = min(max(0, first_kept), len(self._lived.entries))
            spans = self._lived.memory.folded()[-folded:] if folded > 0 else ()
            memory = self._lived.memory.with_span(news, self._lived.entries[:first_kept], spans)
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
            self._lived.memory.refuse_lines(news.identity, news.ledger, strict=self._is_strict)
            first_kept = min(max(0, first_kept), len(self._lived.entries))
            memory = self._lived.memory.replaced(news, self._lived.entries[:first_kept])
            self._consolidations += 1
            self._rewrite(memory, first_kept)

    def clear(self) -> None:
        """Forget everything but the owner and the calibration."""
        with self._lock:
            before = self._lived.render
            self._empty()
            self._count_rewrite(before)

    def _refuse_stale(self, revision: int | None) -> None:
        if revision is not None and revision != self._revision:
            raise RevisionConflict(
                f"The journal of {self._owner} is at revision {self._revision}, "
                f"not {revision}; nothing was changed.",
                next="split it again and distil what is there now",
            )

    def _rewrite(self, memory: Memory, first_kept: int) -> None:
        before, self._lived = self._lived, self._lived.rewritten(memory, first_kept)
        self._count_rewrite(before.render)

    def _count_rewrite(self, before: Render) -> None:
        self._revision += 1
        is_extended = self._lived.render.text().startswith(before.text())
        self._resets += not (before.is_empty or is_extended)

    # -- keeping

    def snapshot(self) -> dict[str, object]:
        """Give the state as plain values; `last_heard` only where the entries no longer tell it."""
        with self._lock:
            ratio, untold = self._tokens.chars_per_token, self._lived.untold()
            return {
                "owner": self._owner,
                **self._lived.fields(self._layout),
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
        journal._lived = Lived(state.memory, state.last_heard)
        journal._lived.keep_turns(state.entries, state.turns)
        return journal

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
