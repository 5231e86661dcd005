"""Seat rows of daemons without runners (`/api/rigs/:id/nodes`).

Rule of this file: unknown is never idle. A row says what it last heard long after
that stopped counting, so what is read is gated by the session and by who was found in
its pane. A row also carries a token that resumes the conversation; it is never read.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, TypeAdapter

from rig_tui.domain.model import (
    Asked,
    AskedMode,
    Evidence,
    EvidenceKind,
    Reading,
    Seat,
    SeatId,
)
from rig_tui.wire.openrig.shape import SHAPE, Instant, read

if TYPE_CHECKING:
    from rig_tui.wire.openrig.shape import JsonInput

HOOK_COUNTS: Final = timedelta(minutes=5)
"""How long a hook counts, from the moment it says it happened."""
_STATES: Final = {
    "running": Reading.WORKING,
    "working": Reading.WORKING,
    "idle": Reading.IDLE,
    "needs_input": Reading.NEEDS_INPUT,
    "needs-input": Reading.NEEDS_INPUT,
}
_NOT_IT: Final = {
    "mismatch": "another process was found in its pane",
    "pane_missing": "its pane is gone",
}
_ATTENTION: Final = ("attention_required", "failed")
_GONE: Final = frozenset({"detached", "exited", "absent", "superseded"})


class Activity(BaseModel):
    """What the last hook said, or what was made out of the pane."""

    model_config = SHAPE

    state: str = "unknown"
    reason: str | None = None
    evidence_source: str | None = None
    event_at: Instant | None = None
    raw_event: str | None = None
    raw_subtype: str | None = None
    stale: bool = False


class Waiting(BaseModel):
    """Prompts that wait in the pane: a count beside the activity, never a state."""

    model_config = SHAPE

    count: int = 0
    reason: str | None = None


class State(BaseModel):
    """What newer daemons make of everything they hear."""

    model_config = SHAPE

    display: str = "unknown"
    needs_input: Waiting = Waiting()
    decided_by: str | None = None


class Verdict(BaseModel):
    """Whether the process in the pane is the one that was started."""

    model_config = SHAPE

    verdict: str | None = None


class NodeRow(BaseModel):
    """One seat."""

    model_config = SHAPE

    rig_id: str
    rig_name: str
    logical_id: str
    node_id: str | None = None
    canonical_session_name: str | None = None
    runtime: str | None = None
    model: str | None = None
    session_status: str | None = None
    startup_status: str | None = None
    lifecycle_state: str | None = None
    latest_error: str | None = None
    held_reason: str | None = None
    previous_occupant: str | None = None
    identity_verdict: Verdict | None = None
    agent_activity: Activity | None = None
    activity_state: State | None = None
    terminal_active: bool | None = None

    def value(self) -> Seat:
        """The seat as this console knows seats."""
        reading, evidence = self._read()
        occupied = self.session_status is not None and self.session_status not in _GONE
        return Seat(
            seat_id=SeatId(self.rig_id, self.logical_id),
            rig_name=self.rig_name,
            name=self.logical_id,
            session_name=self.canonical_session_name or "",
            node_id=self.node_id or "",
            runtime=self.runtime or "",
            runner=False,
            session_status=self.session_status or "none",
            # It has no generations; who occupies a seat is told by the session.
            generation=(self.canonical_session_name or None) if occupied else None,
            reading=reading,
            evidence=evidence,
            last_error=self.latest_error,
            launch_attention=(
                self.startup_status in _ATTENTION or self.lifecycle_state in _ATTENTION
            ),
            asked=Asked(AskedMode.ELSEWHERE),
            notices=tuple(self._notices()),
        )

    def _doubt(self) -> str | None:
        """Why whatever the row says of the agent doesn't count; None when it does."""
        if self.session_status != "running":
            return f"its session is {self.session_status or 'not there'}"
        return _NOT_IT.get((self.identity_verdict or Verdict()).verdict or "")

    def _read(self) -> tuple[Reading, Evidence]:
        heard = self.agent_activity or Activity()
        if self._doubt() is not None:
            return Reading.UNKNOWN, Evidence(EvidenceKind.NONE, heard.event_at)
        if "activity_state" in self.model_fields_set:
            return self._from_state(self.activity_state, heard)
        fresh = not heard.stale and heard.state in _STATES
        if fresh and heard.evidence_source == "runtime_hook":
            until = heard.event_at and heard.event_at + HOOK_COUNTS
            detail = heard.reason or ""
            evidence = Evidence(EvidenceKind.HOOK, heard.event_at, until, detail)
            return _STATES[heard.state], evidence
        if fresh and heard.state == "needs_input":
            return Reading.NEEDS_INPUT, Evidence(EvidenceKind.SCREEN, detail=heard.reason or "")
        if self.terminal_active:
            return Reading.WORKING, Evidence(EvidenceKind.SCREEN)
        # A screen that stands still says nothing, and neither does a hook that is too old.
        return Reading.UNKNOWN, Evidence(EvidenceKind.NONE, heard.event_at, detail=_asked(heard))

    def _from_state(self, state: State | None, heard: Activity) -> tuple[Reading, Evidence]:
        if state is None:
            return Reading.UNKNOWN, Evidence(EvidenceKind.NONE, heard.event_at)
        waits = state.needs_input
        if waits.count > 0 or state.display == "needs-input":
            detail = waits.reason or heard.reason or ""
            return Reading.NEEDS_INPUT, Evidence(EvidenceKind.HOOK, heard.event_at, detail=detail)
        reading = _STATES.get(state.display, Reading.UNKNOWN)
        if reading is Reading.UNKNOWN:
            return reading, Evidence(EvidenceKind.NONE, heard.event_at, detail=_asked(heard))
        sampled = state.decided_by == "window-sampling"
        kind = EvidenceKind.SCREEN if sampled else EvidenceKind.HOOK
        return reading, Evidence(kind, heard.event_at, detail=heard.reason or "")

    def _notices(self) -> list[str]:
        heard = self.agent_activity or Activity()
        doubt = self._doubt()
        found: list[str] = []
        if doubt is not None:
            last = f": ‘{heard.state}’, which it read last, counts no longer"
            found.append(doubt + (last if heard.state in _STATES else ""))
        elif heard.stale and _asked(heard):
            found.append("it asked for permission and then fell silent: it may still wait")
        if self.held_reason:
            found.append(f"held: {self.held_reason}")
        return found


def _asked(heard: Activity) -> str:
    """The prompt that a hook was about, which its daemon forgets after five minutes."""
    asked = "permission_prompt", "elicitation_dialog"
    if heard.raw_event == "PermissionRequest" or heard.raw_subtype in asked:
        return heard.raw_subtype or "permission request"
    return ""


_NODES = TypeAdapter(list[NodeRow])


def decode_nodes(data: JsonInput) -> tuple[Seat, ...]:
    """The seats of one rig, without a version.

    Raises:
        UnreadableError: It isn't a list of seat rows.
    """
    return tuple(row.value() for row in read(_NODES, "The list of seats", data))
