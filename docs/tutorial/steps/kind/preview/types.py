from datetime import timedelta
from typing import Annotated

from windlass import Column, Condition, Definition, Duration, Field, ListMap, Resource, Spec, Status, Time


class PreviewSpec(Spec):
    """What to show."""

    image: Annotated[str, Field(min_length=1, examples=["example.com/shop:pr-42"])]
    """The image, with its tag."""

    port: int = Field(default=8080, ge=1, le=65535)
    """Where it listens."""

    replicas: int = Field(default=1, ge=1, le=3)
    ttl: Duration = timedelta(days=3)
    """For how long it is shown, counted from its creation."""


class PreviewStatus(Status):
    """What was seen."""

    url: str = ""
    ready_replicas: int = 0
    expires: Time | None = None
    observed_generation: int | None = None
    conditions: Annotated[list[Condition], ListMap("type")] = []


class Preview(
    Resource,
    group="demo.example.com",
    version="v1",
    definition=Definition(
        columns=(
            Column("URL", ".status.url"),
            Column("Ready", ".status.conditions[?(@.type=='Ready')].reason"),
            Column("Expires", ".status.expires"),
        ),
    ),
):
    """A pull request, running."""

    spec: PreviewSpec
    status: PreviewStatus = Field(default_factory=PreviewStatus)
