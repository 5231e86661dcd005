r"""What in a shell command is easily overlooked: other rights, redirections, pipes to a shell.

These notes point at places and never judge: a command without one may do anything at
all. A shell's grammar is only read as far as words, quotes and operators go; a quoted
argument is read as a command of its own where a shell is told to run it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from rig_tui.domain.inert import inert

_OTHER_RIGHTS: Final = frozenset({"sudo", "doas", "su", "pkexec", "run0", "runas"})
_SHELLS: Final = frozenset(
    {
        "sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "csh", "tcsh", "pwsh", "powershell",
        "$SHELL", "${SHELL}",
    }
)  # fmt: skip
_INTERPRETERS: Final = frozenset({"python", "python2", "python3", "perl", "ruby", "node", "php"})
"""They run what they are given by a pipe only when no argument names something else."""
_RUNS_WORDS: Final = _SHELLS | {"eval", "source", ".", "ssh", "su", "exec", "watch"}
_WRAPPERS: Final = _OTHER_RIGHTS | {
    "env", "nohup", "time", "nice", "ionice", "command", "exec", "stdbuf", "timeout", "setsid",
}  # fmt: skip
_TOKEN = re.compile(
    r"(?P<space>(?:[ \t\r]|\\\n)++)"
    r"|(?P<end>\n)"
    r"|(?P<comment>(?<![^\s;&|()])\#[^\n]*+)"
    r"|(?P<op>\d*+(?:<<<|<<-?|<>|<&|<\(|>>|>\||>&|>\(|<|>)|&>>?|\|\||\|&|&&|;;|[|;&()])"
    r"|(?P<word>(?:[^\s<>|&;()'\"\\]|\\.|'[^']*+'|\"(?:\\.|[^\"\\])*+\"|['\"\\])++)",
    re.DOTALL,
)
_QUOTED = re.compile(r"'([^']*+)'|\"((?:\\.|[^\"\\])*+)\"|\\(.)", re.DOTALL)
_ASSIGNMENT = re.compile(r"\w+=")
_SUBSTITUTION = re.compile(r"\$\(|`")
_DEEPEST: Final = 4
"""How many commands inside commands are read."""


def shell_notes(command: str) -> tuple[str, ...]:
    """Point out what a quick reader may miss, in the order in which it stands there."""
    reader = _Reader()
    reader.read(command, 0)
    return tuple(reader.notes)


@dataclass(slots=True)
class _Simple:
    """The simple command that is being read."""

    piped: bool = False
    """Whether another command's output is its input."""
    wrapped: bool = False
    named: bool = False
    """Whether the command's own name was read."""
    runs_words: str = ""
    """The word before that makes a shell run what follows."""
    redirected: str = ""
    """The redirection whose target comes next."""
    reads_program: str = ""
    """The interpreter that runs what is piped into it, unless an argument follows."""


@dataclass(slots=True)
class _Reader:
    notes: dict[str, None] = field(default_factory=dict)

    def read(self, command: str, depth: int) -> None:
        simple = _Simple()
        for match in _TOKEN.finditer(command):
            text = match.group()
            if match.lastgroup == "word":
                after = command[match.end() : match.end() + 1]
                self._word(text, simple, depth, after)
            elif match.lastgroup == "end":
                simple = self._operator(";", simple)
            elif match.lastgroup == "op":
                simple = self._operator(text, simple)
        self._operator(";", simple)

    def _operator(self, text: str, simple: _Simple) -> _Simple:
        if simple.reads_program and not text.lstrip("0123456789").startswith((">", "<")):
            self._note(f"pipes into an interpreter: | {simple.reads_program}")
        if text in ("|", "|&"):
            return _Simple(piped=True)
        if text in (">(", "<(") or text == "(":
            if text == "<(" and simple.runs_words:
                self._note(f"runs what another command puts out: {simple.runs_words} <(")
            return _Simple(piped=text == ">(")
        if text in ("||", "&&", ";", ";;", "&", ")"):
            return _Simple()
        simple.redirected = text
        return simple

    def _word(self, text: str, simple: _Simple, depth: int, after: str) -> None:
        if simple.redirected:
            self._redirection(simple.redirected, text)
            simple.redirected = ""
            return
        word = _unquoted(text)
        name = word.rpartition("/")[2]
        if name in _OTHER_RIGHTS:
            self._note(f"asks for another user's rights: {word}")
        command_word = not simple.named and not _ASSIGNMENT.match(word)
        runs = command_word or simple.wrapped
        if simple.piped and runs and name in _SHELLS:
            self._note(f"pipes into a shell: | {word}")
        if word != "-":
            simple.reads_program = word if simple.piped and runs and name in _INTERPRETERS else ""
        if simple.runs_words:
            self._run(text, word, simple.runs_words, depth, after)
        if runs and name in _RUNS_WORDS:
            simple.runs_words = word
        if command_word:
            simple.wrapped |= name in _WRAPPERS
            simple.named = True

    def _run(self, text: str, word: str, by: str, depth: int, after: str) -> None:
        """Read what a shell is told to run."""
        if (after == "(" and text.endswith("$")) or _SUBSTITUTION.search(text):
            self._note(f"runs what another command puts out: {by} {text}")
        if word != text and depth < _DEEPEST:
            self.read(word, depth + 1)

    def _redirection(self, operator: str, target: str) -> None:
        if ">" in operator and not (operator.endswith("&") and target.isdigit()):
            if _unquoted(target) not in ("/dev/null", "/dev/stderr", "/dev/stdout"):
                verb = "adds to" if ">>" in operator else "writes into"
                self._note(f"{verb} a file: {operator} {target}")
        elif operator.lstrip("0123456789") == "<" and _unquoted(target) != "/dev/null":
            self._note(f"reads from a file: {operator} {target}")

    def _note(self, words: str) -> None:
        self.notes[inert(words)] = None


def _unquoted(text: str) -> str:
    return _QUOTED.sub(lambda m: next(group for group in m.groups() if group is not None), text)
