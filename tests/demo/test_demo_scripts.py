from __future__ import annotations

import json
from itertools import pairwise

from rig_tui.demo.requests import DEPLOY_SCRIPT, FIVE_OPTIONS
from rig_tui.demo.scripts import APP_RIG, OPS_RIG, SCRIPTS
from rig_tui.demo.steps import Ask, End, Exit, Prompt, Quiet, Request, Rest, Script, Step, Work
from rig_tui.domain.mapping import allow_of, reject_of, showable
from rig_tui.domain.model import ALLOW_ALWAYS, KNOWN_KINDS, Option


def steps(script: Script) -> tuple[Step, ...]:
    """As played: the opening, and the loop twice over."""
    return (*script.opening, *script.loop, *script.loop)


def requests(script: Script) -> list[Request]:
    return [request for step in steps(script) if isinstance(step, Ask) for request in step.requests]


def options(request: Request) -> list[Option]:
    return [
        Option(str(raw["optionId"]), str(raw["name"]), str(raw["kind"])) for raw in request.options
    ]


def opening_asks() -> list[Request]:
    return [
        request
        for script in SCRIPTS
        for step in script.opening
        if isinstance(step, Ask)
        for request in step.requests
    ]


def script_of(name: str) -> Script:
    return next(script for script in SCRIPTS if script.name == name)


def test_there_are_twelve_differently_named_seats_in_two_rigs() -> None:
    assert len({(script.rig, script.name) for script in SCRIPTS}) == len(SCRIPTS) == 12
    assert {script.rig for script in SCRIPTS} == {APP_RIG, OPS_RIG}
    assert len({script.native_ref for script in SCRIPTS}) == 12


def test_the_first_picture_asks_with_two_three_and_four_options() -> None:
    shown = [request for request in opening_asks() if showable(options(request))]
    assert {len(request.options) for request in shown} == {2, 3, 4}


def test_one_opening_ask_has_only_a_remembered_allow_and_a_reject() -> None:
    [found] = [
        request
        for request in opening_asks()
        if [o.kind for o in options(request) if o.kind and o.kind.startswith("allow")]
        == [ALLOW_ALWAYS]
    ]
    assert reject_of(options(found)) is not None


def test_one_opening_request_has_too_many_options_to_be_shown_and_an_allow() -> None:
    assert FIVE_OPTIONS in opening_asks()
    assert not showable(options(FIVE_OPTIONS))
    assert allow_of(options(FIVE_OPTIONS)) is not None


def test_one_opening_ask_is_a_diff_and_one_seat_has_two_asks_open() -> None:
    contents = [request.tool_call.get("content") for request in opening_asks()]
    assert any(isinstance(c, list) and '"diff"' in json.dumps(c) for c in contents)
    assert any(
        len(step.requests) == 2
        for script in SCRIPTS
        for step in script.opening
        if isinstance(step, Ask)
    )


def test_the_long_command_keeps_its_danger_for_the_end() -> None:
    lines = DEPLOY_SCRIPT.rstrip("\n").split("\n")
    assert len(lines) >= 31
    assert "curl" in lines[-2]
    assert lines[-2].endswith("| sh")
    assert lines[-1].startswith("sudo ")
    assert not any("sudo" in line for line in lines[:-1])


def test_every_reading_has_a_seat() -> None:
    assert isinstance(script_of("docs").loop[0], Work)
    assert any(isinstance(step, Quiet) for step in script_of("impl").loop)
    assert isinstance(script_of("review").loop[0], Rest)
    assert script_of("triage").opening[-1] == End(liveness=None)
    assert script_of("triage").loop == ()
    assert steps(script_of("watch")) == ()
    assert isinstance(script_of("backup").opening[-1], Exit)


def test_every_request_has_known_kinds_and_ids_of_its_own() -> None:
    for script in SCRIPTS:
        for request in requests(script):
            assert {o.kind for o in options(request)} <= set(KNOWN_KINDS)
            assert len({o.option_id for o in options(request)}) == len(request.options)


def test_turns_begin_before_they_work_and_end_before_the_next() -> None:
    for script in SCRIPTS:
        in_turn = False
        for step in steps(script):
            if isinstance(step, Prompt):
                assert not in_turn, script.name
                in_turn = True
            elif isinstance(step, Rest):
                assert not in_turn, script.name
            else:
                assert in_turn, (script.name, step)
                in_turn = not isinstance(step, End | Exit)


def test_no_loop_spins_and_working_seats_never_fall_out_of_their_evidence() -> None:
    for script in SCRIPTS:
        waits = [
            step.every * len(step.kinds) if isinstance(step, Work) else step.seconds
            for step in script.loop
            if isinstance(step, Work | Quiet | Rest)
        ]
        assert not script.loop or sum(waits) >= 20, script.name
        for step, following in pairwise(steps(script)):
            if isinstance(step, Work) and not isinstance(following, End | Exit):
                assert step.every < 15, script.name


def test_every_ask_that_comes_back_is_another_than_the_one_before() -> None:
    for name in ("builder", "refactor", "deploy"):
        asked = requests(script_of(name))
        assert all(before != after for before, after in pairwise(asked)), name
