from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from windlass.api.model import Model
from windlass.api.time import Time


class Condition(Model):
    """One aspect of an object's state, in the common form (`metav1.Condition`)."""

    type: str
    status: Literal["True", "False", "Unknown"] = "Unknown"
    observed_generation: int | None = None
    last_transition_time: Time | None = None
    reason: str = ""
    message: str = ""


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
    same_status = old.status == new.status
    moved = old.last_transition_time if same_status else new.last_transition_time or now
    updated = new.model_copy(update={"last_transition_time": moved})
    conditions[conditions.index(old)] = updated
    return updated.to_wire() != old.to_wire()
