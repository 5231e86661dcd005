"""The operator's own keys in dialogs: they work and are printed there; the old ones don't."""

from __future__ import annotations

from rig_tui.actions.keymap import keymap
from rig_tui.domain.commands import ReplyAsk
from rig_tui.domain.events import LinkLost
from rig_tui.ui.screens.connect import ConnectScreen
from rig_tui.ui.screens.history import HistoryScreen
from rig_tui.ui.screens.reply import ReplyScreen
from rig_tui.ui.screens.snooze import SnoozeScreen
from rig_tui.ui.screens.who_is_asked import WhoIsAskedScreen
from rig_tui.ui.screens.words import Words
from tests.builders import CAPABILITIES, NOON, a_fleet, a_seat, an_ask, asking, live_link
from tests.ui.console import WIDE, console

KEYS = keymap(
    {
        "words.send": ["ctrl+g"],
        "words.reject": ["f4"],
        "record.next_view": ["v"],
        "link.retry": ["f5"],
        "map.refuse_all": ["f6"],
        "map.register": ["N"],
        "snooze.turn": ["c"],
        "connect.retry": ["f7"],
    }
)


async def test_a_dialog_takes_the_operators_keys_and_prints_them() -> None:
    async with console(a_fleet(asking(a_seat()), an_ask()), WIDE, keymap=KEYS) as c:
        await c.press("t", *"wait")
        assert "f4" in c.words()
        assert "ctrl+r" not in c.words()
        await c.press("ctrl+r", *["backspace"] * 4, *"no", "ctrl+s")
        assert isinstance(c.app.screen, ReplyScreen)
        assert c.commands == []
        assert "ctrl+g send" in " ".join(c.words("#composing-keys").split())
        await c.press("ctrl+g")
        (sent,) = c.commands
        assert isinstance(sent, ReplyAsk)
        await c.press("escape", "H", "v")
        assert isinstance(c.app.screen, HistoryScreen)
        assert "[remembered]" in c.words("#history-views")
        assert "v view" in c.words("#history-keys")
        await c.press("escape", "L")
        assert "f5 retry now" in c.words()
        await c.press("f5")
        assert c.backend.retries == 1


async def test_the_map_and_the_snooze_take_the_operators_letters() -> None:
    link = live_link(capabilities=CAPABILITIES | {"permissions-to"})
    async with console(a_fleet(asking(a_seat()), an_ask(), link=link), WIDE, keymap=KEYS) as c:
        await c.press("p", "d", "plus")
        assert isinstance(c.app.screen, WhoIsAskedScreen)
        assert "f6 refuse all" in c.words("#asked-keys")
        assert "N register" in c.words("#asked-keys")
        for key in ("f6", "N"):
            await c.press(key)
            assert isinstance(c.app.screen, Words)
            await c.press("escape")
        await c.press("p", "z", "t")
        assert isinstance(c.app.screen, SnoozeScreen)
        assert "c  when its turn changes" in c.words()
        await c.press("c")
        [snoozed] = c.board.finding.view.snoozed.values()
        assert snoozed.seat is not None
        assert snoozed.until is None
        assert c.commands == []


async def test_the_way_to_a_daemon_is_tried_again_by_the_operators_key() -> None:
    async with console(None, WIDE, keymap=KEYS) as c:
        await c.bring(LinkLost("nothing answers", NOON, NOON))
        await c.press("r")
        assert isinstance(c.app.screen, ConnectScreen)
        assert c.backend.retries == 0
        assert "f7 try again" in c.words()
        await c.press("f7")
        assert c.backend.retries == 1
