"""The tool call an ask is about, drawn whole, what decides first.

Order: what the agent left unsaid, commands, diffs, the agent's own words, places,
then every other field as JSON. Every field of the record is in there; a long text
that was drawn already is referred to, not drawn twice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from rig_tui.domain.tool_call import uninformative
from rig_tui.ui.present.diff import changes, diff_lines, heading_row, parse, unified_lines
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert, inert_lines
from rig_tui.ui.present.json_lines import json_lines, member_lines
from rig_tui.ui.present.lines import BLANK, Line, join, line, paint
from rig_tui.ui.present.roles import ACCENT, DIM, FAINT, PLAIN, QUOTE

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, JsonValue

LONGEST_TITLE: Final = 48
"""Cells of a title that the ask's header always shows whole."""
LONGEST_KIND: Final = 16
_PLAIN_ARGUMENT = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_SAME: Final = "= the same as above"


def raw_lines(tool_call: JsonValue, glyphs: Glyphs = UNICODE) -> list[Line]:
    """The record as JSON, whole and in its own order."""
    return json_lines(tool_call, glyphs=glyphs)


def tool_call_lines(
    tool_call: JsonValue, *, context: int | None = 3, glyphs: Glyphs = UNICODE
) -> list[Line]:
    """Draw everything the agent said about what it wants to do.

    Args:
        tool_call: The record, verbatim.
        context: Unchanged lines kept around a change of a diff; None keeps all.
        glyphs: The set to draw with.
    """
    notice = uninformative(tool_call)
    lines = [line((notice, ACCENT))] if notice else []
    if not isinstance(tool_call, dict):
        return [*lines, *raw_lines(tool_call, glyphs)]
    if notice and set(tool_call) <= {"toolCallId"}:
        return [*lines, line(("the whole record", FAINT)), *raw_lines(tool_call, glyphs)]
    drawing = _Drawing(tool_call, context, glyphs)
    drawing.draw()
    for section in drawing.sections:
        if lines:
            lines.append(BLANK)
        lines.extend(section)
    return lines


