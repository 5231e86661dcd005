"""Who answers in the demo."""

from __future__ import annotations

OPERATOR = "ana"
OPERATOR_NAME = "Ana"
