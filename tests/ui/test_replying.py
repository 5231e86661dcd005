"""Words typed to an ask: nothing leaves the box but what its live line said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events
from textual.widgets import Input

from rig_tui.domain import mapping
from rig_tui.domain.commands import (
    DenyAsk,
    Done,
    Rejected,
    ReplyAsk,
    Unconfirmed,
    Unsent,
    WholeAsk,
)
from rig_tui.domain.drafts import ForAsk
from rig_tui.domain.events import AskChanged, AskClosed, AskOpened, LinkLost, LinkMade
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import AskState, Fleet, Holder, HolderType, Option, People
from rig_tui.domain.replies import ReplyClass, action_of, classify
from rig_tui.ui import themes
from rig_tui.ui.screens.asking import Confirm
from rig_tui.ui.screens.permit_word import PermitWord
from rig_tui.ui.screens.reply import ReplyScreen
from rig_tui.ui.widgets.draft_area import DraftArea
from rig_tui.ui.widgets.lines import ScrollingLines
from rig_tui.ui.widgets.offers import Offers
from tests.builders import (
    ALLOW,
    ALWAYS,
    ANA,
    BEN,
    NEVER,
    NOON,
    REJECT,
    a_fleet,
    a_seat,
    ago,
    an_ask,
    asking,
    ended,
    live_link,
)
from tests.fakes import as_read
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, WIDE, Console, console

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from rig_tui.domain.commands import Command
    from rig_tui.domain.receipt import Seen

SIZES = [WIDE, MIDDLE, TINY]


def at_desk(
    fleet: Fleet, size: tuple[int, int] = MIDDLE, **setup: Any
) -> AbstractAsyncContextManager[Console]:
    return console(fleet, size, **setup)


def one_ask(*options: Option, **changes: Any) -> Fleet:
    ask = an_ask(options=options or (ALLOW, REJECT), **changes)
    return a_fleet(asking(a_seat(takes_messages=True)), ask)


async def write(c: Console, text: str) -> None:
    """Open the box for the shown ask and put words into it."""
    await c.press("t")
    assert in_box(c)
    c.app.screen.query_one(DraftArea).insert(text)
    await c.rest()


def in_box(c: Console) -> bool:
    return isinstance(c.app.screen, ReplyScreen)


def draft(c: Console, ask_id: str = "qitem-1") -> str | None:
    held = c.app.fleet.drafts.get(ForAsk(ask_id))
    return held.text if held is not None else None


def painted(c: Console) -> str:
    """What the live line of the reply box says."""
    [box] = [screen for screen in c.app.screen_stack if isinstance(screen, ReplyScreen)]
    lines = box.query_one("#composing-says", ScrollingLines).lines
    return " ".join(" ".join(line.plain for line in lines).split())


@rule("T7-09")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("text", "words", "command"),
    [
        ("yes", "A plain yes: answers with ‘Allow’",
         ReplyAsk("qitem-1", "qitem-1", "yes", "yes")),
        ("nope", "A plain no: Reject (‘Reject’)",
         ReplyAsk("qitem-1", "qitem-1", "nope", "no")),
        ("Later on", "An option by name: answers with ‘Later on’",
         ReplyAsk("qitem-1", "qitem-1", "Later on", "choice", "later")),
    ],
)  # fmt: skip
async def test_a_plain_reply_says_what_it_does_and_goes_out_by_ctrl_s(
    text: str, words: str, command: ReplyAsk, size: tuple[int, int]
) -> None:
    later = Option("later", "Later on", "reject_once")
    async with at_desk(one_ask(ALLOW, REJECT, later), size) as c:
        await write(c, text)
        assert words in painted(c)
        await c.press("ctrl+s")
        assert c.commands == [command]


@rule("T7-09", "T7-10")
@pytest.mark.parametrize("size", SIZES)
async def test_other_words_say_that_they_permit_and_ctrl_s_only_moves_to_the_choices(
    size: tuple[int, int],
) -> None:
    async with at_desk(one_ask(), size) as c:
        await write(c, "no, use staging")
        assert "PERMITS with ‘Allow’" in painted(c)
        await c.press("ctrl+s")
        assert isinstance(c.app.screen.focused, Offers)
        assert "▌esc" in c.words("#composing-offers")
        await c.press("ctrl+s", "enter")
        assert c.commands == []
        assert not in_box(c)
        assert draft(c) == "no, use staging"


@rule("T7-09")
async def test_the_fate_of_words_that_are_no_answer_is_said() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use staging")
        words = painted(c)
        assert (
            "Your words are not an answer: the runner may pass them on as a later prompt" in words
        )
        assert "after this turn and behind anything queued, or drop them" in words


@rule("T7-09")
async def test_an_older_contract_keeps_the_words_on_the_ask_only() -> None:
    fleet = replace(one_ask(), link=live_link(contract="0.7.8"))
    async with at_desk(fleet) as c:
        await write(c, "use staging")
        assert "kept on the ask only" in painted(c)


@rule("T7-09")
async def test_words_where_no_allow_is_offered_are_said_to_refuse() -> None:
    async with at_desk(one_ask(REJECT, NEVER)) as c:
        await write(c, "use staging")
        assert "closes as refused: no allow option offered" in painted(c)
        assert "Send the words: closes as refused" in c.words("#composing-offers")


@rule("T7-10")
@pytest.mark.parametrize("text", ["wait", "no problem, go ahead"])
async def test_hesitant_words_permit_only_after_the_word_permit(text: str) -> None:
    async with at_desk(one_ask()) as c:
        await write(c, text)
        offers = c.words("#composing-offers")
        assert offers.index("Reject now") < offers.index("Back") < offers.index("Permit and send")
        await c.press("tab", "down", "enter")
        assert isinstance(c.app.screen, PermitWord)
        await c.press("enter", "ctrl+s", "Y")
        assert c.commands == []
        assert isinstance(c.app.screen, PermitWord)
        field = c.app.screen.query_one(Input)
        for typed in ("permit", "PERMI", "PERMITS"):
            field.value = typed
            await c.press("ctrl+s")
            assert c.commands == []
        assert "in capitals" in c.words("#permit-word-keys")
        field.value = "PERMIT"
        await c.press("enter")
        assert c.commands == []
        await c.press("ctrl+s")
        assert c.commands == [ReplyAsk("qitem-1", "qitem-1", text, "words", confirm_permit=True)]


@rule("T7-09")
async def test_other_words_permit_only_after_a_second_and_different_key() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use staging")
        await c.press("tab", "down", "enter")
        assert isinstance(c.app.screen, Confirm)
        assert "PERMITS with ‘Allow’" in c.words()
        await c.press("enter")
        assert c.commands == []
        assert in_box(c)
        await c.press("enter", "Y")
        assert c.commands == [
            ReplyAsk("qitem-1", "qitem-1", "use staging", "words", confirm_permit=True)
        ]


@rule("T7-11")
@pytest.mark.parametrize("text", ["", "…", "?", " \n ", "..."])
async def test_an_empty_reply_does_nothing(text: str) -> None:
    async with at_desk(one_ask()) as c:
        await write(c, text)
        await c.press("ctrl+s", "ctrl+r", "tab", "enter")
        assert c.commands == []
        assert in_box(c)


@rule("T7-05")
@pytest.mark.parametrize(
    ("options", "text", "expect"),
    [((ALWAYS, REJECT), "yes", "yes"), ((ALLOW, NEVER), "no", "no"),
     ((ALLOW, ALWAYS, REJECT), "always allow", "choice"),
     ((ALLOW, Option("x", "Later", "custom"), REJECT), "later", "choice")],
)  # fmt: skip
async def test_what_the_harness_remembers_takes_a_second_key(
    options: tuple[Option, ...], text: str, expect: str
) -> None:
    async with at_desk(one_ask(*options)) as c:
        await write(c, text)
        await c.press("ctrl+s")
        assert c.commands == []
        await c.press("ctrl+s")
        assert c.commands == []
        await c.press("ctrl+s", "Y")
        [command] = c.commands
        assert isinstance(command, ReplyAsk)
        assert command.expect == expect


@rule("T7-13")
@pytest.mark.parametrize("size", SIZES)
async def test_reject_and_explain_is_one_reject_and_a_kept_draft(size: tuple[int, int]) -> None:
    async with at_desk(one_ask(), size) as c:
        await write(c, "no, use staging")
        await c.press("ctrl+r")
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]
        held = c.app.fleet.drafts[ForAsk("qitem-1")]
        assert (held.text, held.after_turn, held.generation) == ("no, use staging", True, "gen-1")
        assert not in_box(c)


@rule("T7-13")
async def test_words_are_promised_only_where_the_seat_can_be_sent_them() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use staging")
        assert "Reject now; your words stay here as a draft to copy" in c.words("#composing-offers")
    sending = live_link(capabilities=live_link().capabilities | {"send"})
    async with at_desk(replace(one_ask(), link=sending)) as c:
        await write(c, "use staging")
        words = c.words("#composing-offers")
        assert "Reject now, then send these words after the turn" in words
        assert "stay here" not in words


@rule("T7-05")
async def test_a_reject_the_harness_remembers_is_asked_twice_here_too() -> None:
    async with at_desk(one_ask(ALLOW, NEVER)) as c:
        await write(c, "use staging")
        await c.press("ctrl+r")
        assert c.commands == []
        assert "remembered by the agent's harness" in " ".join(c.words().split())
        await c.press("Y")
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]


async def test_enter_on_the_reject_rejects_nothing_by_itself() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use staging")
        await c.press("tab", "up", "enter", "enter")
        assert c.commands == []
        await c.press("enter", "Y")
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]


@pytest.mark.parametrize("verdict", [Rejected("answered", "ben was first"), Unsent("refused")])
async def test_a_reject_that_did_not_happen_leaves_an_ordinary_draft(
    verdict: Rejected | Unsent,
) -> None:
    async with at_desk(one_ask()) as c:
        c.backend.verdict = lambda _: verdict
        await write(c, "use staging")
        await c.press("ctrl+r")
        held = c.app.fleet.drafts[ForAsk("qitem-1")]
        assert (held.text, held.after_turn) == ("use staging", False)


@rule("T7-12")
async def test_a_class_that_changed_is_shown_anew_and_never_sent_again_by_itself() -> None:
    async with at_desk(one_ask()) as c:
        c.backend.verdict = lambda _: Rejected("reply_class_changed", "that counts as words")
        await write(c, "ok")
        await c.press("ctrl+s")
        assert len(c.commands) == 1
        assert c.backend.queries == [WholeAsk("qitem-1")]
        assert in_box(c)
        assert "that counts as words" in painted(c)
        assert draft(c) == "ok"
        named = Option("ok", "ok", "reject_once")
        await c.bring(AskChanged(an_ask(options=(ALLOW, named), version=9)))
        said = painted(c)
        assert "An option by name: answers with ‘ok’" in said
        assert "has changed since this box was opened" in said
        await c.press("ctrl+s", "ctrl+s")
        assert len(c.commands) == 1
        await c.press("escape", "t", "ctrl+s")
        assert c.commands[1:] == [ReplyAsk("qitem-1", "qitem-1", "ok", "choice", "ok")]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (AskClosed(ended(an_ask())), "already answered"),
        (AskClosed(ended(an_ask(), AskState.WITHDRAWN)), "withdrawn"),
        (AskClosed(ended(an_ask(), AskState.STALE)), "stale"),
        (AskChanged(an_ask(row_id="row-2", version=9)), "has changed since this box was opened"),
        (AskChanged(an_ask(tool_call={"title": "rm -rf /"}, version=9)), "has changed"),
        (AskChanged(an_ask(holder=Holder(HolderType.SEAT, "qa@my-rig", "qa"), version=9)),
         "qa holds it"),
        (LinkLost("gone", NOON, NOON), "can't be reached"),
    ],
)  # fmt: skip
async def test_a_reply_is_refused_once_its_ask_is_not_what_it_was(
    change: object, words: str
) -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use staging")
        await c.bring(change)
        assert in_box(c)
        assert words in painted(c)
        assert c.words("#composing-offers") == ""
        await c.press("ctrl+r", "ctrl+s")
        assert c.commands == []
        assert draft(c) == "use staging"
        c.app.screen.query_one(DraftArea).load_text("yes")
        await c.rest()
        await c.press("ctrl+s")
        assert c.commands == []
        assert draft(c) == "yes"


async def test_an_ask_that_changes_under_the_last_step_is_not_answered() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use staging")
        await c.press("tab", "down", "enter")
        await c.bring(AskChanged(an_ask(row_id="row-2", version=9)))
        await c.press("Y")
        assert c.commands == []


async def test_an_ask_that_changes_under_the_word_permit_is_not_answered() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "wait")
        await c.press("tab", "down", "enter")
        await c.bring(AskChanged(an_ask(options=(ALLOW, REJECT), row_id="row-2", version=9)))
        c.app.screen.query_one(Input).value = "PERMIT"
        await c.press("ctrl+s")
        assert c.commands == []
        assert in_box(c)
        assert draft(c) == "wait"


async def test_a_draft_of_one_ask_never_goes_to_another() -> None:
    fleet = a_fleet(
        asking(a_seat()), asking(a_seat("qa")),
        an_ask("one", opened_at=ago(9)), an_ask("two", "qa", opened_at=ago(5)),
    )  # fmt: skip
    async with at_desk(fleet) as c:
        await write(c, "ok")
        await c.bring(AskClosed(ended(fleet.asks["one"], AskState.WITHDRAWN)))
        await c.press("ctrl+s")
        assert c.commands == []
        await c.press("escape", "n", "t")
        assert c.shown == "two"
        assert c.app.screen.query_one(DraftArea).text == ""
        assert draft(c, "one") == "ok"


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Rejected("not_the_holder", "ben holds this ask"), "ben holds this ask"),
        (Unsent("connection refused"), "connection refused"),
        (Unconfirmed("no reply in 10 s"), "It may have arrived"),
    ],
)
async def test_each_way_a_reply_can_fail_is_said_in_the_box_and_keeps_its_words(
    verdict: Rejected | Unsent | Unconfirmed, words: str
) -> None:
    async with at_desk(one_ask()) as c:
        c.backend.verdict = lambda _: verdict
        await write(c, "yes")
        await c.press("ctrl+s")
        assert in_box(c)
        assert words in painted(c)
        assert draft(c) == "yes"
        assert len(c.commands) == 1


async def test_a_recorded_reply_closes_the_box_and_is_no_draft_any_more() -> None:
    async with at_desk(one_ask()) as c:
        over = ended(an_ask(), decided_how="yes")
        c.backend.verdict = lambda _: Done(over.outcome, over.version, over)
        await write(c, "yes")
        await c.press("ctrl+s")
        assert not in_box(c)
        assert draft(c) is None
        assert "reply “yes”: answers with ‘Allow’" in c.words("#ask-after")


async def test_a_draft_outlives_esc_and_opens_again() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use staging\nfirst")
        await c.press("escape")
        assert "t goes on with your draft" in c.words("#ask-after")
        await c.press("t")
        assert c.app.screen.query_one(DraftArea).text == "use staging\nfirst"


async def test_a_draft_outlives_resizes_a_theme_and_a_reconnect() -> None:
    fleet = one_ask()
    async with at_desk(fleet) as c:
        await write(c, "use staging")
        for size in [TINY, (30, 8), MIDDLE, WIDE]:
            await c.pilot.resize_terminal(*size)
        c.app.theme = themes.LIGHT.name
        await c.bring(LinkLost("gone", NOON, NOON))
        await c.bring(*as_read(fleet))
        assert in_box(c)
        assert c.app.screen.query_one(DraftArea).text == "use staging"
        assert "PERMITS with" in painted(c)
        assert "Can't be sent" not in painted(c)


async def test_every_answer_key_is_a_letter_while_words_are_written() -> None:
    async with at_desk(one_ask(ALLOW, ALWAYS, REJECT, NEVER)) as c:
        await write(c, "yes")
        await c.bring(AskOpened(an_ask("other", "qa", version=9)))
        assert "answer keys are off" in str(c.board.pane.border_subtitle)
        await c.press(*"aArRdxcHLqY12", "colon")
        assert c.commands == []
        assert c.app.screen.query_one(DraftArea).text == "yesaArRdxcHLqY12:"


async def test_the_palette_is_off_while_words_are_written() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use")
        await c.press("ctrl+p")
        assert in_box(c)
        assert "palette is off" in c.notices[-1]


@rule("T7-06")
async def test_pasted_text_is_words_and_sends_nothing() -> None:
    async with at_desk(one_ask()) as c:
        await c.press("t")
        c.app.post_message(events.Paste("yes\r\na\u202e\x1b[2J\nA\n"))
        await c.settle()
        assert c.app.screen.query_one(DraftArea).text == "yes\na[2J\nA\n"
        assert "2 characters nobody can see left out" in c.notices[-1]
        assert c.commands == []


@rule("T7-06")
async def test_a_paste_that_comes_as_keys_cannot_send_itself() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "")
        await c.press("y", "e", "s", "ctrl+s", "ctrl+r", apart=0.001)
        assert c.commands == []
        assert "pasted text" in c.notices[-1]


async def test_a_text_too_long_is_not_pasted_in_part() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "so ")
        c.app.post_message(events.Paste("x" * 30_000))
        await c.settle()
        assert c.app.screen.query_one(DraftArea).text == "so "
        assert "Nothing was pasted" in c.notices[-1]


async def test_back_on_the_board_a_key_meant_for_the_box_answers_nothing() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use")
        await c.press("escape")
        await c.press("a", apart=0.2)
        assert c.commands == []


async def test_leaving_asks_about_words_that_would_be_lost() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use staging")
        await c.press("ctrl+c")
        assert "1 draft unsent" in c.words()
        await c.press("escape")
        assert in_box(c)
        await c.press("escape", "q")
        assert isinstance(c.app.screen, Confirm)
        assert c.app.return_value is None
        await c.press("Y")
        assert c.app.return_value == 0


async def test_only_the_holder_and_the_primary_user_reply_in_words() -> None:
    fleet = one_ask(holder=Holder(HolderType.PERSON, "ben@external", "Ben"))
    async with at_desk(replace(fleet, people=People((ANA, BEN), "ana"))) as c:
        await c.press("t")
        assert not in_box(c)
        assert "Ben holds it" in c.notices[-1]


async def test_a_daemon_without_replies_takes_none() -> None:
    fleet = replace(one_ask(), link=live_link(capabilities=frozenset({"asks", "answer"})))
    async with at_desk(fleet) as c:
        await c.press("t")
        assert not in_box(c)
        assert "takes no typed replies" in c.notices[-1]


async def test_a_window_too_small_to_read_the_effect_sends_nothing() -> None:
    long = Option("a", "Allow " + "very " * 60 + "much", "allow_once")
    async with at_desk(one_ask(long, REJECT), TINY) as c:
        await write(c, "yes")
        await c.press("ctrl+s")
        assert c.commands == []
        assert "isn't wholly visible" in c.notices[-1]
        await c.pilot.resize_terminal(*WIDE)
        await c.press("ctrl+s")
        assert len(c.commands) == 1


@rule("T5-02")
async def test_abort_is_said_to_be_only_words() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "/abort")
        said = painted(c)
        assert "cancels nothing" in said
        assert "type /abort in the runner's pane" in said


async def test_a_key_that_overtakes_the_painting_sends_nothing() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "ok")
        screen = c.app.screen
        assert isinstance(screen, ReplyScreen)
        screen.query_one(DraftArea).load_text("no")
        screen.action_send()
        await c.settle()
        assert c.commands == []
        assert "only just changed" in c.notices[-1]
        await c.press("ctrl+s")
        assert c.commands == [ReplyAsk("qitem-1", "qitem-1", "no", "no")]


TEXTS = ["yes", "no", "ok", "later", "use staging", "wait", "", "no problem, go ahead"]
OPTION_SETS = [
    (ALLOW, REJECT),
    (ALLOW, Option("ok", "ok", "reject_once")),
    (REJECT, Option("2", "Later", "reject_once")),
    (ALWAYS, Option("later", "No", "allow_once"), NEVER),
]
KEYS = [("ctrl+s",), ("ctrl+r",), ("Y",), ("tab",), ("down",), ("enter",), ("escape",)]


def assert_as_painted(c: Console, command: ReplyAsk) -> None:
    """What goes out is what the daemon takes it for, and what the live line said."""
    options = c.app.fleet.asks[command.ask_id].options
    taken = classify(command.text, options)
    action = Act.DROP if taken.cls is ReplyClass.WORDS else action_of(taken)
    assert command.expect == taken.cls.value
    assert mapping.consequence(options, action) in painted(c)
    permits = mapping.outcome(options, action_of(taken)).state is AskState.PERMITTED
    assert command.confirm_permit is permits


@rule("T7-09", "T7-12")
@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from([*TEXTS, *OPTION_SETS, *KEYS, *KEYS]), min_size=4, max_size=10))
async def test_nothing_is_ever_sent_as_something_else_than_was_painted(
    steps: list[str | tuple[Any, ...]],
) -> None:
    async with at_desk(one_ask()) as c:
        c.backend.verdict = lambda _: Rejected("reply_class_changed", "look again")
        act, sent = c.app.outbox.do, []

        def watched(command: Command, label: str, seen: Seen) -> None:
            if isinstance(command, ReplyAsk):
                assert_as_painted(c, command)
                sent.append(command)
            act(command, label, seen)

        c.app.outbox.do = watched  # type: ignore[method-assign]
        for number, step in enumerate(steps):
            screen = c.app.screen
            if isinstance(step, str):
                if screen is c.board:
                    await c.press("t")
                for area in c.app.screen.query(DraftArea):
                    area.load_text(step)
                await c.press("ctrl+s")
            elif isinstance(step[0], Option):
                await c.bring(AskChanged(an_ask(options=step, version=number + 10)))
            elif screen is not c.board:
                await c.press(step[0])
        assert [command for command in c.commands if isinstance(command, ReplyAsk)] == sent


async def test_a_box_opened_where_the_link_was_made_anew_keeps_its_words() -> None:
    async with at_desk(one_ask()) as c:
        await write(c, "use")
        made = LinkMade("127.0.0.1:1", NOON, "0.1.0", "0.7.9", "other", live_link().capabilities,
                        NOON - NOON)  # fmt: skip
        await c.bring(made)
        await c.press("ctrl+s")
        assert c.commands == []
        assert draft(c) == "use"
