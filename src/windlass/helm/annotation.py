from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.helm.scalar import parse_bool, parse_period

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import timedelta

    from windlass.api import ObjectMeta

DOMAIN: Final = "helm.sdk.operatorframework.io"


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the annotations of one object wish, of those that operator-sdk and its hybrid library know.

    `period` is None where the object wishes none of its own, and zero for no passes but after changes.
    `unclear` says of each annotation that could not be understood why; its wish is as if it were absent, so
    that no mistake in an annotation keeps an object from being deployed or deleted.
    """

    upgrade_force: bool = False
    rollback_force: bool = True
    uninstall_wait: bool = False
    install_disable_hooks: bool = False
    upgrade_disable_hooks: bool = False
    uninstall_disable_hooks: bool = False
    install_description: str = ""
    upgrade_description: str = ""
    uninstall_description: str = ""
    period: timedelta | None = None
    unclear: tuple[str, ...] = ()

    @classmethod
    def of(cls, metadata: ObjectMeta) -> Wishes:
        """The wishes of an object; it raises nothing, whatever the annotations say."""
        understood: dict[str, Any] = {}
        unclear = []
        for field, (key, read) in _KNOWN.items():
            text = metadata.annotations.get(key)
            if text is None:
                continue
            try:
                understood[field] = read(text)
            except ValueError as error:
                unclear.append(f"annotation {key}: {error}")
        return cls(**understood, unclear=tuple(unclear))


def _known() -> Mapping[str, tuple[str, Callable[[str], Any]]]:
    read: dict[str, Callable[[str], Any]] = {
        "upgrade-force": parse_bool,
        "rollback-force": parse_bool,
        "uninstall-wait": parse_bool,
        **{f"{action}-disable-hooks": parse_bool for action in ("install", "upgrade", "uninstall")},
        **{f"{action}-description": str for action in ("install", "upgrade", "uninstall")},
    }
    fields = {name.replace("-", "_"): (f"{DOMAIN}/{name}", reader) for name, reader in read.items()}
    return {**fields, "period": (f"{DOMAIN}/reconcile-period", parse_period)}


_KNOWN: Final = _known()
