# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model, Resource


class Preconditions(Model):
    resource_version: str | None = None
    uid: str | None = None


class DeleteOptions(Model):
    api_version: str | None = None
    dry_run: list[str] = []
    grace_period_seconds: int | None = None
    ignore_store_read_error_with_cluster_breaking_potential: bool | None = None
    kind: str | None = None
    orphan_dependents: bool | None = None
    preconditions: Preconditions | None = None
    propagation_policy: str | None = None


class Eviction(Resource, group="policy", version="v1", plural="eviction"):
    delete_options: DeleteOptions | None = None
