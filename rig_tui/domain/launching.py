"""What a seat was launched with, and what came of that, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class Readiness(StrEnum):
    """How far a seat's launch is."""

    PENDING = "pending"
    """Its launch record is waited for."""
    READY = "ready"
    ATTENTION = "attention"
    """The launch left no usable record, or another conversation than asked for."""


@dataclass(frozen=True, slots=True)
class LaunchReport:
    """A usable launch record that changed nothing: it came late, or after the first one."""

    at: datetime
    native_ref: str | None
    error: str | None
    producer: str = ""
    late: bool = True
    """Whether it came after the wait, so that an operator may still apply it (A-44)."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a seat's preset said when it was launched; later edits don't reach it (D2-04)."""

    runner: bool = False
    launch_result: bool = False
    resume: bool = False
    first_input: bool = False
    passes_model: bool = False
    names_conversation: bool = False
    command: str = ""
    maintainer: str = ""
    limits: tuple[str, ...] = ()


class PresetFile(StrEnum):
    """How a preset's file stands to what was launched from it."""

    NONE = "none"
    """The launch was declared without a file."""
    SAME = "same"
    CHANGED = "changed"
    """It says something else now, which applies at the next launch."""
    GONE = "gone"
    UNUSABLE = "unusable"
    """It has faults now, so the next launch would be refused."""


@dataclass(frozen=True, slots=True)
class Model:
    """The model a seat was declared with, and the one in effect, which nobody observes."""

    declared: str | None = None
    effective: str = "unknown"


UNDECLARED = Model()
