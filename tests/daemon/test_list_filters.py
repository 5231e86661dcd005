"""Finding rows in long lists: by whom, why, which kind, which words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import records
from tests.daemon.harness import ALLOW, ALWAYS, NEVER, REJECT
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Runner, Served


@pytest.fixture
async def runner(served: Served) -> Runner:
    served.daemon.person("ana", default=True)
    served.daemon.person("ben")
    return await served.seat()


async def listed(served: Served, path: str, **query: Any) -> list[dict[str, Any]]:
    reply = await served.operator.get(path, params=query)
    assert reply.is_success, reply.text
    rows: list[dict[str, Any]] = reply.json()
    return rows


async def closed(served: Served, **query: Any) -> list[str]:
    rows = await listed(served, "/api/queue/list", asks="closed", **query)
    return [row["permission"]["requestId"] for row in rows]


async def permits(served: Served, **query: Any) -> int:
    return len(await listed(served, "/api/stream/list", **query))


async def causes(served: Served, **query: Any) -> list[str]:
    return [row["code"] for row in await listed(served, "/api/runner-permits", **query)]


async def test_ended_asks_are_found_by_why_they_ended(served: Served, runner: Runner) -> None:
    def ask(number: int, *options: object) -> str:
        return runner.ask(requestId=number, options=[*options])

    await served.act(ask(1, ALLOW, REJECT), "drop", reason="x")
    await served.act(ask(2, ALLOW, ALWAYS), "deny")
    await served.act(ask(3, REJECT, NEVER), "approve")
    await served.answer(ask(4, ALLOW, REJECT), "a")

    assert await closed(served, cause="closed_without_choice") == ["1"]
    assert await closed(served, cause="said_no") == ["2"]
    assert await closed(served, cause="no_allow_offered") == ["3"]
    assert await closed(served, cause="x") == []
    assert await closed(served, cause="closed_without_choice", person="human@host") == ["1"]
    assert await closed(served, cause="closed_without_choice", person="ana") == []


@rule("D7-54")
async def test_permits_are_found_by_who_closed_their_ask(served: Served, runner: Runner) -> None:
    await served.act(runner.ask(), "drop", reason="x", actorSession="ana@external")
    runner.submit(requestId=2, options=[ALLOW])
    assert await permits(served) == 2
    assert await permits(served, person="ana") == 1
    assert await permits(served, person="ana@external", seat="builder@my-rig") == 1
    assert await permits(served, person="ben") == 0


@rule("D7-58")
async def test_what_made_runners_permit_is_found_by_seat_code_and_words(
    served: Served, runner: Runner
) -> None:
    other = await served.seat("qa")
    for seat in (runner, other):
        seat.ask(turnId=1)
        seat.submit(turnId=2)
        served.daemon.clock.advance(60)
    await served.read("qitem-gone")

    twice = "duplicate_request"
    assert await causes(served) == ["http_404", twice, twice]
    assert await causes(served, cause="http_404") == ["http_404"]
    assert await causes(served, rig="my-rig") == [twice, twice]
    assert await causes(served, rig="rig") == []
    assert await causes(served, seat="qa@my-rig") == [twice]
    assert await causes(served, q="QITEM-Gone") == ["http_404"]
    assert await causes(served, until="2026-11-30T12:00:30Z") == [twice]
    assert await causes(served, limit=1) == ["http_404"]
    # No row has a person or an option's kind, so none matches.
    assert await causes(served, person="ana") == []
    assert await causes(served, kind="allow_once") == []


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("grüße", True),
        ("GRÜSSE", True),
        ("Ärger", True),
        ("ärger", True),
        ('say "hi"', True),
        ("c:\\tmp", True),
        ("two\nlines", True),
        ("👍", True),
        ("toolcall", False),
        ("title", False),
        ("option_id", False),
        ("nothing", False),
        ("%", False),
    ],
)
async def test_words_are_found_in_what_agents_wrote_and_not_in_our_own_keys(
    served: Served, runner: Runner, q: str, found: bool
) -> None:
    call = {
        "title": 'Grüße, ÄRGER: say "Hi"',
        "rawInput": {"path": "C:\\Tmp", "text": ["two\nlines", "👍"]},
    }
    await served.answer(runner.ask(toolCall=call, requestId="r"), "a")
    runner.submit(toolCall=call, requestId="s", options=[ALLOW])
    assert len(await closed(served, q=q)) == found
    assert await permits(served, q=q) == found


async def test_a_page_of_a_long_list_reads_only_that_page(
    served: Served, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        runner.submit(requestId=number, options=[ALLOW])
    read = 0
    loads = records.loads

    def counted(cls: Any, text: str) -> Any:
        nonlocal read
        read += 1
        return loads(cls, text)

    monkeypatch.setattr(records, "loads", counted)
    rows = await listed(served, "/api/stream/list", direction="latest", limit=4)
    last = rows[-1]["streamSortKey"]
    rows += await listed(
        served, "/api/stream/list", direction="latest", limit=4, beforeSortKey=last
    )
    assert len({row["streamSortKey"] for row in rows}) == 8
    assert read == 8
