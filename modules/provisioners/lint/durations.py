"""How long Kubernetes' durations are."""

from __future__ import annotations

import re

_PART = re.compile(r"([0-9]+)(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(text: str | None) -> float | None:
    """`1h30m` as seconds; None for `Never` and what is no duration."""
    if text is None or not re.fullmatch(rf"({_PART.pattern})+", text):
        return None
    return sum(int(number) * _SECONDS[unit] for number, unit in _PART.findall(text))
