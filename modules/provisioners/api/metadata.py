"""The metadata of every Kubernetes object, as the API server takes it.

Source: Kubernetes' ObjectMeta (v1) and its validation.
"""

from __future__ import annotations

from typing import Annotated, Any

from modules.core.inputs import Settings
from modules.provisioners.api.fields import (
    ANNOTATION_KEY,
    LABEL_KEY,
    SUBDOMAIN_253,
    LabelValue,
)


class ObjectMeta(Settings):
    """What a manifest says of its object beside the spec."""

    name: Annotated[str, SUBDOMAIN_253] | None = None
    """Name of the object."""

    generate_name: str | None = None
    """Beginning of a name that the API server makes."""

    namespace: str | None = None
    """Namespace of the object; objects of the cluster have none."""

    labels: dict[Annotated[str, LABEL_KEY], LabelValue] | None = None
    """Labels of the object."""

    annotations: dict[Annotated[str, ANNOTATION_KEY], str] | None = None
    """Annotations of the object."""

    finalizers: list[str] | None = None
    """What must be done before the object goes."""

    owner_references: list[Any] | None = None
    """Objects that it goes with."""

    managed_fields: list[Any] | None = None
    """Who manages which field."""

    uid: str | None = None
    """Id of the object; the API server makes it."""

    resource_version: str | None = None
    """Version of the object; the API server makes it."""

    generation: int | None = None
    """How often the spec changed; the API server counts it."""

    creation_timestamp: str | None = None
    """When the object was made."""

    deletion_timestamp: str | None = None
    """When its deletion began."""

    deletion_grace_period_seconds: int | None = None
    """How long its deletion may take, in seconds."""

    self_link: str | None = None
    """Unused since Kubernetes 1.20."""
