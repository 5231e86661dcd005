"""What changed while the daemon was away, in words."""

from __future__ import annotations

from hypothesis import given, settings

from rig_tui.domain.absence import Absence
from rig_tui.domain.model import AskState, People, RunnerPermit
from rig_tui.ui.present.absence import absence_line, absence_lines
from tests.builders import ANA, NOON, a_permit, ago, an_ask, ended
from tests.present.oracle import check_safe, hostile, plain

PEOPLE = People((ANA,), "ana")
CAUSE = RunnerPermit("1", ago(9), "qa@my-rig", "duplicate_request", "request 4")


def told(**changes: object) -> Absence:
    return Absence(ago(300), NOON, **changes)  # type: ignore[arg-type]


def test_one_line_counts_what_changed_the_gravest_first() -> None:
    closed = [ended(an_ask(f"q{n}"), state) for n, state in enumerate(AskState) if n]
    everything = told(
        anew=True,
        gone=(an_ask(),),
        permits=(a_permit(1), a_permit(2)),
        runner_permits=(CAUSE,),
        opened=(an_ask(), an_ask()),
        ended=(*closed, ended(an_ask("q9"))),
        seats_gone=("a@r",),
        seats_come=("b@r", "c@r"),
        people=True,
    )
    assert absence_line(everything, "L").plain == (
        "while the daemon was away: another database or an older one, 1 ask gone, "
        "2 permitted by default, 1 permitted by a runner itself, 2 asks came, 2 answered, "
        "1 closed as permitted, 1 refused, 1 withdrawn, 1 stale, 1 seat gone, 2 seats came, "
        "other people; L lists it"
    )
    assert "lists" not in absence_line(everything, "").plain


def test_the_list_names_each_change() -> None:
    text = plain(
        absence_lines(
            told(
                anew=True,
                gone=(an_ask(),),
                permits=(a_permit(1),),
                runner_permits=(CAUSE,),
                opened=(an_ask(),),
                ended=(ended(an_ask()),),
                seats_gone=("a@r",),
                seats_come=("b@r",),
                people=True,
            ),
            NOON,
            PEOPLE,
        )
    )
    for words in (
        "Without the daemon, 11:55:00 to 12:00:00",
        "another database, or an older one",
        "builder@my-rig  Edit src/app.ts  gone: it waited, and isn't listed any more",
        "permitted by default  impl@my-rig  “Run tests” → Allow (allow once)",
        "the runner will have permitted this  qa@my-rig  duplicate_request: request 4",
        "builder@my-rig  Edit src/app.ts  waiting for Ana",
        "builder@my-rig  Edit src/app.ts  answered at 11:59:59 by Ana",
        "seat a@r gone",
        "seat b@r came",
        "Other people are registered",
    ):
        assert words in text, (words, text)


@settings(max_examples=50, deadline=None)
@given(hostile)
def test_nothing_an_agent_wrote_is_more_than_text(text: str) -> None:
    ask = an_ask(tool_call={"title": text}, seat=text, rig=text)
    changes = told(
        gone=(ask,), opened=(ask,), ended=(ended(ask),), seats_gone=(text,), seats_come=(text,),
        permits=(a_permit(tool_call={"title": text}, session_name=text, option_name=text),),
        runner_permits=(RunnerPermit("1", ago(9), text, text, text),),
    )  # fmt: skip
    for each in absence_lines(changes, NOON, PEOPLE):
        check_safe(each.text)
