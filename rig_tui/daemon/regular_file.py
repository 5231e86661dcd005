"""Reading files that other programs write."""

from __future__ import annotations

import os
import stat


def read_regular(path: str, most: int) -> bytes:
    """Read at most so many bytes of a file, without ever waiting for whatever is there.

    Raises:
        OSError: It can't be read, or isn't a regular file.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "it isn't a file")
        return file.read(most)
