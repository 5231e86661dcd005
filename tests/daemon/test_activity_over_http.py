"""The reading table and its conditions, over the routes a runner and an operator use."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.wire import openrig
from tests.daemon.harness import START, serve
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from rig_tui.domain.model import Seat
    from tests.daemon.harness import Daemon, Runner, Served

HOOKS = "/api/activity/hooks"
ASKS = "/api/activity/permission-requests"
PROMPT = "UserPromptSubmit/accepted"
BEAT = "active/liveness"
STOP = "Stop/end_turn"
ERROR = "Notification/runtime_error"
ATTENTION = "Notification/permission_prompt"


@dataclass
class Wired:
    """A runner that speaks over HTTP, with the daemon's clock as its own."""

    served: Served
    runner: Runner
    sequence: int = 0

    async def post(self, kind: str, turn: object = "7", **fields: Any) -> dict[str, Any]:
        """Post `hookEvent/subtype`; fields given as None are left out."""
        self.sequence += 1
        hook_event, _, subtype = kind.partition("/")
        post = {
            "sessionName": self.runner.session_name,
            "generation": self.runner.generation,
            "sequence": self.sequence,
            "occurredAt": self.served.daemon.clock().isoformat(),
            "hookEvent": hook_event,
            "subtype": subtype,
            "turnId": turn,
            **fields,
        }
        body = {key: value for key, value in post.items() if value is not None}
        reply = await self.served.hooks.post(HOOKS, json=body)
        assert reply.status_code == 200, reply.text
        answer: dict[str, Any] = reply.json()
        return answer

    async def counts(self, kind: str, turn: object = "7", **fields: Any) -> bool:
        return bool((await self.post(kind, turn, **fields))["counted"])

    async def ask(self, **fields: Any) -> str:
        reply = await self.served.hooks.post(ASKS, json=self.runner.request(**fields))
        return str(reply.json()["askId"])

    async def state(self, ask_id: str) -> str:
        return str((await self.served.read(ask_id)).json()["state"])

    async def row(self) -> dict[str, Any]:
        rig = (await self.served.operator.get("/api/rigs/summary")).json()[0]["id"]
        rows = (await self.served.operator.get(f"/api/rigs/{rig}/nodes")).json()
        return next(r for r in rows if r["canonicalSessionName"] == self.runner.session_name)

    async def seat(self) -> Seat:
        return openrig.decode_seats([await self.row()])[0]

    async def reads(self) -> str:
        return (await self.seat()).reading.value

    def after(self, seconds: float) -> None:
        self.served.daemon.clock.now = START + timedelta(seconds=seconds)


@pytest.fixture
async def wired(served: Served) -> Wired:
    served.daemon.person()
    return await wire(served)


async def wire(served: Served, name: str = "builder") -> Wired:
    return Wired(served, await served.seat(name))


@contextlib.asynccontextmanager
async def restarted(wired: Wired) -> AsyncIterator[Wired]:
    """The same runner before a daemon that was killed and started again."""
    wired.served.daemon.restart()
    async with serve(wired.served.daemon) as again:
        yield Wired(again, wired.runner, wired.sequence)


BEFORE = {
    "unknown": (),
    "working": (PROMPT,),
    "idle": (PROMPT, STOP),
    "needs_input": (PROMPT, ATTENTION),
    "exited": (PROMPT, "Stop/dsh_exited"),
}
ROWS = {
    PROMPT: "working",
    "active/agent_message": "working",
    "active/permission_resolved": "working",
    "active/whatever": "working",
    "PreToolUse/edit": "working",
    "UserPromptSubmit/other": "working",
    ATTENTION: "needs_input",
    STOP: "idle",
    "Stop/cancelled": "idle",
    "Stop/idle_heartbeat": "idle",
    "Stop/dsh_exited": "unknown",
}


