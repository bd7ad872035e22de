"""On a real engine: what a kept journal promises shows in the tokens that the engine had cached."""

from __future__ import annotations

import json
from itertools import count, pairwise

import httpx
import pytest

from agentjournal.errors import ConsolidationError
from agentjournal.journal.journal import Journal
from agentjournal.journal.neutral import neutral_lines
from agentjournal.lanes.archive.search import search_archive
from agentjournal.lanes.kept import KeptJournal
from agentjournal.lanes.transfer import import_snapshot
from agentjournal.log.verify import verify
from agentjournal.storage.open import open_database
from support.engine import Engine, usage_of
from support.lane_prompt import PREAMBLE, in_another_process, prompt
from support.lanes import OWNER, Writer, lane_log

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1800)]

CLOSING = 8  # tokens of the chat template behind the last block
CUT = 2  # tokens at an edge that are cut otherwise with other text behind it
EVENTS = (
    ("Fog came in from the west.", [("Ilja", "the horn is stuck")], "I free the horn."),
    ("A trawler asked for our position.", [("Mara", "answer them")], "I send it by radio."),
    ("The lamp flickered at midnight.", [("Ilja", "the fuse again")], "I change the fuse."),
    ("A storm broke the north window.", [("Mara", "board it up")], "I nail planks over it."),
    ("The supply boat is two days late.", [("Benno", "we have bread")], "I count the tins."),
    ("A gull nested on the gallery.", [("Ilja", "let it be")], "I close the gallery door."),
)
NUMBERS = count(1)


@pytest.fixture(scope="module")
def engine():
    started = Engine.start()
    yield started
    started.stop()


@pytest.fixture
def log(sqlite_path):
    database = open_database(str(sqlite_path))
    yield lane_log(database)
    database.close()


@pytest.fixture
def ada():
    return Writer("ada")


@pytest.fixture
def fresh():
    """A preamble that no request before had, so that nothing of it is warm."""
    return f"Lighthouse {next(NUMBERS) * 7919}. {PREAMBLE}"


def chat(asked):
    return asked.to_chat("openai-chat", marks=False)


def one_message(asked):
    return {"messages": [{"role": "user", "content": asked.to_text()}]}


def last_block(body):
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else content[-1]["text"]


def ask(engine, body):
    """Ask, and give what it cost with the tokens that stand above the last block."""
    used = engine.complete(body)
    text = last_block(body)
    tail = text[text.rindex("======== boundary") :] if "======== boundary" in text else text
    return used, used.prompt - engine.count(tail) - CLOSING


@pytest.mark.parametrize(
    "way",
    [("v1", chat), ("v2", chat), ("v1", one_message)],
    ids=["v1 in blocks", "v2 in blocks", "v1 as one text"],
)
def test_between_consolidations_each_turn_finds_the_prompt_before_it(engine, log, ada, fresh, way):
    layout, form = way
    import_snapshot(log, OWNER, Journal("council", layout=layout).to_json(), ada.sign())
    kept = KeptJournal(log, OWNER)
    costs, resets = [], []
    for number, event in enumerate(EVENTS):
        ada.turn(log, *event)
        if number == len(EVENTS) - 2 and kept.consolidate(neutral_lines, ada.sign()).dropped:
            resets.append(number)
        costs.append(ask(engine, form(prompt(kept, f"Turn {number}: what next?", preamble=fresh))))
    used = [cost for cost, _ in costs]
    print(f"{layout}: prompt {[u.prompt for u in used]}, cached {[u.cached for u in used]}")

    assert resets, "the life holds a consolidation"
    for number, (before, now) in enumerate(pairwise(costs), start=1):
        if number not in resets:
            assert now[0].cached >= before[1] - CUT
    assert used[resets[0]].cached >= engine.count(fresh) - CUT, "the preamble stays warm"

    again = engine.complete(form(prompt(kept, f"Turn {number}: what next?", preamble=fresh)))
    assert again.prompt == used[-1].prompt
    assert again.share >= 0.99


