"""The operator's own keys in dialogs: they work and are printed there; the old ones don't."""

from __future__ import annotations

from rig_tui.actions.keymap import keymap
from rig_tui.domain.commands import ReplyAsk
from rig_tui.ui.screens.history import HistoryScreen
from rig_tui.ui.screens.reply import ReplyScreen
from tests.builders import a_fleet, a_seat, an_ask, asking
from tests.ui.console import WIDE, console

KEYS = keymap(
    {
        "words.send": ["ctrl+g"],
        "words.reject": ["f4"],
        "record.next_view": ["v"],
        "link.retry": ["f5"],
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
