"""Kinds of many forms, for each of which a sample can be made."""

from datetime import date, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import create_model

from windlass.api import (
    AllowFloat,
    AtLeastOneOf,
    Base64,
    Cel,
    Duration,
    Embedded,
    ExactlyOneOf,
    Field,
    Format,
    IntOrString,
    LabelSelector,
    ListMap,
    Model,
    ObjectMeta,
    PreserveUnknown,
    Quantity,
    Resource,
    Schemaless,
    Spec,
    Time,
)

FORMATS = (
    "byte", "cidr", "date", "date-time", "datetime", "duration", "email", "hexcolor", "hostname", "ipv4", "ipv6",
    "mac", "rgbcolor", "uri", "uuid", "uuid4",
)  # fmt: skip


class Mode(StrEnum):
    FAST = "Fast"
    SAFE = "Safe"


class Port(Model):
    port: int
    protocol: str = "TCP"
    name: str | None = None


class Target(Model, markers=(ExactlyOneOf("host", "socket"),)):
    host: str | None = None
    socket: str | None = None


class Selection(Model, markers=(AtLeastOneOf("names", "labels"),)):
    names: list[str] | None = None
    labels: dict[str, str] | None = None
    all_: bool | None = None


class Nothing(Spec):
    note: str | None = None


class Scalars(Spec):
    text: str
    flag: bool
    whole: int
    ratio: Annotated[float, AllowFloat()]
    mode: Mode
    level: Literal[3, 1]
    when: Time
    day: date
    data: Base64
    amount: Quantity
    port: IntOrString
    timeout: Duration = Field(examples=[timedelta(seconds=90)])
    anything: Any
    free: Annotated[dict[str, int], Schemaless()]


class Bounds(Spec):
    least: int = Field(ge=7)
    more: int = Field(gt=7)
    most: int = Field(le=-3)
    less: int = Field(lt=0)
    between: int = Field(gt=4, lt=6)
    steps: int = Field(ge=7, multiple_of=5)
    fraction: Annotated[float, AllowFloat()] = Field(gt=0, lt=0.5)
    below: Annotated[float, AllowFloat()] = Field(lt=-1)
    tenth: Annotated[float, AllowFloat()] = Field(ge=0.25, multiple_of=0.5)
    long: str = Field(min_length=20)
    short: str = Field(max_length=3)
    exact: str = Field(min_length=5, max_length=5)
    matched: str = Field(pattern="^[a-z]{3}-[0-9]+$", examples=["abc-1"])
    narrow: int = Field(gt=0, lt=2)


class Containers(Spec):
    texts: list[str] = Field(min_length=2)
    single: set[str] = Field(min_length=1)
    ports: Annotated[list[Port], ListMap("port", "protocol")] = Field(min_length=1)
    different: set[str] = Field(min_length=2, examples=[["a", "b"]])
    labels: dict[str, str] = Field(min_length=2)
    quotas: dict[str, Quantity] = Field(min_length=1)
    grid: list[list[int]] = Field(min_length=1)
    empty: list[str]


class Nested(Spec):
    target: Target
    selection: Selection
    template: Annotated[dict[str, Any], Embedded()]
    metadata: ObjectMeta
    selector: LabelSelector
    extra: Annotated[Port, PreserveUnknown()]
    ports: list[Port] = [Port(port=80)]
    optional: Target | None = None


class Ruled(Spec, markers=(Cel("self.low < self.high", message="low must be below high"),)):
    low: int = Field(default=1, examples=[2])
    high: int = Field(default=2, examples=[3])
    inner: Nothing = Field(default_factory=Nothing)


def sampled(group: str) -> dict[str, type[Resource]]:
    """Every kind, by its name."""

    class Empty(Resource, group=group, version="v1"):
        spec: Nothing = Field(default_factory=Nothing)

    class Scalar(Resource, group=group, version="v1"):
        spec: Scalars

    class Bound(Resource, group=group, version="v1"):
        spec: Bounds

    class Container(Resource, group=group, version="v1"):
        spec: Containers

    class Nest(Resource, group=group, version="v1"):
        spec: Nested

    class Rule(Resource, group=group, version="v1"):
        spec: Ruled = Field(default_factory=Ruled)

    class Flat(Resource, group=group, version="v1", namespaced=False):
        data: dict[str, str] = Field(min_length=1)

    kinds: list[type[Resource]] = [Empty, Scalar, Bound, Container, Nest, Rule, Flat]
    return {kind.__name__: kind for kind in (*kinds, formatted(group))}


def formatted(group: str) -> type[Resource]:
    """A kind with a text of each format that the API server knows."""
    fields: dict[str, Any] = {name.replace("-", "_"): (Annotated[str, Format(name)], ...) for name in FORMATS}
    formats = create_model("Formats", __base__=Spec, **fields)

    class Formatted(Resource, group=group, version="v1"):
        spec: formats  # type: ignore[valid-type]

    return Formatted
