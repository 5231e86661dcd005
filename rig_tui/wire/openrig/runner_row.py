"""What no public OpenRig has a key for: a seat's runner, inside its row."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from pydantic import BaseModel

from rig_tui.domain.launching import PresetFile, Readiness
from rig_tui.domain.model import (
    Asked,
    AskedMode,
    Evidence,
    EvidenceKind,
    Grant,
    Override,
    OverrideMode,
    Seat,
)
from rig_tui.wire.openrig.launch_row import DeclarationRow, IdentityRow, LaunchRow, ModelRow
from rig_tui.wire.openrig.shape import SHAPE, Instant, remembered

_KINDS = {kind.value: kind for kind in EvidenceKind}
_PRESET_FILES = {state.value: state for state in PresetFile}


class GrantRow(BaseModel):
    """What the seat's runner holds."""

    model_config = SHAPE

    mode: str = "token"
    revoked_at: Instant | None = None

    @classmethod
    @remembered
    def of(cls, grant: Grant) -> GrantRow:
        return cls(mode=grant.mode, revoked_at=grant.revoked_at)


class OverrideRow(BaseModel):
    """Who was chosen for the seat."""

    model_config = SHAPE

    mode: OverrideMode = OverrideMode.NONE
    person: str | None = None
    reason: str | None = None
    by: str | None = None
    at: Instant | None = None

    @classmethod
    @remembered
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
    @remembered
    def of(cls, asked: Asked) -> AskedRow:
        return cls(mode=asked.mode, person=asked.person, because=asked.because)

    def value(self) -> Asked:
        return Asked(self.mode, self.person, self.because)


@dataclass(slots=True, kw_only=True)
class HeardRow:
    """What posts change."""

    __pydantic_config__ = SHAPE

    evidence: str = EvidenceKind.NONE.value
    evidence_detail: str = ""
    evidence_at: Instant | None = None
    expires_at: Instant | None = None
    liveness_seconds: int | None = None
    turn_id: str | None = None
    exited: bool = False
    clock_skew_seconds: float | None = None

    @classmethod
    def of(cls, seat: Seat) -> HeardRow:
        return HeardRow(
            evidence=seat.evidence.kind.value,
            evidence_detail=seat.evidence.detail,
            evidence_at=seat.evidence.at,
            expires_at=seat.evidence.until,
            liveness_seconds=seat.liveness_seconds,
            turn_id=seat.turn_id,
            exited=seat.exited,
            clock_skew_seconds=seat.clock_skew_seconds,
        )

    def evidence_value(self) -> Evidence:
        kind = _KINDS.get(self.evidence, EvidenceKind.NONE)
        return Evidence(kind, self.evidence_at, self.expires_at, self.evidence_detail)


@dataclass(slots=True, kw_only=True)
class RunnerRow(HeardRow):
    """What no public OpenRig has a key for."""

    __pydantic_config__ = SHAPE

    generation: str | None = None
    plain: bool = False
    """A preset without the runner contract: only its screen tells anything."""
    last_error: str | None = None
    launch: LaunchRow | None = None
    identity: IdentityRow | None = None
    readiness: str = Readiness.READY.value
    ready: bool = True
    preset: str | None = None
    preset_file: str = PresetFile.NONE.value
    declaration: DeclarationRow | None = None
    model: ModelRow = field(default_factory=ModelRow)
    limits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    takes_messages: bool = False
    grant: GrantRow = field(default_factory=GrantRow)
    override: OverrideRow = field(default_factory=OverrideRow)
    asked: AskedRow
    notices: tuple[str, ...] = ()

    @classmethod
    def of(cls, seat: Seat) -> RunnerRow:
        return cls(
            **asdict(HeardRow.of(seat)),
            generation=seat.generation,
            plain=not seat.runner,
            last_error=seat.last_error,
            launch=LaunchRow.of(seat.launch) if seat.launch else None,
            identity=IdentityRow.of(seat.identity) if seat.identity else None,
            readiness=seat.readiness.value,
            ready=seat.readiness is Readiness.READY,
            preset=seat.preset,
            preset_file=seat.preset_file.value,
            declaration=DeclarationRow.of(seat.declaration) if seat.declaration else None,
            model=ModelRow.of(seat.model),
            limits=seat.limits,
            warnings=seat.warnings,
            takes_messages=seat.takes_messages,
            grant=GrantRow.of(seat.grant),
            override=OverrideRow.of(seat.override),
            asked=AskedRow.of(seat.asked),
            notices=seat.notices,
        )

    def preset_file_value(self) -> PresetFile:
        return _PRESET_FILES.get(self.preset_file, PresetFile.NONE)
