"""An export holds the whole log; an import takes all of it or nothing."""

from __future__ import annotations

import hashlib
import json

import pytest

from agentjournal.errors import ConflictError, DamagedError, InputError
from agentjournal.log.revoke import redact, retract
from agentjournal.log.transfer import export, import_lines
from agentjournal.log.verify import verify
from agentjournal.storage.sqlite import Sqlite
from agentjournal.storage.statement import parse_statement
from support.example_fold import AT, example_log, note, projections, write

BY = {"actor": "ada", "at": AT, "why": "it is wrong"}


@pytest.fixture
def log(database):
    """The store under test, on each engine."""
    return example_log(database)


@pytest.fixture
def source(tmp_path, clock):
    """A SQLite store with a history: two streams, two seals, a retraction, a redaction."""
    store = Sqlite(str(tmp_path / "source.db"), clock=clock)
    log = example_log(store)
    write(log, *(note(f"e{n}", f"words {n} é", turn=f"line {n}\n") for n in range(1, 9)))
    write(log, note("q1", "other", stream="project/q"))
    verify(log)
    clock.advance(7.5)
    retract(log, "e2", event_id="r1", **BY)
    redact(log, "e5", event_id="r2", **BY)
    yield log
    store.close()


def signed(lines):
    """Give lines with an end that agrees with them, as somebody who alters an export would."""
    kinds = [next(iter(json.loads(line))) for line in lines]
    sha256 = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    end = {"events": kinds.count("event"), "seals": kinds.count("seal"), "sha256": sha256}
    return [*lines, json.dumps({"end": end}, separators=(",", ":"))]


def altered(lines, number, *replacements):
    text = lines[number - 1]
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return [*lines[: number - 1], text, *lines[number:]]


def test_an_export_is_canonical_json_lines_with_a_header_and_an_end(source):
    lines = list(export(source))

    assert lines[0] == '{"format":"agentjournal","version":1}'
    records = [json.loads(line) for line in lines]
    assert [next(iter(record)) for record in records[1:]] == (
        ["event"] * 11 + ["seal"] * 3 + ["end"]
    )
    assert all("\n" not in line for line in lines)
    for line, record in zip(lines, records, strict=True):
        assert line == json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert signed(lines[:-1]) == lines


def test_events_are_exported_with_all_columns_in_stream_and_seq_order(source):
    events = [json.loads(line)["event"] for line in list(export(source))[1:12]]

    assert [(event["stream"], event["seq"]) for event in events] == [
        *(("project/p", n) for n in range(1, 11)),
        ("project/q", 1),
    ]
    assert set(events[0]) == {
        *("stream", "seq", "id", "kind", "actor", "at", "payload", "turn", "digest"),
        "recorded_at",
    }


def test_exporting_twice_gives_the_same_bytes(source):
    assert list(export(source)) == list(export(source))


def test_an_export_goes_through_the_other_engine_and_back_with_equal_bytes(source, log, tmp_path):
    lines = list(export(source))

    imported = import_lines(log, lines)
    there = list(export(log))
    back = example_log(Sqlite(str(tmp_path / "back.db")))
    import_lines(back, there)

    assert (imported.events, imported.known, imported.streams) == (11, 0, 2)
    assert there == lines
    assert list(export(back)) == lines
    for each in (log, back):
        assert verify(each).is_good
        assert projections(each) == projections(source)
    back.database.close()


def test_lines_may_end_in_newlines(source, log):
    import_lines(log, (f"{line}\n" for line in export(source)))

    assert list(export(log)) == list(export(source))


def test_importing_again_changes_nothing(source, log):
    lines = list(export(source))
    import_lines(log, lines)

    again = import_lines(log, lines)

    assert (again.events, again.known, again.streams) == (0, 11, 2)
    assert list(export(log)) == lines


def test_an_import_adds_what_a_stream_has_more(source, log):
    import_lines(log, list(export(source)))
    write(source, note("e9", "new"), note("s1", stream="project/s"))
    lines = list(export(source))

    imported = import_lines(log, lines)

    assert (imported.events, imported.known) == (2, 11)
    assert list(export(log)) == lines
    assert projections(log) == projections(source)


