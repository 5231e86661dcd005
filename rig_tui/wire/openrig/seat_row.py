"""The shape of a seat row, and how it maps to a seat."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, Field

from rig_tui.domain.launching import Readiness
from rig_tui.domain.model import (
    AskedMode,
    EvidenceKind,
    Grant,
    Reading,
    Seat,
    SeatId,
)
from rig_tui.wire.openrig.runner_row import AskedRow, RunnerRow
from rig_tui.wire.openrig.shape import SHAPE, Instant

_ATTENTION = "attention_required"
_STARTUP = {
    Readiness.PENDING: "pending",
    Readiness.READY: "ready",
    Readiness.ATTENTION: _ATTENTION,
}
_DISPLAYS = {
    Reading.WORKING: "working",
    Reading.IDLE: "idle",
    Reading.NEEDS_INPUT: "needs-input",
    Reading.UNKNOWN: "unknown",
}
_READINGS = {display: reading for reading, display in _DISPLAYS.items()} | {
    "running": Reading.WORKING,
    "needs_input": Reading.NEEDS_INPUT,
}
_ACTIVITIES = {Reading.WORKING: "working", Reading.IDLE: "idle-at-prompt"}


@dataclass(slots=True, frozen=True)
class NeedsInput:
    """How many prompts wait, and why."""

    __pydantic_config__ = SHAPE

    count: int = 0
    reason: str | None = None


@dataclass(slots=True, kw_only=True)
class ActivityState:
    """What a seat reads."""

    __pydantic_config__ = SHAPE

    activity: str
    display: str
    needs_input: NeedsInput = NeedsInput()
    decided_by: str | None = None
    seq: int = 0

    @classmethod
    def of(cls, seat: Seat) -> ActivityState:
        waits = seat.reading is Reading.NEEDS_INPUT
        kind = seat.evidence.kind
        source = "window-sampling" if kind is EvidenceKind.SCREEN else "self-report"
        return cls(
            activity=_ACTIVITIES.get(seat.reading, "unknown"),
            display=_DISPLAYS[seat.reading],
            needs_input=NeedsInput(count=int(waits), reason=kind.value if waits else None),
            decided_by=None if kind is EvidenceKind.NONE else source,
            seq=seat.version,
        )


class AgentActivity(BaseModel):
    """What daemons without `activityState` say of a seat."""

    model_config = SHAPE

    state: str = "unknown"
    reason: str | None = None
    event_at: Instant | None = None
    sampled_at: Instant | None = None


class SeatRow(BaseModel):
    """One seat."""

    model_config = SHAPE

    rig_id: str
    rig_name: str
    node_id: str | None = None
    logical_id: str
    canonical_session_name: str | None = None
    node_kind: str = "agent"
    attachment_type: str | None = "external_cli"
    runtime: str | None = None
    session_status: str | None = None
    startup_status: str | None = "ready"
    lifecycle_state: str | None = None
    latest_error: str | None = None
    agent_activity: AgentActivity | None = Field(default=None, exclude=True)
    activity_state: ActivityState | None = None
    runner: RunnerRow | None = None
    version: int = 0

    @classmethod
    def of(cls, seat: Seat) -> SeatRow:
        running = "running" if seat.session_status == "running" else "detached"
        return cls(
            rig_id=seat.seat_id.rig_id,
            rig_name=seat.rig_name,
            node_id=seat.node_id,
            logical_id=seat.seat_id.logical_id,
            canonical_session_name=seat.session_name,
            runtime=seat.runtime,
            session_status=seat.session_status,
            startup_status=_STARTUP[seat.readiness],
            lifecycle_state=_ATTENTION if seat.launch_attention else running,
            latest_error=seat.last_error,
            activity_state=ActivityState.of(seat),
            runner=RunnerRow.of(seat),
            version=seat.version,
        )

    def value(self) -> Seat:
        runner = self.runner or self._without_runner()
        return Seat(
            seat_id=SeatId(self.rig_id, self.logical_id),
            rig_name=self.rig_name,
            name=self.logical_id,
            session_name=self.canonical_session_name or "",
            node_id=self.node_id or "",
            runtime=self.runtime or "",
            runner=not runner.plain,
            session_status=self.session_status or "",
            generation=runner.generation,
            reading=self._reading(),
            evidence=runner.evidence_value(),
            liveness_seconds=runner.liveness_seconds,
            turn_id=runner.turn_id,
            exited=runner.exited,
            last_error=runner.last_error,
            clock_skew_seconds=runner.clock_skew_seconds,
            launch=runner.launch.value() if runner.launch else None,
            launch_attention=self.startup_status in (_ATTENTION, "failed"),
            identity=runner.identity.value() if runner.identity else None,
            preset=runner.preset,
            declaration=runner.declaration.value() if runner.declaration else None,
            preset_file=runner.preset_file_value(),
            model=runner.model.value(),
            limits=runner.limits,
            warnings=runner.warnings,
            takes_messages=runner.takes_messages,
            grant=Grant(runner.grant.mode, runner.grant.revoked_at),
            override=runner.override.value(),
            asked=runner.asked.value(),
            notices=runner.notices,
            version=self.version,
        )

    def _reading(self) -> Reading:
        if self.activity_state:
            return _READINGS.get(self.activity_state.display, Reading.UNKNOWN)
        if self.agent_activity:
            return _READINGS.get(self.agent_activity.state, Reading.UNKNOWN)
        return Reading.UNKNOWN

    def _without_runner(self) -> RunnerRow:
        """A daemon that knows no runner contract: the agent asks where it runs."""
        heard = self.agent_activity or AgentActivity()
        return RunnerRow(
            plain=True,
            evidence=EvidenceKind.POST if heard.event_at else EvidenceKind.NONE,
            evidence_detail=heard.reason or "",
            evidence_at=heard.event_at,
            last_error=self.latest_error,
            asked=AskedRow(mode=AskedMode.ELSEWHERE),
        )
