"""The twelve seats of the demo: one for each thing a seat can read or ask."""

from __future__ import annotations

from rig_tui.demo.requests import (
    DELETE_GLOBALS,
    EDIT_APP,
    FETCH_ADVISORIES,
    FIVE_OPTIONS,
    LEAVE_PLAN_MODE,
    PUSH_TAG,
    READ_LOG,
    RUN_DEPLOY,
    RUN_TESTS,
    WRITE_CHANGELOG,
)
from rig_tui.demo.steps import Ask, End, Exit, Prompt, Quiet, Request, Rest, Script, Step, Work

APP_RIG = "my-rig"
OPS_RIG = "ops"


def _turn(
    *requests: Request, then: tuple[str, ...], rest: float, patience: float | None = None
) -> tuple[Step, ...]:
    """Ask, work on once allowed, end the turn and rest."""
    return (Ask(requests, patience), Work(then), End(), Rest(rest))


def _asking(first: tuple[Step, ...], *later: tuple[Step, ...]) -> tuple[tuple[Step, ...], ...]:
    """An opening that asks at once, and a loop that comes back with something else."""
    loop = tuple(
        step for turn in (*later, first) for step in (Prompt(), Work(("read", "search")), *turn)
    )
    return (Prompt(), *first), loop


_BUILDER = _asking(
    _turn(EDIT_APP, then=("edit", "message", "execute"), rest=50),
    _turn(WRITE_CHANGELOG, then=("edit", "message"), rest=80),
)
_QA = _asking(_turn(RUN_TESTS, FETCH_ADVISORIES, then=("execute", "fetch", "message"), rest=70))
_REFACTOR = _asking(
    _turn(LEAVE_PLAN_MODE, then=("edit", "edit", "move", "message"), rest=100),
    _turn(DELETE_GLOBALS, then=("delete", "message"), rest=60),
)
_DEPLOY = _asking(
    _turn(RUN_DEPLOY, then=("execute", "execute", "message"), rest=90),
    _turn(READ_LOG, then=("read", "message"), rest=110),
)
_RELEASE = _asking(_turn(PUSH_TAG, then=("execute", "message"), rest=120, patience=900))

SCRIPTS: tuple[Script, ...] = (
    Script(APP_RIG, "builder", "7f3a51c0-builder", *_BUILDER),
    Script(APP_RIG, "qa", "b2c94e17-qa", *_QA),
    Script(
        APP_RIG,
        "docs",
        "0d61aa83-docs",
        (Prompt(),),
        (Work(("search", "read", "edit", "message")),),
    ),
    Script(
        APP_RIG,
        "impl",
        "91e7f2d4-impl",
        (Prompt(), Work(("execute",), every=0)),
        (Quiet(300), Work(("message", "execute"))),
    ),
    Script(APP_RIG, "refactor", "c83b06f9-refactor", *_REFACTOR),
    Script(
        APP_RIG,
        "review",
        "5a2d7e40-review",
        (Prompt(), Work(("read",), every=0), End()),
        (Rest(60),),
    ),
    Script(APP_RIG, "triage", "e4907b1c-triage", (Prompt(), End(liveness=None))),
    Script(OPS_RIG, "deploy", "38d1c5ba-deploy", *_DEPLOY),
    Script(OPS_RIG, "watch", "a6f0e293-watch"),
    Script(OPS_RIG, "backup", "14bb8d6e-backup", (Prompt(), Work(("execute",), every=0), Exit())),
    Script(
        OPS_RIG,
        "metrics",
        "d95c3f71-metrics",
        (Prompt(), Ask((FIVE_OPTIONS,))),
        (Work(("execute", "read", "message")), Quiet(240), Ask((FIVE_OPTIONS,))),
    ),
    Script(OPS_RIG, "release", "62e8a90d-release", *_RELEASE),
)
