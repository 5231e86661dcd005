"""Which daemon, and which token for it.

Pure over an environment, settings and a way to read files: nothing here connects.
The first rule that names a daemon is final; only the last three are a search.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rig_tui.client.errors import DiscoveryError
from rig_tui.settings import default_home

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rig_tui.settings import NamedDaemon, Overrides, Settings

OPERATOR_BEARER = "OPENRIG_AUTH_BEARER_TOKEN"
TERMINAL_BEARER = "OPENRIG_TERMINAL_BEARER_TOKEN"
ENDPOINT_FILE = "operator-endpoint.json"
_OPENRIG_ENDPOINT_FILE = "activity-endpoint.json"
_OPENRIG_PORT = 7433
_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Bearers:
    """The two tokens a published OpenRig may ask for; it can't prove to hold either."""

    operator: str | None = field(default=None, repr=False)
    """For mission control's verbs."""
    terminal: str | None = field(default=None, repr=False)
    """For a seat's session."""
    looked_in: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A daemon that a rule named."""

    rule: str
    """The rule, in words: `--home`, `OPENRIG_PORT`, …"""
    base_url: str | None
    """None when the rule names a daemon that left no address; `problem` says more."""
    token: str | None = field(default=None, repr=False)
    token_from: str = ""
    """Where the token was found or, without one, where it was looked for."""
    problem: str = ""
    bearers: Bearers | None = None
    """OpenRig's own tokens, where a daemon without ours may listen; None where one of
    ours is promised, which is never taken for anything else."""

    @property
    def address(self) -> str:
        """host:port as the daemon was named: byte for byte what it proves itself with."""
        return urlsplit(self.base_url).netloc if self.base_url is not None else ""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The daemons to try, in order."""

    candidates: tuple[Candidate, ...]
    search: bool
    """Whether the next one is tried when one doesn't answer."""


def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def discover(
    overrides: Overrides,
    settings: Settings,
    environ: Mapping[str, str],
    *,
    own_home: Callable[[], Path] = default_home,
    read: Callable[[Path], str] = _text_of,
) -> Discovery:
    """Apply the rules in order.

    Raises:
        DiscoveryError: The rule that names the daemon names it in a way that can't be used.
    """
    finder = _Finder(overrides, settings, environ, own_home, read)
    named = finder.named()
    if named is not None:
        return Discovery((named,), search=False)
    return Discovery(finder.searched(), search=True)


def candidate_for(
    daemon: NamedDaemon, overrides: Overrides, settings: Settings, environ: Mapping[str, str]
) -> Candidate:
    """What a daemon of the settings file comes to.

    Raises:
        DiscoveryError: It is named in a way that can't be used.
    """
    return _Finder(overrides, settings, environ, default_home, _text_of).of_file(daemon)


