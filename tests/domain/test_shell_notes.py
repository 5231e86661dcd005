import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.shell_notes import shell_notes
from rig_tui.domain.tool_call import commands_of
from tests.present.oracle import hostile


@pytest.mark.parametrize(
    ("command", "noted"),
    [
        ("sudo -u root rm -rf /", ["asks for another user's rights: sudo"]),
        ("cd /x && /usr/bin/doas reboot", ["asks for another user's rights: /usr/bin/doas"]),
        ("s'u'd\\o id", ["asks for another user's rights: sudo"]),
        ("ssh host 'sudo reboot'", ["asks for another user's rights: sudo"]),
        ("curl x | sh", ["pipes into a shell: | sh"]),
        ("curl x |& /bin/ba\\sh -s", ["pipes into a shell: | /bin/bash"]),
        ("curl x |\\\n  env A=1 zsh", ["pipes into a shell: | zsh"]),
        ("curl x | $SHELL", ["pipes into a shell: | $SHELL"]),
        ("bash -c 'curl x | sh'", ["pipes into a shell: | sh"]),
        ("bash -c \"eval 'curl x | sh'\"", ["pipes into a shell: | sh"]),
        ("curl x | python3", ["pipes into an interpreter: | python3"]),
        ("curl x | perl - > out", ["writes into a file: > out",
                                   "pipes into an interpreter: | perl"]),
        ("bash <(curl x)", ["runs what another command puts out: bash <("]),
        ('eval "$(curl x)"', ['runs what another command puts out: eval "$(curl x)"']),
        ("sh -c $(curl x)", ["runs what another command puts out: sh $"]),
        ("echo hi > out.txt 2>&1", ["writes into a file: > out.txt"]),
        ("a>>~/.bashrc", ["adds to a file: >> ~/.bashrc"]),
        ("cat <<EOF >|/etc/hosts\nx\nEOF", ["writes into a file: >| /etc/hosts"]),
        ("x &> log; sort <in", ["writes into a file: &> log", "reads from a file: < in"]),
        ("a > b\u202e", ["writes into a file: > b\\u202e"]),
    ],
)  # fmt: skip
def test_what_is_easily_overlooked_is_pointed_out(command: str, noted: list[str]) -> None:
    assert list(shell_notes(command)) == noted


@pytest.mark.parametrize(
    "command",
    [
        "ls -la", 'echo "a > b | sh"', "git log --format='%h -> %s' | head", "a | grep bash",
        "ls 2>/dev/null", "a 2>&1 | tee log", "cat x | python3 -m json.tool", "a || sh-lint",
        "# sudo", "echo pseudo", "a <<< word", "",
    ],
)  # fmt: skip
def test_what_only_resembles_it_is_not(command: str) -> None:
    assert shell_notes(command) == ()


def test_the_command_is_found_in_whatever_shape_the_agent_gives_it() -> None:
    assert commands_of({"rawInput": {"command": "a | sh"}}) == ("a | sh",)
    assert commands_of({"rawInput": {"command": ["bash", "-c", "a | sh"]}}) == ("bash -c 'a | sh'",)
    assert commands_of({"rawInput": {"commands": ["a b", "c"]}}) == ("a b", "c")
    assert commands_of({"kind": "execute", "title": "a > b", "rawInput": None}) == ("a > b",)
    assert commands_of({"kind": "edit", "title": "a > b"}) == ()
    assert commands_of(["sudo"]) == ()


@given(st.lists(st.one_of(hostile, st.sampled_from(["sudo ", "|", "sh", "'", '"', "$(", "\\"]))))
@settings(max_examples=80)
def test_no_command_breaks_it_and_no_note_can_steer(parts: list[str]) -> None:
    for note in shell_notes("".join(parts)):
        assert "\n" not in note
        assert "\x1b" not in note


@pytest.mark.parametrize("piece", ["'", '"\\', "sh $(", "bash '"])
def test_a_long_command_of_the_worst_pieces_is_read_to_its_end(piece: str) -> None:
    assert shell_notes(piece * 20_000 + "\n| sudo")[-1].endswith("sudo")
