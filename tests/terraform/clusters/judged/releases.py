"""The releases at which what an apply leaves behind is judged: those that read the examples.

The examples are written in v1. Clusters of older generations are in `generations.yaml`; `tests/iam`
and `tests/conformance` hold the documents and objects of every release against upstream's.
"""

from __future__ import annotations

import pytest

from modules.core.catalogue import RELEASES, Api, Version, newest_of
from tests.terraform.clusters.judged.decisions import BOUNDARIES

LINES = list(dict.fromkeys(r.line for r in RELEASES.values() if r.api is Api.V1))
NEWEST_OF_LINES = [release.version for line in LINES if (release := newest_of(line))]
VERSIONS = sorted({*NEWEST_OF_LINES, *BOUNDARIES}, key=Version.of)

# Of the session, so that pytest puts the tests of one release next to each other.
every_release = pytest.mark.parametrize("version", VERSIONS, scope="session")
"""Decorator: for the newest release of every line, and for those that decide otherwise."""

every_line = pytest.mark.parametrize("version", NEWEST_OF_LINES, scope="session")
"""Decorator: for the newest release of every line."""
