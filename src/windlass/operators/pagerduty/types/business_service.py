from typing import Annotated, Literal

from windlass.api import Cel, Definition, ExactlyOneOf, Field, Json, Resource, Wire
from windlass.operators.pagerduty.types.shared import GROUP, PagerDutySpec, PagerDutyStatus, Part, columns

_BUSINESS_SAMPLE: Json = {
    "name": "Shopping",
    "description": "Everything that a customer needs to buy something",
    "point_of_contact": "shop@example.com",
    "supporting_services": [{"ref": "pagerdutyservice-sample"}],
}


class SupportingService(
    Part,
    markers=(
        ExactlyOneOf("ref", "business_ref", "id"),
        Cel("!has(self.type) || has(self.id)", message="type belongs to an id"),
    ),
):
    """What a business service rests on: one of ours by its name, or any by its id."""

    ref: Annotated[str, Field(min_length=1)] | None = None
    """The name of a PagerdutyService, or `namespace/name`."""
    business_ref: Annotated[str, Field(min_length=1)] | None = None
    """The name of a BusinessService, or `namespace/name`."""
    id: Annotated[str, Field(min_length=1)] | None = None
    """The id of any service in PagerDuty."""
    type: Literal["service", "business_service"] | None = None
    """What has this id; a service unless it is said."""


class BusinessServiceSpec(PagerDutySpec):
    """What people outside of engineering know by a name."""

    point_of_contact: str | None = None
    """Whom to ask about it."""
    team: str | None = None
    """The id of a team; empty for none."""
    supporting_services: list[SupportingService] | None = None
    """All that it rests on; without the list, dependencies are left as they are."""


class Dependency(Part):
    """A service that a business service rests on, as PagerDuty knows it."""

    id: str
    """Its id in PagerDuty."""
    type: str
    """Whether it is a service or a business service."""


class BusinessServiceStatus(PagerDutyStatus):
    """What became of a business service."""

    business_service_id: str = ""
    """The id that PagerDuty gave to it."""
    misspelt_id: Annotated[str | None, Wire("business_service_id ")] = None
    """How the id was once written, with a blank at the end: read, and never written."""
    supporting_services: list[Dependency] = []
    """What it rests on in PagerDuty because of this object."""

    @property
    def upstream_id(self) -> str:
        """The id of the business service, in whichever spelling it is stored."""
        return self.business_service_id or self.misspelt_id or ""

    @upstream_id.setter
    def upstream_id(self, value: str) -> None:
        self.business_service_id = value
        self.misspelt_id = None


class BusinessService(
    Resource,
    group=GROUP,
    version="v1alpha1",
    definition=Definition(
        short_names=("pdbs",),
        categories=("pagerduty",),
        columns=columns("business_service_id"),
    ),
):
    """A business service in PagerDuty: what people outside of engineering know, and what it rests on."""

    spec: BusinessServiceSpec = Field(default_factory=BusinessServiceSpec, examples=[_BUSINESS_SAMPLE])
    status: BusinessServiceStatus = Field(default_factory=BusinessServiceStatus)
