"""Plain YAML scalars: read where YAML 1.1 and 1.2 agree, refused with a fix where they do not."""

from __future__ import annotations

import pytest
import yaml

from modules.core.scalars import Unclear, read

AGREED = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "true": True,
    "False": False,
    "TRUE": True,
    "0": 0,
    "-0": 0,
    "+12": 12,
    "1000": 1000,
    "0x1F": 31,
    "1.5": 1.5,
    "-0.25": -0.25,
    "1.": 1.0,
    ".5": 0.5,
    "1.5e+3": 1500.0,
    "yes!": "yes!",
    "once": "once",
    "t3.large": "t3.large",
    "720h": "720h",
    "100m": "100m",
    "10%": "10%",
    "1.14.2": "1.14.2",
    "10.0.0.0/8": "10.0.0.0/8",
    "2001:db8::1": "2001:db8::1",
    "a_b": "a_b",
    "_1": "_1",
    "1_a": "1_a",
    "2024-01": "2024-01",
    "2024-01-31 was a day": "2024-01-31 was a day",
    "arn:aws:iam::111111111111:role/x": "arn:aws:iam::111111111111:role/x",
    ".information": ".information",
    "e3": "e3",
    "<<EOF": "<<EOF",
}

# Each with what the fix must say.
UNCLEAR = {
    "y": "true",
    "Yes": "true",
    "ON": "true",
    "n": "false",
    "no": "false",
    "No": "false",
    "off": "false",
    "1e3": "1000",
    "1E+3": "1000",
    "1.5e3": "1500",
    "-2e2": "-200",
    "1e-2": "all its digits",
    "1e400": "all its digits",
    "0123": "123",
    "-0123": "-123",
    "08": "8",
    "00": "0",
    "01.5": "1.5",
    "0o17": "plain digits",
    "0b101": "plain digits",
    "0x_1F": "plain digits",
    "1_000": "plain digits",
    "1_000.5": "plain digits",
    "12:30:45": "in quotes",
    "1:30": "in quotes",
    "2024-01-31": "in quotes",
    "2024-1-3 10:00:00": "in quotes",
    "2024-01-31T10:00:00Z": "in quotes",
    ".inf": "a number",
    "-.INF": "a number",
    ".NaN": "a number",
}


@pytest.mark.parametrize(("text", "value"), AGREED.items())
def test_a_scalar_that_all_read_alike_is_read(text: str, value: object) -> None:
    found = read(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", [text for text in AGREED if not text.startswith("0x")])
def test_pyyaml_which_reads_1_1_reads_it_alike(text: str) -> None:
    assert yaml.safe_load(f"[{text}]" if text else "~") in (AGREED[text], [AGREED[text]])


@pytest.mark.parametrize(("text", "fix"), UNCLEAR.items())
def test_a_scalar_that_some_read_differently_is_refused(text: str, fix: str) -> None:
    found = read(text)
    assert isinstance(found, Unclear)
    assert fix in found.fix
    assert f'"{text}" in quotes' in found.fix


@pytest.mark.parametrize("text", ["9223372036854775807", "-9223372036854775807", "0x7" + "f" * 15])
def test_the_largest_whole_numbers_are_read(text: str) -> None:
    assert read(text) == int(text, 0)


# Python itself refuses to read a number of 5,000 digits, and reads 1.0e+400 as infinite.
@pytest.mark.parametrize(
    "text",
    [
        *("9223372036854775808", "-9223372036854775808", "0x8000000000000000", "1.0e+400"),
        *("9" * 5000, "0x" + "f" * 5000, "9" * 5000 + ".0"),
    ],
)
def test_a_number_that_some_readers_would_change_is_refused(text: str) -> None:
    found = read(text)
    assert isinstance(found, Unclear)
    assert found.fix == "write it in quotes, if it is text"
