"""Typed replies and messages: what goes out, and what its answer means."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from rig_tui.domain.commands import (
    Done,
    Rejected,
    ReplyAsk,
    SendMessage,
    Unconfirmed,
    WholeAsk,
)
from rig_tui.domain.events import LinkMade
from rig_tui.domain.model import AskState
from tests.client.real_daemon import RealDaemon, real_daemon
from tests.client.scripted_daemon import Follower, ScriptedDaemon, answer
from tests.client.test_real_daemon import backend_for
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from rig_tui.client.openrig import OpenRigBackend
    from tests.client.conftest import Console

REPLY_PATH = "/api/queue/qitem-1/reply"
SEND_PATH = "/api/transport/send"


@rule("T7-12")
@pytest.mark.parametrize(
    ("command", "body"),
    [
        (
            ReplyAsk("qitem-1", "qitem-2", " Yes\n", "yes"),
            {"text": " Yes\n", "expect": "yes", "rowId": "qitem-2"},
        ),
        (
            ReplyAsk("qitem-1", "qitem-2", "Allow once", "choice", "o1"),
            {"text": "Allow once", "expect": "choice", "rowId": "qitem-2", "optionId": "o1"},
        ),
        (
            ReplyAsk("qitem-1", "qitem-2", "use staging", "words", confirm_permit=True),
            {"text": "use staging", "expect": "words", "rowId": "qitem-2", "confirmPermit": True},
        ),
    ],
)
async def test_a_reply_carries_its_words_and_the_class_that_was_shown(
    console: Console, daemon: ScriptedDaemon, command: ReplyAsk, body: dict[str, object]
) -> None:
    daemon.handlers[REPLY_PATH] = answer({"status": "recorded"})
    await console.follow().until(LinkMade)
    await console.backend.send(command, "k1")
    posted = daemon.asked(REPLY_PATH)[-1].json
    assert {name: posted[name] for name in posted if name not in ("actorSession", "origin")} == body


@rule("T10-01")
@pytest.mark.parametrize(
    ("status", "queued", "seen"), [("queued", True, False), ("sent", False, True)]
)
async def test_a_message_is_words_to_a_session(
    console: Console, daemon: ScriptedDaemon, status: str, queued: bool, seen: bool
) -> None:
    daemon.handlers[SEND_PATH] = answer(
        {"ok": True, "status": status, "messageId": "m1", "verified": seen}
    )
    await console.follow().until(LinkMade)
    verdict = await console.backend.send(SendMessage("qa@my-rig", "use staging\n"), "k1")
    assert verdict == Done(queued=queued, seen=seen)
    posted = daemon.asked(SEND_PATH)[-1].json
    assert (posted["session"], posted["text"]) == ("qa@my-rig", "use staging\n")


async def test_a_message_that_no_answer_confirms_is_unconfirmed(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.handlers[SEND_PATH] = answer({"error": "broken"}, 500)
    await console.follow().until(LinkMade)
    verdict = await console.backend.send(SendMessage("qa@my-rig", "hello"), "k1")
    assert isinstance(verdict, Unconfirmed)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDaemon]:
    home: Path = tmp_path_factory.mktemp("replies") / "home"
    with real_daemon(home) as daemon:
        daemon.register("ana")
        yield daemon


@pytest.fixture
async def backend(real: RealDaemon) -> AsyncIterator[OpenRigBackend]:
    backend = backend_for(real)
    follower = Follower(backend.connect())
    await follower.until(LinkMade)
    yield backend
    await follower.stop()
    await backend.aclose()


async def reply(
    backend: OpenRigBackend, ask_id: str, text: str, expect: str, *, confirmed: bool = False
) -> object:
    command = ReplyAsk(ask_id, ask_id, text, expect, confirm_permit=confirmed)
    return await backend.send(command, uuid4().hex)


@rule("T7-12", "A-34")
async def test_the_daemon_takes_a_reply_only_as_what_it_was_shown_to_be(
    real: RealDaemon, backend: OpenRigBackend
) -> None:
    ask_id = real.ask(real.seat("builder"))
    for text, expect in [("no, use staging", "no"), ("yes", "words"), ("no", "yes")]:
        verdict = await reply(backend, ask_id, text, expect)
        assert isinstance(verdict, Rejected)
        assert verdict.reason == "reply_class_changed"
    verdict = await reply(backend, ask_id, "no, use staging", "words")
    assert isinstance(verdict, Rejected)
    assert verdict.reason == "permit_not_confirmed"
    page = await backend.fetch(WholeAsk(ask_id))
    assert page.ask is not None
    assert page.ask.pending
    verdict = await reply(backend, ask_id, "Nope.", "no")
    assert isinstance(verdict, Done)
    assert verdict.outcome is not None
    assert (verdict.outcome.state, verdict.outcome.option_id) == (AskState.ANSWERED, "no")


@rule("D7-26")
async def test_words_that_were_confirmed_permit_and_are_kept_as_said(
    real: RealDaemon, backend: OpenRigBackend
) -> None:
    ask_id = real.ask(real.seat("qa"))
    verdict = await reply(backend, ask_id, "use staging", "words", confirmed=True)
    assert isinstance(verdict, Done)
    assert verdict.outcome is not None
    assert verdict.outcome.state is AskState.PERMITTED
    assert verdict.outcome.said == "use staging"


async def test_a_message_to_a_seat_that_waits_for_a_person_is_refused(
    real: RealDaemon, backend: OpenRigBackend
) -> None:
    seat = real.seat("docs")
    real.ask(seat)
    verdict = await backend.send(SendMessage(seat["sessionName"], "hello"), uuid4().hex)
    assert isinstance(verdict, Rejected)
    assert verdict.reason == "target_needs_input"
