"""A kind for the tests of simulations."""

from windlass.api import Condition, Field, Resource, Spec, Status


class ShopSpec(Spec):
    """What is wanted."""

    size: int = 1


class ShopStatus(Status):
    """What is."""

    entry: str = ""
    approved: bool = False
    looked_at: str = ""
    observed_generation: int | None = None
    conditions: list[Condition] = []


class Shop(Resource, group="test.windlass.dev", version="v1"):
    """Something that has to be known in several places."""

    spec: ShopSpec = Field(default_factory=ShopSpec)
    status: ShopStatus = Field(default_factory=ShopStatus)