@dataclass(frozen=True, slots=True)
class _Finder:
    overrides: Overrides
    settings: Settings
    environ: Mapping[str, str]
    own_home: Callable[[], Path]
    read: Callable[[Path], str]

    def named(self) -> Candidate | None:
        overrides, environ = self.overrides, self.environ
        if overrides.url is not None:
            return self._at("--url", overrides.url)
        if overrides.home is not None:
            return self._of_home("--home", overrides.home)
        if environ.get("OPENRIG_URL"):
            return self._at("OPENRIG_URL", environ["OPENRIG_URL"])
        if environ.get("OPENRIG_PORT"):
            host = environ.get("OPENRIG_HOST") or "127.0.0.1"
            host = f"[{host}]" if ":" in host and not host.startswith("[") else host
            return self._at("OPENRIG_PORT", f"http://{host}:{environ['OPENRIG_PORT']}")
        if self.settings.daemons:
            return self.of_file(self.settings.daemons[0])
        return None

    def searched(self) -> tuple[Candidate, ...]:
        found = [
            self._of_home("the default home", self.own_home()),
            self._of_openrig(),
            self._at("OpenRig's default port", f"http://127.0.0.1:{_OPENRIG_PORT}"),
        ]
        return tuple(
            candidate
            for index, candidate in enumerate(found)
            if candidate.base_url is None
            or candidate.base_url not in [earlier.base_url for earlier in found[:index]]
        )

    def of_file(self, daemon: NamedDaemon) -> Candidate:
        """A daemon of the settings file."""
        rule = f"[daemons.{daemon.name}] of the settings file"
        if daemon.home is not None:
            return self._of_home(rule, daemon.home)
        return self._at(rule, daemon.url or "", daemon.token_file)

    def _of_home(self, rule: str, home: Path) -> Candidate:
        path = home / ENDPOINT_FILE
        endpoint = self._endpoint(path)
        if isinstance(endpoint, str):
            return Candidate(rule, None, problem=endpoint, token_from=str(path))
        base_url, token = endpoint
        return Candidate(rule, base_url, token, token_from=str(path))

    def _of_openrig(self) -> Candidate:
        """OpenRig's own endpoint file; its token is a runner's, so it isn't used here."""
        home = self.environ.get("OPENRIG_HOME")
        folder = Path(home) if home else Path(self.environ.get("HOME", "/")) / ".openrig"
        rule = "OpenRig's endpoint file"
        endpoint = self._endpoint(folder / _OPENRIG_ENDPOINT_FILE)
        if isinstance(endpoint, str):
            return Candidate(rule, None, problem=endpoint)
        return self._at(rule, endpoint[0])

    def _at(self, rule: str, url: str, token_file: Path | None = None) -> Candidate:
        base_url = _base_url(rule, url)
        token, token_from = self._token_for(base_url, token_file)
        bearers = self._bearers(rule, base_url) if token is None else None
        return Candidate(rule, base_url, token, token_from, bearers=bearers)

    def _bearers(self, rule: str, base_url: str) -> Bearers:
        """OpenRig's tokens, for a daemon on this machine or named beside them."""
        local = urlsplit(base_url).hostname in _THIS_MACHINE
        if not local and rule not in ("OPENRIG_URL", "OPENRIG_PORT"):
            return Bearers(looked_in="not looked for: it is another machine's daemon")
        given = [self.environ.get(name) or None for name in (OPERATOR_BEARER, TERMINAL_BEARER)]
        operator, terminal = (token if token and _sendable(token) else None for token in given)
        # Without one of its own, the terminal's gate takes the operator's.
        looked_in = f"{OPERATOR_BEARER}, {TERMINAL_BEARER}"
        return Bearers(operator, terminal or operator, looked_in)

    def _token_for(self, base_url: str, token_file: Path | None) -> tuple[str | None, str]:
        token_file = self.overrides.token_file or token_file
        if token_file is not None:
            return self._token_in(token_file), str(token_file)
        if self.settings.token is not None:
            if not _sendable(self.settings.token):
                raise DiscoveryError("RIG_TUI_TOKEN holds no token: one word is expected")
            return self.settings.token, "RIG_TUI_TOKEN"
        looked = ["--token-file", "RIG_TUI_TOKEN"]
        for home in (self.overrides.home, self.own_home()):
            if home is None:
                continue
            path = home / ENDPOINT_FILE
            endpoint = self._endpoint(path)
            if not isinstance(endpoint, str) and endpoint[0] == base_url:
                return endpoint[1], str(path)
            looked.append(str(path))
        return None, ", ".join(looked)

    def _token_in(self, path: Path) -> str:
        try:
            token = self.read(path).strip()
        except (OSError, UnicodeDecodeError) as error:
            raise DiscoveryError(f"the token file {path} can't be read: {error}") from error
        if not _sendable(token):
            raise DiscoveryError(f"the token file {path} holds no token: one word is expected")
        return token

    def _endpoint(self, path: Path) -> tuple[str, str] | str:
        """The base URL and the token that a file holds, or why it has none."""
        try:
            value = json.loads(self.read(path))
        except FileNotFoundError:
            return f"{path} isn't there: no daemon has served that home"
        except (OSError, ValueError) as error:
            return f"{path} can't be read: {error}"
        match value:
            case {"baseUrl": str(base_url), "token": str(token)} if _sendable(token):
                try:
                    return _base_url(str(path), base_url), token
                except DiscoveryError as error:
                    return str(error)
            case _:
                return f"{path} doesn't hold a baseUrl and a token"


def _sendable(token: str) -> bool:
    """Whether it can be an HTTP header's value."""
    return token != "" and token.isascii() and token.isprintable() and " " not in token


def _base_url(rule: str, url: str) -> str:
    """The URL without a trailing slash; `localhost` is the address the daemon binds.

    Raises:
        DiscoveryError: It isn't http(s)://host:port.
    """
    wanted = f"{rule}: {url!r} isn't a daemon's address; http://host:port is expected"
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port
    except ValueError as error:
        raise DiscoveryError(wanted) from error
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or parts.path.strip("/")
        or parts.query
        or parts.fragment
        or parts.username is not None
        or any(char.isspace() or not char.isprintable() for char in url)
    ):
        raise DiscoveryError(wanted)
    if parts.hostname == "localhost":
        netloc = "127.0.0.1" if port is None else f"127.0.0.1:{port}"
        return f"{parts.scheme}://{netloc}"
    return f"{parts.scheme}://{parts.netloc}"
