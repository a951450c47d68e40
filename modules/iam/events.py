"""The events that tell Karpenter that an instance will stop, and the rules that pass them on.

Sources: EventBridge's event references of EC2 and AWS Health; which of them a release reads, by
Karpenter's CloudFormation template.
"""

from __future__ import annotations

from dataclasses import dataclass

from modules.core.catalogue import Release
from modules.core.catalogue_file import section

TARGET_ID = "KarpenterInterruptionQueueTarget"
"""As in Karpenter's template; it need only be unique in its rule."""


@dataclass(frozen=True)
class EventRule:
    """A rule that passes one kind of event on to the queue.

    Args:
        id: its name in resource addresses.
        phrase: its part of the rule's name.
        source: who sends the event.
        detail_type: which of the sender's events it is.
    """

    id: str
    phrase: str
    source: str
    detail_type: str

    @property
    def pattern(self) -> dict[str, object]:
        """The event pattern."""
        return {"source": [self.source], "detail-type": [self.detail_type]}


def rules(release: Release) -> list[EventRule]:
    """The rules for the events that this release reads; none before it reads a queue."""
    return [
        EventRule(row["id"], row["phrase"], row["source"], row["detail_type"])
        for row in section("iam")["events"]
        if release.is_in(row["spans"])
    ]
