"""Fixtures that run real Terraform offline, against the stand-in provider of ``standin/``.

    from tests.terraform.standin.terraform import both_engines

    @both_engines                                     # without it: Terraform on PATH, if any
    def test_queue_is_made_and_removed(standin, terraform, tmp_path):
        standin.eks_cluster("demo", version="1.34")   # what data.aws_eks_cluster finds
        tf = terraform(tmp_path)                      # a directory with *.tf or *.tf.json
        tf.init()
        plan = tf.plan(variables={"name": "demo"})    # actions, change(address), empty
        tf.apply(variables={"name": "demo"})
        assert standin.client("sqs").list_queues()["QueueUrls"]
        assert tf.plan(variables={"name": "demo"}).empty
        tf.destroy(variables={"name": "demo"})
        assert standin.leftovers() == []

``terraform(directory).killed("apply", "create", "aws_sqs_queue", when="after")`` kills Terraform
at a provider call. ``standin.faults.fail("create", "aws_iam_role", nth=2)`` makes a call fail.
``standin.kubernetes.release("karpenter").values`` and ``.objects`` show what Helm was given.
``standin.leave_node_claims("default")`` makes the deletion of that EC2NodeClass time out.
``standin.log.changes()`` lists creates, updates and deletes with their time order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.terraform.standin.aws.mock import mocked_aws
from tests.terraform.standin.engines import default_engine
from tests.terraform.standin.server import Servers
from tests.terraform.standin.standin import Standin
from tests.terraform.standin.terraform import Terraform
from tests.terraform.standin.world import World

MakeTerraform = Callable[..., Terraform]


@pytest.fixture(scope="session")
def standin_servers() -> Iterator[tuple[World, Servers]]:
    """The provider servers, shared by all tests of this process."""
    world = World()
    servers = Servers(world)
    yield world, servers
    servers.stop()


@pytest.fixture
def standin(standin_servers: tuple[World, Servers]) -> Iterator[Standin]:
    """A fresh outside world: AWS (moto), clusters, Helm releases, log and faults."""
    world, servers = standin_servers
    world.reset()
    with mocked_aws():
        yield Standin(world, servers)
        world.log.wait_until_quiet()


@pytest.fixture
def terraform(request: pytest.FixtureRequest, standin: Standin) -> MakeTerraform:
    """Makes a ``Terraform`` for a directory; ``environment`` replaces the re-attached providers."""
    engine = getattr(request, "param", default_engine())
    if engine == "path" and default_engine() != "path":
        pytest.skip("no Terraform on PATH that is new enough; the embedded one is tested instead")

    def make(directory: Path, environment: Mapping[str, str] | None = None) -> Terraform:
        reattached = {"TF_REATTACH_PROVIDERS": standin.servers.reattach()}
        return Terraform(directory, standin.world, environment or reattached, engine=engine)

    return make
