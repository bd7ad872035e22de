"""Two trials on any engine that speaks chat completions; what they find is printed, also when it is nothing.

Run: python benchmarks/usage_trial.py BASE_URL [--trial reproposal|cost] [--tasks 36] [--seed 1] [--model M]

reproposal   Each task has four ways, of which the obvious one (the first in the table below) was tried and
             failed. The model chooses one of the four: once its brief rules the obvious way out, once the
             same brief holds no claim. How often does it propose the obvious way again? A control
             (--arm named) only names it, to tell whether a model that goes wrong repeats what it read.
cost         Each task asks for one word. What does a finished task cost, in prompt tokens that the engine
             computed and in seconds, with the whole brief and with the brief's task part alone?

Both arms see the same tasks, wording and order, at temperature 0. The choice is closed by `response_format`,
so that a weak model names a way at all. Each task is asked with its ways in four orders, so that the obvious
one stands once in each place: a model that only goes by place proposes it in 25 % of the answers.
Intervals hold 95 % of 10,000 resamples of the tasks (the four answers to a task are not independent).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import count
from statistics import fmean
from time import perf_counter
from typing import TYPE_CHECKING

from agentjournal.agentloop.client import ChatClient
from agentjournal.agentloop.message import Message
from agentjournal.brief.build import build_brief
from agentjournal.execution.contract import read_step
from agentjournal.execution.fold import EXECUTION_TABLES, ExecutionFold
from agentjournal.execution.plan.read import read_plan
from agentjournal.execution.project import add_plan
from agentjournal.execution.write import log_step
from agentjournal.log.log import Log
from agentjournal.storage.sqlite import Sqlite
from agentjournal.usage.lane_client import LaneClient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agentjournal.agentloop.message import Reply
    from agentjournal.brief.brief import Brief

AT = "2026-01-31T09:00:00.000000Z"
SLUG = "trial"
RESAMPLES = 10_000
QUESTION = "Do your task now. Answer with the word and nothing else."
TOPICS = """\
keep the stock of a shop | a CSV file | a SQLite table | a JSON document | a key-value server
find near names | edit distance | character trigrams | a phonetic code | a prefix tree
send mail in bulk | a loop over SMTP | a queue of jobs | a mail provider | a daily digest
cache rendered pages | a dictionary in memory | files on disk | a reverse proxy | an expiry table
search a wiki | LIKE queries | a full-text index | a suffix array | an external crawler
limit requests | a sleep between calls | a token bucket | a fixed window | a leaky bucket
count visitors | a row per visit | a bloom filter | HyperLogLog | log analysis
sort a huge file | sorted in memory | an external merge | a database index | radix passes
parse dates | strptime formats | a date library | a regular expression | a state machine
watch a folder | polling | inotify | a cron job | a hook of the editor
share settings | environment variables | a TOML file | a database table | a config server
number invoices | an autoincrement | a UUID | a counter table | a date with a suffix
store pictures | blobs in the database | files by hash | an object store | base64 in JSON
run jobs at night | cron | a scheduler thread | a systemd timer | a delayed queue
merge two tables | nested loops | a hash join | a sort merge | a SQL view
undo edits | full copies | a command stack | reverse diffs | event sourcing
detect changes | timestamps | content hashes | a change feed | file sizes
compress logs | gzip per day | zstd streams | column files | dropping fields
sign in users | passwords | magic links | an OAuth provider | client certificates
draw charts | a JavaScript library | server-side SVG | PNG images | text tables
test a parser | hand-written cases | property tests | a fuzzer | golden files
ship a tool | a zip of scripts | a wheel | a container image | a static binary
lock a file | a pid file | flock | a lease row | atomic mkdir
talk between processes | pipes | sockets | shared memory | a message broker
page results | OFFSET and LIMIT | a cursor key | a snapshot table | infinite scroll
import orders | row by row inserts | a bulk COPY | a staging table | a stream consumer
validate forms | if statements | a schema library | type annotations | database constraints
translate texts | gettext files | a JSON table | a translation service | templates per language
measure time | wall clock | a monotonic counter | a profiler | sampled traces
back up data | cp of the file | the backup API | a replica | a nightly dump
group similar texts | shared words | TF-IDF vectors | k-means | topic models
render reports | string concatenation | a template engine | LaTeX | a spreadsheet
route messages | if chains | a dispatch table | topics | pattern matching
hide secrets | a .env file | a keyring | a vault server | encrypted columns
retry calls | an immediate retry | exponential backoff | a dead letter queue | a circuit breaker
clean addresses | regular expressions | a lookup table | a geocoder | manual review"""


@dataclass(frozen=True)
class Topic:
    """One task: what to do, the way that comes to mind first, and all ways."""

    goal: str
    obvious: str
    ways: tuple[str, ...]

    def orders(self) -> list[tuple[str, ...]]:
        """Give the ways in as many orders as there are ways, each way once in each place."""
        return [self.ways[at:] + self.ways[:at] for at in range(len(self.ways))]


@dataclass
class Cost:
    """What an arm's answers cost so far."""

    prompt: int = 0
    computed: int = 0
    output: int = 0
    unmeasured: int = 0
    seconds: float = 0.0

    def add(self, reply: Reply, seconds: float) -> None:
        """Take in one answer."""
        usage = reply.usage
        self.prompt += usage.input_total or 0
        self.output += usage.output or 0
        self.seconds += seconds
        if usage.cache_read is None:
            self.unmeasured += 1
        self.computed += (usage.input_total or 0) - (usage.cache_read or 0)