@rule("D4-05", "D4-31", "A-09", "A-10")
async def test_every_row_reads_as_the_table_says_from_every_reading(served: Served) -> None:
    seen, expected = {}, {}
    for before, posts in BEFORE.items():
        for number, (kind, reading) in enumerate(ROWS.items()):
            wired = await wire(served, f"{before.replace('_', '-')}-{number}")
            for post in (*posts, kind):
                assert await wired.counts(post)
            expected[wired.runner.session_name] = (reading, kind == "Stop/dsh_exited")
    rig = (await served.operator.get("/api/rigs/summary")).json()[0]["id"]
    rows = await served.operator.get(f"/api/rigs/{rig}/nodes")
    for seat in openrig.decode_seats(rows.content):
        seen[seat.session_name] = (seat.reading.value, seat.exited)
    assert seen == expected


@rule("D4-05", "D4-15", "A-08", "A-09")
@pytest.mark.parametrize("kind", [ERROR, "SessionStart/x", "Notification/other"])
@pytest.mark.parametrize("before", BEFORE)
async def test_what_isnt_activity_changes_no_reading(wired: Wired, before: str, kind: str) -> None:
    for post in BEFORE[before]:
        await wired.post(post)
    earlier = await wired.seat()
    wired.after(10)
    assert not await wired.counts(kind, sequence=10**6, occurredAt="2030-01-01T00:00:00Z")
    seat = await wired.seat()
    assert (seat.reading, seat.evidence, seat.exited) == (
        earlier.reading,
        earlier.evidence,
        earlier.exited,
    )
    assert bool(seat.last_error) is (kind == ERROR)
    assert await wired.counts("PreToolUse/x"), "it moved no mark"


@rule("D4-06", "D4-07", "D4-09", "D4-10")
async def test_evidence_lasts_as_long_as_the_table_says(wired: Wired) -> None:
    await wired.post(PROMPT)
    for at, reading in ((14.999, "working"), (15, "unknown")):
        wired.after(at)
        assert await wired.reads() == reading
    await wired.post(STOP, livenessSeconds=10)
    for at, reading in ((34.999, "idle"), (35, "unknown")):
        wired.after(at)
        assert await wired.reads() == reading
    await wired.post("Stop/idle_heartbeat", livenessSeconds=3600)
    wired.after(35 + 7199.9)
    assert await wired.reads() == "idle"
    await wired.post("Stop/idle_heartbeat", livenessSeconds=1)
    wired.after(35 + 7201.9)
    assert await wired.reads() == "unknown"
    await wired.post("Stop/idle_heartbeat", livenessSeconds=5)
    await wired.post("Stop/idle_heartbeat")
    wired.after(10**7)
    assert not await wired.counts(BEAT, livenessSeconds=60)
    assert not await wired.counts(ERROR)
    assert await wired.reads() == "idle", "without a lifetime it holds until a counted post"
    assert (await wired.row())["runner"]["expiresAt"] is None


@rule("D4-21", "A-05", "A-06", "A-07")
@pytest.mark.parametrize(
    ("liveness", "lasts"),
    [(1, 5), (5, 5), (60, 60), (61, 60), (3600, 60), (None, 30), ("9", 30), (0, 30), (30.0, 30)],
)
async def test_a_beat_lasts_as_long_as_it_says_within_bounds(
    wired: Wired, liveness: object, lasts: int
) -> None:
    await wired.post(PROMPT)
    wired.after(12)
    assert await wired.counts(BEAT, livenessSeconds=liveness)
    wired.after(12 + lasts - 0.001)
    assert await wired.reads() == "working"
    wired.after(12 + lasts)
    assert await wired.reads() == "unknown"


