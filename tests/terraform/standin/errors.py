"""How a call of the stand-in ends badly."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One fault found by validation, at an attribute ("" is the whole resource)."""

    attribute: str
    message: str


class ProviderError(Exception):
    """Becomes a Terraform error diagnostic."""

    def __init__(self, summary: str, detail: str = "", attribute: str = "") -> None:
        super().__init__(f"{summary}: {detail}" if detail else summary)
        self.summary = summary
        self.detail = detail
        self.attribute = attribute


class AwsError(Exception):
    """An error of an AWS service that moto does not make."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Gone(Exception):
    """The object is not there any more."""
