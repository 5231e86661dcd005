from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.model import NO_CONTRACT, Link, LinkState
from rig_tui.ui.present.header import HeaderFacts, header_line
from rig_tui.ui.present.link import link_banner, link_lines, link_word, old_words
from tests.builders import NOON, ago, live_link
from tests.present.oracle import check_row, check_safe, hostile, plain, roles_of
from tests.rules import rule

FACTS = HeaderFacts(live_link(), "ana@external", mine=3, others=0, seats=12, rigs=2, permitting=1)
LOST = Link(LinkState.LOST, "127.0.0.1:41733", ago(10), "connection refused", ago(-3), 4)


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (140, "rig_tui  ● live 127.0.0.1:41733  ◆ 3 need you  12 seats in 2 rigs  "
              "1 seat permits without asking  answering as ana@external"),
        (100, "rig_tui  ● live  ◆ 3 need you  12 seats  1 seat permits without asking  "
              "answering as ana@external"),
        (80, "● live  ◆ 3 need you  12 seats  1 seat permits without asking  as ana"),
        (60, "● live  ◆ 3 need you  12 seats  1 permits  as ana"),
        (40, "● live  ◆ 3 need you  1 permits  as ana"),
    ],
)  # fmt: skip
def test_the_header_drops_what_matters_least_first(width: int, words: str) -> None:
    drawn = header_line(FACTS, width).plain
    assert "  ".join(part.strip() for part in drawn.split("  ") if part.strip()) == words


@rule("T7-21")
def test_seats_that_permit_unasked_are_red_in_the_header() -> None:
    text = header_line(FACTS, 140)
    assert roles_of(text, "1 seat permits without asking") == {"danger"}
    assert "permit" not in header_line(replace(FACTS, permitting=0), 140).plain
    assert "3 seats permit without asking" in header_line(replace(FACTS, permitting=3), 140).plain


def test_what_others_hold_is_told_apart_from_what_needs_you() -> None:
    text = header_line(replace(FACTS, mine=1, others=2), 140).plain
    assert "◆ 1 needs you (+2 held by others)" in text
    assert "nothing needs you" in header_line(replace(FACTS, mine=0), 140).plain


def test_the_demo_and_a_link_that_is_down_are_marked_at_every_width() -> None:
    facts = replace(FACTS, demo=True, link=LOST, permitting=0)
    for width in (160, 80, 40):
        drawn = header_line(facts, width).plain
        assert "demo" in drawn
        assert "○ lost" in drawn


@given(hostile, hostile, st.sampled_from(LinkState), st.integers(20, 200), st.integers(0, 10**6))
@settings(max_examples=100)
def test_any_header_fits_its_width_exactly(
    operator: str, address: str, state: LinkState, width: int, count: int
) -> None:
    facts = HeaderFacts(
        Link(state, address), operator, count, count, count, count, count, demo=bool(count % 2)
    )
    check_row(header_line(facts, width), width)


@rule("T7-27")
def test_a_lost_daemon_means_that_runners_will_permit() -> None:
    banner = link_banner(LOST, NOON)
    assert banner is not None
    assert banner.plain == (
        "can't reach the daemon: runners that ask now will permit: connection refused; "
        "trying again in 3s"
    )
    assert roles_of(banner, "runners that ask now will permit") == {"danger.strong"}
    assert link_banner(live_link(), NOON) is None


@pytest.mark.parametrize("state", LinkState)
def test_every_state_of_the_link_has_a_word_and_all_but_live_a_banner(state: LinkState) -> None:
    link = replace(LOST, state=state)
    assert link_word(link)[0] == str(state)
    banner = link_banner(link, NOON)
    assert (banner is None) == (state is LinkState.LIVE)
    if banner is not None and state is not LinkState.STALE:
        assert "connection refused" in banner.plain


def test_a_stale_link_says_since_when_and_what_an_answer_does_first() -> None:
    stale = replace(LOST, state=LinkState.STALE, cause="it was silent for 20 s", retry_at=None)
    banner = link_banner(stale, NOON)
    assert banner is not None
    assert banner.plain == (
        "nothing vouches for what is shown since 11:59:50; an answer reads its ask again first: "
        "it was silent for 20 s"
    )


def test_every_row_is_live_or_says_since_when_it_is_not() -> None:
    assert old_words(live_link(), NOON) == ()
    stale = old_words(replace(LOST, state=LinkState.STALE), NOON)
    assert stale == ("stale since 11:59", "stale 11:59", "stale")
    for state in (LinkState.LOST, LinkState.RETRYING, LinkState.REFUSED):
        assert old_words(replace(LOST, state=state), NOON)[0] == "offline since 11:59"
    assert old_words(Link(), NOON) == ("offline",)


def test_the_connection_is_told_whole() -> None:
    link = live_link(clock_offset=timedelta(seconds=90), remarks=("first", "bad\x1b"))
    text = plain(link_lines(link, NOON))
    for words in ("127.0.0.1:41733", "--home", "0.1.0", "0.7.9", "e1", "1m ahead of ours", "asks"):
        assert words in text
    assert text.index(r"bad\x1b") < text.index("first")
    assert "not known" in plain(link_lines(Link(), NOON))
    assert "agrees with ours" in plain(link_lines(live_link(), NOON))


@rule("T7-02")
@given(hostile, hostile, st.sampled_from(LinkState))
@settings(max_examples=50)
def test_hostile_links_are_inert(a: str, b: str, state: LinkState) -> None:
    link = Link(state, a, NOON, b, NOON, 1, a, b, a, b, frozenset({a, b}), timedelta(1), (a, b))
    check_safe(link_lines(link, NOON))
    banner = link_banner(link, NOON)
    if banner is not None:
        check_safe(banner)


def test_a_daemon_without_the_contract_says_what_it_has_and_where_to_answer() -> None:
    link = Link(
        LinkState.LIVE,
        version="OpenRig 0.4.6",
        contract=NO_CONTRACT,
        capabilities=frozenset({"read:seats", "stream:/api/events", "do:approve", "do:deny"}),
    )
    told = [line.text.plain for line in link_lines(link, NOON)]
    assert any("OpenRig 0.4.6 has no permission answers" in words for words in told)
    for facts in ("seats", "/api/events", "approve, deny"):
        assert any(words.endswith(facts) for words in told)
    lost = link_banner(replace(link, state=LinkState.LOST), NOON)
    assert lost is not None
    assert "will permit" not in lost.plain
