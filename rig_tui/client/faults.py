"""What connections and statuses go wrong with, as `ClientError`s in words."""

from __future__ import annotations

import os
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx

from rig_tui.client.errors import (
    BadAnswerError,
    LostError,
    MissingError,
    NotAllowedError,
    UnreachableError,
)
from rig_tui.domain.commands import Unconfirmed, Unsent
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator

    from rig_tui.client.discovery import Candidate

_OPENING_ERRORS = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Failures before anything was sent."""


@contextmanager
def as_errors(candidate: Candidate) -> Iterator[None]:
    """Turn what httpx raises into `ClientError`s that say what happened."""
    where = candidate.address
    try:
        yield
    except _OPENING_ERRORS as error:
        raise UnreachableError(f"nothing answers at {where}: {words(error)}") from error
    except (httpx.TimeoutException, TimeoutError) as error:
        raise LostError(f"{where} fell silent") from error
    except httpx.TransportError as error:
        raise LostError(f"the connection to {where} broke: {words(error)}") from error
    except (httpx.InvalidURL, httpx.DecodingError) as error:
        raise BadAnswerError(f"{where} can't be read: {words(error)}") from error


async def answer_to(
    writing: Awaitable[httpx.Response], where: str
) -> httpx.Response | Unsent | Unconfirmed:
    """Wait for the answer to one write to `where`.

    Only a write that can't have arrived is unsent; of any other nobody knows what came of it.
    """
    try:
        return await writing
    except _OPENING_ERRORS as error:
        return Unsent(f"nothing answers at {where}: {words(error)}")
    except (httpx.TimeoutException, TimeoutError):
        return Unconfirmed(f"{where} didn't answer in time")
    except (httpx.TransportError, httpx.DecodingError) as error:
        return Unconfirmed(f"the connection to {where} broke: {words(error)}")


def words(error: Exception) -> str:
    """What the system says underneath, else the error's own words, or its name."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return cause.strerror or str(cause)
        if isinstance(cause, OSError) and cause.errno:
            return os.strerror(cause.errno)
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__


def check(candidate: Candidate, response: httpx.Response) -> None:
    """Pass a 2xx.

    Raises:
        ClientError: Any other status, in words.
    """
    status, where = response.status_code, candidate.address
    if response.is_success:
        return
    if response.is_redirect:
        raise BadAnswerError(f"{where} answers with a redirect ({status}); it wasn't followed")
    refusal = openrig.decode_error(status, response.content)
    if status == httpx.codes.UNAUTHORIZED:
        raise NotAllowedError(_unauthorized(candidate))
    if status == httpx.codes.FORBIDDEN:
        raise NotAllowedError(f"{where} refuses this console: {refusal.message}")
    what = MissingError if status == httpx.codes.NOT_FOUND else BadAnswerError
    raise what(f"{where} answers {response.url.path} with {status}: {refusal.message}")


def _unauthorized(candidate: Candidate) -> str:
    if candidate.token is not None:
        return (
            f"{candidate.address} refuses the operator token from {candidate.token_from}."
            " Nothing can be seen or answered until the token is right"
        )
    return (
        f"{candidate.address} wants its operator token, and none was found. Looked in:"
        f" {candidate.token_from}"
    )
