"""The stream's bytes, however they are cut into chunks."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.wire import sse
from rig_tui.wire.sse import Decoder, Frame, Oversized

ENDS = (b"\n", b"\r", b"\r\n")


def fed(raw: bytes, *cuts: int, cap: int = sse.FRAME_CAP) -> list[Frame | Oversized]:
    decoder = Decoder(cap)
    bounds = [0, *cuts, len(raw)]
    return [
        frame for start, end in itertools.pairwise(bounds) for frame in decoder.feed(raw[start:end])
    ]


def every_way(raw: bytes, cap: int = sse.FRAME_CAP) -> list[Frame | Oversized]:
    """Feed whole, byte by byte and at every split; all must agree."""
    whole = fed(raw, cap=cap)
    assert fed(raw, *range(1, len(raw)), cap=cap) == whole
    for cut in range(len(raw) + 1):
        assert fed(raw, cut, cap=cap) == whole
    return whole


@pytest.mark.parametrize("end", ENDS)
def test_fields_are_read_with_any_line_end(end: bytes) -> None:
    lines = [b"id: e.1", b"event: note", b"retry: 30", b"data: one", b"data:two", b"data", b""]
    raw = end.join([*lines, b"data: next", b"", b""])
    assert every_way(raw) == [
        Frame("one\ntwo\n", "note", "e.1", 30),
        Frame("next", "message", "e.1"),
    ]


def test_a_cr_and_an_lf_in_two_chunks_are_one_line_end() -> None:
    decoder = Decoder()
    assert decoder.feed(b"data: a\r") == []
    assert decoder.feed(b"\ndata: b\r") == []
    assert decoder.feed(b"\n\r") == [Frame("a\nb")]
    assert decoder.feed(b"\ndata: c\n\n") == [Frame("c")]


def test_a_frame_that_ends_in_cr_is_given_without_waiting_for_more() -> None:
    assert Decoder().feed(b"data: a\r\r") == [Frame("a")]


def test_only_a_leading_bom_is_dropped() -> None:
    bom = "\ufeff".encode()
    assert every_way(bom + b"data: a\n\n") == [Frame("a")]
    assert every_way(b"data: a\n\n" + bom + b"data: b\n\n") == [Frame("a")]
    assert every_way(bom + bom + b"data: a\n\n") == []


def test_what_only_starts_like_a_bom_is_kept() -> None:
    assert every_way(b"\xef\xbb\n\ndata: a\n\n") == [Frame("a")]


def test_comments_and_unknown_fields_give_nothing() -> None:
    assert every_way(b": hello\n\n:\nwhat: ever\ndata: a\n\n") == [Frame("a")]


def test_frames_without_data_give_nothing_but_their_id_counts() -> None:
    decoder = Decoder()
    assert decoder.feed(b"event: x\nid: 7\n\n") == []
    assert decoder.last_id == "7"
    assert decoder.feed(b"data: a\n\n") == [Frame("a", id="7")]


def test_data_without_a_colon_is_an_empty_line_of_data() -> None:
    assert every_way(b"data\n\ndata\ndata\n\n") == [Frame(""), Frame("\n")]


def test_only_one_space_after_the_colon_is_dropped() -> None:
    assert every_way(b"data:  a \n\n") == [Frame(" a ")]


def test_separators_of_text_inside_data_dont_break_lines() -> None:
    text = "a\u2028b\u2029c\u0085d\fe\vf\x1cg"
    assert every_way(f"data: {text}\n\n".encode()) == [Frame(text)]


def test_bytes_that_are_no_utf8_dont_end_the_stream() -> None:
    assert every_way(b"data: \xff\xfe\n\ndata: b\n\n") == [Frame("\ufffd\ufffd"), Frame("b")]


def test_an_id_with_a_nul_and_a_senseless_retry_are_ignored() -> None:
    raw = b"id: 1\ndata: a\n\nid: 2\0\nretry: soon\nretry: 99999999999\ndata: b\n\n"
    assert every_way(raw) == [Frame("a", id="1"), Frame("b", id="1")]


def test_an_empty_id_resets_the_last_one() -> None:
    assert every_way(b"id: 1\ndata: a\n\nid\ndata: b\n\n") == [
        Frame("a", id="1"),
        Frame("b", id=""),
    ]


def test_an_unfinished_frame_is_never_given() -> None:
    decoder = Decoder()
    assert decoder.feed(b"id: 1\ndata: a\n\nid: 2\ndata: half") == [Frame("a", id="1")]
    assert decoder.last_id == "1"


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("id_first", [True, False])
def test_a_frame_over_the_cap_is_skipped_and_reported_with_its_id(
    end: bytes, id_first: bool
) -> None:
    big = [b"id: 2", b"data: " + b"x" * 40]
    lines = [b"id: 1", b"data: a", b"", *(big if id_first else reversed(big)), b""]
    raw = end.join([*lines, b"data: b", b"id: 3", b"", b""])
    assert every_way(raw, cap=32) == [
        Frame("a", id="1"),
        Oversized("2", 51),
        Frame("b", id="3"),
    ]


def test_many_small_lines_over_the_cap_together_are_skipped_too() -> None:
    raw = b"id: 9\n" + b"data: 1234\n" * 10 + b"\ndata: b\n\n"
    assert every_way(raw, cap=64) == [Oversized("9", 105), Frame("b", id="9")]


def test_a_frame_of_exactly_the_cap_is_given() -> None:
    assert every_way(b"data: 123456\n\n", cap=12) == [Frame("123456")]
    assert every_way(b"data: 1234567\n\n", cap=12) == [Oversized(None, 13)]


def test_an_oversized_frames_id_counts_so_that_it_never_repeats() -> None:
    decoder = Decoder(cap=16)
    decoder.feed(b"id: 5\ndata: " + b"x" * 100 + b"\n\n")
    assert decoder.last_id == "5"


def test_an_endless_line_is_not_kept_in_memory() -> None:
    decoder = Decoder(cap=4096)
    for _ in range(1000):
        assert decoder.feed(b"data: " + b"x" * 1000) == []
    held = sum(len(part) for part in decoder._data) + len(decoder._line)
    assert held <= 8192
    assert decoder.feed(b"\n\ndata: b\n\n") == [Oversized(None, 1_006_000), Frame("b")]


def test_an_id_cut_by_the_cap_is_not_taken_for_one() -> None:
    raw = b"data: " + b"x" * 40 + b"\nid: " + b"7" * 2000 + b"\n\n"
    assert fed(raw, cap=32) == [Oversized(None, 2050)]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text(max_size=30), min_size=1, max_size=4),
    st.lists(st.integers(0, 400), max_size=6),
    st.text("ab.1", max_size=5),
)
def test_what_is_encoded_is_decoded_at_any_cuts(
    texts: list[str], cuts: list[int], id_: str
) -> None:
    raw = b"".join(sse.encode(text, id=id_, event="note") + sse.comment("x") for text in texts)
    plain = [text.replace("\r\n", "\n").replace("\r", "\n") for text in texts]
    assert fed(raw, *sorted(min(c, len(raw)) for c in cuts)) == [
        Frame(text, "note", id_) for text in plain
    ]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [b"data", b"id", b"event", b":", b": ", b"\r", b"\n", b"\r\n", b"x", b"\0"]
        ),
        max_size=40,
    ),
    st.integers(4, 40),
)
def test_no_stream_ends_the_decoder_and_no_cut_changes_it(parts: list[bytes], cap: int) -> None:
    raw = b"".join(parts)
    assert fed(raw, *range(1, len(raw)), cap=cap) == fed(raw, cap=cap)


@pytest.mark.parametrize("bad", ["a\nb", "a\rb", "a\0b"])
def test_ids_and_names_that_would_tear_the_frame_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="can't hold"):
        sse.encode("x", id=bad)
    with pytest.raises(ValueError, match="can't hold"):
        sse.encode("x", event=bad)
    with pytest.raises(ValueError, match="can't hold"):
        sse.comment(bad)
