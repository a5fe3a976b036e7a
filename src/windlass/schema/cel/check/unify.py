"""Whether a value of one type can stand where another is wanted, and what open types become by it.

A type may be open: a parameter of a signature, or what the elements of `[]` are. It is settled by what meets
it first, and becomes more general (`dyn`) by what meets it later. `Bindings` keeps what is known so far.

Nothing here calls itself, so no type is nested too deeply for it. But a short expression can make a type so
large that no machine can write it down, so the work that one expression may cause is limited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.errors import WindlassError
from windlass.schema.cel.type import DYN, Type, TypeKind, parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    Pending = tuple[Type, Type] | tuple[Type, Type, Type]

_MOST_STEPS: Final = 300_000
_DEEPEST: Final = 300
_OPEN: Final = TypeKind.PARAMETER
_NULLABLE: Final = frozenset(
    {TypeKind.NULL, TypeKind.OPAQUE, TypeKind.OBJECT, TypeKind.DURATION, TypeKind.TIMESTAMP}
)
_ANYTHING: Final = frozenset({TypeKind.DYN, TypeKind.ERROR})


class IntricateError(WindlassError):
    """The types of an expression take too long to find."""


class Bindings:
    """What open types stand for."""

    __slots__ = ("_bound", "_fresh", "_steps", "_trail")

    def __init__(self) -> None:
        self._bound: dict[str, Type] = {}
        self._trail: list[tuple[str, Type | None]] = []
        self._fresh = 0
        self._steps = 0

    def fresh(self) -> Type:
        """A new open type."""
        self._fresh += 1
        return parameter(f"_var{self._fresh - 1}")

    def assignable(self, given: Sequence[Type], wanted: Sequence[Type]) -> bool:
        """Whether each type fits the other at its place; if so, what was open is bound by it."""
        if len(given) != len(wanted):
            return False
        self._trail.clear()
        if self._fit(given, wanted):
            return True
        for name, before in reversed(self._trail):
            if before is None:
                del self._bound[name]
            else:
                self._bound[name] = before
        return False

    def settled(self, type_: Type, *, close: bool = False) -> Type:
        """The type with what its open parts stand for; with `close`, what is still open is `dyn`."""
        if not type_.parameters and type_.kind is not _OPEN:
            return type_
        made: list[Type] = []
        todo: list[tuple[Type, bool]] = [(type_, False)]
        depth = 0
        while todo:
            self._count()
            at, ready = todo.pop()
            if ready:
                depth -= 1
                count = len(at.parameters)
                parts = tuple(made[-count:])
                del made[-count:]
                made.append(Type(at.kind, at.name, parts))
                continue
            at = self._followed(at)
            if at.parameters:
                depth += 1
                todo.append((at, True))
                todo.extend((part, False) for part in reversed(at.parameters))
            else:
                made.append(DYN if close and at.kind is _OPEN else at)
            if depth > _DEEPEST:
                raise IntricateError
        return made[0]

    def _fit(self, given: Sequence[Type], wanted: Sequence[Type]) -> bool:
        """The pairs are taken one after the other, with what they consist of before what comes next.

        An entry of three is an open type, what it is to stand for, and what it stood for so far: once those
        fit, it stands for the more general one.
        """
        todo: list[Pending] = [*zip(reversed(given), reversed(wanted), strict=True)]
        while todo:
            self._count()
            pair = todo.pop()
            if len(pair) == 3:  # noqa: PLR2004 - told above
                open_, one, other = pair
                general = self.more_general(one, other)
                if not self._occurs(open_, general):
                    self._bind(open_, general)
                continue
            more = self._fit_one(*pair)
            if more is None:
                return False
            todo.extend(reversed(more))
        return True

    def _fit_one(self, one: Type, other: Type) -> Sequence[Pending] | None:  # noqa: PLR0911 - one for each rule
        """What is left to be fitted for these two to fit; `None` if they never do."""
        if other.kind is _OPEN:
            met = self._meet(other, one)
            if met is not None or other.name in self._bound:
                return met
        if one.kind is _OPEN:
            return self._meet(one, other)
        if one.kind in _ANYTHING or other.kind in _ANYTHING:
            return ()
        if TypeKind.NULL in (one.kind, other.kind):
            return () if one.kind in _NULLABLE and other.kind in _NULLABLE else None
        if one.kind is TypeKind.TYPE and other.kind is TypeKind.TYPE:
            return ()
        if not _alike(one, other):
            return None
        return tuple(zip(one.parameters, other.parameters, strict=True))

    def _meet(self, open_: Type, other: Type) -> Sequence[Pending] | None:
        """What is left to be fitted for an open type to stand for another."""
        if other.kind is _OPEN and other.name == open_.name:
            return ()
        known = self._bound.get(open_.name)
        if known is None:
            if self._occurs(open_, other):
                return None
            self._bind(open_, other)
            return ()
        if self.same(known, other):
            return ()
        return ((other, known), (open_, other, known))

    def _bind(self, open_: Type, to: Type) -> None:
        self._trail.append((open_.name, self._bound.get(open_.name)))
        self._bound[open_.name] = to

    def _followed(self, type_: Type) -> Type:
        while type_.kind is _OPEN:
            self._count()
            known = self._bound.get(type_.name)
            if known is None:
                break
            type_ = known
        return type_

    def _occurs(self, open_: Type, within: Type) -> bool:
        """Whether an open type is a part of another, which it then cannot stand for."""
        todo = [within]
        while todo:
            self._count()
            at = todo.pop()
            if at.kind is _OPEN:
                if at.name == open_.name:
                    return True
                known = self._bound.get(at.name)
                if known is not None:
                    todo.append(known)
            else:
                todo.extend(at.parameters)
        return False

    def more_general(self, one: Type, other: Type) -> Type:
        """The more general of two types that fit each other."""
        todo = [(one, other)]
        while todo:
            self._count()
            left, right = todo.pop()
            if left.kind in (TypeKind.DYN, _OPEN):
                continue
            if left.kind is TypeKind.TYPE and right.kind is TypeKind.TYPE:
                continue
            if not _alike(left, right):
                return other
            todo.extend(zip(left.parameters, right.parameters, strict=True))
        return one

    def same(self, one: Type, other: Type) -> bool:
        """Whether two types are the same as they are written, open parts by their names."""
        todo = [(one, other)]
        while todo:
            self._count()
            left, right = todo.pop()
            if left is right:
                continue
            if not _alike(left, right):
                return False
            todo.extend(zip(left.parameters, right.parameters, strict=True))
        return True

    def _count(self) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise IntricateError


def _alike(one: Type, other: Type) -> bool:
    """Whether two types differ in nothing but their parameters."""
    return one.kind is other.kind and one.name == other.name and len(one.parameters) == len(other.parameters)
