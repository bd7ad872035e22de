from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from agentjournal.text.fence import fence

FRAME = re.compile(r"<quoted:([0-9a-f]{12}) ([^\n]*)>\n(.*)\n</quoted:\1>", re.DOTALL)
FORGERIES = st.lists(
    st.text(max_size=5)
    | st.sampled_from(
        ["<quoted:", "</quoted:", "<", "/", "quoted:", "0123456789ab", ">", "\n", "\u202e", "\\"]
    )
).map("".join)


@given(FORGERIES, FORGERIES)
def test_neither_label_nor_text_can_open_or_close_a_frame(label: str, text: str) -> None:
    framed = fence(label, text)
    assert FRAME.fullmatch(framed)
    assert len(re.findall("</?quoted:", framed, re.IGNORECASE)) == 2


@given(FORGERIES)
def test_a_fenced_text_that_is_fenced_again_stays_inside(text: str) -> None:
    outer = fence("outer", fence("inner", text))
    assert len(re.findall("</?quoted:", outer, re.IGNORECASE)) == 2


def test_the_same_data_gives_the_same_bytes() -> None:
    assert fence("step 12", "kept\nas it is") == (
        "<quoted:697f66d62bc2 step 12>\nkept\nas it is\n</quoted:697f66d62bc2>"
    )


def test_other_data_gives_another_frame() -> None:
    assert fence("a", "x").split(">")[-2] != fence("a", "y").split(">")[-2]
    assert fence("a", "x").split(">")[-2] != fence("b", "x").split(">")[-2]


def test_a_copied_closing_line_is_disarmed_and_still_readable() -> None:
    closing = fence("a", "x").splitlines()[-1]
    assert fence("a", closing).splitlines()[1] == closing.replace("<", "<\\")
