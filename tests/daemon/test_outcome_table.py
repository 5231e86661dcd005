"""Every kind of options times every act, over real HTTP: what the runner reads."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Runner, Served

QA = "qa@my-rig"
KINDS = {
    "AO": "allow_once",
    "AA": "allow_always",
    "RO": "reject_once",
    "RA": "reject_always",
    "U": "allow_for_session",
}
TABLE: dict[str, tuple[str | None, str | None, str | None]] = {
    "AO AA RO RA": ("AO", "RO", "AO"),
    "AO AA RO": ("AO", "RO", "AO"),
    "AO AA RA": ("AO", "RA", "AO"),
    "AO AA": ("AO", None, "AO"),
    "AO RO RA": ("AO", "RO", "AO"),
    "AO RO": ("AO", "RO", "AO"),
    "AO RA": ("AO", "RA", "AO"),
    "AO U": ("AO", None, "AO"),
    "AA RO RA": ("AA", "RO", "AA"),
    "AA RO": ("AA", "RO", "AA"),
    "AA RA": ("AA", "RA", "AA"),
    "AA U": ("AA", None, "AA"),
    "RO RA": (None, "RO", None),
    "RO U": (None, "RO", None),
    "RA U": (None, "RA", None),
    "U U": (None, None, None),
    "U RA AA": ("AA", "RA", "AA"),
    "U RO AO U": ("AO", "RO", "AO"),
    "AA AO": ("AO", None, "AO"),
    "RA RO AA AO": ("AO", "RO", "AO"),
    "AO AO RO RO": ("AO", "RO", "AO"),
}
"""Kinds as offered: what a yes gives, a no, and a closing without a choice; None refuses."""
YESES = ("yes",)
NOES = ("no", "deny", "row deny", "row no", "row denied", "row done denied", "row failed denied")
CLOSINGS = ("approve", "drop", "row approve", "row drop", "row done", "row canceled", "row failed")
WORDS = "use staging"


class Asking:
    """One seat's asks of one set of options, each told by its request's number."""

    def __init__(self, served: Served, runner: Runner, kinds: str) -> None:
        self.served = served
        self.options = [
            {"optionId": f"{kind}{number}", "name": f"Option {number}", "kind": KINDS[kind]}
            for number, kind in enumerate(kinds.split())
        ]
        self._runner = runner
        self._numbers = itertools.count()

    def first(self, kind: str) -> str:
        return next(o["optionId"] for o in self.options if o["optionId"].startswith(kind))

    def open(self) -> str:
        return self._runner.ask(requestId=next(self._numbers), options=self.options)

    async def reads(self, ask_id: str) -> dict[str, Any]:
        body: dict[str, Any] = (await self.served.read(ask_id)).json()
        return {key: body[key] for key in body.keys() - {"ok", "askId"}}

    async def after(self, act: str) -> dict[str, Any]:
        """What the runner reads after one act on a fresh ask."""
        ask_id = row_id = self.open()
        on_row = act.startswith("row ")
        if on_row:
            handed = await self.served.act(ask_id, "handoff", destinationSession=QA)
            row_id = handed.json()["createdQitemId"]
        act = act.removeprefix("row ")
        if act in ("approve", "drop", "deny"):
            reply = await self.served.act(row_id, act, reason="x")
        elif act in ("yes", "no", WORDS):
            expect = {"yes": "yes", "no": "no"}.get(act, "words")
            body = {"text": act, "expect": expect, "actorSession": "human@host"}
            reply = await self.served.operator.post(
                f"/api/queue/{row_id}/reply", json={**body, "confirmPermit": True}
            )
        else:
            # "canceled" is the closure reason that Feed's drop writes, not the state.
            states = {
                "denied": {"state": "denied"},
                "done denied": {"state": "done", "closureReason": "denied"},
                "failed denied": {"state": "failed", "closureReason": "denied"},
                "done": {"state": "done", "closureReason": "no-follow-on"},
                "canceled": {"state": "done", "closureReason": "canceled"},
                "failed": {"state": "failed"},
            }
            body = {**states[act], "actorSession": QA}
            reply = await self.served.operator.post(f"/api/queue/{row_id}/update", json=body)
        assert reply.status_code == 200, (act, reply.text)
        return await self.reads(ask_id)


@pytest.fixture
async def runner(served: Served) -> Runner:
    served.daemon.person("ana")
    await served.seat("qa")
    return await served.seat()


@rule("D7-22", "D7-23", "D7-24", "D7-25", "D7-26", "D7-29", "D7-30", "D7-40", "D7-50", "A-24")
@pytest.mark.parametrize("kinds", TABLE)
async def test_each_act_gives_what_the_table_says(
    served: Served, runner: Runner, kinds: str
) -> None:
    asking = Asking(served, runner, kinds)
    yes, no, closed = TABLE[kinds]
    permitted = 0

    for act in YESES:
        assert await asking.after(act) == (
            {"state": "answered", "optionId": asking.first(yes)}
            if yes
            else {"state": "refused", "reason": "no_allow_offered"}
        ), act
    for act in NOES:
        assert await asking.after(act) == (
            {"state": "answered", "optionId": asking.first(no)}
            if no
            else {"state": "refused", "reason": "said_no"}
        ), act
    for act in (*CLOSINGS, WORDS):
        expected = (
            {"state": "permitted", "optionId": asking.first(closed)}
            if closed
            else {"state": "refused", "reason": "no_allow_offered"}
        )
        said = {"said": WORDS} if act == WORDS else {}
        assert await asking.after(act) == expected | said, act
        permitted += closed is not None
    for option in asking.options:
        ask_id = asking.open()
        assert (await served.answer(ask_id, option["optionId"])).status_code == 200
        assert await asking.reads(ask_id) == {
            "state": "answered",
            "optionId": option["optionId"],
        }
    assert len(served.daemon.permits()) == permitted


@rule("D7-27", "D7-28", "D7-31", "D7-32", "D7-33", "D7-34", "A-35", "A-37")
@pytest.mark.parametrize("kinds", ["AO AA RO RA", "AA U", "RO RA", "U U"])
async def test_what_only_hands_on_or_notes_decides_nothing_whatever_is_offered(
    served: Served, runner: Runner, kinds: str
) -> None:
    asking = Asking(served, runner, kinds)
    for destination in ("ana@external", "human@host", QA, "x@host:remote"):
        ask_id = asking.open()
        for verb, body in (
            ("hold", {"reason": "later"}),
            ("annotate", {"annotation": "approved"}),
            ("handoff", {"destinationSession": destination}),
            ("hold", {"reason": "later"}),
        ):
            assert (await served.act(ask_id, verb, **body)).status_code == 200
        assert await asking.reads(ask_id) == {"state": "pending"}

    ask_id = asking.open()
    await served.act(ask_id, "handoff", destinationSession=QA)
    canceled = {"state": "canceled", "actorSession": QA}
    await served.operator.post(f"/api/queue/{ask_id}/update", json=canceled)
    assert await asking.reads(ask_id) == {"state": "withdrawn"}
    assert served.daemon.permits() == []
