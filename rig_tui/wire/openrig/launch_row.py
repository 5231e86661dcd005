"""How a seat was launched, and what its launcher reported, inside its row."""

from __future__ import annotations

from pydantic import BaseModel

from rig_tui.domain.launching import Declaration, LaunchReport, Model
from rig_tui.domain.model import Identity, Launch
from rig_tui.wire.openrig.shape import SHAPE, Instant, remembered


class ReportRow(BaseModel):
    """What a launcher reported besides what decided."""

    model_config = SHAPE

    at: Instant
    native_ref: str | None = None
    error: str | None = None
    producer: str = ""
    late: bool = True

    @classmethod
    def of(cls, report: LaunchReport) -> ReportRow:
        return cls(
            at=report.at,
            native_ref=report.native_ref,
            error=report.error,
            producer=report.producer,
            late=report.late,
        )

    def value(self) -> LaunchReport:
        return LaunchReport(self.at, self.native_ref, self.error, self.producer, self.late)


class LaunchRow(BaseModel):
    """One launch."""

    model_config = SHAPE

    attempt: str
    kind: str
    outcome: str
    at: Instant | None = None
    detail: str = ""
    evidence: tuple[ReportRow, ...] = ()

    @classmethod
    @remembered
    def of(cls, launch: Launch) -> LaunchRow:
        return cls(
            attempt=launch.attempt,
            kind=launch.kind,
            outcome=launch.outcome,
            at=launch.at,
            detail=launch.detail,
            evidence=tuple(ReportRow.of(report) for report in launch.evidence),
        )

    def value(self) -> Launch:
        evidence = tuple(report.value() for report in self.evidence)
        return Launch(self.attempt, self.kind, self.outcome, self.at, self.detail, evidence)


class IdentityRow(BaseModel):
    """A conversation, as its launcher reported it."""

    model_config = SHAPE

    native_ref: str
    source: str = "launcher_reported"
    producer: str = ""

    @classmethod
    @remembered
    def of(cls, identity: Identity) -> IdentityRow:
        return cls(native_ref=identity.native_ref, producer=identity.producer)

    def value(self) -> Identity:
        return Identity(self.native_ref, self.producer)


class DeclarationRow(BaseModel):
    """What the preset said at launch."""

    model_config = SHAPE

    runner: bool = False
    launch_result: bool = False
    resume: bool = False
    first_input: bool = False
    passes_model: bool = False
    names_conversation: bool = False
    command: str = ""
    maintainer: str = ""
    limits: tuple[str, ...] = ()

    @classmethod
    @remembered
    def of(cls, declaration: Declaration) -> DeclarationRow:
        return cls(
            runner=declaration.runner,
            launch_result=declaration.launch_result,
            resume=declaration.resume,
            first_input=declaration.first_input,
            passes_model=declaration.passes_model,
            names_conversation=declaration.names_conversation,
            command=declaration.command,
            maintainer=declaration.maintainer,
            limits=declaration.limits,
        )

    def value(self) -> Declaration:
        return Declaration(
            runner=self.runner,
            launch_result=self.launch_result,
            resume=self.resume,
            first_input=self.first_input,
            passes_model=self.passes_model,
            names_conversation=self.names_conversation,
            command=self.command,
            maintainer=self.maintainer,
            limits=self.limits,
        )


class ModelRow(BaseModel):
    """The model as declared; the one in effect is nobody's to know."""

    model_config = SHAPE

    declared: str | None = None
    effective: str = "unknown"

    @classmethod
    @remembered
    def of(cls, model: Model) -> ModelRow:
        return cls(declared=model.declared, effective=model.effective)

    def value(self) -> Model:
        return Model(self.declared, self.effective)
