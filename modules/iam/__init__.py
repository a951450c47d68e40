"""What Karpenter needs of AWS: roles, policies, queue, event rules and the nodes' access entry."""

from modules.iam.settings import IamOptions, IamSettings

__all__ = ["IamOptions", "IamSettings"]
