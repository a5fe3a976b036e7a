"""Which module knows the rules of which built-in kind; a module is loaded when its kind is first written."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.schema import Fault

_MODULES: Final[dict[str, str]] = {}
"""`group/Kind` (the core group is empty: `/Pod`) to the module under `windlass.apiserver.validation`."""


def validate(kind: str, obj: dict[str, Any], old: dict[str, Any] | None, subresource: str) -> Iterable[Fault]:
    """What is wrong with an object of a built-in kind, `group/Kind`; on an update, also beside the old one.

    The object is decoded and defaulted. A module gives `validate(obj, old)`, and for writes of `/status`
    `validate_status(obj, old)` where that differs.
    """
    name = _MODULES.get(kind)
    if name is None:
        return ()
    module = import_module(f"windlass.apiserver.validation.{name}")
    check = getattr(module, f"validate_{subresource}", None) if subresource else module.validate
    found: Iterable[Fault] = check(obj, old) if check else ()
    return found
