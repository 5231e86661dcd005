"""The console itself against the fake daemon, over sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.model import Fleet, Reading
from rig_tui.ui.app import RigApp
from rig_tui.ui.setup import Setup
from tests.openrig.conftest import become
from tests.openrig.fake import event
from tests.ui.console import WIDE, Console, Hands

if TYPE_CHECKING:
    from tests.openrig.conftest import OpenRigConsole
    from tests.openrig.fake import FakeOpenRig


async def test_an_operator_sees_seats_and_asks_and_acts_on_one(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    openrig.hear("beta", "dev.qa", "needs_input")
    hands = Hands()
    app = RigApp(
        Setup(
            open_backend=lambda _: console.backend,
            now=hands.now,
            monotonic=hands.monotonic,
            ticks=False,
            hold=0.0,
            fleet=Fleet(acting_as="human@host"),
        )
    )
    async with app.run_test(size=WIDE) as pilot:
        await become(lambda: app.fleet.link.live and len(app.fleet.asks) == len(openrig.items))
        c = Console(app, None, pilot, hands)  # type: ignore[arg-type]
        await c.press("n")
        shown = c.shown
        assert shown is not None
        assert not openrig.acted
        await c.press("e", *"deny", "enter", "tab", *"no", "enter", "Y")
        await become(lambda: openrig.item(shown)["closureReason"] == "denied")
        await become(lambda: not app.fleet.asks[shown].pending)
        assert [body["reason"] for _, body in openrig.acted] == ["no"]
        assert app.fleet.asks[shown].outcome.reason == "denied: no"
        stream = await openrig.stream()
        openrig.hear("beta", "dev.qa", "running")
        stream.send(event(900, "agent.activity"))
        await become(
            lambda: any(
                seat.seat_ref == "dev.qa@beta" and seat.reading is Reading.WORKING
                for seat in app.fleet.seats.values()
            )
        )