class _Drawing:
    """The sections drawn so far, and the fields not drawn yet."""

    def __init__(self, record: JsonObject, context: int | None, glyphs: Glyphs) -> None:
        self.sections: list[list[Line]] = []
        self._record = record
        self._rest = dict(record)
        raw = record.get("rawInput")
        self._raw: JsonObject = dict(raw) if isinstance(raw, dict) else {}
        self._context = context
        self._glyphs = glyphs
        self._seen: set[str] = set()
        self._paths: set[str] = set()
        self._changed: list[str] = []
        """The changed lines of all diffs drawn, with their signs."""
        self._kept: set[str] = set()

    def draw(self) -> None:
        """Draw every section in order."""
        self._command()
        self._commands()
        items = self._take_list("content")
        others = [each for each in items if not self._diff(each)]
        self._own_diff()
        others = [each for each in others if not self._words(each)]
        self._title()
        self._places()
        if others:
            self._json("content", {"content": others})
        if isinstance(self._record.get("rawInput"), dict):
            self._rest.pop("rawInput")
            self._json("rawInput", self._raw)
        self._json("other fields", self._rest)

    def _take_list(self, key: str) -> list[JsonValue]:
        value = self._rest.get(key)
        if not isinstance(value, list):
            return []
        self._rest.pop(key)
        return value

    def _heading(self, words: str) -> Line:
        return line((words, FAINT))

    def _block(self, heading: str, text: str, role: str) -> None:
        rows = inert_lines(text, glyphs=self._glyphs)
        self.sections.append([self._heading(heading), *(Line(paint(row, role), 2) for row in rows)])
        self._seen.add(text)

    def _command(self) -> None:
        command = self._raw.get("command")
        if isinstance(command, str) and command.strip():
            self._raw.pop("command")
            self._block("command", command, PLAIN)
        elif isinstance(command, list) and (words := _strings(command)):
            self._raw.pop("command")
            self._arguments(words)

    def _arguments(self, words: list[str]) -> None:
        """An argument list: the plain ones in one line, each odd one in lines of its own."""
        plain = 0
        while plain < len(words) and _PLAIN_ARGUMENT.fullmatch(words[plain]):
            plain += 1
        mark = len(str(len(words))) + 3
        shown = [self._heading("command, as a list of arguments")]
        if plain:
            shown.append(line(" " * mark, (" ".join(words[:plain]), PLAIN), hang=mark))
        for index, word in enumerate(words[plain:], plain + 1):
            start = f"[{index}]".ljust(mark)
            for row in inert_lines(word, glyphs=self._glyphs):
                shown.append(line((start, FAINT), paint(row, PLAIN), hang=mark))
                start = " " * mark
        self.sections.append(shown)
        self._seen.update(words)

    def _commands(self) -> None:
        words = _strings(self._raw.get("commands"))
        if not words:
            return
        self._raw.pop("commands")
        if len(words) == 1 and words[0] in self._seen:
            self.sections[-1].append(line(("commands ", FAINT), (_SAME, DIM)))
            return
        for index, each in enumerate(words, 1):
            self._block(f"commands, {index} of {len(words)}", each, PLAIN)

    def _diff(self, item: JsonValue) -> bool:
        """Draw a content item that is a diff; say whether it was one."""
        if not isinstance(item, dict) or item.get("type") != "diff":
            return False
        path, old, new = item.get("path"), item.get("oldText"), item.get("newText")
        if not isinstance(path, str) or not isinstance(new, str):
            return False
        if old is not None and not isinstance(old, str):
            return False
        shown = diff_lines(path, old, new, context=self._context, glyphs=self._glyphs)
        for change in changes(old or "", new):
            if change.sign == " ":
                self._kept.add(change.text)
            else:
                self._changed.append(f"{change.sign}{change.text}")
        self._seen.update({path, new, old or ""})
        self._paths.add(path)
        rest = {k: v for k, v in item.items() if k not in ("type", "path", "oldText", "newText")}
        self.sections.append(shown + member_lines(rest, seen=self._seen, glyphs=self._glyphs))
        return True

    def _own_diff(self) -> None:
        text = self._raw.get("diff")
        if not isinstance(text, str) or not text.strip():
            return
        self._raw.pop("diff")
        shown = [self._heading("diff, as the agent made it")]
        parsed = parse(text)
        changed = [f"{c.sign}{c.text}" for _, c in parsed if c and c.sign != " "]
        kept = {c.text for _, c in parsed if c and c.sign == " "}
        if changed and changed == self._changed and kept <= self._kept:
            shown.extend(heading_row(row, self._glyphs) for row, change in parsed if not change)
            noun = "changed line" if len(changed) == 1 else "changed lines"
            shown.append(line((f"{len(changed)} {noun} {_SAME}", DIM)))
        else:
            shown.extend(unified_lines(parsed, self._glyphs))
        self.sections.append(shown)

    def _words(self, item: JsonValue) -> bool:
        """Draw a content item that is text; say whether it was one."""
        if not isinstance(item, dict) or item.get("type") != "content":
            return False
        block = item.get("content")
        if not isinstance(block, dict) or block.get("type") != "text":
            return False
        text = block.get("text")
        if not isinstance(text, str):
            return False
        if text in self._seen:
            self.sections.append([line(("text ", FAINT), (_SAME, DIM))])
        else:
            self._block("text", text, QUOTE)
        rest: JsonObject = {k: v for k, v in item.items() if k not in ("type", "content")}
        rest |= {k: v for k, v in block.items() if k not in ("type", "text")}
        self.sections[-1].extend(member_lines(rest, seen=self._seen, glyphs=self._glyphs))
        return True

    def _title(self) -> None:
        """Take title and kind out where the header shows them whole; draw a long title."""
        title = self._rest.get("title")
        if isinstance(title, str):
            self._rest.pop("title")
            if title not in self._seen and (
                "\n" in title or cell_len(inert(title).plain) > LONGEST_TITLE
            ):
                self._block("title, whole", title, QUOTE)
                self.sections.insert(0, self.sections.pop())
        kind = self._rest.get("kind")
        if isinstance(kind, str) and cell_len(inert(kind).plain) <= LONGEST_KIND:
            self._rest.pop("kind")

    def _places(self) -> None:
        shown: list[Line] = []
        odd: list[JsonValue] = []
        for item in self._take_list("locations"):
            path = item.get("path") if isinstance(item, dict) else None
            if not isinstance(item, dict) or not isinstance(path, str):
                odd.append(item)
                continue
            if item.keys() == {"path"} and path in self._paths:
                continue
            row: JsonValue = item.get("line")
            plain = isinstance(row, int) and not isinstance(row, bool)
            suffix = f":{row}" if plain else ""
            shown.append(Line(join(inert(path), (suffix, DIM)), 2))
            self._seen.add(path)
            taken = ("path", "line") if plain else ("path",)
            rest = {k: v for k, v in item.items() if k not in taken}
            shown.extend(member_lines(rest, level=1, glyphs=self._glyphs))
        if odd:
            shown.extend(member_lines({"locations": odd}, glyphs=self._glyphs))
        if shown:
            self.sections.append([self._heading("locations"), *shown])

    def _json(self, heading: str, members: JsonObject) -> None:
        if members:
            drawn = member_lines(members, level=1, seen=self._seen, glyphs=self._glyphs)
            self.sections.append([self._heading(heading), *drawn])


def _strings(value: JsonValue) -> list[str]:
    """The list's strings, when it holds nothing else; else nothing."""
    if not isinstance(value, list):
        return []
    words = [each for each in value if isinstance(each, str)]
    return words if len(words) == len(value) else []
