"""Who may talk to which route.

Rule of this file: secrets are compared in constant time, and the four runner routes are
never refused for their Host or Origin, since their caller permits on such an answer.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rig_tui.daemon.reply import RefusedError

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from rig_tui.daemon.serving import Serving


def bears(headers: Headers, token: str) -> bool:
    """Say whether a request carries this bearer token."""
    given = bearer(headers).encode("utf-8", "surrogateescape")
    return hmac.compare_digest(given, token.encode())


def bearer(headers: Headers) -> str:
    """Give the bearer token a request carries, or nothing."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def check_operator(headers: Headers, serving: Serving) -> None:
    """Let only the operator's own programs through.

    Raises:
        RefusedError: 403 for a foreign Host or Origin, 401 without the operator token.
    """
    check_host(headers, serving)
    if not bears(headers, serving.operator_token):
        raise RefusedError(
            401,
            "unauthorized",
            "This route needs the operator token: Authorization: Bearer <token>, as in the "
            "daemon's operator-endpoint.json. Nothing was done.",
        )


def check_host(headers: Headers, serving: Serving) -> None:
    """Refuse what a web page could send through somebody's browser.

    Raises:
        RefusedError: 403.
    """
    host = _host_of(f"//{headers.get('host', '')}")
    origin = headers.get("origin")
    if not _is_ours(host, serving) or (
        origin is not None and not _is_ours(_host_of(origin), serving)
    ):
        raise RefusedError(
            403,
            "forbidden_host",
            "The request names a foreign Host or Origin. Nothing was done; "
            "--allow-host allows one more.",
        )


def proof(serving: Serving, nonce: str) -> str:
    """Prove knowledge of the operator token to somebody about to send it here."""
    message = f"{nonce}\n{serving.authority}"
    return hmac.new(serving.operator_token.encode(), message.encode(), hashlib.sha256).hexdigest()


def _host_of(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _is_ours(host: str | None, serving: Serving) -> bool:
    if host is None:
        return False
    if host in {"localhost", _host_of(serving.base_url), *serving.allow_hosts}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
