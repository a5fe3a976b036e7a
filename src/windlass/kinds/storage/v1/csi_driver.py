# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model, Resource


class TokenRequest(Model):
    audience: str
    expiration_seconds: int | None = None


class CSIDriverSpec(Model):
    attach_required: bool | None = None
    fs_group_policy: str | None = None
    node_allocatable_update_period_seconds: int | None = None
    pod_info_on_mount: bool | None = None
    prevent_pod_scheduling_if_missing: bool | None = None
    requires_republish: bool | None = None
    se_linux_mount: bool | None = None
    service_account_token_in_secrets: bool | None = None
    storage_capacity: bool | None = None
    token_requests: list[TokenRequest] = []
    volume_lifecycle_modes: list[str] = []


class CSIDriver(Resource, group="storage.k8s.io", version="v1", plural="csidrivers", namespaced=False):
    spec: CSIDriverSpec