def test_a_clock_on_top_leaves_nothing_cached(engine, log, ada):
    kept = KeptJournal(log, OWNER)
    shares = []
    for number, event in enumerate(EVENTS[:4]):
        ada.turn(log, *event)
        clock = f"{7 + number}:{13 * number + 10}:{59 - number} on 2026-11-30. "
        asked = prompt(kept, "What next?", preamble=clock + PREAMBLE)
        shares.append(engine.complete(chat(asked)).share)
    print(f"shares with a clock on top: {[f'{share:.1%}' for share in shares]}")
    assert max(shares) < 0.05


def test_after_a_restart_the_bytes_are_the_same_and_still_hit(engine, log, ada):
    for event in EVENTS:
        ada.turn(log, *event)
    KeptJournal(log, OWNER).consolidate(neutral_lines, ada.sign())
    body = chat(prompt(KeptJournal(log, OWNER), "What next?"))
    cold = engine.complete(body)

    again = in_another_process(log.database.location, "What next?")
    assert json.dumps(again) == json.dumps(body)
    warm = engine.complete(again)
    print(f"before the restart {cold}, after it {warm}")
    assert warm.prompt == cold.prompt
    assert warm.share >= 0.99


def test_hits_from_the_archive_cost_only_themselves(engine, log, ada, fresh):
    for event in EVENTS:
        ada.turn(log, *event)
    kept = KeptJournal(log, OWNER)
    kept.consolidate(neutral_lines, ada.sign())
    _, above = ask(engine, chat(prompt(kept, "What next?", preamble=fresh)))
    found = search_archive(log, OWNER, "what was wrong with the horn", limit=1).text
    assert "the horn is stuck" in found

    used, _ = ask(engine, chat(prompt(kept, f"{found}\n\nWhat next?", preamble=fresh)))
    assert used.cached >= above - CUT


def test_a_model_distils_for_real_and_nothing_is_lost(engine, log, ada, fresh):
    from agentjournal.lanes.chat_consolidator import ChatConsolidator

    answers = []

    class Recording(httpx.HTTPTransport):
        def handle_request(self, request):
            answer = super().handle_request(request)
            answer.read()
            answers.append(json.loads(answer.content))
            return answer

    for event in EVENTS:
        ada.turn(log, *event)
    kept = KeptJournal(log, OWNER)
    before = kept.journal
    entries, render = before.entries, before.render()
    live = prompt(kept, "What next?", preamble=fresh)
    _, above = ask(engine, chat(live))
    with httpx.Client(transport=Recording()) as client:
        asked = ChatConsolidator(
            engine.base_url,
            engine.model,
            client=client,
            marks=False,
            max_tokens=200,
            timeout=600,
            attempts=1,
            answer_format="object",
            extra={"temperature": 0},
        )
        try:
            done = kept.consolidate(asked.extending(live), ada.sign())
        except ConsolidationError as error:
            done = None
            print(f"refused: {error}")
    used = usage_of(answers[0])
    print(f"the model said: {answers[0]['choices'][0]['message']['content']}")
    print(f"distilling cost {used}, of which {above} stand in the live prompt")

    assert used.cached >= above - CUT, "the question extends the live prompt"
    journal = kept.journal
    if done is None:
        assert journal.render() == render
    else:
        assert journal.entries == entries[done.dropped :]
        assert journal.core_memories or journal.episodic_ledger
        assert search_archive(log, OWNER, "the horn is stuck", limit=1).hits
    with log.database.snapshot() as reader:
        turns = [event for event in log.all_events(reader, OWNER) if event.kind == "turn"]
    assert [event.id for event in turns] == [f"ada-{n}" for n in range(1, len(EVENTS) + 1)]
    assert verify(log).is_good
    ada.turn(log, "Dawn.")
    assert KeptJournal(log, OWNER).journal.render().endswith("The world: Dawn.")
