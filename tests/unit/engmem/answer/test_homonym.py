from __future__ import annotations

from agentjournal.engmem.answer.homonym import told_apart
from support.documents import document
from support.ranked import ranked


def hit(id_, *entities):
    text = document(id_, "## Notes\nMQ", entities=f"[{', '.join(entities)}]")
    return ranked({f"{id_}.md": text}, "MQ")[0]


QUEUE, METRICS = hit("queue", "MessageQueue", "MQ"), hit("metrics", "MetricsQuery", "MQ")


def ids(query, *hits):
    kept, ambiguous = told_apart(query, hits)
    return [each.header.id for each in kept], sorted(ambiguous)


def test_a_short_name_with_two_meanings_gives_one_document_for_each():
    second = hit("queue-too", "MessageQueue", "MQ")
    assert ids("MQ", QUEUE, second, METRICS) == (["queue", "metrics"], ["metrics", "queue"])


def test_documents_that_mean_neither_stay():
    other = hit("other", "Broker")
    assert ids("mq", QUEUE, other, METRICS)[0] == ["queue", "other", "metrics"]


def test_one_meaning_is_no_homonym():
    second = hit("queue-too", "MessageQueue", "MQ")
    assert ids("MQ", QUEUE, second) == (["queue", "queue-too"], [])


def test_only_a_query_of_one_short_word_is_asked_about():
    for query in ("MQ retries", "MessageQueue", "", "?"):
        assert ids(query, QUEUE, METRICS) == (["queue", "metrics"], [])


def test_an_entity_that_lacks_the_short_name_has_no_part_in_it():
    assert ids("MQ", QUEUE, hit("metrics", "MetricsQuery")) == (["queue", "metrics"], [])
