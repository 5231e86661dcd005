"""A daemon over real HTTP and its model, doing the same side by side."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rig_tui.domain import activity
from rig_tui.domain.mapping import Act, Action, Choose
from rig_tui.domain.model import PENDING, AskState, Option, Override, OverrideMode
from rig_tui.domain.replies import ReplyClass, action_of, classify
from rig_tui.wire.openrig import encode_outcome
from tests.daemon.fleet_model import HOST, Asking, FleetModel, Sitting
from tests.daemon.harness import Daemon, Served, home_in, serve

if TYPE_CHECKING:
    from collections.abc import Coroutine

    import httpx

    from rig_tui.domain.activity import Post

SEATS = ("builder", "qa")
ASKS = "/api/activity/permission-requests"
CLOSINGS: dict[tuple[str, str | None], Act] = {
    ("done", None): Act.ROW_DONE,
    ("done", "canceled"): Act.DROP,
    ("done", "denied"): Act.ROW_DENIED,
    ("failed", None): Act.ROW_FAILED,
    ("denied", None): Act.ROW_DENIED,
    ("canceled", None): Act.ROW_CANCELED,
}
CONFLICTS = ("held_by_host", "held_by_seat", "held_by_person", "permit_not_confirmed")
Known: TypeAlias = tuple[str, Asking]
DISPLAYS = {"needs_input": "needs-input"}


class PairedFleet:
    """A daemon and its model, side by side."""

    def __init__(self, registered: bool) -> None:
        self.loop = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.daemon = Daemon(home_in(Path(self.folder.name)))
        self.model = FleetModel()
        self.serving = AsyncExitStack()
        self.sequence = 0
        self.known: dict[str, Asking] = {}
        self._serve()
        for name in SEATS:
            made = self._operate("/api/seats", rig="my-rig", name=name, runner=True)
            self.model.seats[name] = Sitting(name, made.json()["generation"])
        if registered:
            self.register("ana")

    def _serve(self) -> None:
        self.served: Served = self._do(self.serving.enter_async_context(serve(self.daemon)))

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run(work)

    def _operate(self, path: str, **body: Any) -> httpx.Response:
        body.setdefault("launchResult", path == "/api/seats")
        answer: httpx.Response = self._do(self.served.operator.post(path, json=body))
        return answer

    def _run(self, path: str, body: dict[str, Any]) -> httpx.Response:
        answer: httpx.Response = self._do(self.served.hooks.post(path, json=body))
        return answer

    def close(self) -> None:
        self._do(self.serving.aclose())
        self.daemon.store.close()
        self.loop.close()
        self.folder.cleanup()

    def step(self, name: str, *arguments: Any) -> None:
        """Do one thing on both sides, and compare every seat."""
        getattr(self, name)(*arguments)
        self._check_readings()

    def act(self, which: int, ended: bool, name: str, *arguments: Any) -> None:
        """Do something to one of the asks there are: a pending one, or any."""
        asks = list(self.known.items())
        asks = [ask for ask in asks if ended or ask[1].pending] or asks
        if asks:
            getattr(self, name)(asks[which % len(asks)], *arguments)

    def register(self, entity_id: str) -> None:
        answer = self._operate("/api/gateway/humans", entityId=entity_id, confirm=True)
        assert answer.status_code == 200, answer.text
        self.model.register(entity_id)

    def remove(self, entity_id: str) -> None:
        path = f"/api/gateway/humans/{entity_id}?confirm=1"
        answer = self._do(self.served.operator.delete(path))
        assert answer.status_code == (200 if self.model.people.find(entity_id) else 404)
        self.model.remove(entity_id)

    def choose_default(self, entity_id: str | None) -> None:
        answer = self._operate("/api/gateway/default", entityId=entity_id, confirm=True)
        known = entity_id is None or self.model.people.find(entity_id) is not None
        assert answer.status_code == (200 if known else 400)
        if known:
            self.model.people = replace(self.model.people, default=entity_id)

    def override(self, name: str, to: str) -> None:
        known = to in ("deny", "clear") or self.model.people.find(to) is not None
        body = {to: True} if to in ("deny", "clear") else {"to": to}
        answer = self._operate(f"/api/seat/set-permissions-to/{name}@my-rig", reason="x", **body)
        assert answer.status_code == (200 if known else 400)
        if known:
            modes = {"deny": OverrideMode.DENY, "clear": OverrideMode.NONE}
            mode = modes.get(to, OverrideMode.TO)
            person = to if mode is OverrideMode.TO else None
            self.model.seats[name].override = Override(mode, person)

    def post(
        self,
        name: str,
        kind: tuple[str, str],
        turn: str | None,
        sequence: str | None,
        skew: int | None,
        liveness: int | None,
        generation: str,
    ) -> None:
        seat, now = self.model.seats[name], self.daemon.clock()
        self.sequence += sequence == "next"
        occurred_at = None if skew is None else now + timedelta(seconds=skew)
        post = activity.Post(
            *kind,
            arrived_at=now,
            generation=self._generation(seat, generation),
            sequence=None if sequence is None else self.sequence,
            occurred_at=occurred_at,
            turn_id=turn,
            liveness_seconds=liveness,
        )
        answer = self._run("/api/activity/hooks", _posted(name, post))
        took = self.model.post(seat, post)
        assert answer.status_code == 200
        assert answer.json()["counted"] is took.counted, (answer.json(), took)

    def go_on_with_the_turn(self, name: str, kind: tuple[str, str], after: int) -> None:
        """What a well-behaved runner posts."""
        self.daemon.clock.advance(after)
        self.post(name, kind, "7", "next", 0, None, "live")

    def _generation(self, seat: Sitting, which: str) -> str | None:
        return {"live": seat.generation, "absent": None, "other": "gen-of-somebody"}[which]

    def submit(
        self,
        name: str,
        request: int,
        turn: str,
        native_ref: str,
        options: list[dict[str, str]],
        skew: int | None,
        generation: str,
    ) -> None:
        seat, now = self.model.seats[name], self.daemon.clock()
        occurred_at = None if skew is None else now + timedelta(seconds=skew)
        claimed = self._generation(seat, generation) or ""
        body = {
            "sessionName": f"{name}@my-rig",
            "generation": claimed,
            "nativeRef": native_ref,
            "turnId": turn,
            "requestId": request,
            "toolCall": {"title": "Edit", "kind": "edit"},
            "options": options,
            "occurredAt": occurred_at and occurred_at.isoformat(),
        }
        answer = self._run(ASKS, body)
        expected = self.model.submit(
            seat,
            generation=claimed,
            native_ref=native_ref,
            turn_id=turn,
            request_id=str(request),
            options=tuple(Option(o["optionId"], o["name"], o["kind"]) for o in options),
            occurred_at=occurred_at,
            at=now,
        )
        told = answer.json()
        assert answer.status_code == expected.status, (told, expected)
        assert told.get("code", "") == expected.code
        assert told.get("optionId", "") == expected.option_id
        if expected.ask is None:
            return
        assert told["created"] is expected.created
        known = {id(ask): ask_id for ask_id, ask in self.known.items()}
        assert known.setdefault(id(expected.ask), told["askId"]) == told["askId"]
        self.known[told["askId"]] = expected.ask

    def click(self, ask: Known, option_id: str) -> None:
        path = f"/api/queue/{ask[0]}/answer"
        body = {"questionId": "permission", "optionId": option_id}
        unfit = ask[1].out_of_reach or "unknown_option"
        action = None if ask[1].out_of_reach else Choose(option_id)
        self._act(ask, path, body, action, unfit)

    def reply(self, ask: Known, text: str, confirm: bool) -> None:
        said = classify(text, ask[1].options)
        body = {"text": text, "expect": said.cls.value, "confirmPermit": confirm}
        permits = any(o.kind in ("allow_once", "allow_always") for o in ask[1].options)
        unfit = ask[1].out_of_reach
        if said.cls is ReplyClass.NO and unfit == "held_by_seat":
            unfit = ""
        if not unfit and said.cls is ReplyClass.WORDS and permits and not confirm:
            unfit = "permit_not_confirmed"
        action = None if unfit else action_of(said)
        self._act(ask, f"/api/queue/{ask[0]}/reply", body, action, unfit)

    def finish(self, ask: Known, verb: Act) -> None:
        unfit = "held_by_host" if ask[1].holder == HOST else ""
        self._mission(ask, verb.value, None if unfit else verb, unfit, reason="because")

    def hold(self, ask: Known) -> None:
        self._mission(ask, "hold", None, reason="because")

    def hand_over(self, ask: Known, to: str, verb: str) -> None:
        unfit = self.model.hand(ask[1], to) if ask[1].pending else ""
        self._mission(ask, verb, None, unfit, destinationSession=to)

    def close_row(self, ask: Known, closing: tuple[str, str | None]) -> None:
        body = {"state": closing[0], "closureReason": closing[1]}
        unfit = ask[1].out_of_reach or "held_by_person"
        action = CLOSINGS[closing] if unfit == "held_by_seat" else None
        self._act(ask, f"/api/queue/{ask[0]}/update", body, action, unfit)

    def _mission(
        self, ask: Known, verb: str, action: Action | None, unfit: str = "", **fields: Any
    ) -> None:
        body = {"verb": verb, "qitemId": ask[0], **fields}
        self._act(ask, "/api/mission-control/action", body, action, unfit)

    def _act(
        self, ask: Known, path: str, body: dict[str, Any], action: Action | None, unfit: str
    ) -> None:
        """Do what an operator does.

        Args:
            ask: On what.
            path: The route.
            body: What is sent.
            action: What ends the ask, if anything should.
            unfit: Why it is refused, when it leaves a pending ask as it is.
        """
        asking = ask[1]
        before = None if asking.pending else self._everything()
        answer = self._operate(path, actorSession="human@host", **body)
        told = answer.json()
        if before is not None:
            state = asking.outcome.state.value
            assert answer.status_code == 409, told
            assert (told["error"], told["reason"]) == ("not_applicable", state)
            assert told["outcome"] == encode_outcome(asking.outcome)
            assert self._everything() == before, "an act on an ended ask changed something"
            return
        if action is not None and self.model.end(asking, action).state is not AskState.PENDING:
            assert answer.status_code == 200, told
            assert told["outcome"] == encode_outcome(asking.outcome)
            return
        asking.outcome = PENDING
        assert answer.status_code == (200 if not unfit else 409 if unfit in CONFLICTS else 400)
        assert unfit in (told.get("error", ""), told.get("reason"))

    def _everything(self) -> list[Any]:
        tables = ("asks", "ask_rows", "transitions", "permits", "runner_permits", "requests")
        db = self.daemon.store._db
        return [
            self.daemon.core.events.newest,
            *(db.execute(f"SELECT * FROM {table}").fetchall() for table in tables),
        ]

    def withdraw(self, ask: Known) -> None:
        answer = self._run(f"{ASKS}/{ask[0]}/withdraw", {"reason": "turn_cancelled"})
        if ask[1].pending:
            self.model.end(ask[1], Act.WITHDRAW)
            ask[1].outcome = replace(ask[1].outcome, reason="turn_cancelled")
        assert answer.status_code == 200
        assert answer.json()["state"] == ask[1].outcome.state.value

    def read(self, ask: Known) -> None:
        self._check_read(*ask)

    def clear_attention(self, name: str) -> None:
        seat = self.model.seats[name]
        answer = self._operate(f"/api/sessions/{name}@my-rig/clear-attention", reason="seen")
        waits = seat.activity.attention is not None
        assert answer.status_code == (200 if waits else 409)
        seat.activity = activity.clear_attention(seat.activity)

    def relaunch(self, name: str) -> None:
        answer = self._operate(f"/api/seats/{name}@my-rig/relaunch")
        self.model.relaunch(self.model.seats[name], answer.json()["generation"])

    def restart(self) -> None:
        self._do(self.serving.aclose())
        self.daemon.restart()
        self.model.restart()
        self._serve()

    def wait(self, seconds: float) -> None:
        self.daemon.clock.advance(seconds)

    def _check_readings(self) -> None:
        now = self.daemon.clock()
        for rig_id in self.daemon.core.rigs:
            rows = self._do(self.served.operator.get(f"/api/rigs/{rig_id}/nodes")).json()
            for row in rows:
                seat = self.model.seats[row["logicalId"]]
                reading, evidence = activity.reading(seat.activity, now)
                display = DISPLAYS.get(reading.value, reading.value)
                assert row["activityState"]["display"] == display, seat.activity
                assert row["runner"]["evidence"] == evidence.kind.value

    def _check_read(self, ask_id: str, ask: Asking) -> None:
        answer = self._do(self.served.hooks.get(f"{ASKS}/{ask_id}"))
        assert answer.status_code == 200
        told = encode_outcome(ask.outcome)
        shown: dict[str, Any] = {k: told[k] for k in ("state", "optionId", "said") if k in told}
        if told["state"] == "refused":
            shown["reason"] = told["reason"]
        assert answer.json() == {"ok": True, "askId": ask_id, **shown}

    def check_lists(self) -> None:
        for ask_id, ask in self.known.items():
            self._check_read(ask_id, ask)
        listed = self._do(self.served.operator.get("/api/queue/list?asks=open")).json()
        assert {row["permission"]["askId"]: row["destinationSession"] for row in listed} == {
            ask_id: ask.holder for ask_id, ask in self.known.items() if ask.pending
        }
        permits = self.daemon.permits()
        given = [(p.session_name.removesuffix("@my-rig"), p.option_id) for p in permits]
        assert given == self.model.permits


def _posted(name: str, post: Post) -> dict[str, Any]:
    fields = {
        "sessionName": f"{name}@my-rig",
        "generation": post.generation,
        "sequence": post.sequence,
        "occurredAt": post.occurred_at and post.occurred_at.isoformat(),
        "hookEvent": post.hook_event,
        "subtype": post.subtype,
        "turnId": post.turn_id,
        "livenessSeconds": post.liveness_seconds,
    }
    return {key: value for key, value in fields.items() if value is not None}
