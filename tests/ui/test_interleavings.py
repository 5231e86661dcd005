"""Keys, pastes, clicks, resizes, arrivals and disconnects in any order answer only what was meant.

What was meant is told by the story alone: which ask was on screen, since when, and which
key came how long after which. The console isn't asked.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from textual.events import Paste

from rig_tui.domain.commands import AnswerAsk, ClearAttention, DenyAsk
from rig_tui.domain.events import AskChanged, AskClosed, AskOpened, LinkLost
from rig_tui.domain.model import AskState
from rig_tui.ui.arming import Arming
from rig_tui.ui.screens.asking import Confirm
from tests.builders import NOON, a_fleet, a_seat, an_ask, asking, ended
from tests.fakes import as_read
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, WIDE, Console, console

if TYPE_CHECKING:
    import pytest

    from rig_tui.domain.model import Ask, JsonValue

STEPS = 8
MOST_ASKS = 3
VERSIONS = count(2_000_000)
"""Newer than whatever a list that is read again can hold."""
PAUSES = (0.001, 0.02, 0.079, 0.081, 0.3, 0.399, 0.401, 1.0, 1.0)
KEYS = "a a a r r d A Y n N t x escape escape down up enter space c i".split()  # noqa: SIM905


@dataclass
class Story:
    """One console, what the daemon says, and what its operator could have meant."""

    console: Console
    dice: random.Random
    asks: dict[str, Ask] = field(default_factory=dict)
    seen_since: float = 0.0
    opened_at: float = 0.0
    typed_at: float = -1.0
    _seen: object = None
    told: list[str] = field(default_factory=list)

    async def step(self) -> str:
        """Let one thing happen; say what was sent that nobody meant."""
        c = self.console
        c.hands.seconds += self.dice.choice(PAUSES)
        happen = self.dice.choice([self.key] * 8 + [self.arrive, self.end, self.change, self.other])
        before, meant = len(c.commands), await happen()
        await c.settle()
        self._look()
        for command in c.commands[before:]:
            # Clearing attention neither answers nor cancels anything.
            if command not in meant and not isinstance(command, ClearAttention):
                return f"{command} after {self.told}"
        return ""

    async def key(self) -> list[object]:
        key = self.dice.choice(KEYS)
        c, now = self.console, self.console.hands.seconds
        shown = self.asks.get(c.shown or "")
        on_board, confirming = c.app.screen is c.board, isinstance(c.app.screen, Confirm)
        alone = now - self.typed_at >= 0.08
        self.told.append(f"{now:.3f} {key} at {type(c.app.screen).__name__} {c.shown}")
        if key not in ("up", "down"):
            self.typed_at = now
        c.type(key)
        if shown is None or not alone:
            return []
        if on_board and now - self.seen_since >= 0.4 - 1e-9:
            option = {"a": "allow", "r": "reject"}.get(key)
            if key == "d":
                return [DenyAsk(shown.ask_id, shown.row_id)]
            return [AnswerAsk(shown.ask_id, shown.row_id, option)] if option else []
        if confirming and key == "Y":
            return [AnswerAsk(shown.ask_id, shown.row_id, "always")]
        return []

    async def arrive(self) -> list[object]:
        seat = self.dice.choice(("builder", "qa"))
        ask = an_ask(f"q{self.dice.random()}", seat, version=next(VERSIONS))
        self.asks[ask.ask_id] = ask
        self.told.append(f"arrived {ask.ask_id}")
        await self.console.bring(AskOpened(ask))
        return []

    async def end(self) -> list[object]:
        if self.asks:
            ask = self.asks.pop(self.dice.choice(sorted(self.asks)))
            self.told.append(f"withdrawn {ask.ask_id}")
            await self.console.bring(
                AskClosed(ended(ask, AskState.WITHDRAWN, version=next(VERSIONS)))
            )
        return []

    async def change(self) -> list[object]:
        if self.asks:
            ask = self.asks[self.dice.choice(sorted(self.asks))]
            call: JsonValue = {"title": f"Other {self.dice.random()}", "kind": "edit"}
            ask = self.asks[ask.ask_id] = replace(ask, tool_call=call, version=next(VERSIONS))
            self.told.append(f"changed {ask.ask_id}")
            await self.console.bring(AskChanged(ask))
        return []

    async def other(self) -> list[object]:
        c = self.console
        what = self.dice.choice(("paste", "resize", "lost", "click"))
        self.told.append(what)
        if what == "paste":
            c.app.screen.post_message(Paste("a\nr\ny"))
        elif what == "resize":
            await c.pilot.resize_terminal(*self.dice.choice((WIDE, MIDDLE, TINY)))
        elif what == "lost":
            await c.bring(LinkLost("gone", NOON, NOON))
            fleet = a_fleet(asking(a_seat()), asking(a_seat("qa")), *self.asks.values())
            await c.bring(*as_read(fleet))
        else:
            self.typed_at = c.hands.seconds
            await c.pilot.click(offset=(self.dice.randrange(30), self.dice.randrange(10)))
        return []

    def _look(self) -> None:
        """What is on screen now, as far as an answer could be about it."""
        ask = self.asks.get(self.console.shown or "")
        seen = (ask and (ask.ask_id, ask.version), self.console.app.screen is self.console.board)
        if seen != self._seen:
            self._seen, self.seen_since = seen, self.console.hands.seconds


async def live(seeds: range) -> str:
    """Live through interleavings in one console; give the first answer nobody meant."""
    fleet = a_fleet(asking(a_seat()), asking(a_seat("qa")), an_ask("q1"), an_ask("q2", "qa"))
    async with console(fleet, WIDE) as c:
        dice = random.Random(0)
        story = Story(c, dice, dict(fleet.asks))
        for seed in seeds:
            dice.seed(seed)
            story.told.clear()
            while len(story.asks) > MOST_ASKS:
                await story.end()
            for _ in range(STEPS):
                if wrong := await story.step():
                    return f"interleaving {seed}: {wrong}"
    return ""


@rule("T7-01", "T7-06")
async def test_no_interleaving_sends_what_was_not_meant(
    pytestconfig: pytest.Config,
) -> None:
    assert not await live(range(pytestconfig.getoption("interleavings")))


async def test_those_interleavings_find_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Arming, "_unarmed", lambda self, at: "")
    assert await live(range(200))
