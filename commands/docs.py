"""Write the generated pages of docs/."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from stacks import versions_page
from stacks.lint import rules_page

ROOT: Final = Path(__file__).resolve().parents[1]

PAGES: Final[dict[str, Callable[[], str]]] = {
    "docs/rules.md": rules_page.page,
    "docs/versions.md": versions_page.page,
}
"""Each page by its path from the project's top, and what makes its text."""


def main(argv: Sequence[str], root: Path = ROOT) -> int:
    """Returns the exit code."""
    argparse.ArgumentParser(prog="pipenv run docs", description=__doc__).parse_args(argv)
    for path, text in PAGES.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text(), encoding="utf-8")
        print(f"Wrote {path}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
