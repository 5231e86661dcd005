"""The demo as a console finds it, over HTTP."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from rig_tui.demo.run import running_demo
from rig_tui.demo.scripts import SCRIPTS
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHOWN_WITHIN = 10.0


class Demo:
    """The running demo's operator routes."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def get(self, route: str) -> Any:
        return self._http.get(route).raise_for_status().json()

    def answer(self, item: str, option_id: str) -> Any:
        body = {"questionId": "permission", "optionId": option_id, "actorSession": "ana@external"}
        return self._http.post(f"/api/queue/{item}/answer", json=body).raise_for_status().json()

    def seats(self) -> dict[str, dict[str, Any]]:
        rigs = self.get("/api/rigs/summary")
        rows = [row for rig in rigs for row in self.get(f"/api/rigs/{rig['id']}/nodes")]
        return {row["logicalId"]: row for row in rows}

    def asks(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        for item in self.get("/api/queue/list?asks=open"):
            ask = item["permission"]
            found.setdefault(ask["seatRef"].partition("@")[0], []).append(ask)
        return found

    def ask(self, ask_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.get(f"/api/queue/{ask_id}")["permission"]
        return found


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    # Nothing of this may reach the demo: an address that refuses, a config that can't be read.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENRIG_URL", "http://127.0.0.1:9")
        patch.setenv("OPENRIG_HOME", "/nowhere")
        patch.setenv("RIG_TUI_CONFIG", os.devnull + "/config.toml")
        patch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        with running_demo() as home:
            endpoint = json.loads((home / "operator-endpoint.json").read_bytes())
            headers = {"Authorization": f"Bearer {endpoint['token']}"}
            with httpx.Client(
                base_url=endpoint["baseUrl"], headers=headers, trust_env=False
            ) as http:
                yield Demo(http)


def wait_for(fact: Callable[[], bool]) -> None:
    end = time.monotonic() + SHOWN_WITHIN
    while not fact():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_first_picture_has_every_reading(demo: Demo) -> None:
    readings = {name: row["activityState"]["display"] for name, row in demo.seats().items()}
    assert readings == {
        "builder": "needs-input",
        "qa": "needs-input",
        "docs": "working",
        "impl": "working",
        "refactor": "needs-input",
        "review": "idle",
        "triage": "idle",
        "deploy": "needs-input",
        "watch": "unknown",
        "backup": "unknown",
        "metrics": "working",
        "release": "needs-input",
    }


def test_every_seat_has_reported_its_launch_and_asks_ana(demo: Demo) -> None:
    wait_for(
        lambda: all(s["runner"]["launch"]["outcome"] == "reported" for s in demo.seats().values())
    )
    seats = demo.seats()
    refs = {script.name: script.native_ref for script in SCRIPTS}
    assert {name: row["runner"]["identity"]["nativeRef"] for name, row in seats.items()} == refs
    asked = {
        (row["runner"]["asked"]["mode"], row["runner"]["asked"]["person"]) for row in seats.values()
    }
    assert asked == {("person", "ana")}
    assert seats["backup"]["runner"]["exited"] is True
    assert seats["review"]["runner"]["livenessSeconds"] == 30
    assert seats["triage"]["runner"]["livenessSeconds"] is None


def test_the_first_asks_are_open_in_script_order(demo: Demo) -> None:
    asks = demo.asks()
    assert {name: len(found) for name, found in asks.items()} == {
        "builder": 1,
        "qa": 2,
        "refactor": 1,
        "deploy": 1,
        "release": 1,
    }
    opened = [ask["openedAt"] for found in asks.values() for ask in found]
    assert min(opened) == asks["builder"][0]["openedAt"]
    assert {ask["holder"]["id"] for found in asks.values() for ask in found} == {"ana@external"}


@rule("D7-12")
def test_the_request_with_five_options_is_a_permit_on_record(demo: Demo) -> None:
    [item] = demo.get("/api/stream/list?hintTag=runner-permission-permit")
    permit = json.loads(item["body"])
    assert item["sourceSession"] == "metrics@ops"
    assert permit["cause"] == "options_not_showable"
    assert permit["option"]["optionId"] == "allow_once"
    assert demo.seats()["metrics"]["runner"]["evidence"] == "post"


def test_an_allowed_seat_goes_on_working(demo: Demo) -> None:
    [ask] = demo.asks()["builder"]
    outcome = demo.answer(ask["askId"], "allow")["outcome"]
    assert (outcome["state"], outcome["optionId"]) == ("answered", "allow")
    wait_for(lambda: demo.seats()["builder"]["activityState"]["display"] == "working")
    assert demo.ask(ask["askId"])["readAt"] is not None


def test_a_rejected_seat_ends_its_turn_and_withdraws_what_else_it_asked(demo: Demo) -> None:
    first, second = sorted(demo.asks()["qa"], key=lambda ask: str(ask["openedAt"]))
    demo.answer(first["askId"], "reject")
    wait_for(lambda: demo.seats()["qa"]["activityState"]["display"] == "idle")
    assert demo.ask(first["askId"])["state"] == "answered"
    assert demo.ask(second["askId"])["state"] == "withdrawn"
    assert demo.ask(second["askId"])["reason"] == "turn_ended"
