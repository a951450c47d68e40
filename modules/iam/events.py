"""The events that tell Karpenter that an instance will stop, and the rules that pass them on.

Sources: EventBridge's event references of EC2 and AWS Health; which of them a release reads, by
Karpenter's CloudFormation template.
"""

from __future__ import annotations

from dataclasses import dataclass

from modules.core.catalogue import Capability, Release

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
        needs: what a release must have to read it; None where all do.
    """

    id: str
    phrase: str
    source: str
    detail_type: str
    needs: Capability | None = None

    @property
    def pattern(self) -> dict[str, object]:
        """The event pattern."""
        return {"source": [self.source], "detail-type": [self.detail_type]}


_RULES = (
    EventRule("health_event", "HealthEvent", "aws.health", "AWS Health Event"),
    EventRule(
        "spot_interruption",
        "SpotInterruption",
        "aws.ec2",
        "EC2 Spot Instance Interruption Warning",
    ),
    EventRule("rebalance", "Rebalance", "aws.ec2", "EC2 Instance Rebalance Recommendation"),
    EventRule(
        "instance_state_change",
        "InstanceStateChange",
        "aws.ec2",
        "EC2 Instance State-change Notification",
    ),
    EventRule(
        "capacity_reservation_interruption",
        "CapacityReservationInterruption",
        "aws.ec2",
        "EC2 Capacity Reservation Instance Interruption Warning",
        needs=Capability.CAPACITY_RESERVATION_INTERRUPTION,
    ),
)


def rules(release: Release) -> list[EventRule]:
    """The rules for the events that this release reads."""
    return [rule for rule in _RULES if rule.needs is None or release.has(rule.needs)]
