# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Field, MicroTime, Model, Resource


class LeaseSpec(Model):
    acquire_time: MicroTime | None = None
    holder_identity: str | None = None
    lease_duration_seconds: int | None = None
    lease_transitions: int | None = None
    preferred_holder: str | None = None
    renew_time: MicroTime | None = None
    strategy: str | None = None


class Lease(Resource, group="coordination.k8s.io", version="v1", plural="leases"):
    spec: LeaseSpec = Field(default_factory=LeaseSpec)
