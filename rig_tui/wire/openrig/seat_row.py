"""The shape of a seat row, and how it maps to a seat."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel, Field

from rig_tui.domain.model import (
    Asked,
    AskedMode,
    Evidence,
    EvidenceKind,
    Grant,
    Identity,
    Launch,
    Override,
    OverrideMode,
    Reading,
    Seat,
    SeatId,
)
from rig_tui.wire.openrig.shape import SHAPE, Instant

_ATTENTION = "attention_required"
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


class NeedsInput(BaseModel):
    """How many prompts wait, and why."""

    model_config = SHAPE

    count: int = 0
    reason: str | None = None


class ActivityState(BaseModel):
    """What a seat reads."""

    model_config = SHAPE

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


class LaunchRow(BaseModel):
    """One launch."""

    model_config = SHAPE

    attempt: str
    kind: str
    outcome: str
    at: Instant | None = None

    @classmethod
    def of(cls, launch: Launch) -> LaunchRow:
        return cls(attempt=launch.attempt, kind=launch.kind, outcome=launch.outcome, at=launch.at)

    def value(self) -> Launch:
        return Launch(self.attempt, self.kind, self.outcome, self.at)


class IdentityRow(BaseModel):
    """A conversation, as its launcher reported it."""

    model_config = SHAPE

    native_ref: str
    source: str = "launcher_reported"
    producer: str = ""

    @classmethod
    def of(cls, identity: Identity) -> IdentityRow:
        return cls(native_ref=identity.native_ref, producer=identity.producer)

    def value(self) -> Identity:
        return Identity(self.native_ref, self.producer)


class GrantRow(BaseModel):
    """What the seat's runner holds."""

    model_config = SHAPE

    mode: str = "token"
    revoked_at: Instant | None = None


class OverrideRow(BaseModel):
    """Who was chosen for the seat."""

    model_config = SHAPE

    mode: OverrideMode = OverrideMode.NONE
    person: str | None = None
    reason: str | None = None
    by: str | None = None
    at: Instant | None = None

    @classmethod
    def of(cls, override: Override) -> OverrideRow:
        return cls(
            mode=override.mode,
            person=override.person,
            reason=override.reason,
            by=override.by,
            at=override.at,
        )

    def value(self) -> Override:
        return Override(self.mode, self.person, self.reason, self.by, self.at)


class AskedRow(BaseModel):
    """Who a request would reach now."""

    model_config = SHAPE

    mode: AskedMode
    person: str | None = None
    because: str = ""

    @classmethod
    def of(cls, asked: Asked) -> AskedRow:
        return cls(mode=asked.mode, person=asked.person, because=asked.because)

    def value(self) -> Asked:
        return Asked(self.mode, self.person, self.because)


class RunnerRow(BaseModel):
    """What no public OpenRig has a key for."""

    model_config = SHAPE

    generation: str | None = None
    plain: bool = False
    """A preset without the runner contract: only its screen tells anything."""
    evidence: str = EvidenceKind.NONE.value
    evidence_detail: str = ""
    evidence_at: Instant | None = None
    expires_at: Instant | None = None
    liveness_seconds: int | None = None
    turn_id: str | None = None
    exited: bool = False
    last_error: str | None = None
    clock_skew_seconds: float | None = None
    launch: LaunchRow | None = None
    identity: IdentityRow | None = None
    preset: str | None = None
    limits: tuple[str, ...] = ()
    grant: GrantRow = GrantRow()
    override: OverrideRow = OverrideRow()
    asked: AskedRow
    notices: tuple[str, ...] = ()

    @classmethod
    def of(cls, seat: Seat) -> RunnerRow:
        return cls(
            generation=seat.generation,
            plain=not seat.runner,
            evidence=seat.evidence.kind.value,
            evidence_detail=seat.evidence.detail,
            evidence_at=seat.evidence.at,
            expires_at=seat.evidence.until,
            liveness_seconds=seat.liveness_seconds,
            turn_id=seat.turn_id,
            exited=seat.exited,
            last_error=seat.last_error,
            clock_skew_seconds=seat.clock_skew_seconds,
            launch=LaunchRow.of(seat.launch) if seat.launch else None,
            identity=IdentityRow.of(seat.identity) if seat.identity else None,
            preset=seat.preset,
            limits=seat.limits,
            grant=GrantRow(mode=seat.grant.mode, revoked_at=seat.grant.revoked_at),
            override=OverrideRow.of(seat.override),
            asked=AskedRow.of(seat.asked),
            notices=seat.notices,
        )


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
            startup_status=_ATTENTION if seat.launch_attention else "ready",
            lifecycle_state=_ATTENTION if seat.launch_attention else running,
            latest_error=seat.last_error,
            activity_state=ActivityState.of(seat),
            runner=RunnerRow.of(seat),
            version=seat.version,
        )

    def value(self) -> Seat:
        base = Seat(
            seat_id=SeatId(self.rig_id, self.logical_id),
            rig_name=self.rig_name,
            name=self.logical_id,
            session_name=self.canonical_session_name or "",
            node_id=self.node_id or "",
            runtime=self.runtime or "",
            session_status=self.session_status or "",
            reading=self._reading(),
            launch_attention=self.startup_status in (_ATTENTION, "failed"),
            last_error=self.latest_error,
            version=self.version,
        )
        return _with_runner(base, self.runner) if self.runner else self._without_runner(base)

    def _reading(self) -> Reading:
        if self.activity_state:
            return _READINGS.get(self.activity_state.display, Reading.UNKNOWN)
        if self.agent_activity:
            return _READINGS.get(self.agent_activity.state, Reading.UNKNOWN)
        return Reading.UNKNOWN

    def _without_runner(self, base: Seat) -> Seat:
        """A daemon that knows no runner contract: who is asked isn't known either."""
        heard = self.agent_activity
        evidence = Evidence(
            kind=EvidenceKind.POST if heard and heard.event_at else EvidenceKind.NONE,
            at=heard.event_at if heard else None,
            detail=(heard.reason if heard else None) or "",
        )
        unknown = Asked(AskedMode.PERMITS, because="")
        return replace(base, runner=False, evidence=evidence, asked=unknown)


def _with_runner(base: Seat, runner: RunnerRow) -> Seat:
    return replace(
        base,
        generation=runner.generation,
        runner=not runner.plain,
        evidence=Evidence(
            _evidence_kind(runner.evidence),
            runner.evidence_at,
            runner.expires_at,
            runner.evidence_detail,
        ),
        liveness_seconds=runner.liveness_seconds,
        turn_id=runner.turn_id,
        exited=runner.exited,
        last_error=runner.last_error,
        clock_skew_seconds=runner.clock_skew_seconds,
        launch=runner.launch.value() if runner.launch else None,
        identity=runner.identity.value() if runner.identity else None,
        preset=runner.preset,
        limits=runner.limits,
        grant=Grant(runner.grant.mode, runner.grant.revoked_at),
        override=runner.override.value(),
        asked=runner.asked.value(),
        notices=runner.notices,
    )


def _evidence_kind(text: str) -> EvidenceKind:
    try:
        return EvidenceKind(text)
    except ValueError:
        return EvidenceKind.NONE
