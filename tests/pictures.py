"""Find pictures that no test draws any more: `python -m tests.pictures`.

Tests run in several processes, where none can tell that a stored picture is unused.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def drawn() -> set[str]:
    """`<module>/<test>` of every test that could own a picture."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/screens", "--collect-only", "-q", "-n0"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = re.findall(r"^tests/screens/(\w+)\.py::(.+)$", done.stdout, re.MULTILINE)
    return {f"{module}/{name}" for module, name in found}


def main() -> int:
    """Name the pictures without a test; exit 1 when there are some."""
    stored = {
        str(path.relative_to(ROOT / "snapshots").with_suffix(""))
        for path in (ROOT / "snapshots").rglob("*.svg")
    }
    unused = sorted(stored - drawn())
    for name in unused:
        print(f"no test draws snapshots/{name}.svg")
    return 1 if unused else 0


if __name__ == "__main__":
    sys.exit(main())
