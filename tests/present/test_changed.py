"""How an ask has changed under its operator, and by whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.domain.model import AskState, Holder, HolderType, People, Row
from rig_tui.ui.present.changed import change_lines, what_changed
from tests.builders import ALLOW, ALWAYS, ANA, BEN, NEVER, NOON, REJECT, ago, an_ask, ended

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask

OPENED = an_ask()
ME = OPENED.holder
SEAT = Holder(HolderType.SEAT, "qa@my-rig", "qa@my-rig")


def words(ask: Ask, opened: Ask = OPENED) -> list[str]:
    people = People((ANA, BEN), "ana")
    return [each.plain for each in what_changed(opened, ask, NOON, people, "ana@external")]


def handed(*steps: tuple[str, Holder]) -> Ask:
    """The ask after it was handed on, each time by somebody to somebody."""
    rows, holder = list(OPENED.rows), ME
    for number, (by, holder) in enumerate(steps):
        rows[-1] = replace(rows[-1], state="handed-off", closed_by=by, how="route", at=ago(60))
        rows.append(Row(f"row-{number}", holder, "pending"))
    return replace(OPENED, row_id=rows[-1].row_id, holder=holder, rows=tuple(rows))


def test_what_is_the_same_has_not_changed() -> None:
    assert words(replace(OPENED, version=99)) == []


def test_who_handed_it_on_to_whom_and_when_is_told_each_time() -> None:
    ask = handed(("ben@external", SEAT), ("ana@external", ME))
    assert words(ask) == [
        "Ben handed it to agent seat qa@my-rig, which sees no options at 11:59:00",
        "you took it at 11:59:00",
    ]
    assert words(replace(handed(("ben@external", SEAT)), rows=())) == [
        "somebody handed it to agent seat qa@my-rig, which sees no options"
    ]


def test_another_request_under_the_same_id_is_the_agent_s_doing() -> None:
    other = replace(OPENED, tool_call={"title": "Remove src"})
    assert words(other) == ["the agent of builder@my-rig asks for something else now"]
    notice = "The agent sent this request again with other content."
    assert words(replace(OPENED, notices=(notice,))) == [notice]


def test_which_options_came_went_or_mean_something_else_is_told() -> None:
    renamed = replace(ALLOW, name="Allow every\u202efile")
    (change,) = words(replace(OPENED, options=(renamed, REJECT, NEVER)))
    assert "‘Always allow’ is gone" in change
    assert "‘Reject always’ is new" in change
    assert "‘Allow’ is now ‘Allow every\\u202efile’" in change
    assert words(replace(OPENED, options=(REJECT, ALLOW, ALWAYS)))[0].endswith("in another order")


def test_a_request_that_was_read_whole_has_not_changed() -> None:
    assert words(OPENED, replace(OPENED, tool_call="cut", elided=True)) == []


def test_how_it_ended_and_by_whom_is_told_once() -> None:
    ask = ended(OPENED, AskState.ANSWERED, decided_by="ben@external")
    (change,) = words(ask)
    assert change.startswith("answered at ")
    assert "by Ben with Allow" in change
    withdrawn = ended(OPENED, AskState.WITHDRAWN)
    assert "nobody answered" in words(withdrawn)[0]


def test_each_line_says_since_when() -> None:
    (line,) = change_lines(
        OPENED, replace(OPENED, tool_call=None), NOON, People((ANA,), "ana"), "ana@external"
    )
    assert line.text.plain.startswith("changed since you opened it: the agent of ")