@rule("D4-16", "D4-17", "D4-18", "D4-19", "D4-20", "D4-22", "D4-23")
@pytest.mark.parametrize(
    ("before", "beat", "why"),
    [
        ([], {}, "beat_outside_turn"),
        ([(PROMPT, {"generation": None})], {}, "beat_without_generation"),
        ([(PROMPT, {})], {"generation": None}, "beat_without_generation"),
        ([(PROMPT, {})], {"generation": "gen-0"}, "stale_generation"),
        ([(PROMPT, {"turn": 6}), (PROMPT, {"turn": 7})], {"turn": 6}, "beat_outside_turn"),
        ([(PROMPT, {})], {"turn": None}, "beat_outside_turn"),
        ([("UserPromptSubmit/queued", {})], {}, "beat_outside_turn"),
        ([(PROMPT, {}), (STOP, {})], {}, "beat_outside_turn"),
        ([(PROMPT, {}), (STOP, {"turn": None})], {}, "beat_outside_turn"),
        ([(PROMPT, {}), ("Stop/x_exited", {})], {}, "beat_outside_turn"),
        ([(PROMPT, {"sequence": 9})], {"sequence": 9}, "beat_without_rising_sequence"),
        ([(PROMPT, {})], {"sequence": None}, "beat_without_rising_sequence"),
        ([(PROMPT, {})], {"sequence": "99"}, "beat_without_rising_sequence"),
        ([(PROMPT, {})], {"sequence": True}, "beat_without_rising_sequence"),
        ([(PROMPT, {})], {"sequence": -1}, "beat_without_rising_sequence"),
        ([(PROMPT, {})], {"sequence": 99.5}, "beat_without_rising_sequence"),
        ([(PROMPT, {})], {"occurredAt": "2026-11-30T11:59:59Z"}, "older"),
        ([(PROMPT, {}), (ATTENTION, {})], {}, "beat_during_attention"),
    ],
)
async def test_a_beat_that_fails_a_condition_is_as_if_never_sent(
    wired: Wired, before: list[tuple[str, dict[str, Any]]], beat: dict[str, Any], why: str
) -> None:
    for kind, fields in before:
        assert await wired.counts(kind, **fields)
    wired.after(1)
    row, newest = await wired.row(), wired.served.daemon.core.events.newest
    told = await wired.post(BEAT, **{"sequence": 50, **beat})
    assert told == {"ok": True, "counted": False, "reason": why}
    assert await wired.row() == row
    assert wired.served.daemon.core.events.newest == newest
    wired.sequence = 20
    await wired.post("active/permission_resolved")
    await wired.post(PROMPT, "8")
    assert await wired.counts(BEAT, "8"), "its number raised no mark"


@rule("D4-17", "D4-18", "D7-05")
async def test_a_turns_beats_count_while_their_numbers_rise(wired: Wired) -> None:
    await wired.post(PROMPT, 7, sequence=3)
    assert await wired.counts(BEAT, "7", sequence=4)
    assert not await wired.counts(BEAT, "7", sequence=4)
    assert not await wired.counts(BEAT, "07", sequence=5)
    assert await wired.counts(BEAT, 7.0, sequence=5)


@rule("D4-11", "D4-12", "A-01")
async def test_posts_are_ordered_by_their_own_instants_and_then_their_numbers(
    wired: Wired,
) -> None:
    at = "2026-11-30T14:00:10.5+02:00"
    assert await wired.counts(PROMPT, "2", occurredAt=at, sequence=5)
    for late in (
        {"occurredAt": "2026-11-30T12:00:10.4Z", "sequence": 9},
        {"occurredAt": "2026-11-30T12:00:10.5Z", "sequence": 4},
        {"occurredAt": "2026-11-30T12:00:10.500000Z", "sequence": 5},
        {"occurredAt": None, "sequence": 10},
        {"occurredAt": "garbage", "sequence": 10},
        {"occurredAt": 1_900_000_000, "sequence": 10},
    ):
        assert not await wired.counts(STOP, "1", **late)
    seat = await wired.seat()
    assert (seat.reading.value, seat.turn_id) == ("working", "2")
    assert await wired.counts("PreToolUse/x", occurredAt=at, sequence=None)
    assert not await wired.counts(STOP, "2", occurredAt=at, sequence=4), "five counted already"
    wired.after(10.6)
    assert await wired.counts(STOP, "2", occurredAt=None)