def test_an_import_leaves_what_only_this_store_has(source, log):
    lines = list(export(source))
    import_lines(log, lines)
    write(log, note("mine"), note("m1", stream="project/m"))
    before = projections(log)

    assert import_lines(log, lines).events == 0

    assert projections(log) == before
    assert verify(log).is_good


def test_an_import_into_a_stream_that_was_sealed_otherwise_keeps_both_sound(source, log):
    lines = list(export(source))
    import_lines(log, lines)
    write(log, note("e9", "new"))
    write(source, note("e9", "new"))
    verify(log)
    write(source, note("e10"))
    longer = list(export(source))

    import_lines(log, longer)

    assert verify(log).is_good
    assert projections(log) == projections(source)


def test_a_stream_that_is_here_with_other_content_is_refused_whole(source, log):
    write(log, note("e1", "not the same"))
    before = projections(log)

    with pytest.raises(ConflictError, match="project/p is here with another event at seq 1"):
        import_lines(log, list(export(source)))

    assert projections(log) == before


def test_an_id_that_another_stream_has_is_refused_whole(source, log):
    write(log, note("q1", stream="project/elsewhere"))
    before = projections(log)

    with pytest.raises(ConflictError, match="An id of the lines 12 to 13"):
        import_lines(log, list(export(source)))

    assert projections(log) == before


def test_every_cut_of_an_export_is_refused_whole(source, log):
    text = "".join(f"{line}\n" for line in export(source))
    cuts = [*range(0, len(text) - 1, 97), *(at for at, c in enumerate(text[:-1]) if c == "\n")]

    for at in cuts:
        with pytest.raises(InputError, match="of the import"):
            import_lines(log, text[:at].splitlines())

    assert projections(log) == ([], [])


def test_every_missing_line_is_refused_by_its_number(source, log):
    lines = list(export(source))

    for number in range(1, len(lines) + 1):
        with pytest.raises(InputError, match=r"Line \d+ of the import"):
            import_lines(log, lines[: number - 1] + lines[number:])

    assert projections(log) == ([], [])


def test_every_pair_of_lines_in_other_order_is_refused(source, log):
    lines = list(export(source))

    for at in range(len(lines) - 1):
        with pytest.raises(InputError, match=r"Line \d+ of the import"):
            import_lines(log, [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])

    assert projections(log) == ([], [])


@pytest.mark.parametrize(
    ("order", "reported"),
    [
        ((0, 11, *range(1, 11), 12, 13, 14), r"Line 3 .*project/p stands after project/q"),
        ((0, 2, 1, *range(3, 15)), r"Line 2 .*expected seq 1 of project/p"),
        ((*range(11), 12, 13, 11, 14), r"Line 14 .*is not at its place"),
        ((*range(12), 13, 12, 14), r"Line 13 .*a seal that does not follow"),
        ((*range(12), 14, 12, 13), r"Line 14 .*a seal that does not follow"),
        ((*range(12), 13, 14), r"Line 13 .*a seal that does not follow"),
        ((*range(1, 11), 0, *range(11, 15)), r"Line 1 .*must be"),
        ((*range(10), *range(11, 15)), r"Line 13 .*a seal that does not follow"),
    ],
)
def test_lines_in_another_order_are_refused_even_with_a_matching_end(source, log, order, reported):
    lines = list(export(source))
    moved = signed([lines[at] for at in order])

    with pytest.raises(InputError, match=reported):
        import_lines(log, moved)

    assert projections(log) == ([], [])


def test_a_false_seal_of_known_events_is_refused(log, tmp_path, clock):
    source = example_log(Sqlite(str(tmp_path / "same.db"), clock=clock))
    for each in (source, log):
        write(each, note("a"), note("b"))
    lines = altered(list(export(source))[:-1], 4, ('"sha256":"', '"sha256":"0'))

    with pytest.raises(InputError, match=r"Line 2 .*the seal over seq 1 to 2 does not match"):
        import_lines(log, signed(lines))

    source.database.close()


