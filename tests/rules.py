"""The contract's rules and the tests that carry them.

`@rule("D7-22")` tags a test. `python -m tests.rules` lists every daemon, operator
and runner rule with its tests, and the rules that wait for a later part of the
product; it fails when a rule is neither tested nor waiting, or both.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

import pytest

rule = pytest.mark.rule

_COUNTS = {
    "D2": 7, "D3": 9, "D4": 42, "D7": 58, "D8": 8, "D9": 4, "D10": 2,
    "T2": 1, "T3": 2, "T4": 9, "T5": 2, "T6": 1, "T7": 29, "T8": 1, "T9": 3, "T10": 1,
    "R2": 1, "R3": 3, "R4": 11, "R5": 4, "R6": 2, "R7": 12, "R8": 3, "R9": 2, "R10": 1,
}  # fmt: skip

AMBIGUITIES = {f"A-{number:02}" for number in range(1, 47)}


def _span(section: str, first: int, last: int) -> list[str]:
    return [f"{section}-{number:02}" for number in range(first, last + 1)]


RULES: list[str] = [
    identifier
    for section, count in _COUNTS.items()
    for identifier in (
        *_span(section, 1, count),
        *(("D4-24b",) if section == "D4" else ()),
    )
]

_LATER: dict[str, tuple[str, ...]] = {}
WAITING = {identifier: part for part, ids in _LATER.items() for identifier in ids}
"""Rules that a later part of the product brings: id -> that part."""


def tagged(root: Path) -> dict[str, list[str]]:
    """Map each rule id to the tests below `root` that carry it.

    Raises:
        ValueError: A test names a rule that doesn't exist.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            for identifier in _ids(node):
                if identifier not in RULES and identifier not in AMBIGUITIES:
                    raise ValueError(f"{path}: {node.name} carries the unknown rule {identifier}")
                found[identifier].append(f"{path.relative_to(root.parent)}::{node.name}")
    return found


def _ids(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[str]:
    return [
        argument.value
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Name)
        and decorator.func.id == "rule"
        for argument in decorator.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def main() -> int:
    """Print the coverage; exit 1 when a rule is unaccounted for."""
    tests = tagged(Path(__file__).parent)
    wrong = []
    for identifier in RULES:
        carriers = tests.get(identifier, [])
        if carriers:
            print(f"{identifier}: {', '.join(carriers)}")
            if identifier in WAITING:
                wrong.append(f"{identifier} has tests and is listed as waiting")
        elif identifier in WAITING:
            print(f"{identifier}: waits for {WAITING[identifier]}")
        else:
            wrong.append(f"{identifier} has no test and waits for nothing")
    for identifier in sorted(AMBIGUITIES & tests.keys()):
        print(f"amb:{identifier}: {', '.join(tests[identifier])}")
    covered = sum(1 for identifier in RULES if tests.get(identifier))
    print(f"\n{covered} of {len(RULES)} rules tested, {len(WAITING)} waiting")
    for problem in wrong:
        print(problem, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