@rule("A-02")
async def test_a_skewed_clock_is_noted_on_the_seat_and_stretches_nothing(wired: Wired) -> None:
    async def noted() -> object:
        return (await wired.row())["runner"]["clockSkewSeconds"]

    await wired.post(PROMPT, occurredAt="2026-11-30T12:00:05Z")
    assert await noted() is None
    await wired.post("PreToolUse/x", occurredAt="2026-11-30T12:00:05.1Z")
    assert await noted() == 5.1
    wired.after(14.9)
    assert await wired.reads() == "working"
    wired.after(15)
    assert await wired.reads() == "unknown"
    assert await wired.counts("PreToolUse/x", occurredAt=None)
    assert await noted() == 5.1, "a post without a date says nothing of the clock"
    async with restarted(wired) as again:
        assert (await again.row())["runner"]["clockSkewSeconds"] == 5.1
        assert await again.counts("PreToolUse/x")
        assert (await again.row())["runner"]["clockSkewSeconds"] is None


@rule("D4-13", "D4-14", "A-17", "A-18")
async def test_a_new_generation_starts_from_nothing(wired: Wired) -> None:
    wired.after(100)
    await wired.post(PROMPT, sequence=900)
    await wired.post(ATTENTION)
    again = Wired(wired.served, wired.served.daemon.relaunch(wired.runner))
    stale = await wired.post(STOP)
    assert stale == {"ok": True, "counted": False, "reason": "stale_generation"}
    seat = await again.seat()
    assert (seat.reading.value, seat.turn_id, seat.evidence.at) == ("unknown", None, None)
    again.after(1)
    assert await again.counts(PROMPT)
    assert await again.counts(BEAT)
    assert await again.counts("active/agent_message", generation=None)
    assert await again.reads() == "working"


@rule("D4-24", "D4-27")
async def test_a_restart_forgets_the_turn_and_keeps_every_lifetime(wired: Wired) -> None:
    idle = await wire(wired.served, "idle")
    waits = await wire(wired.served, "waits")
    await wired.post(PROMPT)
    await wired.post(BEAT, livenessSeconds=60)
    await idle.post(STOP, livenessSeconds=40)
    await waits.post(ATTENTION)
    wired.after(10)
    async with restarted(wired) as again:
        rest = Wired(again.served, idle.runner, 50), Wired(again.served, waits.runner, 50)
        again.after(20)
        assert (await again.post(BEAT))["reason"] == "beat_outside_turn"
        assert not await again.counts(STOP, occurredAt="2026-11-30T11:00:00Z"), "the order is kept"
        again.after(59.9)
        assert await again.reads() == "working"
        again.after(60)
        assert await again.reads() == "unknown"
        assert await again.counts("active/agent_message")
        assert not await again.counts(BEAT)
        assert await again.counts(PROMPT, "8")
        assert await again.counts(BEAT, "8")
        again.after(79.9)
        assert await rest[0].reads() == "idle"
        again.after(80)
        assert await rest[0].reads() == "unknown"
        assert await rest[1].reads() == "needs_input"