@dataclass
class Project:
    """A store in memory with the plan, and steps on it."""

    plan: str
    numbers: count = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        """Register the plan."""
        self.log = Log(Sqlite(":memory:"), [ExecutionFold()], [EXECUTION_TABLES])
        self.log.migrate()
        read = read_plan(self.plan.encode(), "plan.md").plan
        add_plan(self.log, SLUG, read, ids=self.new_id, actor="trial", at=AT)

    def new_id(self) -> str:
        """Mint an id; the same in every run."""
        return f"01999999-0000-7000-8000-{next(self.numbers):012x}"

    def step(self, task: str, **given: object) -> None:
        """Log one step on a task."""
        defaults = {
            "id": self.new_id(),
            "project_slug": SLUG,
            "plan_ref": task,
            "actor": "worker-1",
            "ended_at": AT,
        }
        log_step(self.log, read_step(given, source="log", defaults=defaults), new_id=self.new_id)

    def brief(self, task: str) -> Brief:
        """Build the next brief of a task."""
        return build_brief(self.log, SLUG, task, token="aj-" + "a" * 26)


@dataclass
class Engine:
    """The engine under trial."""

    client: ChatClient

    def ask(self, text: str, cost: Cost, ways: Sequence[str] = ()) -> str:
        """Ask once and give the answer; where ways are given, it must be one of them."""
        client = replace(self.client, extra=one_of(ways)) if ways else self.client
        start = perf_counter()
        reply = client.complete([Message(role="user", content=text)])
        cost.add(reply, perf_counter() - start)
        return reply.message.content


def topics(number: int, seed: int) -> list[Topic]:
    """Give the tasks, the ways of each in an order of their own."""
    chance = random.Random(seed)  # noqa: S311 - an order, no secret
    found = []
    for line in TOPICS.splitlines()[:number]:
        goal, *ways = (part.strip() for part in line.split("|"))
        obvious = ways[0]
        chance.shuffle(ways)
        found.append(Topic(goal, obvious, tuple(ways)))
    return found


def plan_of(entries: Sequence[tuple[str, str]]) -> str:
    """Write a plan with one task for each title and text."""
    tasks = [f"### T-{n:03} [P] {title}\n\n{text}\n" for n, (title, text) in enumerate(entries, 1)]
    return "# A trial\n\nDo each task once.\n\n" + "\n".join(tasks)


