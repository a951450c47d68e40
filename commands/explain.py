"""Tell what a lint rule is about: why, since when, an example, how to suppress it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from stacks.lint import explain


def main(argv: Sequence[str]) -> int:
    """Returns 1 when a code is none, else 0."""
    parser = argparse.ArgumentParser(prog="pipenv run explain", description=__doc__)
    parser.add_argument("codes", nargs="*", metavar="CODE", help="KPT101; none lists them all")
    codes: list[str] = parser.parse_args(argv).codes
    if not codes:
        print(explain.listed())
    texts = {code: explain.explained(code) for code in codes}
    for text in texts.values():
        if text is not None:
            print(text, end="\n\n" if len(codes) > 1 else "\n")
    unknown = [code for code, text in texts.items() if text is None]
    for code in unknown:
        print(explain.not_known(code), file=sys.stderr)
    return int(bool(unknown))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
