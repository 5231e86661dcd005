"""What a running OpenRig 0.4.6 sent, trimmed."""

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
ANSWERS: dict[str, Any] = json.loads((_FOLDER / "openrig-0.4.6.json").read_bytes())
REFUSALS: dict[str, tuple[int, Any]] = json.loads((_FOLDER / "refusals.json").read_bytes())


def frames(name: str) -> list[bytes]:
    """The events of a stream as its socket brought them, in that order."""
    raw = (_FOLDER / f"{name}.sse").read_bytes()
    return [frame + b"\n\n" for frame in raw.split(b"\n\n") if frame]


def refusal(name: str) -> tuple[int, bytes]:
    """A status and the body that came with it."""
    status, body = REFUSALS[name]
    raw = body.get("_raw_text") if isinstance(body, dict) else None
    return status, raw.encode() if raw is not None else json.dumps(body).encode()
