"""The kind that foreign operators keep in the tests: the programs in tests/oracle know it by its wire format."""

from windlass.api import Condition, Field, Resource, Spec, Status


class SiteSpec(Spec):
    """What a site is to be."""

    image: str
    replicas: int = 1
    secret_name: str = ""


class SiteStatus(Status):
    """What a site is."""

    ready_replicas: int = 0
    colour: str = ""
    conditions: list[Condition] = []


class Site(Resource, group="operator.example.com", version="v1"):
    """Something that is served from a Deployment."""

    spec: SiteSpec
    status: SiteStatus = Field(default_factory=SiteStatus)
