"""The stack that everything of this project stands in: plain Terraform addresses.

CDKTF appends a hash to the id of every nested construct. An address is what users see in plans,
write in `moved` blocks and pass to `terraform import`, so ours are made of the construct ids alone.
"""

from __future__ import annotations

import re
from typing import Any

from modules.cdk import Construct, TerraformElement, TerraformStack

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class PlainStack(TerraformStack):
    """A stack whose logical ids are the construct ids below it, joined by `_`.

    `-` in an id becomes `_`. What follows a dot in an id is left out of it: siblings in the tree
    need different ids, while resources of different types share one name in Terraform, so
    `interruption` and `interruption.policy` become `aws_sqs_queue.interruption` and
    `aws_sqs_queue_policy.interruption`.

    Args:
        scope: the app.
        id_: the stack's name.
        drop_first_step: leave the outermost construct out of the ids of what it holds. Published
            modules use it: what is `aws_iam_role.iam_node` in a cluster stack is
            `aws_iam_role.node` in the module that holds nothing but `iam`.

    Raises:
        ValueError: when an id is asked for which Terraform does not allow, or which another
            element of the same type has. CDKTF hands it on as `RuntimeError`.
    """

    def __init__(self, scope: Construct, id_: str, *, drop_first_step: bool = False) -> None:
        # Before the call: CDKTF may ask for ids while it builds the stack.
        self._drop_first_step = drop_first_step
        self._paths: dict[tuple[str, str], str] = {}
        super().__init__(scope, id_)

    def _allocate_logical_id(self, tf_element: Any) -> str:
        # An asset asks for the folder it goes into by its node.
        is_element = isinstance(tf_element, TerraformElement)
        path: str = tf_element.node.path if is_element else tf_element.path
        steps = path.removeprefix(f"{self.node.path}/").split("/")
        if self._drop_first_step and len(steps) > 1:
            steps = steps[1:]
        name = "_".join(step.partition(".")[0] for step in steps).replace("-", "_")
        if not _IDENTIFIER.fullmatch(name):
            raise ValueError(
                f'{path} gives the Terraform name "{name}". '
                "Names are letters, digits and underscores, and begin with no digit."
            )
        other = self._paths.setdefault((type(tf_element).__qualname__, name), path)
        if other != path:
            raise ValueError(
                f'{other} and {path} both give the Terraform name "{name}". Rename one of them.'
            )
        return name
