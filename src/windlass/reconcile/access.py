"""Fields that a function reads of an object and that the object's type does not have.

They are found in the function's code, and the function is not called. So branches, loops and objects that are
half empty make no difference. A function that asks for types, or that catches what it raises, is believed.
"""

from __future__ import annotations

import dis
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from windlass import _declaration as declaration
from windlass.api import Model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_ASKING = frozenset({"hasattr", "isinstance", "issubclass", "type"})
_CATCHING = "PUSH_EXC_INFO"
_SILENT = frozenset({"CACHE", "EXTENDED_ARG", "NOP"})
_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD"})


def check_fields(where: str, function: Callable[..., Any] | None, of: type[Model]) -> None:
    """See that a function reads fields of its first argument that there are.

    Raises:
        TypeError: its type has no such field; the message has the nearest one.
    """
    position = isinstance(function, MethodType)
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType) or plain.__code__.co_argcount <= position:
        return
    name = plain.__code__.co_varnames[position]
    codes = list(_seeing(plain.__code__, name))
    if any(_is_believed(code, name) for code in codes):
        return
    for steps in (steps for code in codes for steps in _read(code, name)):
        found = _first_unknown(of, steps)
        if found:
            model, read = found
            raise TypeError(
                f"{where} in line {plain.__code__.co_firstlineno} reads {'.'.join((name, *read))}, but "
                f"{model.__name__} has no field {read[-1]}: {declaration.hint(read[-1], model.model_fields)}"
            )


def _seeing(code: CodeType, name: str) -> Iterator[CodeType]:
    """The code in which a variable is this one: the function's own, and that of functions within."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType) and name in each.co_freevars:
            yield from _seeing(each, name)


def _is_believed(code: CodeType, name: str) -> bool:
    """Whether code may know better: it asks for types, catches errors, or sets the variable anew."""
    if not _ASKING.isdisjoint(code.co_names):
        return True
    return any(
        each.opname in (_CATCHING, "MATCH_CLASS")
        or (each.opname.startswith(("STORE_", "DELETE_")) and name in _names(each.argval))
        for each in dis.get_instructions(code)
    )


def _read(code: CodeType, name: str) -> Iterator[Sequence[str]]:
    """The attributes that follow a variable: `spec`, `secret_name` where it says `app.spec.secret_name`."""
    steps: list[str] | None = None
    for each in dis.get_instructions(code):
        if each.opname in _SILENT:
            continue
        if each.opname in _ATTRIBUTE and steps is not None:
            steps.append(each.argval)
            continue
        if steps:
            yield steps
        loads = each.opname.startswith("LOAD_FAST") or each.opname == "LOAD_DEREF"
        steps = [] if loads and _names(each.argval)[-1:] == (name,) else None


def _names(argument: Any) -> tuple[Any, ...]:
    """The variables of an instruction; some load or store two."""
    return argument if isinstance(argument, tuple) else (argument,)


def _first_unknown(of: type[Model], steps: Sequence[str]) -> tuple[type[Model], Sequence[str]] | None:
    """The first step that surely leads nowhere: the model that lacks it, and the way there."""
    model: type[Model] | None = of
    for number, step in enumerate(steps, 1):
        if model is None:
            return None
        field = model.model_fields.get(step)
        if field is None:
            known = step.startswith("_") or hasattr(model, step) or _answers_any_name(model)
            return None if known else (model, steps[:number])
        model = _model(field.annotation)
    return None


def _answers_any_name(model: type[Model]) -> bool:
    own = model.__mro__[: model.__mro__.index(Model)]
    return model.__open__ or any("__getattr__" in vars(each) for each in own)


def _model(annotation: Any) -> type[Model] | None:
    """The one model that a field holds, if it holds one or None."""
    held = [each for each in declaration.branches(annotation) if each is not type(None)]
    (only,) = held if len(held) == 1 else (None,)
    return only if isinstance(only, type) and issubclass(only, Model) else None
