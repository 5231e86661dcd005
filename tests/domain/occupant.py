"""A seat's occupant for tests: posts by the second, readings by the second."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from rig_tui.domain import activity as act
from rig_tui.domain.activity import Activity, Intake, Post

if TYPE_CHECKING:
    from rig_tui.domain.model import Evidence, Reading

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
GENERATION = "gen-2"


def second(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


class Occupant:
    """Posts as a well-behaved runner does, unless told otherwise."""

    def __init__(self, activity: Activity | None = None) -> None:
        self.activity = activity or Activity()
        self.asks = 0
        self.last: Intake | None = None
        self._sequence = 0

    def post(
        self,
        kind: str,
        at: float,
        turn: str | None = None,
        *,
        live: int | None = None,
        dated: float | str | None = "at",
        sequence: int | str | None = "next",
        generation: str | None = GENERATION,
    ) -> bool:
        """Post `hookEvent/subtype`; say whether it counted."""
        if sequence == "next":
            self._sequence += 1
            sequence = self._sequence
        assert not isinstance(sequence, str)
        when = at if dated == "at" else dated
        assert not isinstance(when, str)
        hook_event, subtype = kind.split("/")
        self.last = act.intake(
            self.activity,
            Post(
                hook_event,
                subtype,
                second(at),
                generation,
                sequence,
                None if when is None else second(when),
                turn,
                live,
            ),
            GENERATION,
            self.asks > 0,
        )
        self.activity = self.last.activity
        return self.last.counted

    def prompt(self, at: float, turn: str = "7") -> bool:
        return self.post("UserPromptSubmit/accepted", at, turn)

    def beat(self, at: float, turn: str | None = "7", live: int | None = None) -> bool:
        return self.post("active/liveness", at, turn, live=live)

    def ask(self, at: float, dated: float | None = None) -> None:
        self.asks += 1
        occurred_at = None if dated is None else second(dated)
        self.activity = act.ask_opened(self.activity, second(at), occurred_at)

    def reads(self, at: float, screen_changing: bool = False) -> Reading:
        return act.reading(self.activity, second(at), screen_changing)[0]

    def evidence(self, at: float) -> Evidence:
        return act.reading(self.activity, second(at))[1]
