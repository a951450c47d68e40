"""What kind of value a chart key takes.

A kind is one regular expression over the value's JSON text. Python checks literals with it
and Terraform checks variables with it, so that both say the same.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True)
class Kind:
    """What a value must look like.

    Args:
        pattern: what the whole of its compact JSON matches (the syntax of RE2 and Python).
        allowed: what is allowed, one phrase without a final stop.
        fix: what to do about a value that is not, likewise.
        example: a value that is allowed.
    """

    pattern: str
    allowed: str
    fix: str
    example: Any = field(compare=False)

    def accepts(self, value: object) -> bool:
        """Whether a literal is of this kind; null always is: it takes the chart's default away."""
        if value is None:
            return True
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return re.fullmatch(self.pattern, text, re.DOTALL) is not None

    def terraform(self, reference: str) -> str:
        """The same for what `reference` names, as a Terraform condition."""
        escaped = self.pattern.replace("\\", "\\\\").replace('"', '\\"')
        return f'can(regex("(?s)^(?:null|{escaped})$", jsonencode({reference})))'


_TEXT = r'"(?:[^"\\]|\\.)*"'
_QUOTES: Final = "write it in quotes"

TEXT: Final = Kind(_TEXT, "text", _QUOTES, "words")
BOOL: Final = Kind("true|false", "true or false", "write true or false, without quotes", True)
COUNT: Final = Kind("[0-9]+", "a whole number from 0", "write digits, without quotes", 2)
COUNT_TEXT: Final = Kind(
    '"[0-9]+"', "a whole number from 0 as text", 'write digits in quotes: "0"', "0"
)
FRACTION: Final = Kind(
    r'"?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"?',
    "a number from 0, such as 0.075",
    "write it as a decimal number",
    0.075,
)
PORT: Final = Kind("[1-9][0-9]{0,4}", "a port number", "write digits, without quotes", 8080)
SHARE: Final = Kind(
    '[0-9]+|"[0-9]+%"', 'a whole number, or a percentage such as "50%"', "quote percentages only", 1
)
DURATION: Final = Kind(
    r'"(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+"',
    'a duration as text, such as "10s"',
    'write it with its unit and in quotes: "10s"',
    "10s",
)
INTERVAL: Final = Kind(
    '"(?:[1-9][0-9]*h(?:[0-9]+m)?(?:[0-9]+s)?|[1-9][0-9]*m(?:[0-9]+s)?|(?:[6-9][0-9]|[1-9][0-9]{2,})s)"',
    'a duration of at least one minute as text, such as "5m"',
    'write it with its unit and in quotes: "5m"; Karpenter does not start with a shorter one',
    "5m",
)
MAP: Final = Kind(r"\{.*\}", "a mapping of keys to values", "write key: value lines", {"a": 1})
TEXT_MAP: Final = Kind(
    rf"\{{(?:{_TEXT}:{_TEXT}(?:,{_TEXT}:{_TEXT})*)?\}}",
    "a mapping of keys to text",
    "write each value in quotes",
    {"a": "b"},
)
LIST: Final = Kind(r"\[.*\]", "a list", "write one item a line, each after a dash", [{"a": 1}])
TEXT_LIST: Final = Kind(
    rf"\[(?:{_TEXT}(?:,{_TEXT})*)?\]",
    "a list of text",
    "write one item a line, each after a dash and in quotes",
    ["a"],
)


def one_of(*words: str) -> Kind:
    """One of a few words."""
    listed = ", ".join(words)
    return Kind(
        f'"(?:{"|".join(words)})"', f"one of {listed}", "write one of these words", words[0]
    )


_BY_NAME: Final = {
    "text": TEXT,
    "bool": BOOL,
    "count": COUNT,
    "count_text": COUNT_TEXT,
    "fraction": FRACTION,
    "port": PORT,
    "share": SHARE,
    "duration": DURATION,
    "interval": INTERVAL,
    "map": MAP,
    "text_map": TEXT_MAP,
    "list": LIST,
    "text_list": TEXT_LIST,
}


def kind_of(named: str | list[str]) -> Kind:
    """The kind that the catalogue names, by a word or by the words that are allowed."""
    return _BY_NAME[named] if isinstance(named, str) else one_of(*named)
