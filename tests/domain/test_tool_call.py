import pytest

from rig_tui.domain.tool_call import strings_of, uninformative


@pytest.mark.parametrize(
    "title",
    ["execute", "Run command", "BASH", "*", "Tool call", "N/A", "null", "[object Object]"],
)  # fmt: skip
def test_a_title_that_would_fit_any_call_is_called_out(title: str) -> None:
    words = uninformative({"title": title, "kind": "edit", "rawInput": {"path": "a"}})
    assert words == "The agent gave little detail: its title says nothing."


def test_a_title_that_repeats_the_kind_or_the_id_is_called_out() -> None:
    assert uninformative({"title": "Switch mode", "kind": "switch_mode", "toolCallId": "c1"}) == (
        "The agent gave little detail: its title is only the tool's kind."
    )
    assert uninformative({"title": "c1", "kind": "edit", "toolCallId": "c1"}) == (
        "The agent gave little detail: its title is only the call's id."
    )


@pytest.mark.parametrize("title", ["Run the tests", "Read /etc/hostname", "/etc", "rm -rf x"])
def test_a_title_that_tells_something_is_not(title: str) -> None:
    assert uninformative({"title": title, "kind": "execute", "toolCallId": "c1"}) is None


def test_every_text_of_a_record_is_found_whatever_its_depth() -> None:
    deep: object = "deepest"
    for level in range(3000):
        deep = {f"key{level}": [deep]}
    found = list(strings_of(deep))  # type: ignore[arg-type]
    assert len(found) == 3001
    assert "deepest" in found
