"""One console lived through: keys, clicks, pastes, events and lost links in any order.

What an operator could have meant is told by the story alone: which ask was on screen and
since when, what lay over it, and which key or click came how long after which. The console
isn't asked; only where it painted its rows is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from textual.events import Paste

from rig_tui.domain.commands import AnswerAsk, ClearAttention, CloseAsk, DenyAsk
from rig_tui.domain.events import AskChanged, AskClosed, AskOpened, LinkDoubted, LinkLost
from rig_tui.domain.model import AskState
from rig_tui.ui.arming import ARMING_SECONDS, BURST_SECONDS
from rig_tui.ui.holding import HOLD_SECONDS
from rig_tui.ui.screens.asking import Chooser, Confirm
from rig_tui.ui.screens.words import Words
from tests.builders import ALLOW, ALWAYS, NOON, REJECT, a_fleet, a_seat, ago, an_ask, asking, ended
from tests.fakes import as_read
from tests.ui.console import MIDDLE, TINY, WIDE

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable

    from rig_tui.domain.model import Ask, JsonValue
    from rig_tui.ui.holding import Held
    from tests.ui.console import Console

TWIN = replace(ALLOW, option_id="allow-2", name="Allow here")
OFFERS = ((ALLOW, ALWAYS, REJECT), (ALLOW, ALWAYS, REJECT), (ALLOW, TWIN, REJECT))
VERSIONS = count(2_000_000)
"""Newer than whatever a list that is read again can hold."""
PAUSES = (0.001, 0.02, 0.079, 0.081, 0.3, 0.399, 0.401, 1.0, 1.0)
KEYS = "a a a a a a r r r r d d A A A x 1 n n n n N t c o H escape down up tab".split()  # noqa: SIM905
OVER_IT = ("Y", "Y", "1", "2", "escape", "escape")
"""Keys that mean something to what lies over the board."""
MOVES = ("down", "up", "tab")
SIZES = (WIDE, MIDDLE, TINY)
FEWEST_ASKS, MOST_ASKS = 2, 4
_A_HAIR = 1e-9


@dataclass
class Story:
    """One console, what the daemon says, and what its operator could have meant."""

    console: Console
    dice: random.Random
    asks: dict[str, Ask] = field(default_factory=dict)
    live: bool = True
    told: list[str] = field(default_factory=list)
    sent: int = 0
    """How many commands left the console, each of them meant."""
    _seen: object = None
    _seen_since: float = 0.0
    _typed_at: float = -1.0
    _held: tuple[object, float] | None = None
    """What a key meant that nothing has cancelled yet, and when it came."""
    _holds: tuple[Held | None, float] = (None, 0.0)
    """What the console holds, and since when."""

    async def begin(self) -> None:
        """Begin another chapter, with a few asks, most of the time with a link."""
        self.told.clear()
        while len(self.asks) < FEWEST_ASKS:
            await self.arrive()
        while len(self.asks) > MOST_ASKS:
            await self.end()
        if not self.live and self.dice.random() < 0.9:
            await self.link()

    async def step(self) -> str:
        """Let one thing happen; say what was sent that nobody meant."""
        if wrong := await self._let_time_pass():
            return wrong
        happen = self.dice.choice([self.key] * 10 + [self.click] * 3 + self._events)
        before, meant = len(self.console.commands), await happen()
        return await self._judge(before, meant)

    async def _let_time_pass(self) -> str:
        """Go on to the next moment; an answer whose hold is over by then is sent before."""
        hands, pause, (held, since) = self.console.hands, self.dice.choice(PAUSES), self._holds
        left = max(0.0, since + HOLD_SECONDS - hands.seconds)
        wrong = ""
        if held is not None and left <= pause:
            hands.seconds += left
            pause -= left
            before, meant = len(self.console.commands), [self._held[0]] if self._held else []
            self._held = None
            await self.console.board._holding.end(held)
            wrong = await self._judge(before, meant)
        hands.seconds += pause
        return wrong

    async def _judge(self, before: int, meant: list[object]) -> str:
        await self.console.settle()
        self._look()
        for command in self.console.commands[before:]:
            # Clearing attention neither answers nor cancels anything.
            if isinstance(command, ClearAttention):
                continue
            if command not in meant:
                return f"{command} after {self.told}"
            self.sent += 1
        return ""

    async def key(self) -> list[object]:
        c, now = self.console, self.console.hands.seconds
        over = c.app.screen is not c.board and self.dice.random() < 0.8
        key = self.dice.choice(OVER_IT if over else KEYS)
        self.told.append(f"{now:.3f} {key} at {type(c.app.screen).__name__} {c.shown}")
        meant = self._meant_by(key) if self._touched(moves=key in MOVES) else []
        c.type(key)
        if meant and c.app.screen is c.board:
            self._held = meant[0], now
            return []
        return meant

    def _touched(self, *, moves: bool = False) -> bool:
        """A key or a click came; whether it may be an answer, by when it came."""
        c, now = self.console, self.console.hands.seconds
        alone = now - self._typed_at >= BURST_SECONDS
        cancels = self._held is not None and now - self._held[1] < HOLD_SECONDS
        self._held = None
        if not moves:
            self._typed_at = now
        long_enough = now - self._seen_since >= ARMING_SECONDS - _A_HAIR
        return alone and long_enough and not cancels and self.live and c.shown in self.asks

    def _meant_by(self, key: str) -> list[object]:
        c = self.console
        ask = self.asks[c.shown or ""]
        match c.app.screen:
            case Confirm() if key == "Y":
                return [AnswerAsk(ask.ask_id, ask.row_id, "always")]
            case Chooser() if key in "12":
                return [AnswerAsk(ask.ask_id, ask.row_id, ("allow", "allow-2")[int(key) - 1])]
            case Words() if key == "Y":
                return [CloseAsk(ask.ask_id, ask.row_id, "drop", "closed without choosing")]
            case c.board if key == "d":
                return [DenyAsk(ask.ask_id, ask.row_id)]
            case c.board:
                option = {"a": "allow", "r": "reject"}.get(key)
                twins = key == "a" and TWIN in ask.options
                answer = option is not None and not twins
                return [AnswerAsk(ask.ask_id, ask.row_id, option or "")] if answer else []
            case _:
                return []

    async def click(self) -> list[object]:
        """Click an option's row, or anywhere."""
        c = self.console
        ask, rows = self.asks.get(c.shown or ""), c.board.query_one("#ask-options").region
        row = self.dice.randrange(3)
        seen = c.app.screen is c.board and c.app.screen.region.contains(rows.x + 2, rows.y + row)
        if ask is None or not rows or not seen or self.dice.random() < 0.2:
            return await self._click_anywhere()
        option = ask.options[row]
        self.told.append(f"{c.hands.seconds:.3f} click {option.option_id} of {ask.ask_id}")
        may = self._touched()
        await c.pilot.click("#ask-options", offset=(2, row))
        at_once = may and option != ALWAYS
        return [AnswerAsk(ask.ask_id, ask.row_id, option.option_id)] if at_once else []

    async def _click_anywhere(self) -> list[object]:
        """Click where no option of the board is; only in a chooser that means something."""
        c = self.console
        x, y = self.dice.randrange(30), self.dice.randrange(10)
        if c.app.screen is c.board and c.board.query_one("#ask-options").region.contains(x, y):
            return []
        self.told.append(f"{c.hands.seconds:.3f} click anywhere")
        may = isinstance(c.app.screen, Chooser) and self._touched()
        await c.pilot.click(offset=(x, y))
        if not may:
            return []
        ask = self.asks[c.shown or ""]
        return [AnswerAsk(ask.ask_id, ask.row_id, each.option_id) for each in (ALLOW, TWIN)]

    @property
    def _events(self) -> list[Callable[[], Awaitable[list[object]]]]:
        return [self.arrive, self.end, self.change, self.reorder, self.other, self.link]

    async def arrive(self) -> list[object]:
        seat, options = self.dice.choice(("builder", "qa")), self.dice.choice(OFFERS)
        ask = an_ask(f"q{self.dice.random()}", seat, version=next(VERSIONS), options=options)
        return await self._bring(AskOpened(ask), ask, "arrived")

    async def end(self) -> list[object]:
        if self.asks:
            ask = self.asks.pop(self.dice.choice(sorted(self.asks)))
            self.told.append(f"withdrawn {ask.ask_id}")
            over = ended(ask, AskState.WITHDRAWN, version=next(VERSIONS))
            await self.console.bring(AskClosed(over))
        return []

    async def change(self) -> list[object]:
        call: JsonValue = {"title": f"Other {self.dice.random()}", "kind": "edit"}
        return await self._alter("changed", tool_call=call)

    async def reorder(self) -> list[object]:
        return await self._alter("moved", opened_at=ago(self.dice.randrange(600)))

    async def _alter(self, how: str, **changes: object) -> list[object]:
        if not self.asks:
            return []
        shown = self.console.shown
        there = shown in self.asks and self.dice.random() < 0.5
        ask = self.asks[shown if there and shown else self.dice.choice(sorted(self.asks))]
        ask = replace(ask, version=next(VERSIONS), **changes)  # type: ignore[arg-type]
        return await self._bring(AskChanged(ask), ask, how)

    async def _bring(self, event: object, ask: Ask, how: str) -> list[object]:
        self.told.append(f"{how} {ask.ask_id}")
        self.asks[ask.ask_id] = ask
        await self.console.bring(event)
        return []

    async def other(self) -> list[object]:
        """A paste, or another size."""
        c = self.console
        what = self.dice.choice(("paste", "resize"))
        self.told.append(what)
        if what == "paste":
            self._held = None
            c.app.screen.post_message(Paste("a\nr\ny"))
        else:
            await c.pilot.resize_terminal(*self.dice.choice(SIZES))
        return []

    async def link(self) -> list[object]:
        """The link goes, goes quiet, or comes back with the daemon's lists."""
        self.live = not self.live
        self.told.append("live" if self.live else "gone")
        if self.live:
            fleet = a_fleet(asking(a_seat()), asking(a_seat("qa")), *self.asks.values())
            await self.console.bring(*as_read(fleet))
        elif self.dice.random() < 0.5:
            await self.console.bring(LinkLost("gone", NOON, NOON))
        else:
            await self.console.bring(LinkDoubted("quiet", NOON))
        return []

    def _look(self) -> None:
        """What is on screen now, as far as an answer could be about it."""
        ask = self.asks.get(self.console.shown or "")
        what = ask and (ask.ask_id, ask.row_id, repr(ask.tool_call))
        seen = (what, self.console.app.screen)
        if seen != self._seen:
            if self._seen is not None and what != self._seen[0]:  # type: ignore[index]
                self._held = None
            self._seen, self._seen_since = seen, self.console.hands.seconds
        held = self.console.board._holding._held
        if held is not self._holds[0]:
            self._holds = held, self.console.hands.seconds