@pytest.mark.parametrize(
    ("number", "replacement", "reported"),
    [
        (2, ("words 1", "words 2"), r"Line 2 .*not what its digest was made from"),
        (3, ('"actor":"ada"', '"actor":"eve"'), r"Line 3 .*not what its digest"),
        (4, ("line 3", "line 4"), r"Line 4 .*not what its digest"),
        (6, ('\\"redacted\\"', '\\"withdrawn\\"'), r"Line 6 .*not the one that r2 left"),
        (7, ('"id":"e6"', '"id":"e66"'), r"Line 7 .*not what its digest"),
        (9, ("T09:00:00", "T09:00:01"), r"Line 2 .*the seal over seq 1 to 8 does not match"),
        (11, ("T09:00:07", "T09:00:08"), r"Line 10 .*the seal over seq 9 to 10"),
        (13, ('"sha256":"', '"sha256":"0'), r"Line 2 .*the seal over seq 1 to 8"),
        (13, ('"last_seq":8', '"last_seq":7'), r"Line 14 .*does not follow the one before"),
        (12, ('"kind":"step"', '"kind":"dream"'), r"Line 12 .*kind: must be one of .*newer"),
        (12, ('"seq":1', '"seq":"1"'), r"Line 12 .*no valid seq"),
        (12, ('"turn":null', '"turn":true'), r"Line 12 .*no valid turn"),
        (12, ('"turn":null', '"tune":null'), r"Line 12 .*must hold exactly actor, at"),
        (12, ('"seq":1', '"seq":1.0'), r"Line 12 .*is cut or altered"),
        (12, ('"seq":1', '"seq": 1'), r"Line 12 .*is not spelled as an export is"),
        (12, ('{"event"', '{"idea"'), r"Line 12 .*is no event, seal or end"),
        (1, ('"version":1', '"version":2'), r"Line 1 .*must be .*newer version"),
        (1, ("agentjournal", "somebody"), r"Line 1 .*must be "),
    ],
)
def test_an_altered_line_is_refused_by_its_number_even_with_a_matching_end(
    source, log, number, replacement, reported
):
    lines = altered(list(export(source))[:-1], number, replacement)

    with pytest.raises(InputError, match=reported):
        import_lines(log, signed(lines) if '"idea"' not in lines[11] else lines)

    assert projections(log) == ([], [])


def test_every_altered_line_without_a_matching_end_is_refused(source, log):
    lines = list(export(source))

    for number, line in enumerate(lines, start=1):
        for old in ("1", "2", "a"):
            if old in line:
                with pytest.raises(InputError, match=r"Line \d+ of the import"):
                    import_lines(log, altered(lines, number, (old, "3")))

    assert projections(log) == ([], [])


def test_text_after_the_end_is_refused(source, log):
    lines = list(export(source))

    with pytest.raises(InputError, match=r"Line 17 .*follows the end"):
        import_lines(log, [*lines, lines[-1]])


def test_nothing_at_all_is_refused(log):
    with pytest.raises(InputError, match=r"Line 0 .*the end is missing"):
        import_lines(log, [])


def test_events_that_cannot_be_projected_are_refused_whole(source, log, monkeypatch):
    def fail(_, event):
        raise KeyError(event.id)

    monkeypatch.setattr(log.folds[0], "apply", fail)

    with pytest.raises(InputError, match="project/p cannot be projected"):
        import_lines(log, list(export(source)))

    assert list(log.database.rows(parse_statement("all", "SELECT id FROM {schema}event"))) == []


def test_a_damaged_store_exports_no_end(log):
    write(log, note("a"), note("b"))
    with log.database.transaction() as tx:
        tx.run(parse_statement("x", "UPDATE {schema}event SET actor = 'eve' WHERE id = 'b'"))

    lines = []
    with pytest.raises(DamagedError, match="project/p seq 2"):
        lines.extend(export(log))
    with pytest.raises(InputError, match="of the import"):
        import_lines(log, lines)
