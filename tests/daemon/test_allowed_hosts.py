"""`--allow-host` lets one more name through, and no other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from starlette.datastructures import Headers

from rig_tui.daemon.reply import RefusedError
from rig_tui.daemon.security import check_host

if TYPE_CHECKING:
    from tests.daemon.harness import Daemon


@pytest.mark.parametrize(
    ("host", "origin", "allowed"),
    [
        ("console.example:8080", None, True),
        ("CONSOLE.example", "https://console.example", True),
        ("other.example", None, False),
        ("console.example.evil", None, False),
        ("console.example", "https://other.example", False),
    ],
)
def test_a_host_that_is_allowed(
    daemon: Daemon, host: str, origin: str | None, allowed: bool
) -> None:
    serving = replace(daemon.core.serving, allow_hosts=("console.example",))
    headers = Headers({"host": host, **({"origin": origin} if origin else {})})
    if allowed:
        check_host(headers, serving)
    else:
        with pytest.raises(RefusedError):
            check_host(headers, serving)
