"""The lived part of a journal: entries in their turns, below what was distilled, and their render."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from agentjournal.journal.entry import Entry, check_epoch, check_texts
from agentjournal.journal.wire import repair, trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agentjournal.journal.memory import LayoutName, Memory, Render


class Lived:
    """One generation of a journal, from one rewrite of its prefix to the next; it only grows."""

    def __init__(self, memory: Memory, last_heard: Mapping[str, str]) -> None:
        self.memory = memory
        self.entries: list[Entry] = []
        self.turn_ends: list[int] = []
        self.last_heard = dict(last_heard)
        self.render: Render = memory.render()

    def keep(self, entries: Iterable[Entry]) -> None:
        """Keep the entries of one turn; none are no turn."""
        before = len(self.entries)
        for entry in entries:
            self.entries.append(entry)
            self.render.add(entry)
            if entry.kind == "heard":
                self.last_heard[entry.speaker] = entry.text
        if len(self.entries) > before:
            self.turn_ends.append(len(self.entries))
            self.render.end_turn()

    def keep_turns(self, entries: Sequence[Entry], sizes: Iterable[int]) -> None:
        """Keep the entries of several turns of these sizes."""
        for start, end in pairwise([0, *accumulate(sizes)]):
            self.keep(entries[start:end])

    def heard(self, owner: str, epoch: int, utterances: Iterable[tuple[str, str]]) -> list[Entry]:
        """Give what is neither the owner's nor what its speaker has said last."""
        news: list[Entry] = []
        said: dict[str, str] = {}
        for speaker, text in utterances:
            entry = entry_of(epoch, "heard", speaker, text)
            before = said.get(entry.speaker, self.last_heard.get(entry.speaker))
            if entry.text and entry.speaker != owner and entry.text != before:
                news.append(entry)
                said[entry.speaker] = entry.text
        return news

    def first_kept(self, keep_fraction: float) -> int:
        """Give the index of the first entry that a consolidation keeps; 0 where nothing goes."""
        return self.memory.first_kept(self.entries, self.turn_ends, keep_fraction)

    def rewritten(self, memory: Memory, first_kept: int) -> Lived:
        """Give the next generation: that memory, and the entries from there on."""
        ends = [end - first_kept for end in self.turn_ends if end > first_kept]
        then = Lived(memory, self.last_heard)
        then.keep_turns(self.entries[first_kept:], sizes(ends))
        return then

    def fields(self, layout: LayoutName) -> dict[str, object]:
        """Give the fields of a snapshot that hold it, in their order; v1's keep their bytes."""
        later = {} if layout == "v1" else {"layout": layout, "turns": sizes(self.turn_ends) or None}
        entries = [_plain(entry) for entry in self.entries] or None
        return {**later, "entries": entries, **self.memory.fields()}

    def untold(self) -> dict[str, str]:
        """Give what speakers said last where the entries no longer tell it."""
        told = {entry.speaker for entry in self.entries if entry.kind == "heard"}
        return {who: self.last_heard[who] for who in sorted(self.last_heard) if who not in told}


def entry_of(epoch: int, kind: str, speaker: str, text: str) -> Entry:
    """Make an entry as a journal keeps it: valid UTF-8, the text without blanks at its ends.

    Raises:
        InputError: the epoch is no whole number, or another part no text.
    """
    check_epoch(epoch)
    check_texts(kind=kind, speaker=speaker, text=text)
    return Entry(epoch=epoch, kind=kind, speaker=repair(speaker), text=trim(repair(text)))


def sizes(ends: Sequence[int]) -> list[int]:
    """Give the sizes of turns from where they end."""
    return [end - start for start, end in pairwise([0, *ends])]


def _plain(entry: Entry) -> dict[str, object]:
    return {
        "epoch": entry.epoch,
        "kind": entry.kind,
        "speaker": entry.speaker,
        "text": entry.text,
    }
