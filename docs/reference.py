"""Write what the code says of itself: `python -m docs.reference`.

The command line, the settings, the keys and the answer table are each written down once,
in the code. A test fails when a page isn't what this would write.
"""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from docs import shapes
from rig_tui.actions.keymap import keymap
from rig_tui.actions.keys import key_words
from rig_tui.actions.registry import FAMILIES
from rig_tui.actions.spots import SPOTS
from rig_tui.cli.actions import command_name
from rig_tui.cli.commands import COMMANDS, EVERYWHERE, EXIT_CODES
from rig_tui.cli.manual import synopsis, usage
from rig_tui.domain import mapping
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import ALLOW_ALWAYS, ALLOW_ONCE, REJECT_ALWAYS, REJECT_ONCE, Option
from rig_tui.settings import values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig_tui.actions.headless import Headless

DOCS = Path(__file__).parent
_MADE = "<!-- Made by python -m docs.reference; change the code instead. -->"


def pages() -> dict[str, str]:
    """Each page by its file's name."""
    return {
        name: "\n".join((_MADE, "", *lines)) + "\n"
        for name, lines in (
            ("cli.md", cli()),
            ("configuration.md", configuration()),
            ("keys.md", keys()),
            ("answers.md", answers()),
        )
    }


def _table(*headings: str) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{'---|' * len(headings)}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def cli() -> Iterator[str]:
    """The command line and the JSON it prints."""
    yield "# The command line"
    yield ""
    yield "Everything the console does can be done by a command. What was asked for goes to stdout,"
    yield "everything else to stderr; `--json` prints JSON and never a colour. Text of other people"
    yield "is printed with every character that could steer a terminal, or hide, as a token."
    yield "`NO_COLOR` and pipes get no colours. `rig-tui --plain` is a line mode of these commands."
    yield ""
    yield "Before and after any command:"
    yield ""
    yield from _table("flag", "means")
    for parameter in EVERYWHERE:
        yield _row(f"`{parameter.name} {parameter.metavar}`", parameter.help)
    yield ""
    yield "## Exit codes"
    yield ""
    yield from _table("code", "means")
    for code, words in EXIT_CODES.items():
        yield _row(str(code), words)
    yield _row("129, 130, 143", "ended by a signal")
    yield ""
    yield "An act is sent at most once. After 7 look before you do anything: `rig-tui show ID`."
    yield ""
    yield "## Commands"
    for command in COMMANDS:
        if not command.hidden:
            yield from _command(command)
    yield ""
    yield "## JSON"
    yield ""
    yield "Fields may be added; none is renamed, dropped or given another type. `?` marks what may"
    yield "be null. An *instant* is ISO 8601 in UTC with milliseconds."
    for name in shapes.SHAPES:
        yield from _shape(name)


def _command(command: Headless) -> Iterator[str]:
    yield ""
    yield f"### {command.name}"
    yield ""
    yield f"`rig-tui {synopsis(command)}`"
    yield ""
    yield command.about
    if command.parameters:
        yield ""
        yield from _table("parameter", "means")
        for parameter in command.parameters:
            choices = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
            more = choices if parameter.metavar else ""
            yield _row(f"`{usage(parameter).strip('[]')}`", f"{parameter.help}{more}")
    printed = shapes.PRINTED.get(command.name)
    remark = shapes.REMARKS.get(command.name, "")
    if printed or remark:
        of = printed.strip("[]") if printed else ""
        what = f"an array of *{of}*." if printed and printed != of else f"one *{of}*."
        yield ""
        yield f"JSON: {what if printed else ''} {remark}".replace("  ", " ").strip()


def _shape(name: str) -> Iterator[str]:
    yield ""
    yield f"### {name[0].upper()}{name[1:]}"
    yield ""
    if name in shapes.EXTENDS:
        yield f"All of *{shapes.EXTENDS[name]}*, and:"
        yield ""
    yield from _table("field", "type", "means")
    for field, (kind, words) in shapes.SHAPES[name].items():
        yield _row(f"`{field}`", kind, words)
    for field, (kind, words) in shapes.OPTIONAL.get(name, {}).items():
        yield _row(f"`{field}`", kind, f"{words} (not always there)")


def configuration() -> Iterator[str]:
    """Every setting of the file."""
    yield "# Settings"
    yield ""
    yield "The file is `$RIG_TUI_CONFIG`, else `config.toml` in your configuration folder for"
    yield "`rig-tui`. Without one everything has its default. Flags win over the environment, the"
    yield "environment over the file. A wrong name or value is refused with its name and line."
    yield "`rig-tui config` prints what is in force and where each value came from. The keys of"
    yield "`[keys]` are in [keys.md](keys.md)."
    for title, cls, skip in (
        ("Top level", values.Settings, {"token", "answer", "filter", "keys", "notifications",
                                        "daemons", "path", "origins"}),
        ("`[answer]`", values.Answering, set()),
        ("`[filter]`", values.Filter, set()),
        ("`[notifications]`", values.Notifications, set()),
        ("`[daemons.NAME]`", values.NamedDaemon, {"name"}),
    ):  # fmt: skip
        yield ""
        yield f"## {title}"
        yield ""
        yield from _table("setting", "values", "default", "means")
        for name, kind, default, words in fields_of(cls):
            if name not in skip:
                shown = "as" if name == "acting_as" else name
                yield _row(f"`{shown}`", kind, f"`{default}`", words)


