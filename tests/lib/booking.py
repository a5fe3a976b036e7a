"""A kind whose Python type says more than a structural schema can."""

from itertools import count
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, field_validator, model_validator

from windlass.api import (
    Duration,
    Field,
    IntOrString,
    ListMap,
    Model,
    Quantity,
    Resource,
    Spec,
    Status,
    Time,
    parse_duration,
)

_TICKETS = count(1)


def next_ticket() -> str:
    """A ticket that nobody has yet."""
    return f"t{next(_TICKETS)}"


def is_even(number: int) -> int:
    """Refuse an odd number."""
    if number % 2:
        raise ValueError("must be even")
    return number


class Guest(Model):
    name: str
    seat: Annotated[int, AfterValidator(is_even)] = 0
    ticket: str = Field(default_factory=next_ticket)


class Hall(Model):
    code: str = Field(default_factory=next_ticket)
    color: str = "red"


class BookingSpec(Spec):
    title: str = Field(default="none", max_length=10)
    title_short: str = Field(default_factory=lambda known: known.get("title", "")[:3])
    size: Annotated[int, AfterValidator(is_even)] = 2
    sort: Literal["Open", "Closed"] = "Open"
    guests: Annotated[list[Guest], ListMap("name")] = Field(default=[], max_length=2)
    notes: dict[str, str] = {}
    ticket: str = Field(default_factory=next_ticket)
    hall: Hall = Field(default_factory=Hall)
    memory: Quantity | None = None
    lasts: Duration = parse_duration("1h")
    starts: Time | None = None
    port: IntOrString = 80
    alias: str | None = None

    @field_validator("title", mode="after")
    @classmethod
    def trimmed(cls, title: str) -> str:
        return title.strip()

    @field_validator("notes", mode="before")
    @classmethod
    def lower(cls, notes: Any) -> Any:
        return {key.lower(): value for key, value in notes.items()} if isinstance(notes, dict) else notes

    @model_validator(mode="after")
    def consistent(self) -> "BookingSpec":
        if len(self.guests) > self.size:
            raise ValueError("more guests than seats")
        if self.title == "secret":
            self.sort = "Closed"
        if self.alias == "":
            self.alias = None
        return self


class BookingStatus(Status):
    seen: str = Field(default_factory=next_ticket)


class Booking(Resource, group="booking.windlass.dev", version="v1"):
    """An evening."""

    spec: BookingSpec = Field(default_factory=BookingSpec)
    status: BookingStatus = Field(default_factory=BookingStatus)
