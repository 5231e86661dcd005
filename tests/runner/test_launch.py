from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rig_tui import runner
from rig_tui.runner.command import CommandError, environment, with_model
from rig_tui.runner.run import _launch
from rig_tui.wire.preset_file import parse_preset
from tests.rules import rule

ENV = {"OPENRIG_URL": "http://daemon.test:1", "OPENRIG_ACTIVITY_HOOK_TOKEN": "tok", "HOME": "/h"}


@rule("R2-01")
def test_the_preset_can_be_launched_and_names_its_limits() -> None:
    data = Path(str(runner.__file__)).with_name("acp.yaml").read_bytes()
    declared = parse_preset(data, "acp").declaration
    assert declared.runner
    assert declared.launch_result
    for limit in ("/abort", "Ctrl-C", "line by line", "binary", "permitted", "fork", "running"):
        assert any(limit in each for each in declared.limits), limit


@rule("R9-01")
def test_the_first_input_keeps_its_bytes_and_the_model_goes_into_the_command(
    tmp_path: Path,
) -> None:
    first = tmp_path / "first"
    first.write_bytes("one\r\ntwo \u00e9\n".encode())
    launch = _launch(
        ["agent", "--model={model}"],
        ENV | {"OPENRIG_FIRST_INPUT": str(first), "OPENRIG_MODEL": "m-1"},
        [],
    )
    assert launch.first_input == "one\r\ntwo \u00e9\n"
    assert launch.command == ["agent", "--model=m-1"]


def test_the_agent_gets_no_token_and_a_key_only_by_its_name() -> None:
    given: dict[str, Any] = environment(ENV | {"KEY": "k", "OTHER": "o"}, ["KEY"])
    assert given == {"HOME": "/h", "KEY": "k"}
    with pytest.raises(CommandError, match="--env GONE"):
        environment(ENV, ["GONE"])


@pytest.mark.parametrize(("command", "model"), [(["agent"], "m"), (["agent", "{model}"], None)])
def test_a_model_that_has_no_place_starts_nothing(command: list[str], model: str | None) -> None:
    with pytest.raises(CommandError, match="wasn't started"):
        with_model(command, model)
