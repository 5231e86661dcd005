"""Which daemon, which token, and which rule said so."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from rig_tui.client.discovery import Candidate, Discovery, discover
from rig_tui.client.errors import DiscoveryError
from rig_tui.settings import NamedDaemon, Overrides, Settings

OWN = Path("/own")
GIVEN = Path("/given")
HOME = {"HOME": "/home/pat"}


class Files:
    """Files that exist, for `read`."""

    def __init__(self) -> None:
        self.texts: dict[Path, str] = {}

    def endpoint(self, home: Path, base_url: str, token: str = "t0ken") -> None:
        name = "activity-endpoint.json" if ".openrig" in str(home) else "operator-endpoint.json"
        self.texts[home / name] = json.dumps({"baseUrl": base_url, "token": token})

    def read(self, path: Path) -> str:
        if path not in self.texts:
            raise FileNotFoundError(path)
        return self.texts[path]


def find(
    files: Files,
    overrides: Overrides = Overrides(),  # noqa: B008 (frozen)
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    environ: dict[str, str] = HOME,
) -> Discovery:
    return discover(overrides, settings, environ, own_home=lambda: OWN, read=files.read)


def only(discovery: Discovery) -> Candidate:
    assert not discovery.search
    (candidate,) = discovery.candidates
    return candidate


RULES = [
    ("--url", "http://127.0.0.1:1"),
    ("--home", "http://127.0.0.1:2"),
    ("OPENRIG_URL", "http://127.0.0.1:3"),
    ("OPENRIG_PORT", "http://127.0.0.1:4"),
    ("[daemons.work] of the settings file", "http://127.0.0.1:5"),
]


@pytest.mark.parametrize(
    "held", [held for n in range(1, 6) for held in itertools.combinations(range(5), n)]
)
def test_the_first_rule_that_names_a_daemon_is_final(held: tuple[int, ...]) -> None:
    files = Files()
    files.endpoint(GIVEN, "http://127.0.0.1:2")
    files.endpoint(OWN, "http://127.0.0.1:6")
    discovery = find(
        files,
        Overrides(
            url="http://127.0.0.1:1" if 0 in held else None, home=GIVEN if 1 in held else None
        ),
        Settings(daemons=(NamedDaemon("work", url="http://127.0.0.1:5"),) if 4 in held else ()),
        HOME
        | ({"OPENRIG_URL": "http://127.0.0.1:3"} if 2 in held else {})
        | ({"OPENRIG_PORT": "4"} if 3 in held else {}),
    )
    candidate = only(discovery)
    assert (candidate.rule, candidate.base_url) == RULES[held[0]]


def test_without_a_name_it_is_a_search_over_three_places() -> None:
    files = Files()
    files.endpoint(OWN, "http://127.0.0.1:6", "own token")
    files.endpoint(Path("/home/pat/.openrig"), "http://127.0.0.1:7", "hook-token")
    files.endpoint(OWN, "http://127.0.0.1:6", "own-token")
    discovery = find(files)
    assert discovery.search
    assert [(c.rule, c.base_url, c.token) for c in discovery.candidates] == [
        ("the default home", "http://127.0.0.1:6", "own-token"),
        ("OpenRig's endpoint file", "http://127.0.0.1:7", None),
        ("OpenRig's default port", "http://127.0.0.1:7433", None),
    ]


def test_a_runner_s_token_of_openrig_is_never_used() -> None:
    files = Files()
    files.endpoint(Path("/elsewhere/.openrig"), "http://127.0.0.1:7", "hook-token")
    discovery = find(files, environ=HOME | {"OPENRIG_HOME": "/elsewhere/.openrig"})
    assert "http://127.0.0.1:7" in [candidate.base_url for candidate in discovery.candidates]
    assert "hook-token" not in [candidate.token for candidate in discovery.candidates]


def test_one_address_is_searched_once() -> None:
    files = Files()
    files.endpoint(Path("/home/pat/.openrig"), "http://127.0.0.1:7433")
    named = [candidate.base_url for candidate in find(files).candidates]
    assert named == [None, "http://127.0.0.1:7433"]


def test_places_without_a_daemon_say_so() -> None:
    first, second, third = find(Files()).candidates
    assert first.problem == (
        "/own/operator-endpoint.json isn't there: no daemon has served that home"
    )
    assert "/home/pat/.openrig/activity-endpoint.json" in second.problem
    assert third.problem == ""


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"baseUrl": 1, "token": "t"}',
        '{"baseUrl": "http://h:1"}',
        '{"baseUrl": "http://h:1", "token": ""}',
        '{"baseUrl": "http://h:1", "token": "a\\nb"}',
        '{"baseUrl": "ftp://h:1", "token": "t"}',
    ],
)
def test_an_endpoint_file_that_makes_no_sense_names_no_address(text: str) -> None:
    files = Files()
    files.texts[GIVEN / "operator-endpoint.json"] = text
    candidate = only(find(files, Overrides(home=GIVEN)))
    assert candidate.base_url is None
    assert candidate.token is None
    assert "/given/operator-endpoint.json" in candidate.problem


def test_a_home_s_token_goes_only_to_the_address_it_was_found_with() -> None:
    files = Files()
    files.endpoint(OWN, "http://127.0.0.1:6", "own-token")
    same = only(find(files, Overrides(url="http://127.0.0.1:6/")))
    assert (same.token, same.token_from) == ("own-token", "/own/operator-endpoint.json")
    other = only(find(files, Overrides(url="http://127.0.0.1:8")))
    assert other.token is None
    assert other.token_from == "--token-file, RIG_TUI_TOKEN, /own/operator-endpoint.json"


def test_with_both_a_url_and_a_home_the_token_is_the_home_s_if_the_address_is() -> None:
    files = Files()
    files.endpoint(GIVEN, "http://127.0.0.1:2", "given-token")
    overrides = Overrides(url="http://127.0.0.1:2", home=GIVEN)
    assert only(find(files, overrides)).token == "given-token"
    overrides = Overrides(url="http://127.0.0.1:3", home=GIVEN)
    assert only(find(files, overrides)).token is None


def test_for_a_url_a_token_file_wins_over_the_variable() -> None:
    files = Files()
    files.texts[Path("/tok")] = "from-file\n"
    url = "http://127.0.0.1:8"
    settings = Settings(token="from-variable")
    assert only(find(files, Overrides(url=url), settings)).token == "from-variable"
    flags = Overrides(url=url, token_file=Path("/tok"))
    candidate = only(find(files, flags, settings))
    assert (candidate.token, candidate.token_from) == ("from-file", "/tok")


def test_a_home_s_daemon_gets_its_own_token_whatever_else_is_set() -> None:
    files = Files()
    files.endpoint(GIVEN, "http://127.0.0.1:2", "given-token")
    files.texts[Path("/tok")] = "other"
    flags = Overrides(home=GIVEN, token_file=Path("/tok"))
    assert only(find(files, flags, Settings(token="another"))).token == "given-token"


def test_a_named_daemon_has_its_own_token_file_or_home() -> None:
    files = Files()
    files.texts[Path("/tok")] = "named-token"
    files.endpoint(GIVEN, "http://127.0.0.1:2", "given-token")
    by_url = NamedDaemon("work", url="http://10.0.0.1:80", token_file=Path("/tok"))
    assert only(find(files, settings=Settings(daemons=(by_url,)))).token == "named-token"
    by_home = NamedDaemon("work", home=GIVEN)
    assert only(find(files, settings=Settings(daemons=(by_home,)))).token == "given-token"


@pytest.mark.parametrize("text", ["", "  \n", "two words", "caf\u00e9", "a\nb"])
def test_a_token_file_without_one_word_is_an_error(text: str) -> None:
    files = Files()
    files.texts[Path("/tok")] = text
    with pytest.raises(DiscoveryError, match="/tok"):
        find(files, Overrides(url="http://h:1", token_file=Path("/tok")))


def test_a_missing_token_file_and_an_unsendable_variable_are_errors() -> None:
    with pytest.raises(DiscoveryError, match="/tok"):
        find(Files(), Overrides(url="http://h:1", token_file=Path("/tok")))
    with pytest.raises(DiscoveryError, match="RIG_TUI_TOKEN"):
        find(Files(), Overrides(url="http://h:1"), Settings(token="a b"))


@pytest.mark.parametrize(
    ("url", "base_url"),
    [
        ("127.0.0.1:80", "http://127.0.0.1:80"),
        ("http://LOCALHOST:80/", "http://127.0.0.1:80"),
        ("https://rig.example", "https://rig.example"),
        ("http://[::1]:80", "http://[::1]:80"),
    ],
)
def test_an_address_is_taken_in_any_usual_form(url: str, base_url: str) -> None:
    assert only(find(Files(), Overrides(url=url))).base_url == base_url


@pytest.mark.parametrize(
    "url",
    [
        *("", "http://", "ftp://h", "http://h:99999", "http://h:x", "http://h/api"),
        *("http://u:p@h", "http://h?x=1", "http://h#x", "http://h:1\n", "http://h :1", "[::1"),
    ],
)
def test_what_is_no_address_is_an_error_that_names_its_rule(url: str) -> None:
    with pytest.raises(DiscoveryError, match=r"--url: .* isn't a daemon's address"):
        find(Files(), Overrides(url=url))


@pytest.mark.parametrize(
    ("host", "base_url"),
    [("::1", "http://[::1]:4"), ("10.1.2.3", "http://10.1.2.3:4"), ("", "http://127.0.0.1:4")],
)
def test_a_port_goes_with_its_host(host: str, base_url: str) -> None:
    environ = HOME | {"OPENRIG_PORT": "4", "OPENRIG_HOST": host}
    assert only(find(Files(), environ=environ)).base_url == base_url


def test_a_host_without_a_port_names_nothing() -> None:
    assert find(Files(), environ=HOME | {"OPENRIG_HOST": "10.1.2.3"}).search


def test_no_token_shows_in_a_representation() -> None:
    files = Files()
    files.endpoint(GIVEN, "http://127.0.0.1:2", "given-token")
    assert "given-token" not in repr(find(files, Overrides(home=GIVEN)))
    assert "secret" not in repr(Settings(token="secret"))


def test_openrig_s_own_tokens_go_to_this_machine_or_where_they_were_named_for() -> None:
    tokens = {"OPENRIG_AUTH_BEARER_TOKEN": "op", "OPENRIG_TERMINAL_BEARER_TOKEN": "term"}
    here = only(find(Files(), Overrides(url="http://127.0.0.1:9"), environ=HOME | tokens)).bearers
    assert here is not None
    assert (here.operator, here.terminal) == ("op", "term")
    far = only(find(Files(), Overrides(url="http://far.example:9"), environ=HOME | tokens)).bearers
    assert far is not None
    assert (far.operator, far.terminal) == (None, None)
    beside = HOME | tokens | {"OPENRIG_URL": "http://far.example:9"}
    named = only(find(Files(), environ=beside)).bearers
    assert named is not None
    assert named.operator == "op"
    assert "'op'" not in repr(named)
    alone = HOME | {"OPENRIG_AUTH_BEARER_TOKEN": "op"}
    one = only(find(Files(), Overrides(url="http://127.0.0.1:9"), environ=alone)).bearers
    assert one is not None
    assert one.terminal == "op"


def test_a_home_of_ours_promises_a_daemon_of_ours() -> None:
    files = Files()
    assert only(find(files, Overrides(home=GIVEN))).bearers is None
    files.endpoint(GIVEN, "http://127.0.0.1:9")
    assert only(find(files, Overrides(home=GIVEN))).bearers is None
