"""The settings file, the environment and the flags."""

from __future__ import annotations

from datetime import time
from pathlib import Path

import pytest

from rig_tui.settings import (
    Filter,
    NamedDaemon,
    Notifications,
    Overrides,
    QuietHours,
    Settings,
    SettingsError,
    actor,
    config_path,
    default_home,
    inside_seat,
    load,
    misplaced,
)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def loaded(config: Path, text: str, overrides: Overrides | None = None, **environ: str) -> Settings:
    config.write_text(text, encoding="utf-8")
    return load(overrides or Overrides(), {"RIG_TUI_CONFIG": str(config), **environ})


def test_a_whole_file_is_read(config: Path) -> None:
    settings = loaded(
        config,
        """
        as = "ana"
        theme = "light"
        [answer]
        next = "auto"
        [daemons.work]
        url = "http://127.0.0.1:7433"
        token_file = "/run/token"
        [daemons."at home"]
        home = "/srv/rig"
        """,
    )
    assert settings.acting_as == "ana@external"
    assert settings.theme == "light"
    assert settings.answer.next == "auto"
    assert settings.daemons == (
        NamedDaemon("work", "http://127.0.0.1:7433", None, Path("/run/token")),
        NamedDaemon("at home", None, Path("/srv/rig"), None),
    )
    assert settings.path == config


def test_everything_the_console_can_be_told_is_read(config: Path) -> None:
    settings = loaded(
        config,
        """
        theme = "contrast"
        density = "compact"
        motion = "none"
        glyphs = "ascii"
        mouse = false
        copy = "file"
        [filter]
        text = "ops"
        state = "needs"
        mine = true
        flat = true
        [keys]
        "answer.allow_once" = "f"
        view.filter = ["/", "ctrl+f"]
        [notifications]
        reasons = ["ask"]
        bell = false
        terminal = "osc777"
        title = false
        command = ["notify", "-u"]
        quiet = ["22:00-07:30"]
        remind_minutes = [5]
        tmux_depth = 2
        """,
    )
    assert (settings.theme, settings.density, settings.motion) == ("contrast", "compact", "none")
    assert (settings.glyphs, settings.mouse, settings.copy) == ("ascii", False, "file")
    assert settings.filter == Filter("ops", "needs", mine=True, flat=True)
    assert settings.keys == {"answer.allow_once": ("f",), "view.filter": ("/", "ctrl+f")}
    quiet = (QuietHours(time(22, 0), time(7, 30)),)
    assert settings.notifications == Notifications(
        ("ask",), False, "osc777", False, ("notify", "-u"), quiet, (5,), 2
    )


def test_each_setting_knows_where_it_came_from(config: Path) -> None:
    text = 'theme = "light"\nas = "ana"\n[filter]\nmine = true\n[keys]\nanswer.deny = "D"'
    settings = loaded(config, text, RIG_TUI_AS="ben", RIG_TUI_TOKEN="t", NO_COLOR="")
    assert settings.theme == "mono"
    assert settings.origins == {
        "theme": "NO_COLOR",
        "as": "RIG_TUI_AS",
        "token": "RIG_TUI_TOKEN",
        "filter.mine": f"{config}, line 4",
        "keys.answer.deny": f"{config}, line 6",
    }
    flags = Overrides(acting_as="pat@external")
    assert loaded(config, text, flags).origins["as"] == "--as"


def test_a_value_judged_later_is_refused_with_its_line(config: Path) -> None:
    settings = loaded(config, '[keys]\n\n"answer.deny" = "D"')
    error = misplaced(settings, "keys.answer.deny", "D is taken")
    assert str(error) == f"{config}, line 3, keys.answer.deny: D is taken"


def test_no_file_is_fine(config: Path) -> None:
    assert load(Overrides(), {"RIG_TUI_CONFIG": str(config)}) == Settings()


