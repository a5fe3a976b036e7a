"""A small operator as people deploy one: `windlass run letter_operator.py`. Its letters say which pod wrote them."""

import logging
import os

from typing_extensions import override

from windlass import (
    Condition,
    Context,
    Field,
    Manager,
    ObjectMeta,
    Reconciler,
    Resource,
    Result,
    Spec,
    Status,
)
from windlass.kinds.core.v1 import ConfigMap

_log = logging.getLogger("letters")


class LetterSpec(Spec):
    """What is to be written."""

    text: str


class LetterStatus(Status):
    """What was written, and by whom."""

    length: int = 0
    writer: str = ""
    observed_generation: int | None = None
    conditions: list[Condition] = []


class Letter(Resource, group="letters.example.com", version="v1"):
    """A text that is kept in a ConfigMap."""

    spec: LetterSpec
    status: LetterStatus = Field(default_factory=LetterStatus)


class LetterController(Reconciler[Letter]):
    """Keeps a ConfigMap for each letter, in the name of a pod."""

    owns = (ConfigMap,)

    def __init__(self, pod: str) -> None:
        self._pod = pod

    @override
    async def reconcile(self, letter: Letter, ctx: Context) -> Result[LetterStatus]:
        meta = ObjectMeta(name=letter.metadata.name)
        await ctx.apply(ConfigMap(metadata=meta, data={"text": letter.spec.text}))
        return Result.ready(LetterStatus(length=len(letter.spec.text), writer=self._pod))


def add_to(manager: Manager) -> None:
    """Run the operator; whoever reads its log learns which process it is."""
    _log.info("letters are written by process %d", os.getpid())
    manager.add(LetterController(os.environ.get("HOSTNAME", "")))