@rule("D4-20", "D4-25", "D4-26", "D4-27", "D4-28", "D4-29")
async def test_an_asks_attention_lasts_until_a_counted_post_or_an_operator(wired: Wired) -> None:
    last = {"occurredAt": "2026-11-30T12:00:02Z", "sequence": 2}
    await wired.post(PROMPT, occurredAt="2026-11-30T12:00:01Z", sequence=1)
    await wired.post("active/agent_message", **last)
    ask_id = await wired.ask(occurredAt="2026-11-30T12:00:00Z")
    row = await wired.row()
    assert row["activityState"]["needsInput"]["count"] == 1
    wired.sequence = 10
    wired.after(5)
    for ignored in (
        {"kind": BEAT},
        {"kind": ERROR},
        {"kind": STOP, "generation": "gen-0"},
        {"kind": STOP, "occurredAt": "2026-11-30T12:00:01Z"},
        {"kind": "active/agent_message", **last},
    ):
        assert not await wired.counts(**ignored)
        assert await wired.reads() == "needs_input"
    assert await wired.state(ask_id) == "pending"
    await wired.served.answer(ask_id)
    assert await wired.state(ask_id) == "answered"
    wired.after(10**6)
    assert await wired.reads() == "needs_input", "an answer is not a post"
    assert await wired.counts("active/permission_resolved", askId="another")
    assert await wired.reads() == "working"

    other = await wired.ask(requestId=2)
    path = f"/api/sessions/{wired.runner.session_name}/clear-attention"
    assert (await wired.served.operator.post(path, json={"reason": " "})).status_code == 400
    assert (await wired.served.operator.post(path, json={"reason": "seen"})).status_code == 200
    assert await wired.reads() == "unknown"
    assert await wired.state(other) == "pending"
    again = await wired.served.operator.post(path, json={"reason": "seen"})
    assert (again.status_code, again.json()["error"]) == (409, "not_in_attention")
    assert await wired.counts(BEAT), "beats count again"


@rule("A-16", "A-04", "D7-48", "D4-31")
async def test_a_counted_stop_ends_its_own_turns_asks_and_an_exit_ends_all(wired: Wired) -> None:
    await wired.post(PROMPT, 7)
    mine, another = await wired.ask(), await wired.ask(requestId=2, turnId=6)
    not_its_stop: tuple[tuple[str, object, dict[str, Any]], ...] = (
        (STOP, None, {}),
        (STOP, 5, {}),
        (STOP, 7, {"generation": None}),
        ("Stop/idle_heartbeat", 7, {}),
        (STOP, 7, {"occurredAt": "2020-01-01T00:00:00Z"}),
    )
    for number, (kind, turn, fields) in enumerate(not_its_stop, 1):
        wired.after(number)
        await wired.post(kind, turn, **fields)
        assert await wired.state(mine) == await wired.state(another) == "pending", kind
    wired.after(10)
    await wired.post("Stop/end_turn", "7")
    assert await wired.state(mine) == "withdrawn"
    assert await wired.state(another) == "pending"
    late = await wired.served.answer(mine)
    assert (late.status_code, late.json()["reason"]) == (409, "withdrawn")
    wired.after(11)
    await wired.post("Stop/other_exited", None)
    assert await wired.state(another) == "withdrawn"
    seat = await wired.seat()
    assert (seat.reading.value, seat.exited) == ("unknown", True)
    assert (await wired.served.operator.get("/api/stream/list")).json() == []


@rule("D2-03", "D4-30")
async def test_a_plain_seat_reads_nothing_of_its_posts(served: Served) -> None:
    plain = Wired(served, await served.seat("plain", runner=False, launchResult=False))
    for kind in ROWS:
        assert (await plain.post(kind))["reason"] == "plain_preset"
        assert await plain.reads() == "unknown"


@rule("D4-01", "D4-04")
async def test_a_post_needs_the_token_and_a_seat(daemon: Daemon, served: Served) -> None:
    wired = await wire(served)
    before = await wired.row()
    post = {"sessionName": wired.runner.session_name, "hookEvent": "Stop", "subtype": "end_turn"}
    for authorization in ("", "Basic hook-secret", "Bearer wrong", "Bearer operator-secret"):
        refused = await served.hooks.post(
            HOOKS, json=post, headers={"Authorization": authorization}
        )
        assert refused.status_code == 401
        assert refused.json()["code"] == "activity_hook_unauthorized"
    nobody = await served.hooks.post(HOOKS, json={**post, "sessionName": "ghost@my-rig"})
    assert (nobody.status_code, nobody.json()["code"]) == (404, "session_not_found")
    unnamed = await served.hooks.post(HOOKS, json={**post, "sessionName": None})
    assert (unnamed.status_code, unnamed.json()["code"]) == (400, "missing_session_identity")
    assert await wired.row() == before
