"""The memory of one owner: it grows at its end, and every render extends the one before."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Self

from agentjournal.errors import RevisionConflict
from agentjournal.journal.entry import Entry
from agentjournal.journal.forgery import refuse_forged_entries, refuse_forged_memories
from agentjournal.journal.rendering import Rendering
from agentjournal.journal.snapshot import decode, encode, read_snapshot
from agentjournal.journal.split import first_kept_entry
from agentjournal.journal.tokens import TokenLedger
from agentjournal.journal.wire import WORLD, lower, repair, trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.journal.consolidation import Consolidation
    from agentjournal.journal.segment import Segment


class Journal:
    """What one owner carries in its prompt; safe for threads.

    Recording, estimating and deciding cost what the turn costs, whatever the history; `render`
    costs at most one copy. Each render of a journal that is not empty is a prefix of the next,
    except across a rewrite (consolidation, ledger append, clear), which `resets` counts.

    `strict` refuses text that could pass for the journal's own markers; by default, as the wire
    format demands, text is rendered as it is.

    >>> from agentjournal import Journal
    >>> journal = Journal("agent")
    >>> journal.record_turn(1, "A ticket arrived.", [("Reviewer", "hurry")], "Reading it.")
    >>> journal.render().splitlines()[-1]
    'You said: Reading it.'
    """

    def __init__(
        self, owner: str, tokens: TokenLedger | None = None, *, strict: bool = False
    ) -> None:
        self._owner = repair(owner)
        self._tokens = tokens or TokenLedger()
        self._is_strict = strict
        self._lock = RLock()
        self._revision = 0
        self._resets = 0
        self._empty()

    def _empty(self) -> None:
        self._entries: list[Entry] = []
        self._core: tuple[str, ...] = ()
        self._ledger: list[str] = []
        self._ledger_keys: set[str] = set()
        self._consolidations = 0
        self._last_heard: dict[str, str] = {}
        self._rendering = Rendering((), ())

    # -- reading

    @property
    def owner(self) -> str:
        """Give the owner's name, fixed at construction."""
        return self._owner

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
        """Give who the owner has become; none or one, more only from a foreign snapshot."""
        return self._core

    @property
    def episodic_ledger(self) -> tuple[str, ...]:
        """Give a copy of the neutral lines of what was distilled, oldest first."""
        with self._lock:
            return tuple(self._ledger)

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
            InputError: the journal is strict and the entry could forge a marker.
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
        if self._is_strict:
            refuse_forged_entries(entries)
        for entry in entries:
            self._keep(entry)

    def _keep(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._rendering.add(entry)
        if entry.kind == "heard":
            self._last_heard[entry.speaker] = entry.text

    # -- rewriting

    def split_oldest(self, keep_fraction: float) -> tuple[tuple[Entry, ...], int]:
        """Give the oldest entries, whole epochs, and the index of the first one that would stay.

        Changes nothing. At least one entry is split off, unless all of a single epoch is kept.
        """
        with self._lock:
            first_kept = first_kept_entry(self._entries, keep_fraction)
            return tuple(self._entries[:first_kept]), first_kept

    def append_ledger(self, lines: Iterable[str]) -> int:
        """Add lines to the episodic ledger and count the new ones; blank and known ones are not.

        The ledger stands above the lived memory, so that this is a reset wherever a line is new.

        Raises:
            InputError: the journal is strict and a line could forge a marker; nothing was added.
        """
        with self._lock:
            new = self._new_lines(lines)
            if self._is_strict:
                refuse_forged_memories("", new.values())
            if new:
                self._add_lines(new)
                self._rewrite()
            return len(new)

    def is_news(self, consolidation: Consolidation) -> bool:
        """Say whether it brings another identity or a ledger line that is not known yet."""
        with self._lock:
            identity = trim(repair(consolidation.identity))
            is_other = bool(identity) and (identity,) != self._core
            return is_other or bool(self._new_lines(consolidation.ledger))

    def apply_consolidation(
        self, consolidation: Consolidation, first_kept: int, *, revision: int | None = None
    ) -> None:
        """Replace the entries before `first_kept` by a distilled span; counted even if none goes.

        Give the `revision` that `split_oldest` was called under, and a rewrite by somebody else in
        between becomes a conflict instead of a loss.

        Raises:
            RevisionConflict: the journal was rewritten since that revision; nothing was changed.
            InputError: the journal is strict and a line could forge a marker; nothing was changed.
        """
        with self._lock:
            if revision is not None and revision != self._revision:
                raise RevisionConflict(
                    f"The journal of {self._owner} is at revision {self._revision}, "
                    f"not {revision}; nothing was changed.",
                    next="split it again and distil what is there now",
                )
            identity = trim(repair(consolidation.identity))
            new = self._new_lines(consolidation.ledger)
            if self._is_strict:
                refuse_forged_memories(identity, new.values())
            self._core = (identity,) if identity else self._core
            self._add_lines(new)
            self._entries = self._entries[max(0, first_kept) :]
            self._consolidations += 1
            self._rewrite()

    def clear(self) -> None:
        """Forget everything but the owner and the calibration."""
        with self._lock:
            before = self._rendering
            self._empty()
            self._count_rewrite(before)

    def _new_lines(self, lines: Iterable[str]) -> dict[str, str]:
        """Give the lines that the ledger does not hold, first spelling first, by their key."""
        new: dict[str, str] = {}
        for line in lines:
            text = trim(repair(line))
            key = lower(text)
            if text and key not in self._ledger_keys:
                new.setdefault(key, text)
        return new

    def _add_lines(self, new: Mapping[str, str]) -> None:
        self._ledger.extend(new.values())
        self._ledger_keys.update(new)

    def _rewrite(self) -> None:
        before = self._rendering
        self._rendering = Rendering(self._core, self._ledger)
        for entry in self._entries:
            self._rendering.add(entry)
        self._count_rewrite(before)

    def _count_rewrite(self, before: Rendering) -> None:
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
                "entries": [_plain(entry) for entry in self._entries] or None,
                "core_memories": list(self._core) or None,
                "episodic_ledger": list(self._ledger) or None,
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
        if strict:
            refuse_forged_entries(state.entries)
            refuse_forged_memories("\n".join(state.core_memories), state.episodic_ledger)
        journal = cls(state.owner, TokenLedger(state.chars_per_token), strict=strict)
        journal._core = state.core_memories
        journal._ledger = list(state.episodic_ledger)
        journal._ledger_keys = {lower(trim(line)) for line in state.episodic_ledger}
        journal._consolidations = state.consolidations
        journal._rendering = Rendering(journal._core, journal._ledger)
        journal._last_heard.update(state.last_heard)
        for entry in state.entries:
            journal._keep(entry)
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


def _entry(epoch: int, kind: str, speaker: str, text: str) -> Entry:
    return Entry(epoch=epoch, kind=kind, speaker=repair(speaker), text=trim(repair(text)))


def _plain(entry: Entry) -> dict[str, object]:
    return {
        "epoch": entry.epoch,
        "kind": entry.kind,
        "speaker": entry.speaker,
        "text": entry.text,
    }