def test_flags_win_over_the_environment_and_that_over_the_file(config: Path) -> None:
    text = 'as = "ana"'
    flags = Overrides(acting_as="pat@external")
    assert loaded(config, text).acting_as == "ana@external"
    assert loaded(config, text, RIG_TUI_AS="ben").acting_as == "ben@external"
    assert loaded(config, text, flags, RIG_TUI_AS="ben").acting_as == "pat@external"


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("\n\nthem = 'dark'", 3, "them"),
        ("theme = 3", 1, "theme"),
        ("theme = 'blue'", 1, "theme"),
        ("as = 'builder@my-rig'", 1, "as"),
        ("as = ''", 1, "as"),
        ("answer = 5", 1, "answer"),
        ("[answer]\n# why\nnext = 'sometimes'", 3, "answer.next"),
        ("answer.next = 'sometimes'", 1, "answer.next"),
        ("answer = { next = 'sometimes' }", 1, "answer.next"),
        ("[answer]\nnexxt = 'auto'", 2, "answer.nexxt"),
        ("[daemons.a]\nurl = 'u'\n\n[daemons.b]\nurl = 'u'\nhome = 'h'", 4, "daemons.b"),
        ("[daemons.a]", 1, "daemons.a"),
        ("[daemons.a]\nhome = 'h'\ntoken_file = 't'", 3, "daemons.a.token_file"),
        ("[daemons]\na = 5", 2, "daemons.a"),
        ("density = 'tight'", 1, "density"),
        ("motion = 'some'", 1, "motion"),
        ("glyphs = true", 1, "glyphs"),
        ("copy = 'paper'", 1, "copy"),
        ("mouse = 'yes'", 1, "mouse"),
        ("[filter]\nstate = 'busy'", 2, "filter.state"),
        ("[filter]\n\nmine = 1", 3, "filter.mine"),
        ("[filter]\ntext = 5", 2, "filter.text"),
        ("[filter]\nsort = 'age'", 2, "filter.sort"),
        ("[keys]\nanswer.deny = 5", 2, "keys.answer.deny"),
        ("[keys]\n'answer.deny' = ['d', 5]", 2, "keys.answer.deny"),
        ("[notifications]\nreasons = ['noise']", 2, "notifications.reasons"),
        ("[notifications]\nbell = 'loud'", 2, "notifications.bell"),
        ("[notifications]\nterminal = 'osc1'", 2, "notifications.terminal"),
        ("[notifications]\ncommand = 'notify'", 2, "notifications.command"),
        ("[notifications]\nquiet = ['22-7']", 2, "notifications.quiet"),
        ("[notifications]\nquiet = ['07:00-07:00']", 2, "notifications.quiet"),
        ("[notifications]\nremind_minutes = [60, 10]", 2, "notifications.remind_minutes"),
        ("[notifications]\nremind_minutes = [true]", 2, "notifications.remind_minutes"),
        ("[notifications]\nremind_minutes = 5", 2, "notifications.remind_minutes"),
        ("[notifications]\ntmux_depth = -1", 2, "notifications.tmux_depth"),
        ("[daemons.'my rig']\nurl = 7", 2, "daemons.my rig.url"),
    ],
)
def test_an_error_names_the_key_and_its_line(config: Path, text: str, line: int, key: str) -> None:
    with pytest.raises(SettingsError) as error:
        loaded(config, text)
    assert str(error.value).startswith(f"{config}, line {line}, {key}: ")


def test_a_file_that_is_not_toml_names_the_line(config: Path) -> None:
    with pytest.raises(SettingsError, match="line 2"):
        loaded(config, "theme = 'dark'\nas = = 'ana'")


def test_a_file_that_cannot_be_read_is_an_error(config: Path) -> None:
    config.mkdir()
    with pytest.raises(SettingsError, match="can't be read"):
        load(Overrides(), {"RIG_TUI_CONFIG": str(config)})
    config.rmdir()
    config.write_bytes(b"as = '\xff'")
    with pytest.raises(SettingsError, match="can't be read"):
        load(Overrides(), {"RIG_TUI_CONFIG": str(config)})


def test_the_file_and_the_home_are_where_the_platform_keeps_them() -> None:
    assert config_path({"RIG_TUI_CONFIG": "/x/y.toml"}) == Path("/x/y.toml")
    assert config_path({}).parts[-2:] == ("rig-tui", "config.toml")
    assert default_home().name == "rig-tui"
    assert ".openrig" not in default_home().parts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ana", "ana@external"),
        ("ana@external", "ana@external"),
        ("human@host", "human@host"),
    ],
)
def test_an_actor_is_a_person(text: str, name: str) -> None:
    assert actor(text, "--as") == name


@pytest.mark.parametrize("text", ["", "builder@my-rig", "a b", "@external", "ana@host"])
def test_a_seat_or_a_nonsense_name_acts_for_nobody(text: str) -> None:
    with pytest.raises(SettingsError, match=r"--as"):
        actor(text, "--as")


@pytest.mark.parametrize(
    "variable",
    ["OPENRIG_OCCUPANT_GENERATION", "OPENRIG_LAUNCH_ATTEMPT", "OPENRIG_ACTIVITY_HOOK_TOKEN"],
)
def test_a_seat_s_environment_is_recognised(variable: str) -> None:
    assert inside_seat({variable: "x", "OPENRIG_URL": "http://h"}) == variable
    assert inside_seat({variable: "", "OPENRIG_URL": "http://h"}) is None
