"""A kind for the tests of the runtime."""

from windlass.api import Condition, Field, Resource, Spec, Status


class WidgetSpec(Spec):
    """What is wanted."""

    size: int = 1
    secret_name: str = ""
    color: str = ""


class WidgetStatus(Status):
    """What is."""

    size: int = 0
    note: str = ""
    observed_generation: int | None = None
    conditions: list[Condition] = []


class Widget(Resource, group="test.windlass.dev", version="v1"):
    """A thing with a size."""

    spec: WidgetSpec = Field(default_factory=WidgetSpec)
    status: WidgetStatus = Field(default_factory=WidgetStatus)


class PlainStatus(Status):
    """A status that says nothing about conditions."""

    size: int = 0


class Plain(Resource, group="test.windlass.dev", version="v1"):
    """A thing whose status has no conditions."""

    status: PlainStatus = Field(default_factory=PlainStatus)
