from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from windlass.apiserver.refusal import Refusal
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.world import World

T = TypeVar("T")

_MOST_QUESTIONS: Final = 256
"""After so many, whoever answers changes their mind, or others write the object faster than it is judged."""


class Question(Protocol):
    """Something to ask outside. Questions of one `key` have one answer, as long as a request lasts."""

    @property
    def key(self) -> Hashable:
        """What makes the question another one: whom it is put to, and everything that they are told."""

    async def ask(self, world: World) -> Any:
        """Put the question. What goes wrong is an answer too: it is for who wanted to know to judge it."""


class Unanswered(WindlassError):
    """A verb cannot go on without an answer: find it, and begin anew."""

    def __init__(self, question: Question) -> None:
        super().__init__(f"not answered yet: {question.key}")
        self.question = question


class Answers:
    """What was answered during one request."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Hashable, Any] = {}

    def of(self, question: Question) -> Any:
        """The answer to a question.

        Raises:
            Unanswered: it was not asked yet.
        """
        try:
            return self._found[question.key]
        except KeyError:
            raise Unanswered(question) from None

    async def find(self, question: Question, world: World) -> None:
        """Ask a question, for who begins anew."""
        self._found[question.key] = await question.ask(world)


async def answered(operation: Operation, verb: Callable[[Operation], Awaitable[T]]) -> T:
    """The outcome of a verb, begun anew after each question that it has.

    With the first question it is begun anew in a world where time stands still and chance repeats itself, so
    that it asks the same again; only then is anybody asked.

    Raises:
        Refusal: the verb's own; 500, there is no end to its questions.
    """
    call = operation.call
    warnings = list(call.warnings)
    try:
        return await verb(operation)
    except Unanswered:
        standing = operation.world.standing()
    for _ in range(_MOST_QUESTIONS):
        call.warnings[:] = warnings
        try:
            return await verb(operation._replace(world=standing()))
        except Unanswered as unanswered:
            await call.answers.find(unanswered.question, operation.world)
    raise Refusal.internal(f"no decision after {_MOST_QUESTIONS} calls of webhooks")
