import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from rig_tui.domain.model import JsonValue
from rig_tui.domain.tool_call import uninformative
from rig_tui.ui.present.ask import header_lines
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.tool_call import raw_lines, tool_call_lines
from rig_tui.ui.present.wrap import wrap
from tests.builders import an_ask
from tests.fixtures import AcpRequest, acp_requests
from tests.present.oracle import check_safe, hostile, plain, texts
from tests.rules import rule

REQUESTS = acp_requests()


def drawn(tool_call: JsonValue) -> str:
    """Everything the pane shows of it, unchanged lines of diffs included."""
    body = tool_call_lines(tool_call, context=None)
    return plain(header_lines(an_ask(tool_call=tool_call), 100)) + "\n" + plain(body)


def told(value: JsonValue, key: str = "") -> Iterator[str]:
    """Each line of each string an agent put in, apart from the names of content types."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name == "type" and each in ("content", "diff", "text"):
                continue
            yield from told(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from told(each)
    elif isinstance(value, str):
        for row in value.split("\n"):
            yield row[1:] if key == "diff" and row[:1] in ("+", "-", " ") else row
    elif value is not None:
        yield json.dumps(value)


def check_whole(tool_call: JsonValue) -> None:
    screen = drawn(tool_call)
    for row in told(tool_call):
        forms = {inert(row, True).plain, inert(row).plain}
        forms.add('\\"'.join(inert(part).plain for part in row.split('"')))
        assert any(form in screen for form in forms), (row, screen)


@rule("T7-01", "D7-19")
@pytest.mark.parametrize("request_", REQUESTS, ids=[each.name for each in REQUESTS])
def test_a_real_request_is_drawn_to_its_last_character(request_: AcpRequest) -> None:
    check_whole(request_.tool_call)
    check_safe(tool_call_lines(request_.tool_call))
    for width in (36, 76, 120):
        for line in wrap(tool_call_lines(request_.tool_call), width):
            assert cell_len(line.plain) <= width


def test_a_command_comes_first_then_what_goes_with_it() -> None:
    codex = next(r for r in REQUESTS if r.name.startswith("codex-cancelled"))
    assert plain(tool_call_lines(codex.tool_call)).splitlines() == [
        "command",
        "curl -s http://127.0.0.1:8899/",
        "",
        "rawInput",
        '  "cwd": "/home/operator/project"',
        "",
        "other fields",
        '  "toolCallId": "call_3a9d1554b1a7"',
        '  "status": "pending"',
    ]


def test_a_command_of_many_lines_keeps_its_lines() -> None:
    call: JsonValue = {"title": "Run it", "rawInput": {"command": "set -e\nrm -rf build\n  make"}}
    assert plain(tool_call_lines(call)).splitlines() == [
        "command", "set -e", "rm -rf build", "  make",
    ]  # fmt: skip


def test_an_argument_list_shows_where_an_odd_argument_begins() -> None:
    call: JsonValue = {"title": "t it", "rawInput": {"command": ["/bin/bash", "-lc", "a b\nc d"]}}
    assert plain(tool_call_lines(call)).splitlines() == [
        "command, as a list of arguments",
        "    /bin/bash -lc",
        "[3] a b",
        "    c d",
    ]


def test_a_repeated_command_is_drawn_once() -> None:
    call: JsonValue = {"title": "t it", "rawInput": {"command": "touch x", "commands": ["touch x"]}}
    assert plain(tool_call_lines(call)).splitlines() == [
        "command", "touch x", "commands = the same as above",
    ]  # fmt: skip
    other: JsonValue = {"title": "t it", "rawInput": {"command": "touch x", "commands": ["rm y"]}}
    assert "rm y" in plain(tool_call_lines(other))


def test_a_diff_and_the_same_diff_as_text_are_drawn_once_but_not_when_they_differ() -> None:
    opencode = next(r for r in REQUESTS if r.name == "opencode-allow-18")
    assert plain(tool_call_lines(opencode.tool_call)).splitlines() == [
        "/home/operator/project/new.txt  new file  +2",
        "1 + line1",
        "2 + line2",
        "",
        "diff, as the agent made it",
        "Index: /home/operator/project/new.txt",
        "===================================================================",
        "--- /home/operator/project/new.txt",
        "+++ /home/operator/project/new.txt",
        "@@ -0,0 +1,2 @@",
        "2 changed lines = the same as above",
        "",
        "rawInput",
        '  "filepath": "/home/operator/project/new.txt"',
        "",
        "other fields",
        '  "toolCallId": "call_f81d3725bd46"',
        '  "status": "pending"',
    ]
    forged = json.loads(json.dumps(opencode.tool_call))
    forged["rawInput"]["diff"] = forged["rawInput"]["diff"].replace("+line2", "+rm -rf /")
    assert "2 + rm -rf /" in plain(tool_call_lines(forged))
    hidden = json.loads(json.dumps(opencode.tool_call))
    hidden["rawInput"]["diff"] = hidden["rawInput"]["diff"].replace("+line1", " not there\n+line1")
    assert "not there" in plain(tool_call_lines(hidden))


def test_a_long_text_given_twice_is_referred_to() -> None:
    write = next(r for r in REQUESTS if r.name == "claude-allow-2")
    assert '"content": = the same text as above' in plain(tool_call_lines(write.tool_call))
    assert '"file_path": "/home/operator/project/new.txt"' in plain(
        tool_call_lines(write.tool_call)
    )


@rule("T7-01")
@pytest.mark.parametrize(
    "call",
    [
        {"toolCallId": "x", "title": "*", "rawInput": {"a": 1}},
        {"toolCallId": "x", "title": "bash", "rawInput": {"a": 1}},
        {"toolCallId": "x", "title": "tool"},
        {"toolCallId": "x", "title": "."},
        {"toolCallId": "x", "title": "", "kind": "edit"},
        {"toolCallId": "x", "kind": "edit"},
        {"toolCallId": "x"},
        {}, None, [], "text",
    ],
)  # fmt: skip
def test_a_record_that_tells_little_is_called_that_and_shown(call: JsonValue) -> None:
    words = uninformative(call)
    assert words is not None
    assert words.startswith("The agent gave little detail: ")
    assert texts(tool_call_lines(call))[0].plain == words
    check_whole(call)


def test_a_record_of_only_an_id_says_so() -> None:
    vibe = next(r for r in REQUESTS if r.name.startswith("vibe-allow"))
    assert plain(tool_call_lines(vibe.tool_call)).splitlines() == [
        "The agent gave little detail: only an id.",
        "the whole record",
        "{",
        '  "toolCallId": "effect-1fc234bb-5964-54d3-ad93-924b61f5a1c5"',
        "}",
    ]


def test_a_telling_title_brings_no_notice() -> None:
    assert uninformative({"title": "Run the tests", "toolCallId": "x"}) is None


def test_a_title_too_long_for_the_head_is_drawn_whole_in_the_body() -> None:
    title = "rm -rf " + "/very/long/path" * 10
    assert title in plain(tool_call_lines({"title": title, "kind": "execute"}))
    short = "Run the tests"
    assert short not in plain(tool_call_lines({"title": short, "kind": "execute"}))
    hidden = "Run\nrm -rf /"
    assert "rm -rf /" in plain(tool_call_lines({"title": hidden})).splitlines()


def test_a_title_of_nothing_but_controls_is_drawn() -> None:
    assert drawn({"title": "\x1f"}).startswith("\\x1f")
    assert uninformative({"title": "\x1f"}) == (
        "The agent gave little detail: its title says nothing."
    )


def test_every_key_of_a_deep_and_wide_record_is_reachable() -> None:
    deep: dict[str, Any] = {f"key{n}": n for n in range(50)}
    for level in range(6):
        deep = {f"level{level}": deep, "also": [True, None, 1.5]}
    screen = plain(tool_call_lines({"title": "Call a tool", "rawInput": deep}))
    for name in (*(f'"key{n}": {n}' for n in range(50)), *(f'"level{n}"' for n in range(6))):
        assert name in screen


def test_depth_is_no_reason_to_fail() -> None:
    deep: JsonValue = "bottom"
    for _ in range(5000):
        deep = [deep]
    assert '"bottom"' in plain(raw_lines(deep))


@rule("T7-02")
def test_inside_json_a_string_with_quotes_stands_behind_a_bar_so_it_cant_end_early() -> None:
    call: JsonValue = {"title": "Call it", "rawInput": {"q": 'a", "safe": "yes', "e": "\x1b[2J"}}
    lines = texts(tool_call_lines(call))
    place = next(place for place, line in enumerate(lines) if '"q"' in line.plain)
    assert lines[place].plain == '  "q": '
    assert lines[place + 1].plain == '    │ a", "safe": "yes'
    assert any(r'"e": "\x1b[2J"' in line.plain for line in lines)


def test_a_string_of_many_lines_is_a_block_with_a_bar() -> None:
    call: JsonValue = {"title": "Call it", "rawInput": {"body": "one\n\ttwo\n"}}
    assert plain(tool_call_lines(call)).splitlines() == [
        "rawInput", '  "body": ', "    │ one", "    │ ⇥   two", "    │ ",
    ]  # fmt: skip


def test_places_show_their_line_and_what_else_they_hold() -> None:
    call: JsonValue = {
        "title": "Read it",
        "locations": [{"path": "/a", "line": 7}, {"path": "/b", "why": "x"}, "odd"],
    }
    assert plain(tool_call_lines(call)).splitlines() == [
        "locations", "/a:7", "/b", '  "why": "x"', '"locations": ["odd"]',
    ]  # fmt: skip


scalars = st.one_of(st.none(), st.booleans(), st.integers(-9, 10**20), hostile)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(hostile, inner, max_size=3)
    ),
    max_leaves=8,
)
odd = st.one_of(hostile, values)
contents = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("diff"), "path": hostile, "newText": hostile},
        optional={"oldText": st.one_of(st.none(), hostile), "_meta": values},
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("content"),
            "content": st.fixed_dictionaries({"type": st.just("text"), "text": hostile}),
        }
    ),
    values,
)
records = st.fixed_dictionaries(
    {},
    optional={
        "toolCallId": odd,
        "title": odd,
        "kind": odd,
        "content": st.one_of(st.lists(contents, max_size=3), values),
        "locations": st.one_of(
            st.lists(st.fixed_dictionaries({"path": odd}, optional={"line": odd}), max_size=2),
            values,
        ),
        "rawInput": st.one_of(
            st.fixed_dictionaries(
                {},
                optional={
                    "command": st.one_of(hostile, st.lists(hostile, max_size=3), values),
                    "commands": st.one_of(st.lists(hostile, max_size=3), values),
                    "diff": hostile.map(lambda text: f"@@ -1,2 +1,2 @@\n-a\n+{text}"),
                    "other": values,
                },
            ),
            values,
        ),
        "unknown": values,
    },
)


@rule("T7-01", "T7-02")
@given(records)
@settings(max_examples=100)
def test_any_record_is_drawn_whole_and_inert(record: JsonValue) -> None:
    check_safe(tool_call_lines(record))
    check_safe(raw_lines(record))
    check_whole(record)


@rule("T7-01")
@given(values)
@settings(max_examples=100)
def test_any_json_is_drawn_whole_and_inert(value: JsonValue) -> None:
    check_safe(tool_call_lines(value))
    check_whole(value)


@rule("T7-01")
def test_a_huge_record_is_drawn_to_its_end() -> None:
    call: JsonValue = {
        "title": "Write a lot",
        "rawInput": {"command": "#" * 200_000, "body": "line of text é\n" * 20_000},
    }
    lines = wrap(tool_call_lines(call), 76)
    assert sum(line.plain.count("#") for line in lines) == 200_000
    assert sum("line of text é" in line.plain for line in lines) == 20_000
