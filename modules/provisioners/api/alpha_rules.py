"""Rules on Provisioners and AWSNodeTemplates that need more than one value.

They are those of Karpenter's admission webhook of that time; the CRDs had none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.provisioners.api.label_rules import RESTRICTED_DOMAINS, known_labels
from modules.provisioners.api.rules import SpecRule, has, listed

_NUMERIC = ("Gt", "Lt")
_IDS = ("aws-ids", "aws::ids")
_ID = {"subnetSelector": "subnet-", "securityGroupSelector": "sg-", "amiSelector": "ami-"}
_TEMPLATE_ALONE = (
    *("securityGroupSelector", "metadataOptions", "amiFamily", "instanceProfile"),
    *("blockDeviceMappings", "userData", "amiSelector"),
)
_MANAGED_BY = "karpenter.sh/managed-by"
_RESTRICTED_TAGS = (names.PROVISIONER_LABEL, _MANAGED_BY)
_CLUSTER_TAG = names.CLUSTER_TAG_PREFIX.rstrip("/")
_TAGS_SINCE = "0.28.0"
_IDS_ALONE_SINCE = "0.30.0"
