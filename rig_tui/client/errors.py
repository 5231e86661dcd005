"""What can go wrong between this console and a daemon.

    ClientError
    ├── DiscoveryError     what names the daemon can't be used; nothing was tried
    ├── UnreachableError   nothing answers; nothing was sent
    ├── ForeignError       something else is listening; no token was sent
    ├── NotAllowedError    the daemon answers and won't have us
    ├── LostError          a connection broke, fell silent or ended
    ├── AnewError          a connection is to be made anew at once; nothing is wrong
    └── BadAnswerError     an answer that can't be used
        └── MissingError   the daemon knows nothing of that name

Each message says what happened and, where there is something to do, what.
"""

from __future__ import annotations


class ClientError(Exception):
    """The daemon couldn't be used; the message says why."""


class DiscoveryError(ClientError):
    """What names the daemon or its token can't be used."""


class UnreachableError(ClientError):
    """Nothing answers there."""


class ForeignError(ClientError):
    """What listens there isn't the daemon it should be."""


class NotAllowedError(ClientError):
    """The daemon refused the token or the address."""


class LostError(ClientError):
    """The connection broke before the answer was whole."""


class AnewError(ClientError):
    """The daemon is there, but what its connection brought may have gaps."""


class BadAnswerError(ClientError):
    """An unexpected status, a redirect, or a body that can't be read."""


class MissingError(BadAnswerError):
    """What was asked for isn't there."""
