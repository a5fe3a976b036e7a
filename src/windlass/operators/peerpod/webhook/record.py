"""What was taken away from a pod, noted on it, so that whoever looks at it again knows what it asked for.

An API server may ask a webhook twice, when another one has changed the pod in between: it may have added a
container, and defaults of the namespace may have come back to those that had been emptied. Without a note,
the second time would see a pod that asks for almost nothing.
"""

from typing import Annotated, Final

import orjson

from windlass.api import Json, Model, Wire
from windlass.errors import UndecodableError, WindlassError
from windlass.kinds.core.v1 import Pod, ResourceRequirements

NOTE: Final = "kata.peerpods.io/original-resources"
"""The annotation that has the note."""


class UnsizableError(WindlassError):
    """There is no machine for this pod; the message says what to change."""


class Taken(Model):
    """What each container and the pod as a whole asked for, and the annotations that were made of it."""

    containers: dict[str, ResourceRequirements] = {}
    whole: Annotated[ResourceRequirements | None, Wire("pod")] = None
    annotations: dict[str, str] = {}

    @classmethod
    def of(cls, pod: Pod) -> "Taken":
        """The note on a pod; an empty one where there is none.

        Raises:
            UnsizableError: there is something else in its place.
        """
        text = pod.metadata.annotations.get(NOTE)
        if text is None:
            return cls()
        try:
            return cls.from_wire(_object(text))
        except (ValueError, UndecodableError) as error:
            raise UnsizableError(f"annotation {NOTE} was not written here: remove it ({error})") from error

    def text(self) -> str:
        """The note as it is written; empty where nothing has to be noted."""
        content = {name: value for name, value in self.to_wire().items() if value}
        return orjson.dumps(content, option=orjson.OPT_SORT_KEYS).decode() if content else ""


def _object(text: str) -> Json:
    found = orjson.loads(text)
    if not isinstance(found, dict):
        raise ValueError(f"{text} is no JSON object")  # noqa: TRY004 - as the parser's own
    return found
