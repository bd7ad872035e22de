from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentjournal.text.bounded import clip, clip_lines, fit, size

ANY_TEXT = st.text()


def said(count: int) -> str:
    return f"(+{count} more)"


@given(ANY_TEXT, st.integers(0, 60))
def test_a_clipped_text_never_exceeds_its_cap(text: str, cap: int) -> None:
    assert size(clip(text, cap)) <= cap


@given(ANY_TEXT, st.integers(3, 60))
def test_a_clipped_text_is_the_text_or_its_head_with_the_mark(text: str, cap: int) -> None:
    clipped = clip(text, cap)
    if size(text) <= cap:
        assert clipped == text
    else:
        assert clipped.endswith("…")
        assert text.startswith(clipped[:-1])
        assert size(text[: len(clipped)]) + size("…") > cap  # one more character had no room


@given(ANY_TEXT, st.integers(6, 60))
def test_every_line_that_is_longer_loses_its_middle(text: str, cap: int) -> None:
    lines, clipped = text.split("\n"), clip_lines(text, cap).split("\n")
    assert len(lines) == len(clipped)
    for line, short in zip(lines, clipped, strict=True):
        assert size(short) <= cap
        if size(line) > cap:
            marks = [at for at, each in enumerate(short) if each == "…"]
            assert any(
                line.startswith(short[:at]) and line.endswith(short[at + 1 :]) for at in marks
            )
        else:
            assert short == line


@given(st.lists(ANY_TEXT, max_size=20), st.integers(0, 120), st.sampled_from(["\n", "", ", "]))
def test_fitted_items_never_exceed_their_cap(items: list[str], cap: int, sep: str) -> None:
    assert size(fit(items, cap, said, sep)) <= cap


@given(st.lists(ANY_TEXT, max_size=20), st.integers(20, 120))
def test_fitted_items_are_all_there_or_the_last_line_counts_the_missing(
    items: list[str], cap: int
) -> None:
    fitted = fit(items, cap, said)
    if size("\n".join(items)) <= cap:
        assert fitted == "\n".join(items)
        return
    texts = ["\n".join([*items[:kept], said(len(items) - kept)]) for kept in range(len(items))]
    assert fitted == max((text for text in texts if size(text) <= cap), key=texts.index)


def test_whole_items_are_kept_in_order_up_to_the_first_without_room() -> None:
    assert fit(["one", "two", "three"], 100, said) == "one\ntwo\nthree"
    assert fit(["one", "a much longer second item", "three"], 20, said) == "one\n(+2 more)"


def test_a_cap_too_small_for_the_last_line_clips_that_line() -> None:
    assert fit(["aaaaaaaaaaaa", "b"], 6, said) == "(+2…"
    assert fit(["aaaaaaaaaaaa", "b"], 0, said) == ""


def test_no_items_give_no_text() -> None:
    assert fit([], 0, said) == ""


def test_a_character_is_never_cut_in_two() -> None:
    assert clip("💡💡💡", 8) == "💡…"
    assert clip("é", 1) == ""
