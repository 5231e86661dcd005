"""What one launch hands its occupant's process: its ids, its files, its environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui.daemon import grants, launch_files
from rig_tui.domain.model import Launch

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.declaring import Declared
    from rig_tui.domain.model import JsonObject, Seat

TOKEN_VARIABLE = "OPENRIG_ACTIVITY_HOOK_TOKEN"
NO_FOLDER = "the folder for launch records can't be made"
NOT_PLACED = (
    "Guidance, skills and startup files weren't delivered: they aren't placed for community "
    "harnesses."
)


@dataclass(frozen=True, slots=True)
class Start:
    """One launch in the making."""

    generation: str
    attempt: str
    resumes: str | None
    """The conversation to reopen."""
    path: Path | None
    """Where the launch record is to appear."""
    env: JsonObject

    def launch(self, at: datetime) -> Launch:
        """The launch as it stands before its record."""
        return Launch(
            attempt=self.attempt,
            kind="resume" if self.resumes else "new",
            outcome="pending" if self.path else "none",
            at=at,
            detail="" if self.path else NO_FOLDER,
        )

    @property
    def shareable_env(self) -> JsonObject:
        """The environment without its secret."""
        return {name: value for name, value in self.env.items() if name != TOKEN_VARIABLE}


def prepare(
    fx: Effect, seat: Seat, declared: Declared, resumes: str | None, *, granted: bool
) -> Start:
    """Make a launch's ids, files and environment (D2-05…07)."""
    core, declaration = fx.core, declared.declaration
    generation, attempt = core.ids.of("gen"), core.ids.of("attempt")
    path = launch_files.result_path(core, attempt) if declaration.launch_result else None
    env = _environment(core, seat, declared)
    env |= {"OPENRIG_OCCUPANT_GENERATION": generation, "OPENRIG_LAUNCH_ATTEMPT": attempt}
    if granted:
        env[TOKEN_VARIABLE] = grants.issue(fx, seat.seat_ref, generation)
        env["OPENRIG_URL"] = core.serving.grant_url
    if path:
        env["OPENRIG_LAUNCH_RESULT"] = str(path)
    if resumes:
        env["OPENRIG_RESUME_REF"] = resumes
    if declared.model and declaration.passes_model:
        env["OPENRIG_MODEL"] = declared.model
    if declared.first_input and declaration.first_input:
        first_input = launch_files.write_first_input(core, generation, declared.first_input)
        if first_input:
            env["OPENRIG_FIRST_INPUT"] = str(first_input)
    return Start(generation, attempt, resumes, path, env)


def warnings(declared: Declared, start: Start) -> tuple[str, ...]:
    """Say what the launch doesn't deliver (D9-01)."""
    told = [NOT_PLACED]
    if declared.first_input and "OPENRIG_FIRST_INPUT" not in start.env:
        why = "can't be written" if declared.declaration.first_input else "isn't declared"
        told.append(f"The first input wasn't delivered: first_input {why}.")
    if declared.model and "OPENRIG_MODEL" not in start.env:
        told.append(f"The model {declared.model} wasn't passed: passes_model isn't declared.")
    told += [
        f"The preset's field {field} isn't known here and was ignored."
        for field in declared.unknown
    ]
    return tuple(told)


def _environment(core: Core, seat: Seat, declared: Declared) -> JsonObject:
    """What every occupant is given; nothing in it names the daemon's own folder."""
    serving = core.serving
    return {
        "OPENRIG_URL": serving.base_url,
        "OPENRIG_HOME": str(serving.home.runners),
        TOKEN_VARIABLE: serving.hook_token,
        "RIG_TUI_SESSION_NAME": seat.session_name,
        "RIG_TUI_NODE_ID": seat.node_id,
        "RIG_TUI_RUNTIME": declared.runtime,
        "RIG_TUI_SEAT_REF": seat.seat_ref,
    }
