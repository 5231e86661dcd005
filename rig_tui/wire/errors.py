"""What can be wrong with bytes from outside."""

from __future__ import annotations


class WireError(Exception):
    """Something received isn't what its route or type promises.

    `code` is the word a machine matches on, `message` a sentence for a person.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class UnreadableError(WireError):
    """A body or an event that can't be understood at all."""

    def __init__(self, message: str, code: str = "unreadable") -> None:
        super().__init__(code, message)


class BadRequestError(WireError):
    """A runner's body that is answered 400: its runner goes on without us."""


class UnkeepableError(WireError):
    """A permission request that parses but can't be kept whole (A-46).

    It must be answered 422 `options_unsupported`, so that its runner refuses: any
    other refusal would make the runner permit.
    """

    def __init__(self, message: str) -> None:
        super().__init__("options_unsupported", message)


class UnfinishedError(WireError):
    """A launch record that may be half written: look again later (A-44)."""

    def __init__(self, message: str) -> None:
        super().__init__("unfinished", message)
