"""How a seat was launched, what came of that, and what it can't do.

Rule of this file: a conversation is what the launcher reported and nobody observed, and
no outcome of a resume is ever answered with another conversation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.domain.launching import PresetFile
from rig_tui.ui.present.age import clock
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, fact, join, paint
from rig_tui.ui.present.roles import ACCENT

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.launching import Declaration, LaunchReport
    from rig_tui.domain.model import Seat

_OUTCOMES: Final = {
    "pending": "waiting for its record",
    "reported": "ready",
    "resumed": "ready, its conversation resumed",
    "missing": "the conversation is missing; nothing was started",
    "unconfirmed": "resume unconfirmed; its conversation is kept",
    "mismatch": "a different conversation was opened; not switched to it",
    "not_started": "nothing was started",
    "none": "no launch record",
}
_GOOD: Final = frozenset({"pending", "reported", "resumed"})
_WAYS_ON: Final = {
    "missing": "no other conversation takes its place; resume it again once its harness has it",
    "unconfirmed": "look into its pane: the command was sent and its launcher said nothing",
    "mismatch": "stop it, and resume its own conversation again",
    "not_started": "resume it again once the folder for its launch record can be made",
    "none": "it may run all the same: look into its pane, or launch it again",
}
_FILES: Final = {
    PresetFile.CHANGED: "its preset's file says something else now: applies at next launch",
    PresetFile.GONE: "its preset's file is gone; what was launched goes on as it was",
    PresetFile.UNUSABLE: "its preset's file has faults now: the next launch would be refused",
}
_ABILITIES: Final = (
    ("launch_result", "launch record"),
    ("resume", "resumes"),
    ("first_input", "takes a first input"),
    ("passes_model", "passes a model on"),
    ("names_conversation", "names its conversation"),
)


def launch_lines(seat: Seat, now: datetime) -> list[Line]:
    """The launch, its outcome in words, and what this launch didn't deliver."""
    lines = [fact("conversation", _identity(seat)), *_outcome(seat, now)]
    lines += [fact("warning", paint(inert(warning), ACCENT)) for warning in seat.warnings]
    return lines


def declaration_lines(seat: Seat) -> list[Line]:
    """What it was launched as, its limits, and the model nobody observed."""
    lines = [fact("runs as", _runs_as(seat))]
    if seat.declaration is not None:
        lines += _declared(seat.declaration)
    if seat.preset_file in _FILES:
        lines.append(fact("preset file", join((_FILES[seat.preset_file], ACCENT))))
    declared = seat.model.declared
    model = join("declared ", inert(declared), ", ") if declared else Text("")
    lines.append(fact("model", join(model, "effective: ", inert(seat.model.effective))))
    declared_limits = seat.declaration.limits if seat.declaration else ()
    limits = dict.fromkeys((*seat.limits, *declared_limits))
    return [*lines, *(fact("limit", inert(limit)) for limit in limits)]


def _identity(seat: Seat) -> Text:
    identity = seat.identity
    if identity is None:
        return Text("none reported by the launcher")
    producer = join(" (", inert(identity.producer), ")") if identity.producer else Text("")
    return join(inert(identity.native_ref), ", reported by the launcher", producer)


def _outcome(seat: Seat, now: datetime) -> list[Line]:
    launch = seat.launch
    if launch is None:
        if not seat.launch_attention:
            return []
        return [fact("launch", join(("needs attention: no launch record", ACCENT)))]
    words = _OUTCOMES.get(launch.outcome)
    shown = Text(words) if words else inert(launch.outcome)
    bad = words is not None and launch.outcome not in _GOOD
    if seat.launch_attention or bad:
        shown = join(("needs attention: ", ACCENT), paint(shown, ACCENT))
    at = f", {clock(launch.at, now)}" if launch.at else ""
    lines = [fact("launch", join(shown, " (", inert(launch.kind), at, ")"))]
    if launch.detail:
        lines.append(fact("", inert(launch.detail)))
    if launch.outcome in _WAYS_ON:
        lines.append(fact("", Text(_WAYS_ON[launch.outcome])))
    return [*lines, *(_report(report, now) for report in launch.evidence)]


def _report(report: LaunchReport, now: datetime) -> Line:
    what = (
        join("conversation ", inert(report.native_ref))
        if report.native_ref
        else join("an error: ", inert(report.error or "without words"))
    )
    producer = join(" (", inert(report.producer), ")") if report.producer else Text("")
    when = f"{clock(report.at, now)}, {'late' if report.late else 'after the first'}: "
    return fact("also said", join(when, what, producer, "; it changed nothing"))


def _runs_as(seat: Seat) -> Text:
    words = join("runner" if seat.runner else "plain seat")
    for part in (seat.preset, seat.runtime):
        if part:
            words = join(words, ", ", inert(part))
    return join(words, ", session ", inert(seat.session_status))


def _declared(declaration: Declaration) -> list[Line]:
    able = [words for name, words in _ABILITIES if getattr(declaration, name)]
    kind = "runner" if declaration.runner else "plain"
    lines = [fact("launched as", Text(", ".join([kind, *able])))]
    if declaration.command:
        lines.append(fact("command", inert(declaration.command)))
    if declaration.maintainer:
        lines.append(fact("maintainer", inert(declaration.maintainer)))
    return lines
