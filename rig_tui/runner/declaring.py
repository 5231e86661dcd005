"""Declare or relaunch a seat of the embedded daemon, for a runner started by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

import httpx

if TYPE_CHECKING:
    from rig_tui.client.discovery import Candidate
    from rig_tui.domain.model import JsonObject

_PATIENCE = 10.0


class DeclareError(Exception):
    """There is no seat to run in; the message is for the reader."""


def launch(daemon: Candidate, seat: str, preset: str | None, *, resume: bool) -> dict[str, str]:
    """Launch the seat, a new one or one that is there; gives what its runner is told.

    Raises:
        DeclareError: It isn't launched; what the daemon said is in the message.
    """
    name, _, rig = seat.partition("@")
    if daemon.base_url is None or daemon.token is None:
        raise DeclareError(
            f"{daemon.rule} names no daemon that seats can be declared to. {daemon.problem}".strip()
        )
    more: JsonObject = {} if preset is None else {"preset": preset}
    with httpx.Client(
        base_url=daemon.base_url,
        headers={"Authorization": f"Bearer {daemon.token}"},
        trust_env=False,
        timeout=_PATIENCE,
    ) as http:
        if not resume:
            declared = more or {"runner": True, "launchResult": True}
            reply = _sent(http, "/api/seats", {"rig": rig, "name": name, **declared})
            if _reply(reply).get("error") != "seat_exists":
                return _environment(reply)
        return _environment(
            _sent(http, f"/api/seats/{quote(seat)}/relaunch", {"resume": resume, **more})
        )


def _sent(http: httpx.Client, route: str, body: JsonObject) -> httpx.Response:
    try:
        return http.post(route, json=body)
    except httpx.HTTPError as error:
        raise DeclareError(
            f"{http.base_url} can't be reached ({str(error) or type(error).__name__}). "
            "No agent was started."
        ) from error


def _reply(response: httpx.Response) -> JsonObject:
    try:
        reply = json.loads(response.content)
    except ValueError:
        reply = None
    return reply if isinstance(reply, dict) else {}


def _environment(response: httpx.Response) -> dict[str, str]:
    told = _reply(response).get("env")
    if response.is_success and isinstance(told, dict):
        return {name: str(value) for name, value in told.items()}
    said = _reply(response).get("message") or f"it answered {response.status_code}"
    raise DeclareError(f"The seat wasn't launched, and no agent was started: {said}")
