"""What follows a daemon, and what happens to acts when it dies on them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.__main__ import main
from rig_tui.domain.model import Holder, HolderType
from rig_tui.wire import openrig
from tests.builders import a_seat, an_ask
from tests.cli.shell import run, run_json
from tests.client.real_daemon import real_daemon
from tests.client.scripted_daemon import NOW, ScriptedDaemon, answer, drop, head

if TYPE_CHECKING:
    import io
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.client.real_daemon import RealDaemon
    from tests.client.scripted_daemon import Handler

pytestmark = pytest.mark.usefixtures("no_settings")
ASK = an_ask()
ITEM_PATH = f"/api/queue/{ASK.ask_id}"


@pytest.fixture
async def scripted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[ScriptedDaemon]:
    daemon = ScriptedDaemon(seats=(a_seat(),), open_asks=(ASK,))
    daemon.handlers[ITEM_PATH] = answer(openrig.encode_item(ASK, whole=True))
    monkeypatch.setenv("RIG_TUI_TOKEN", daemon.token)
    await daemon.start()
    yield daemon
    await daemon.stop()


async def typed(daemon: ScriptedDaemon, *arguments: str) -> int:
    return await asyncio.to_thread(main, [*arguments, "--url", daemon.base_url])


@pytest.mark.parametrize("fault", [drop(), drop(head(200, content_length="99") + b"{")])
async def test_a_daemon_that_dies_on_an_act_leaves_the_outcome_unknown_and_it_is_sent_once(
    scripted: ScriptedDaemon, fault: Handler, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted.handlers[f"{ITEM_PATH}/answer"] = fault
    assert await typed(scripted, "answer", ASK.ask_id, ASK.options[0].option_id) == 7
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "isn't known" in printed.err
    assert f"rig-tui show {ASK.ask_id}" in printed.err
    assert len(scripted.asked(f"{ITEM_PATH}/answer")) == 1


async def test_an_act_whose_answer_got_lost_is_done_if_the_daemon_says_so(
    scripted: ScriptedDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    option = ASK.options[0]
    scripted.capabilities |= {"operations"}

    async def lose(request: Any, writer: asyncio.StreamWriter) -> None:
        key = request.headers["idempotency-key"]
        scripted.handlers[f"/api/operations/{key}"] = answer({"state": "done"})
        writer.close()

    scripted.handlers[f"{ITEM_PATH}/answer"] = lose
    assert await typed(scripted, "answer", ASK.ask_id, option.option_id, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["id"] == ASK.ask_id
    assert len(scripted.asked(f"{ITEM_PATH}/answer")) == 1


async def test_a_daemon_that_dies_before_an_act_is_5(
    scripted: ScriptedDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted.handlers[ITEM_PATH] = drop()
    assert await typed(scripted, "answer", ASK.ask_id, "yes") == 5
    assert not scripted.asked(f"{ITEM_PATH}/answer")
    assert capsys.readouterr().out == ""


class Lines:
    """The JSON lines of a process."""

    def __init__(self, stream: Any) -> None:
        self._stream: io.TextIOBase = stream

    def until(self, kind: str) -> dict[str, Any]:
        """The next one of a kind."""
        for line in self._stream:
            row: dict[str, Any] = json.loads(line)
            if row["type"] == kind:
                return row
        raise AssertionError(f"no {kind} came")


@contextmanager
def watching(home: Path) -> Iterator[tuple[subprocess.Popen[str], Lines]]:
    """`rig-tui watch --json` as a process; it is ended, whatever happens."""
    with subprocess.Popen(
        [sys.executable, "-m", "rig_tui", "watch", "--json", "--home", str(home)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process, Lines(process.stdout)
        finally:
            process.kill()


def test_watching_survives_a_daemon_that_is_started_anew_and_tells_what_changed(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    with ExitStack() as stack:
        with real_daemon(home) as daemon:
            daemon.register("ana")
            seat = daemon.seat("builder")
            process, told = stack.enter_context(watching(home))
            told.until("seat")
            ask = daemon.ask(seat)
            assert told.until("ask.opened")["ask"]["id"] == ask
        assert told.until("link")["state"] == "lost"
        daemon = stack.enter_context(real_daemon(home))
        body: dict[str, object] = {"questionId": "permission", "optionId": "no"}
        daemon.post(f"/api/queue/{ask}/answer", body | {"actorSession": "ana@external"})
        closed = told.until("ask.closed")["ask"]
        assert (closed["id"], closed["outcome"]["optionId"]) == (ask, "no")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == ""


async def test_waiting_ends_when_a_person_is_needed(
    scripted: ScriptedDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted.open_asks = ()
    waiting = asyncio.create_task(typed(scripted, "wait", "--ask", "--json", "--timeout", "60"))
    stream = await scripted.streams.get()
    scripted.open_asks = (ASK,)
    opened = openrig.queue_created(ASK, seq=9, at=NOW)
    stream.send(openrig.encode_frame(opened, epoch=scripted.epoch, seq=9))
    assert await waiting == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["id"] == ASK.ask_id


async def test_waiting_gives_up_in_time_and_goes_by_seat_and_holder(
    scripted: ScriptedDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await typed(scripted, "wait", "--ask") == 0
    assert ASK.ask_id in capsys.readouterr().out
    assert await typed(scripted, "wait", "--ask", "--seat", a_seat().seat_ref, "--json") == 0
    capsys.readouterr()
    held = an_ask(holder=Holder(HolderType.SEAT, "review@my-rig", "review"))
    scripted.open_asks = (held,)
    assert await typed(scripted, "wait", "--ask", "--timeout", "0") == 8
    printed = capsys.readouterr()
    assert (printed.out, "nobody was needed" in printed.err) == ("", True)


def test_a_brief_tells_the_next_shift_what_it_must_know(
    daemon: RealDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--home", str(daemon.home), "--as", "human@host")
    seat = daemon.seat("builder")
    always = [
        {"optionId": "ever", "name": "Always", "kind": "allow_always"},
        {"optionId": "no", "name": "No", "kind": "reject_once"},
    ]
    daemon.permit(seat, "Delete *all*", always)
    daemon.register("ana")
    answered = daemon.ask(seat, "Read a file")
    run_json(capsys, "deny", answered, *at)
    waiting = daemon.ask(seat, "Run tests")
    run_json(capsys, "who-is-asked", "builder@my-rig", "--to", "ana", "--reason", "hers", *at)
    told = run_json(capsys, "brief", *at)
    assert [row["id"] for row in told["waiting"]] == [waiting]
    assert [row["toolCall"]["title"] for row in told["permits"]] == ["Delete *all*"]
    assert [row["name"] for row in told["rememberedUnchosen"]] == ["Always"]
    assert [row["id"] for row in told["ended"]] == [answered]
    assert [row["override"]["reason"] for row in told["overrides"]] == ["hers"]
    assert told["permitting"] == []
    assert "override" in {row["kind"] for row in told["changed"]}
    assert told["whole"] is True
    code, out, err = run(capsys, "brief", "--since", "1h", *at)
    assert (code, err) == (0, "")
    assert r"Delete \*all\* → ‘Always’ (remembered): nobody is registered" in out
    assert "- human@host\n" in out
    assert out.count("\n## ") == 7
    assert run_json(capsys, "brief", "--since", "2100-01-01", *at)["permits"] == []
    assert run(capsys, "brief", "--since", "someday", *at)[0] == 2


def test_a_reader_that_leaves_is_no_failure(daemon: RealDaemon) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "rig_tui", "seats", "--home", str(daemon.home)],
        stdout=writing, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
