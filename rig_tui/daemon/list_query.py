"""What the query of a list asks for: filters, a page, a limit."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rig_tui.daemon.ask_tables import Filters
from rig_tui.daemon.reply import RefusedError
from rig_tui.wire import openrig
from rig_tui.wire.errors import UnreadableError

if TYPE_CHECKING:
    from starlette.requests import Request

_LIMIT = 100
LARGEST_LIMIT = 500


def filters(request: Request) -> Filters:
    """Read the filters every list shares; a list applies those it has.

    Raises:
        RefusedError: One can't be read.
    """
    query = request.query_params
    person = query.get("person")
    text = query.get("q") or None
    return Filters(
        after=query.get("afterSortKey"),
        before=query.get("beforeSortKey"),
        seat=query.get("seat"),
        session=query.get("sourceSession") or query.get("seat"),
        rig=query.get("rig"),
        person=person and (person if "@" in person else f"{person}@external"),
        cause=query.get("cause"),
        kind=query.get("kind"),
        since=instant(query.get("since")),
        until=instant(query.get("until")),
        text=text and text.casefold(),
        stored_text=text and _as_stored(text),
    )


def limit(request: Request) -> int:
    """Read how many rows are wanted.

    Raises:
        RefusedError: It isn't a whole number from 1.
    """
    text = request.query_params.get("limit", str(_LIMIT))
    if not text.isascii() or not text.isdigit() or not int(text):
        raise RefusedError(400, "invalid_limit", "limit is a whole number from 1 to 500.")
    return min(int(text), LARGEST_LIMIT)


def instant(text: str | None) -> str | None:
    """Read a moment as the database writes it.

    Raises:
        RefusedError: It isn't one.
    """
    if text is None:
        return None
    try:
        return openrig.decode_instant(text).astimezone(UTC).isoformat()
    except UnreadableError:
        raise RefusedError(
            400, "invalid_time", f"{text} isn't a time like 2026-01-31T12:00:00Z."
        ) from None


def shown(stored: str) -> str:
    """Give a stored moment as the wire writes it."""
    return openrig.encode_instant(datetime.fromisoformat(stored))


def _as_stored(text: str) -> str:
    """What a row that holds the text holds in its JSON, so that others needn't be parsed."""
    return json.dumps(text.lower())[1:-1] if text.isascii() else "\\u"
