"""A life of many turns as its requests would be sent, and what each matching rule makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from agentjournal import Consolidation, Journal, Prompt, consolidate
from agentjournal.journal.instruction import extending, standing_alone
from support.cache_rules import TOKEN, block_prefix

# A model's answer takes as much in either layout: an identity of 150 tokens and a line of 40.
PREAMBLE = 2000
TAIL = 100
LINE = 40
IDENTITY = 150
THRESHOLD = 0.9


def words(seed, tokens):
    """Give text of that many tokens that no other seed gives."""
    head = f"{seed} "
    return (head + "word " * tokens)[: tokens * TOKEN - 1] + "."


@dataclass
class Life:
    """One owner: consolidates before a turn when the prompt has reached its share of the window."""

    layout: str
    window: int
    turn: int
    keep: float = 0.5
    journal: Journal = field(init=False)
    depths: dict[str, int] = field(default_factory=dict)
    asked: list[Prompt] = field(default_factory=list)
    asked_apart: int = 0
    summarised_again: int = 0
    consolidated: int = 0
    turns: int = 0

    def __post_init__(self):
        self.journal = Journal("agent", layout=self.layout)

    def next_prompt(self):
        """Live one turn and give the prompt of its call."""
        if self._is_full():
            consolidate(self.journal, self._distil, self.keep)
            self.consolidated += 1
        situation, own = self.turn // 2, self.turn - self.turn // 2
        number, self.turns = self.turns, self.turns + 1
        # The line forms and the epoch's line take a few tokens of the turn.
        self.journal.record_turn(number, words(f"{number}s", situation - 8), (), words(number, own))
        return self.prompt()

    def prompt(self):
        tail = words(f"now {self.turns}", TAIL - 8)
        return Prompt.of(words("You", PREAMBLE) + "\n\n", self.journal, tail=tail)

    def _is_full(self):
        estimate = self.journal.size // TOKEN + PREAMBLE + TAIL + self.turn
        return estimate >= self.window * THRESHOLD

    def _distil(self, request):
        """Write as a model would; count how often the oldest fact in it has been written again."""
        below = extending(self.prompt(), request)
        assert below is not None, "the live prompt holds the span"
        self.asked.append(below)
        self.asked_apart += len(standing_alone(request).to_text()) // TOKEN
        sources = [span.identity for span in request.folded]
        if request.layout == "v1":
            sources.append(request.prior_identity)
        depth = 1 + max((self.depths[source] for source in sources if source), default=0)
        self.summarised_again = max(self.summarised_again, depth - 1)
        stamp = f"[Epochs {request.epoch_start}-{request.epoch_end}]"
        identity = words(f"{self.consolidated} identity", IDENTITY)
        self.depths[identity] = depth
        return Consolidation(identity, [words(stamp, LINE)])


@dataclass
class Tally:
    """What one rule served over a life; the calls that distil are counted apart from the turns."""

    total: int = 0
    cached: int = 0
    worst: int = 0
    requests: int = 0
    distilling: int = 0

    @property
    def share(self):
        return self.cached / self.total

    @property
    def uncached(self):
        return self.total - self.cached

    def add(self, served, *, is_warm):
        self.total += served.total
        self.cached += served.cached
        self.requests += 1
        if is_warm:
            self.worst = max(self.worst, served.uncached)


def run(life, turns, rules, *, warm_after=3):
    """Live that many turns under each rule (dialect, simulator) and under block prefixes."""
    engines = {name: (dialect, make()) for name, (dialect, make) in rules.items()}
    engines["block"] = ("openai-chat", block_prefix())
    tallies = {name: Tally() for name in engines}
    for number in range(turns):
        prompt = life.next_prompt()
        for distilling in life.asked:
            for name, served in _serve(engines, distilling):
                tallies[name].distilling += served.uncached
        life.asked.clear()
        for name, served in _serve(engines, prompt):
            tallies[name].add(served, is_warm=number >= warm_after)
    return tallies


def floor(turn, rules, *, turns=40):
    """Give what a turn costs each rule in a life that never consolidates: the least there is."""
    life = Life("v2", 10**9, turn)
    engines = {name: (dialect, make()) for name, (dialect, make) in rules.items()}
    engines["block"] = ("openai-chat", block_prefix())
    costs = dict.fromkeys(engines, 0)
    for number in range(turns + 3):
        for name, served in _serve(engines, life.next_prompt()):
            costs[name] += served.uncached if number >= 3 else 0
    return {name: cost / turns for name, cost in costs.items()}


def _serve(engines, prompt):
    bodies = {dialect: prompt.to_chat(dialect) for dialect in {d for d, _ in engines.values()}}
    return [(name, engine.serve(bodies[dialect])) for name, (dialect, engine) in engines.items()]
