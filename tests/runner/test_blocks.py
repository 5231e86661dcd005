from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig_tui.runner.blocks import Block, Blocks, Cancel
from tests.rules import rule

PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"
PASTABLE = st.text("ab/ \n\t[~2\u00e9\U0001f44d", max_size=20)


def fed(*chunks: bytes) -> list[Block | Cancel]:
    blocks = Blocks()
    return [entered for chunk in chunks for entered in blocks.feed(chunk)]


@rule("R5-02")
def test_a_pasted_message_is_one_block_and_no_line_inside_it_is_acted_on() -> None:
    message = "From: ana\n\nfirst\n/abort\n\tlast "
    assert fed(PASTE + message.encode() + PASTED + b"\r") == [Block(message)]


@rule("R5-02")
@given(PASTABLE.filter(lambda text: text.strip() and text != "/abort"), st.data())
def test_a_paste_keeps_its_text_however_the_terminal_cuts_it(
    text: str, data: st.DataObject
) -> None:
    sent = PASTE + text.replace("\n", "\r").encode() + PASTED + b"\r"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=6)))
    chunks = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert fed(*chunks) == [Block(text)]


@rule("R5-03")
@pytest.mark.parametrize(
    ("sent", "entered"),
    [
        (b"/abort\r", [Cancel()]),
        (PASTE + b"/abort" + PASTED + b"\r", [Cancel()]),
        (b" /abort\r", [Block(" /abort")]),
        (b"/abort \r", [Block("/abort ")]),
        (PASTE + b"/abort\n" + PASTED + b"\r", [Block("/abort\n")]),
        (PASTE + b"From: ana\nTo: qa\n\n/abort" + PASTED + b"\r",
         [Block("From: ana\nTo: qa\n\n/abort")]),
        (b"dra\x03ft\r", [Cancel(), Block("draft")]),
        (PASTE + b"one\x03two" + PASTED + b"\r", [Cancel(), Block("onetwo")]),
    ],
)  # fmt: skip
def test_only_a_bare_abort_and_ctrl_c_are_control(
    sent: bytes, entered: list[Block | Cancel]
) -> None:
    assert fed(sent) == entered
    assert fed(*(bytes([byte]) for byte in sent)) == entered


def test_keys_that_are_no_text_are_skipped_and_typing_errors_can_be_mended() -> None:
    assert fed(b"\x1b[A\x1bOPab\x7fc\x1b[1;5D\r", b"zz\x15ok\r", b"\r") == [
        Block("ac"),
        Block("ok"),
    ]


def test_a_pipe_is_read_line_by_line_and_its_last_line_counts_without_an_end() -> None:
    blocks = Blocks()
    assert blocks.feed(b"one\ntwo\nthr\xc3") == [Block("one"), Block("two")]
    assert blocks.feed(b"\xa9") == []
    assert blocks.finish() == [Block("thr\u00e9")]
