from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from windlass.apiserver.refusal import Refusal
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence

    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.world import World

T = TypeVar("T")

_MOST_QUESTIONS: Final = 256
"""After so many, whoever answers changes their mind, or others write the object faster than it is judged."""


class Question(Protocol):
    """One or more things to ask outside, at once. What has one key has one answer, while a request lasts."""

    @property
    def keys(self) -> Sequence[Hashable]:
        """For each thing, what makes it another one: whom it is put to, and everything that they are told."""

    async def ask(self, world: World) -> Sequence[Any]:
        """Put the question: an answer for each key. What goes wrong is one too, for others to judge."""


class Unanswered(WindlassError):
    """A verb cannot go on without an answer: find it, and begin anew."""

    def __init__(self, question: Question) -> None:
        super().__init__("somebody outside is to be asked first")
        self.question = question


class Answers:
    """What was answered during one request."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Hashable, Any] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._found

    def of(self, question: Question) -> Sequence[Any]:
        """The answers to a question.

        Raises:
            Unanswered: it was not asked yet.
        """
        try:
            return [self._found[key] for key in question.keys]
        except KeyError:
            raise Unanswered(question) from None

    async def find(self, question: Question, world: World) -> None:
        """Ask a question, for who begins anew."""
        found = await question.ask(world)
        self._found.update(zip(question.keys, found, strict=True))


_CURRENT: Final[ContextVar[Answers]] = ContextVar("answers")


def current_answers() -> Answers:
    """Those of the request that is being served: for what is too deep in it to be told."""
    return _CURRENT.get()


async def settled(world: World, work: Callable[[], T]) -> T:
    """The outcome of work that has no effect, done anew after each question that it has."""
    answers = Answers()
    for _ in range(_MOST_QUESTIONS):
        token = _CURRENT.set(answers)
        try:
            return work()
        except Unanswered as unanswered:
            question = unanswered.question
        finally:
            _CURRENT.reset(token)
        await answers.find(question, world)
    raise _endless()


async def answered(operation: Operation, verb: Callable[[Operation], Awaitable[T]]) -> T:
    """The outcome of a verb, begun anew after each question that it has.

    With the first question it is begun anew in a world where time stands still and chance repeats itself, so
    that it asks the same again; only then is anybody asked.

    Raises:
        Refusal: the verb's own; 500, there is no end to its questions.
    """
    call = operation.call
    warnings, annotations = list(call.warnings), dict(call.annotations)
    token = _CURRENT.set(call.answers)
    try:
        return await verb(operation)
    except Unanswered:
        return await _begun_anew(operation, verb, warnings, annotations)
    finally:
        _CURRENT.reset(token)


async def _begun_anew(
    operation: Operation,
    verb: Callable[[Operation], Awaitable[T]],
    warnings: Sequence[str],
    annotations: Mapping[str, str],
) -> T:
    call, standing = operation.call, operation.world.standing()
    for _ in range(_MOST_QUESTIONS):
        call.warnings[:] = warnings
        call.annotations.clear()
        call.annotations.update(annotations)
        try:
            return await verb(operation._replace(world=standing()))
        except Unanswered as unanswered:
            question = unanswered.question
        await call.answers.find(question, operation.world)
    raise _endless()


def _endless() -> Refusal:
    return Refusal.internal(f"no decision after {_MOST_QUESTIONS} calls of webhooks")
