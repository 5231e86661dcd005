"""An operator at a daemon without permission requests."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.domain.commands import ActOnItem
from rig_tui.domain.events import AskChanged
from rig_tui.domain.model import NO_CONTRACT, Fleet
from rig_tui.wire.published.items import decode_item
from rig_tui.wire.published.seats import decode_nodes
from tests.builders import a_fleet, live_link
from tests.openrig import recorded
from tests.ui.console import MIDDLE, TINY, WIDE, console

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask

GATE = recorded.ANSWERS["attention"][-1]
PARKED = recorded.ANSWERS["attention"][1]
VERBS = frozenset(
    f"do:{verb}"
    for verb in ("approve", "deny", "route", "handoff", "hold", "drop", "annotate", "resolve")
)


def an_item(row: dict[str, Any] = GATE, **more: Any) -> Ask:
    return replace(decode_item(json.dumps(row | more)), version=1)


def openrig(*asks: Ask, lacks: str = "") -> Fleet:
    rows = recorded.ANSWERS["nodes"]["alpha"] + recorded.ANSWERS["nodes"]["beta"]
    link = live_link(
        version="OpenRig 0.4.6", contract=NO_CONTRACT, capabilities=VERBS - {f"do:{lacks}"}
    )
    return replace(
        a_fleet(*decode_nodes(json.dumps(rows)), *asks, link=link), acting_as="human@host"
    )


async def test_an_item_is_shown_whole_and_its_acts_take_a_last_key() -> None:
    gate = an_item()
    async with console(openrig(gate), WIDE) as c:
        await c.press("n")
        words = c.words()
        assert "Approve prod migration" in words
        assert "drops table foo" in words
        assert "plan.md" in words
        assert "nothing here permits" in words
        assert "allow once" not in words.casefold()
        await c.press("e", "enter")
        assert "nothing is permitted by this" in c.words()
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
        await c.press("n", "enter")
        assert "act on it" in c.words()