def one_of(ways: Sequence[str]) -> dict[str, object]:
    """Give the response format that allows only these answers."""
    schema = {
        "type": "object",
        "properties": {"way": {"type": "string", "enum": list(ways)}},
        "required": ["way"],
        "additionalProperties": False,
    }
    form = {"name": "choice", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def chosen(answer: str, ways: Sequence[str]) -> str | None:
    """Give the way that the answer chose; None where an engine did not hold to the form."""
    try:
        way = json.loads(answer)["way"]
    except (ValueError, KeyError, TypeError):
        return None
    return way if way in ways else None


def interval(values: Sequence[float], seed: int) -> tuple[float, float]:
    """Give the 95 % interval of a mean over tasks, by resampling them."""
    chance = random.Random(seed)  # noqa: S311 - a resampling, no secret
    means = sorted(fmean(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return means[RESAMPLES // 40], means[-RESAMPLES // 40 - 1]


@dataclass
class Arm:
    """What one arm answered: the share of re-proposals by task, and how often each place was chosen."""

    told: Callable[[Topic], dict[str, object]]
    again: list[float] = field(default_factory=list)
    places: Counter[int] = field(default_factory=Counter)
    formless: int = 0
    cost: Cost = field(default_factory=Cost)

    def ask(self, engine: Engine, topic: Topic) -> None:
        """Ask for one task in all orders."""
        answers = []
        for ways in topic.orders():
            text = choice_brief(topic, ways, self.told(topic))
            way = chosen(engine.ask(text, self.cost, ways), ways)
            answers.append(way == topic.obvious)
            if way is None:
                self.formless += 1
            else:
                self.places[ways.index(way) + 1] += 1
        self.again.append(fmean(answers))


def claims(topic: Topic) -> dict[str, object]:
    """Rule the obvious way out."""
    why = "It was tried here and failed: data was lost."
    return {"ruled_out": [{"option": topic.obvious, "why": why}]}


def names(topic: Topic) -> dict[str, object]:
    """Only name it, about as often as a claim does."""
    return {
        "action": f"Looked at {topic.obvious}",
        "current_state": "Nothing is decided.",
        "next_step": "Choose a way.",
        "open_questions": [f"Is {topic.obvious} a way?"],
    }


ARMS: dict[str, Callable[[Topic], dict[str, object]]] = {
    "with": claims,
    "without": lambda _: {},
    "named": names,
}


def choice_brief(topic: Topic, ways: Sequence[str], told: dict[str, object]) -> str:
    """Write the brief of a second attempt; the arms differ in what the first one told, in nothing else."""
    project = Project(
        plan_of([(f"Decide how to {topic.goal}", f"Choose exactly one of: {'; '.join(ways)}.")])
    )
    step = {
        "action": "Tried one way",
        "current_state": "It failed: data was lost. Nothing is decided.",
        "next_step": "Choose another way.",
    }
    project.step("T-001", result="partial", **(step | told))
    question = f'Which way do you choose to {topic.goal}? Answer with JSON: {{"way": "its name"}}'
    return f"{project.brief('T-001').text}\n{question}"


def reproposal(engine: Engine, number: int, seed: int, names_of_arms: Sequence[str]) -> None:
    """Run the first trial and print what it found."""
    arms = {name: Arm(ARMS[name]) for name in names_of_arms}
    for place, topic in enumerate(topics(number, seed), 1):
        for arm in arms.values():
            arm.ask(engine, topic)
        shares = ", ".join(f"{name} {fmean(arm.again):.0%}" for name, arm in arms.items())
        progress(f"{place}/{number}: {shares}")
    print(
        f"{'claims':<8} {'tasks':>5} {'answers':>7} {'obvious again':>13}   95 % interval"
        f"   chosen by place    {'computed':>8} {'s':>5}"
    )
    for name, arm in arms.items():
        report_arm(name, arm, seed)
    if base := arms.pop("without", None):
        for name, arm in arms.items():
            report_difference(name, arm, base, seed)


def report_difference(name: str, arm: Arm, base: Arm, seed: int) -> None:
    """Print how an arm differs from the one without claims, task by task."""
    differences = [a - b for a, b in zip(arm.again, base.again, strict=True)]
    low, high = interval(differences, seed)
    verdict = "fewer" if high < 0 else "more" if low > 0 else "no difference shown"
    print(
        f"{name} against without: {fmean(differences) * 100:+.1f} points,"
        f" 95 % interval {low * 100:+.1f} to {high * 100:+.1f}: {verdict}"
    )


def report_arm(name: str, arm: Arm, seed: int) -> None:
    """Print one arm's line."""
    low, high = interval(arm.again, seed)
    total = arm.places.total() or 1
    places = " ".join(f"{arm.places[place] / total * 100:>3.0f}" for place in range(1, 5))
    print(
        f"{name:<8} {len(arm.again):>5} {4 * len(arm.again):>7} {fmean(arm.again) * 100:>11.1f} %"
        f"   {low * 100:>4.1f} to {high * 100:>4.1f} %   {places} %  {arm.cost.computed:>8}"
        f" {arm.cost.seconds:>5.0f}"
    )
    if arm.formless:
        print(f"  {arm.formless} answers chose none of the ways: they count as no re-proposal")


def cost(engine: Engine, number: int, seed: int) -> None:
    """Run the second trial and print what it found."""
    tasks = topics(number, seed)
    words = [topic.ways[0].split()[-1].strip(".") for topic in tasks]
    plan = plan_of([(f"Say {word}", f"Answer with the word: {word}") for word in words])
    arms: dict[str, Callable[[Brief], str]] = {
        "whole brief": lambda brief: brief.text,
        "task part only": lambda brief: brief.task_part,
    }
    print(
        f"{'arm':<15} {'tasks':>5} {'done':>5} {'prompt':>8} {'computed':>9} {'output':>7} {'s':>6}"
        f" {'computed/done':>14} {'s/done':>7}"
    )
    for arm, text in arms.items():
        project, spent, done = Project(plan), Cost(), 0
        for place, word in enumerate(words, 1):
            task = f"T-{place:03}"
            answer = engine.ask(f"{text(project.brief(task))}\n{QUESTION}", spent)
            is_done = word.casefold() in answer.casefold()
            done += is_done
            state = {"current_state": f"The word is {word}." if is_done else "Not said."}
            more = {} if is_done else {"next_step": "Say it."}
            result = "success" if is_done else "partial"
            project.step(task, result=result, action=f"Said {word}", **state, **more)
            progress(f"{arm}: {place}/{len(words)}, done {done}")
        each = (
            f"{spent.computed / done:>14.0f} {spent.seconds / done:>7.1f}"
            if done
            else "  none is done"
        )
        print(
            f"{arm:<15} {len(words):>5} {done:>5} {spent.prompt:>8} {spent.computed:>9}"
            f" {spent.output:>7} {spent.seconds:>6.0f} {each}"
        )
        if spent.unmeasured:
            print(
                f"  {spent.unmeasured} answers did not say what was cached: all of it counts as computed"
            )


def progress(text: str) -> None:
    """Say how far it is, to a person who watches."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}   ")


def main() -> None:
    """Run the trial that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", nargs="?")
    parser.add_argument("--trial", choices=("reproposal", "cost"), default="reproposal")
    parser.add_argument("--tasks", type=int, default=36)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model")
    parser.add_argument("--arm", action="append", choices=tuple(ARMS), help="else with and without")
    given = parser.parse_args()
    if given.base is None:
        print(
            "Give the base URL of an engine: python benchmarks/usage_trial.py http://127.0.0.1:8080/v1"
        )
        return
    model = given.model or LaneClient(given.base, "openai-chat").first_model()
    client = ChatClient(endpoint=given.base, model=model, max_tokens=32, cache_key="trial")
    print(f"{given.trial}: {model}, {given.tasks} tasks, seed {given.seed}")
    if given.trial == "cost":
        cost(Engine(client), given.tasks, given.seed)
    else:
        chosen_arms = given.arm or ["with", "without"]
        reproposal(Engine(client), given.tasks, given.seed, chosen_arms)


if __name__ == "__main__":
    main()
