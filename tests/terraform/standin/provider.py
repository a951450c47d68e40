"""What a provider is to the protocol server. One instance is one provider configuration."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import Problem
from .planning import Plan
from .values import State
from .world import World


class Provider:
    """Errors are ``ProviderError``; everything else is a fault of the stand-in itself."""

    name: str
    # SDK providers may plan other than the configuration says; framework ones may not.
    legacy_type_system: bool

    def __init__(self, world: World) -> None:
        self.world = world

    def configure(self, config: State) -> None:
        raise NotImplementedError

    def validate(self, type_name: str, config: State, *, data: bool) -> Iterable[Problem]:
        raise NotImplementedError

    def plan_create(self, type_name: str, planned: State) -> State:
        raise NotImplementedError

    def plan_update(self, type_name: str, prior: State, planned: State, config: State) -> Plan:
        """:param planned: what Terraform proposes: the configuration over the prior state."""
        raise NotImplementedError

    def create(self, type_name: str, planned: State) -> State:
        raise NotImplementedError

    def read(self, type_name: str, state: State) -> State | None:
        """The refreshed state, None if the object is gone."""
        raise NotImplementedError

    def update(self, type_name: str, prior: State, planned: State) -> State:
        raise NotImplementedError

    def delete(self, type_name: str, state: State) -> None:
        raise NotImplementedError

    def imported(self, type_name: str, identifier: str) -> State:
        """The attributes that an import knows before the first read."""
        raise NotImplementedError

    def read_data(self, type_name: str, config: State) -> State:
        """The computed attributes of a data source."""
        raise NotImplementedError
