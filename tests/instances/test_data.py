"""What is known of instance types: as it is distilled, and right for types that everybody knows."""

from __future__ import annotations

import re

import pytest

from commands.distil_instances import content
from modules.provisioners.instances import data

# name: vCPUs, memory in GiB, most pods, architecture, GPUs, bare metal
KNOWN = {
    "t3.nano": (2, 0.5, 4, "amd64", None, False),
    "m5.large": (2, 8, 29, "amd64", None, False),
    "m6g.xlarge": (4, 16, 58, "arm64", None, False),
    "g4dn.xlarge": (4, 16, 29, "amd64", "t4", False),
    "p4d.24xlarge": (96, 1152, 737, "amd64", "a100", False),
    "m5.metal": (96, 384, 737, "amd64", None, True),
}


def test_the_committed_file_is_what_is_distilled() -> None:
    date = re.fullmatch(r"moto [\d.]+, (\d{4}-\d{2}-\d{2})", data.source())
    assert date is not None
    assert content(date[1]) == data.PATH.read_bytes()


@pytest.mark.parametrize("name", KNOWN)
def test_a_type_is_as_everybody_knows_it(name: str) -> None:
    found = data.types()[name]
    assert (
        found.cpus,
        found.memory / 1024,
        found.most_pods,
        found.labels["kubernetes.io/arch"],
        found.labels.get(data.GPU_NAME),
        found.bare_metal,
    ) == KNOWN[name]


def test_places_offer_known_types_and_unknown_places_nothing() -> None:
    assert "m5.large" in (data.offered("us-west-2") or ())
    assert data.offered("us-west-9") is None
    for region in data.regions():
        of_region = data.offered(region) or frozenset()
        assert of_region
        assert all((data.offered(zone) or frozenset()) <= of_region for zone in data.zones(region))
