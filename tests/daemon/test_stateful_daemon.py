"""Any interleaving of posts, submits, acts, relaunches, restarts and clock steps.

Everything goes over real HTTP to a daemon with a clock that stands still, and is
compared with a model that decides with the domain's pure functions. `FUZZ_EXAMPLES=500
pytest tests/daemon/test_stateful_daemon.py` looks longer.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from rig_tui.domain.mapping import Act
from tests.daemon.fleet_model import HOST
from tests.daemon.harness import ALLOW, ALWAYS, NEVER, REJECT
from tests.daemon.paired_fleet import CLOSINGS, SEATS, PairedFleet
from tests.rules import rule

if TYPE_CHECKING:
    from random import Random

OPTIONS = ([ALLOW, ALWAYS, REJECT], [ALWAYS, REJECT], [ALLOW, NEVER], [REJECT, NEVER], [ALLOW])
PROMPT, BEAT, STOP = ("UserPromptSubmit", "accepted"), ("active", "liveness"), ("Stop", "end_turn")
KINDS = (
    PROMPT,
    BEAT,
    STOP,
    ("active", "agent_message"),
    ("active", "permission_resolved"),
    ("PreToolUse", "edit"),
    ("Notification", "permission_prompt"),
    ("Notification", "runtime_error"),
    ("Stop", "idle_heartbeat"),
    ("Stop", "custom_exited"),
)
TEXTS = ("yes", "no", "Always allow", "use staging, please", "no, use the other file")
DESTINATIONS = ("ana@external", "ben@external", "qa@my-rig", "builder@my-rig", HOST)


Step = tuple[Any, ...]


class Traces:
    """Makes steps that meet often: few names, few ids, mostly sound."""

    def __init__(self, chance: Random) -> None:
        self.one = chance.choice
        self._kinds = (
            [self.post] + [self.turn] * 4 + [self.submit] * 3 + [self.act] * 4
            + [self.change_of_asked] * 2 + [self.other] * 2
        )  # fmt: skip

    def step(self) -> Step:
        return self.one(self._kinds)()

    def post(self) -> Step:
        return (
            "post",
            self.one(SEATS),
            self.one(KINDS),
            self.one(["7", "7", "8", None]),
            self.one(["next", "next", "next", "same", None]),
            self.one([0, 0, 0, 0, -3, 2, None]),
            self.one([None, None, 1, 10, 100]),
            self.one(["live", "live", "live", "absent", "other"]),
        )

    def turn(self) -> Step:
        kind = self.one([PROMPT, PROMPT, BEAT, BEAT, BEAT, STOP])
        return ("go_on_with_the_turn", self.one(SEATS), kind, self.one([0, 1, 3]))

    def submit(self) -> Step:
        return (
            "submit",
            self.one(SEATS),
            self.one([1, 2, 3]),
            self.one(["7", "7", "7", "8"]),
            self.one(["c", "c", "d"]),
            self.one(OPTIONS),
            self.one([0, 0, -1, 2, None]),
            self.one([*["live"] * 9, "other"]),
        )

    def act(self) -> Step:
        handing = ("hand_over", self.one(DESTINATIONS), self.one(["route", "handoff"]))
        what = self.one(
            [
                ("click", self.one(["a", "b", "c", "d", "zzz"])),
                ("reply", self.one(TEXTS), self.one([True, False])),
                ("finish", self.one([Act.DENY, Act.APPROVE, Act.DROP])),
                ("hold",),
                handing,
                handing,
                ("close_row", self.one(list(CLOSINGS))),
                ("withdraw",),
                ("read",),
            ]
        )
        return ("act", self.one(range(20)), self.one([True, False, False]), *what)

    def change_of_asked(self) -> Step:
        return self.one(
            [
                *[("register", self.one(["ana", "ben"]))] * 4,
                *[("choose_default", self.one(["ana", "ben"]))] * 2,
                ("remove", self.one(["ana", "ben"])),
                ("choose_default", self.one(["ana", "ben", None])),
                *[("override", self.one(SEATS), self.one(["ana", "deny", "deny", "clear"]))] * 4,
            ]
        )

    def other(self) -> Step:
        return self.one(
            [
                *[("wait", self.one([0.001, 1, 5, 14.999, 15, 20, 60, 200]))] * 3,
                ("clear_attention", self.one(SEATS)),
                ("relaunch", self.one(SEATS)),
                ("restart",),
            ]
        )


@rule("D4-22", "D4-24", "D4-27", "D7-16", "D7-32", "D7-36", "D7-37", "D7-42", "D7-51")
@rule("A-16", "A-19")
@settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "12")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # A trace comes of one seed, which doesn't shrink; a failure prints it.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(st.randoms(use_true_random=True))
def test_any_interleaving_comes_to_what_the_model_says(chance: Random) -> None:
    fleet = PairedFleet(registered=chance.random() < 0.9)
    traces = Traces(chance)
    try:
        for _ in range(80):
            step = traces.step()
            note(step)
            fleet.step(*step)
        fleet.check_lists()
    finally:
        fleet.close()
