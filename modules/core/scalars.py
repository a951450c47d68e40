"""What a plain YAML scalar means, where every reader of YAML agrees on it.

YAML 1.1 and 1.2 give some words and numbers different meanings: `no` is false or text, `0123` is
83 or 123, `1e3` is text or 1000. A file that holds one of them means something else to another
tool, or to the person who wrote it. So this project reads only what both versions read alike.

Sources: YAML 1.2.2, chapter 10.3.2 (core schema); yaml.org/type (YAML 1.1).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {
    text: word == "true"
    for word in ("true", "false")
    for text in (word, word.title(), word.upper())
}
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(0|[1-9][0-9]*)?\.[0-9]+([eE][-+][0-9]+)?|[-+]?(0|[1-9][0-9]*)\.")

_MOST_WHOLE = 2**63 - 1
"""Go, for one, has 64 bits for a whole number."""

_MOST_DIGITS = 20

_SWITCH = re.compile(r"(y|yes|on)|n|no|off", re.IGNORECASE)
_EXPONENT = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+(\.[0-9]*)?")
_GROUPED = re.compile(r"(?=.*_)[-+]?[0-9][0-9_]*(\.[0-9_]*)?")
_OTHER_BASE = re.compile(r"[-+]?0(o[0-7]+|b[01_]+|x[0-9a-fA-F_]+)")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?")
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?"
    r"([ \t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?"
)
_NO_NUMBER = re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE)


@dataclass(frozen=True)
class Unclear:
    """A plain scalar that means different things to different readers."""

    problem: str
    fix: str


_TOO_LARGE = Unclear(
    "is a larger number than every reader keeps", "write it in quotes, if it is text"
)

Scalar = str | int | float | bool | None


def read(text: str) -> Scalar | Unclear:
    """The value of a plain (unquoted) scalar, or why it has none that can be relied on."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text) or _HEX.fullmatch(text):
        return _whole(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else _TOO_LARGE
    return _unclear(text) or text


def _whole(text: str) -> int | Unclear:
    # Python raises ValueError for a number of some thousand digits.
    number = int(text, 0) if len(text) <= _MOST_DIGITS else None
    return _TOO_LARGE if number is None or abs(number) > _MOST_WHOLE else number


def _unclear(text: str) -> Unclear | None:
    quoted = f'"{text}" in quotes for the text'
    if word := _SWITCH.fullmatch(text):
        meant = "true" if word[1] else "false"
        return Unclear(
            "is a boolean in YAML 1.1 and text in YAML 1.2", f"write {meant}, or {quoted}"
        )
    if _EXPONENT.fullmatch(text):
        return Unclear(
            "is text in YAML 1.1 and a number in YAML 1.2",
            f"write {_digits(text)}, or {quoted}",
        )
    if _LEADING_ZERO.fullmatch(text):
        return Unclear(
            "is octal in YAML 1.1 and decimal in YAML 1.2",
            f"write {_without_zeros(text)} for the number, or {quoted}",
        )
    if _OTHER_BASE.fullmatch(text) or _GROUPED.fullmatch(text):
        return Unclear(
            "is a number in only one of YAML 1.1 and 1.2", f"write plain digits, or {quoted}"
        )
    if _SEXAGESIMAL.fullmatch(text):
        return Unclear(
            "is a number to the base of 60 in YAML 1.1 and text in YAML 1.2", f"write {quoted}"
        )
    if _DATE.fullmatch(text):
        return Unclear("is a date in YAML 1.1 and text in YAML 1.2", f"write {quoted}")
    if _NO_NUMBER.fullmatch(text):
        return Unclear("is no number that JSON or Terraform has", f"write a number, or {quoted}")
    return None


def _digits(text: str) -> str:
    number = float(text)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return "all its digits for the number"


def _without_zeros(text: str) -> str:
    sign = text[0] if text[0] in "+-" else ""
    return sign + (re.sub("^0+(?=[0-9])", "", text.removeprefix(sign)))
