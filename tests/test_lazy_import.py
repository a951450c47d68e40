"""Provider packages load lazily, and nobody can tell but by the clock.

Each case runs in a process of its own, because an import cannot be undone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from modules.runtime.node import EAGER_VARIABLE

ROOT = Path(__file__).parent.parent

APP = """
import sys
from modules.cdk import App, AwsProvider, IamRole, SqsQueue, TerraformOutput, TerraformStack

app = App(outdir=sys.argv[1])
stack = TerraformStack(app, "stack")
AwsProvider(stack, "aws", region="us-west-2")
role = IamRole(stack, "role", name="role", assume_role_policy="{}")
SqsQueue(stack, "queue", name="queue", tags={"role": role.arn})
TerraformOutput(stack, "arn", value=role.arn)
app.synth()
"""


def python(program: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if k not in (EAGER_VARIABLE, "NODE_OPTIONS")}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env={**clean, **environ},
        capture_output=True,
        text=True,
        check=True,
    )


def lines(program: str, **environ: str) -> list[str]:
    return python(f"import modules.cdk\n{program}", **environ).stdout.splitlines()


def test_only_the_submodules_that_the_facade_names_are_loaded() -> None:
    loaded = lines(
        "import sys\n"
        "names = [n for n in sys.modules if n.startswith('cdktf_cdktf_provider_aws.')]\n"
        "print(len([n for n in names if n.count('.') == 1]))"
    )
    assert 0 < int(loaded[0]) < 40


def test_importing_the_facade_leaves_the_environment_as_it_was() -> None:
    program = "import os\nb = dict(os.environ)\nimport modules.cdk\nprint(b == dict(os.environ))"
    assert python(program).stdout == "True\n"


def test_nothing_is_said_on_stderr(tmp_path: Path) -> None:
    assert python(APP, str(tmp_path)).stderr == ""


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        (
            "from cdktf_cdktf_provider_aws.s3_bucket import S3Bucket as B\nprint(B.__name__)",
            "S3Bucket",
        ),
        (
            "from cdktf_cdktf_provider_aws import s3_bucket as m\nprint(m.S3Bucket.__name__)",
            "S3Bucket",
        ),
        (
            "import cdktf_cdktf_provider_aws as aws\nprint(aws.s3_bucket.S3Bucket.__name__)",
            "S3Bucket",
        ),
        (
            "import importlib.resources as r, cdktf_cdktf_provider_aws as aws\n"
            "print(r.files(aws).joinpath('py.typed').is_file())",
            "True",
        ),
        (
            "import inspect, cdktf_cdktf_provider_helm as helm\n"
            "print('import' in inspect.getsource(helm))",
            "True",
        ),
        (
            "from modules.runtime import lazy_provider\nimport sys\nn = len(sys.meta_path)\n"
            "lazy_provider.install('x')\nprint(len(sys.meta_path) - n)",
            "0",
        ),
    ],
    ids=[
        "a name of a submodule",
        "a submodule",
        "an attribute of the package",
        "a resource of the package",
        "the source of the package",
        "installing twice",
    ],
)
def test_a_lazy_package_behaves_like_a_plain_one(program: str, printed: str) -> None:
    assert lines(program) == [printed]


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("import cdktf_cdktf_provider_aws as aws; aws.no_such", "AttributeError"),
        ("from cdktf_cdktf_provider_aws import no_such", "ImportError"),
        ("import cdktf_cdktf_provider_aws.no_such", "ModuleNotFoundError"),
        ("import cdktf_cdktf_provider_aws as aws; aws.__no_such__", "AttributeError"),
    ],
)
def test_an_unknown_name_is_refused_as_ever(statement: str, error: str) -> None:
    program = f"try:\n    {statement}\nexcept Exception as e:\n    print(type(e).__name__)"
    assert lines(program) == [error]


def test_a_wrong_argument_is_still_refused_by_the_bindings() -> None:
    program = (
        "from modules.cdk import IamRole, Testing, TerraformStack\n"
        "s = TerraformStack(Testing.app(), 's')\n"
        "try:\n    IamRole(s, 'r', assume_role_policy=1)\n"
        "except TypeError as e:\n    print('assume_role_policy' in str(e))"
    )
    assert lines(program) == ["True"]


def timed(out: Path, **environ: str) -> float:
    out.mkdir(exist_ok=True)
    start = time.monotonic()
    python(APP, str(out), **environ)
    return time.monotonic() - start


@pytest.mark.slow
def test_a_lazy_process_takes_less_than_a_quarter_of_an_eager_one(tmp_path: Path) -> None:
    """And writes the same. One measurement each, after a first run that fills jsii's cache."""
    timed(tmp_path / "lazy")
    lazy = timed(tmp_path / "lazy")
    eager = timed(tmp_path / "eager", **{EAGER_VARIABLE: "1"})
    written = [(tmp_path / name / "stacks/stack/cdk.tf.json") for name in ("lazy", "eager")]
    assert written[0].read_bytes() == written[1].read_bytes()
    assert lazy < 0.25 * eager, f"{lazy:.1f} s lazily, {eager:.1f} s eagerly"
