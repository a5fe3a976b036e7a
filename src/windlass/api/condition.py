import re
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import Field
from typing_extensions import override

from windlass.api.marker import Required
from windlass.api.model import Model
from windlass.api.time import Time
from windlass.api.wire import Json

UNOBSERVED: Final = -1
"""The `observedGeneration` of a status before the first reconcile: the default in generated definitions."""

_LONGEST_REASON = 1024
_REASON = r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
_TYPE = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)


class Condition(Model):
    """One aspect of an object's state, in the common form (`metav1.Condition`).

    Its message is always written, and `set_condition` sets the time: a server demands both.
    """

    type: Annotated[str, Field(max_length=316, pattern=_TYPE)]
    status: Literal["True", "False", "Unknown"]
    observed_generation: Annotated[int, Field(ge=0)] | None = None
    last_transition_time: Annotated[Time | None, Required()] = None
    reason: Annotated[str, Field(min_length=1, max_length=_LONGEST_REASON, pattern=_REASON)]
    message: Annotated[str, Field(max_length=32768), Required()] = ""

    @override
    def to_wire(self) -> Json:
        return super().to_wire() | {"message": self.message}


def is_reason(text: object) -> bool:
    """Whether something can be the reason of a condition: one word, such as `SecretMissing`."""
    return isinstance(text, str) and len(text) <= _LONGEST_REASON and bool(re.fullmatch(_REASON, text))


def find_condition(conditions: Iterable[Condition], type_: str) -> Condition | None:
    """The condition of this type, if there is one."""
    return next((condition for condition in conditions if condition.type == type_), None)


def set_condition(conditions: list[Condition], new: Condition, now: datetime) -> bool:
    """Put a condition into a list, and tell whether that changed anything.

    The transition time moves only when the status does: a new reason or message keeps the old time.
    """
    old = find_condition(conditions, new.type)
    if old is None:
        conditions.append(new.model_copy(update={"last_transition_time": new.last_transition_time or now}))
        return True
    stays = old.last_transition_time if old.status == new.status else None
    moved = stays or new.last_transition_time or now
    beyond = {**(old.model_extra or {}), **(new.model_extra or {})}  # fields of others' making stay
    updated = new.model_copy(update={"last_transition_time": moved, **beyond})
    conditions[conditions.index(old)] = updated
    return updated.to_wire() != old.to_wire()
