"""What a launch is declared with: by its preset's file, else by the request itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.launching import Declaration, PresetFile
from rig_tui.wire.preset_file import PresetError

if TYPE_CHECKING:
    from rig_tui.daemon.core import Core
    from rig_tui.domain.model import JsonObject, Seat
    from rig_tui.wire.preset_file import Preset

PLAIN_RUNTIME = "custom"
"""The runtime of a seat without a preset."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_PRESET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LONGEST_NAME = 128


@dataclass(frozen=True, slots=True)
class Declared:
    """One launch's preset, model and first input."""

    preset: str | None
    declaration: Declaration
    file: PresetFile
    model: str | None
    first_input: bytes | None
    unknown: tuple[str, ...] = ()
    """Fields of the preset's file that nobody here knows."""

    @property
    def runtime(self) -> str:
        return self.preset or PLAIN_RUNTIME


def of_new_seat(core: Core, body: JsonObject) -> Declared:
    """Read what a new seat is declared with.

    Raises:
        RefusedError: The request or the preset makes no sense, or they disagree.
    """
    name = _preset_name(body, None)
    preset = _load(core, name)
    asked = Declaration(
        runner=flag(body, "runner"),
        launch_result=flag(body, "launchResult"),
        resume=flag(body, "resume"),
    )
    if preset is None:
        if asked.runner and not asked.launch_result:
            raise RefusedError(
                400,
                "runner_needs_launch_result",
                "A preset with runner: true needs launch_result: true as well. "
                "Nothing was created.",
            )
        return _declared(body, name, asked, PresetFile.NONE)
    file = preset.declaration
    if asked.resume and not file.resume:
        raise resume_not_supported(name)
    if ("runner" in body and asked.runner is not file.runner) or (
        "launchResult" in body and asked.launch_result is not file.launch_result
    ):
        raise RefusedError(
            400,
            "preset_disagrees",
            f"runner or launchResult isn't as {core.presets.file(name or '')} has it. Nothing "
            "was created; leave them out, since the file decides.",
        )
    return _of_file(body, name, preset)


def of_relaunch(core: Core, seat: Seat, body: JsonObject) -> Declared:
    """Read what a seat's next launch is declared with: its file as it is now (D2-04).

    Raises:
        RefusedError: The request or the preset makes no sense, or its file is gone.
    """
    name = _preset_name(body, seat.preset)
    preset = _load(core, name)
    if preset is not None:
        return _of_file(body, name, preset, seat.model.declared)
    if seat.preset_file is not PresetFile.NONE:
        raise RefusedError(
            400,
            "preset_not_found",
            f"There is no {core.presets.file(name or PLAIN_RUNTIME)}. Nothing was started, and "
            "the seat stays as it was.",
        )
    declaration = seat.declaration or Declaration(runner=seat.runner)
    return _declared(body, name, declaration, PresetFile.NONE, seat.model.declared)


def resume_not_supported(preset: str | None) -> RefusedError:
    """Refuse to ask a launcher for what its preset doesn't declare (D8-08)."""
    return RefusedError(
        409,
        "resume_not_supported",
        f"{preset or 'This seat'} doesn't declare resume: true, so it isn't asked to resume. "
        "Nothing was started.",
    )


def name_of(body: JsonObject, key: str) -> str:
    """Read the name of a seat or a rig.

    Raises:
        RefusedError: It isn't one.
    """
    value = body.get(key)
    if isinstance(value, str) and _NAME.fullmatch(value) and len(value) <= _LONGEST_NAME:
        return value
    raise RefusedError(
        400,
        "invalid_name",
        f"{key} must begin with a-z or 0-9 and go on with a-z, 0-9, '.', '_' or '-'. "
        "Nothing was created.",
    )


def flag(body: JsonObject, key: str) -> bool:
    """Read what must be true or false, and is false when left out.

    Raises:
        RefusedError: It is something else.
    """
    value = body.get(key, False)
    if isinstance(value, bool):
        return value
    raise RefusedError(400, "invalid_request", f"{key} must be true or false. Nothing was done.")


def _of_file(
    body: JsonObject, name: str | None, preset: Preset, model: str | None = None
) -> Declared:
    return _declared(body, name, preset.declaration, PresetFile.SAME, model, preset.unknown)


def _declared(
    body: JsonObject,
    name: str | None,
    declaration: Declaration,
    file: PresetFile,
    model: str | None = None,
    unknown: tuple[str, ...] = (),
) -> Declared:
    first_input = _text(body, "firstInput", None)
    model = _text(body, "model", model)
    if model is not None and (not model.strip() or "\0" in model):
        raise _no_text("model")
    return Declared(
        preset=name,
        declaration=declaration,
        file=file,
        model=model,
        first_input=first_input.encode() if first_input else None,
        unknown=unknown,
    )


def _load(core: Core, name: str | None) -> Preset | None:
    if name is None:
        return None
    try:
        return core.presets.load(name)
    except PresetError as exc:
        file = str(core.presets.file(name))
        raise RefusedError(
            400,
            exc.code,
            f"{file} can't be launched: {exc.message}. Nothing was started.",
            file=file,
            faults=[{"field": fault.field, "message": fault.message} for fault in exc.faults],
        ) from None


def _preset_name(body: JsonObject, otherwise: str | None) -> str | None:
    name = body.get("preset", otherwise)
    if name is None or (
        isinstance(name, str) and _PRESET_NAME.fullmatch(name) and len(name) <= _LONGEST_NAME
    ):
        return name
    raise RefusedError(
        400,
        "invalid_request",
        "preset must be a name of letters, digits, '.', '_' and '-', or left out. "
        "Nothing was started.",
    )


def _text(body: JsonObject, key: str, otherwise: str | None) -> str | None:
    value = body.get(key, otherwise)
    if value is None or isinstance(value, str):
        return value
    raise _no_text(key)


def _no_text(key: str) -> RefusedError:
    return RefusedError(
        400, "invalid_request", f"{key} must be text, or left out. Nothing was started."
    )
