# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Field, Model, Resource, Time


class ExemptPriorityLevelConfiguration(Model):
    lendable_percent: int | None = None
    nominal_concurrency_shares: int | None = None


class QueuingConfiguration(Model):
    hand_size: int | None = None
    queue_length_limit: int | None = None
    queues: int | None = None


class LimitResponse(Model):
    queuing: QueuingConfiguration | None = None
    type: str


class LimitedPriorityLevelConfiguration(Model):
    borrowing_limit_percent: int | None = None
    lendable_percent: int | None = None
    limit_response: LimitResponse | None = None
    nominal_concurrency_shares: int | None = None


class PriorityLevelConfigurationSpec(Model):
    exempt: ExemptPriorityLevelConfiguration | None = None
    limited: LimitedPriorityLevelConfiguration | None = None
    type: str


class PriorityLevelConfigurationCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str | None = None
    type: str | None = None


class PriorityLevelConfigurationStatus(Model):
    conditions: list[PriorityLevelConfigurationCondition] = []


class PriorityLevelConfiguration(Resource, group="flowcontrol.apiserver.k8s.io", version="v1", plural="prioritylevelconfigurations", namespaced=False, subresources=('status',)):
    spec: PriorityLevelConfigurationSpec
    status: PriorityLevelConfigurationStatus = Field(default_factory=PriorityLevelConfigurationStatus)