def fields_of(cls: type) -> Iterator[tuple[str, str, str, str]]:
    """Each field of a class of settings: name, values, default, and what stands below it."""
    (body,) = ast.parse(inspect.getsource(cls)).body
    assert isinstance(body, ast.ClassDef)
    for field, below in zip(body.body, [*body.body[1:], None], strict=True):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        said = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        words = " ".join(str(below.value.value).split()) if said else ""  # type: ignore[union-attr]
        words = re.sub(r"\bNone\b", "not set", words)
        default = ast.unparse(field.value) if field.value is not None else "required"
        yield field.target.id, _values(ast.unparse(field.annotation)), _toml(default), words


def _values(annotation: str) -> str:
    choices = get_args(getattr(values, annotation.removeprefix("tuple[").split(",")[0], None))
    if choices:
        many = "a list of " if annotation.startswith("tuple[") else ""
        return many + ", ".join(f"`{choice}`" for choice in choices)
    plain = {
        "str": "text", "int": "a whole number", "bool": "`true` or `false`", "Path": "a path",
        "tuple[str, ...]": "a list of texts", "tuple[int, ...]": "a list of whole numbers",
        "tuple[QuietHours, ...]": "a list like `22:00-07:00`",
    }  # fmt: skip
    return plain.get(annotation.removesuffix(" | None"), annotation)


def _toml(default: str) -> str:
    words = {"None": "not set", "True": "true", "False": "false", "()": "[]"}
    text = words.get(default, default).replace("'", '"')
    return f"[{text[1:-1]}]" if text.startswith("(") else text


def keys() -> Iterator[str]:
    """Every key, and the command that does the same."""
    default = keymap({})
    yield "# Keys"
    yield ""
    yield "Every key can be changed under `[keys]` in the settings file by the action's id:"
    yield '`"view.history" = "H"`. Enter, Esc, `Y` and the chooser\'s digits can\'t be.'
    for family in FAMILIES:
        yield ""
        yield f"## {family.title}"
        yield ""
        yield from _table("key", "action", "does", "command")
        for action in family.actions:
            pressed = " ".join(f"`{key_words(key)}`" for key in default.keys(action))
            command = command_name(action.id)
            yield _row(
                pressed or "palette", f"`{action.id}`", action.help,
                f"`{command}`" if command else "",
            )  # fmt: skip
    yield ""
    yield "## In one place only"
    yield ""
    yield from _table("key", "where and what", "does")
    for spot in SPOTS.values():
        pressed = " ".join(f"`{key_words(key)}`" for key in default.keys(spot))
        yield _row(pressed, f"`{spot.id}`", spot.help)


_NAMES = {ALLOW_ONCE: "Allow", ALLOW_ALWAYS: "Always", REJECT_ONCE: "Reject",
          REJECT_ALWAYS: "Never"}  # fmt: skip
_OFFERS = (
    (ALLOW_ONCE, REJECT_ONCE),
    (ALLOW_ONCE, ALLOW_ALWAYS, REJECT_ONCE),
    (ALLOW_ALWAYS, REJECT_ALWAYS),
    (ALLOW_ONCE, ALLOW_ALWAYS),
    (REJECT_ONCE, REJECT_ALWAYS),
)
_ACTS = (
    (Act.DENY, "say no: `d`, `rig-tui deny`, a plain “no”"),
    (Act.YES, "a plain “yes”"),
    (Act.DROP, "close without choosing: `x`, `rig-tui close`; approve; other words"),
    (Act.NOBODY_TO_ASK, "nobody can be asked"),
    (Act.ROW_DONE, "the seat it was handed to closes it as done, dropped or failed"),
    (Act.ROW_DENIED, "that seat closes it as denied"),
    (Act.ROW_CANCELED, "that seat cancels it"),
    (Act.HOLD, "leave it alone"),
    (Act.RELAUNCH, "its seat is relaunched or stopped"),
)


def answers() -> Iterator[str]:
    """What the agent gets for each act, by the table that the daemon applies."""
    yield "# What each answer gives the agent"
    yield ""
    yield "One table decides, in the daemon and on every screen; this page is printed from it."
    yield "Choosing an option gives exactly that option. For everything else it depends on what the"
    yield "agent offers:"
    for offer in _OFFERS:
        options = [Option(kind, _NAMES[kind], kind) for kind in offer]
        yield ""
        yield f"## The agent offers {' · '.join(mapping.kind_in_words(kind) for kind in offer)}"
        yield ""
        yield from _table("you, or what happens", "the agent")
        for act, words in _ACTS:
            yield _row(words, mapping.consequence(options, act))
    yield ""
    yield "Three things to keep in mind:"
    yield ""
    yield "- **The default is a grant.** Approve, drop, words that are no answer, and nobody to ask"
    yield "  all permit wherever an allow is offered."
    yield "- **A no is never a grant.** Where no reject is offered, a no cancels."
    yield "- **Silence is never a grant.** Nothing counts down; leaving it alone is always safe."


def main() -> None:
    """Write every page and say which."""
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(DOCS / name)


if __name__ == "__main__":
    main()
