"""An operator at a daemon without permission requests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.actions.action import Context
from rig_tui.actions.registry import ACTIONS
from rig_tui.cli.asks import whole_row
from rig_tui.domain.commands import ActOnItem
from rig_tui.domain.events import AskChanged
from tests.builders import a_fleet, an_ask
from tests.openrig.scenes import PARKED, an_item, openrig
from tests.ui.console import MIDDLE, TINY, WIDE, console


async def test_an_item_is_shown_whole_and_its_acts_take_a_last_key() -> None:
    gate = an_item()
    async with console(openrig(gate), WIDE) as c:
        await c.press("n")
        words = c.words()
        assert "Approve prod migration" in words
        assert "drops table foo" in words
        assert "plan.md" in words
        assert "the keys that answer one do nothing here" in words
        assert "allow once" not in words.casefold()
        await c.press("e", "enter")
        assert "no agent is given an option" in c.words()
        await c.press("enter", "escape")
        assert c.commands == []
        await c.press("e", "enter", "Y")
        assert c.commands == [ActOnItem(gate.ask_id, gate.ask_id, "approve")]


async def test_no_key_that_answers_a_permission_does_anything_to_an_item() -> None:
    async with console(openrig(an_item()), WIDE) as c:
        await c.press("n")
        for key in "aArRdxtog":
            c.app.clear_notifications()
            await c.press(key)
            why = c.notices
            assert any("no permission request" in w or "not offered" in w or "has no" in w
                       for w in why), (key, why)  # fmt: skip
            await c.press("Y")
            assert c.commands == []


async def test_a_verb_that_needs_words_isn_t_sent_without_them() -> None:
    parked = an_item(PARKED)
    async with console(openrig(parked), WIDE) as c:
        await c.press("n", "e", *"reso", "enter")
        assert "typed into its pane" in c.words()
        await c.press("Y")
        assert c.commands == []
        assert "can't be blank" in c.words()
        await c.press("tab", *"A", "enter", "Y")
        assert c.commands == [ActOnItem(parked.ask_id, parked.ask_id, "resolve", "A")]


async def test_what_this_daemon_lacks_is_listed_with_the_reason_and_never_sent() -> None:
    fleet = openrig(an_item(), lacks="drop")
    async with console(fleet, WIDE) as c:
        await c.press("n", "e", *"drop")
        assert "OpenRig 0.4.6 has no drop" in c.words()
        await c.press("enter")
        assert "OpenRig 0.4.6 has no drop" in c.words()
        await c.press("Y", "escape")
        assert c.commands == []


async def test_handing_on_names_whom_and_that_they_are_told_in_their_pane() -> None:
    gate = an_item()
    async with console(openrig(gate), WIDE) as c:
        await c.press("n", "e", *"hando", "enter", *"qa@b", "enter")
        assert "types a notice into that seat's pane" in " ".join(c.words().split())
        await c.press("Y")
        to = "dev-qa@beta-hF6PP01R0"
        assert c.commands == [ActOnItem(gate.ask_id, gate.ask_id, "handoff", "", to)]


async def test_an_item_that_changes_under_its_dialog_closes_it() -> None:
    gate = an_item()
    async with console(openrig(gate), WIDE) as c:
        await c.press("n", "e", "enter")
        await c.bring(AskChanged(replace(an_item(summary="Something else"), version=2)))
        await c.press("Y")
        assert c.commands == []
        assert any("changed" in notice for notice in c.notices)


async def test_seats_say_where_they_ask_and_never_that_they_permit() -> None:
    async with console(openrig(), WIDE) as c:
        words = c.words()
        assert "permits" not in words
        await c.press("L")
        assert "has no permission answers" in " ".join(c.words().split())


@pytest.mark.parametrize("size", [MIDDLE, TINY])
async def test_small_windows_show_the_item_and_its_key(size: tuple[int, int]) -> None:
    async with console(openrig(an_item()), size) as c:
        await c.press("n")
        assert "act on it" in c.words("#ask-options")


@pytest.mark.parametrize("action", ["seat.stop", "seat.revoke_grant", "people.refuse_all"])
def test_what_only_a_daemon_of_ours_can_do_is_refused_in_its_name(action: str) -> None:
    fleet = openrig()
    context = Context(fleet, seat=next(iter(fleet.seats.values())))
    assert "OpenRig 0.4.6" in (ACTIONS[action].why_not(context) or "")


def test_a_program_is_told_no_outcome_of_a_permission_for_an_item() -> None:
    assert whole_row(an_item(), "127.0.0.1:7433")["acts"] == {}


def test_the_key_of_items_does_nothing_to_a_permission_request() -> None:
    ask = an_ask()
    why = ACTIONS["item.act"].why_not(Context(a_fleet(ask), ask))
    assert why is not None
    assert "its own options answer it" in why
    gate = an_item()
    assert ACTIONS["item.act"].why_not(Context(openrig(gate), gate)) is None
    assert ACTIONS["item.act"].why_not(Context(openrig(gate), gate, unarmed="new")) == "new"
