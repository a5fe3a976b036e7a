"""How the server is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_CHECKS: Final = ("ping", "log", "etcd", "poststarthook/start-apiextensions-controllers")
_READY: Final = (*_CHECKS, "informer-sync", "shutdown")


def health_checks(endpoint: str) -> Sequence[str]:
    """The names of the checks behind `healthz`, `livez` or `readyz`."""
    return _READY if endpoint == "readyz" else _CHECKS


def check_health(endpoint: str, *, verbose: bool = False, exclude: Collection[str] = ()) -> str:
    """What a healthy server says at `healthz`, `livez` or `readyz`: `ok`, or each check on a line."""
    if not verbose:
        return "ok"
    names = health_checks(endpoint)
    lines = [f"[+]{name} excluded: ok" if name in exclude else f"[+]{name} ok" for name in names]
    unknown = sorted(set(exclude).difference(names))
    if unknown:
        listed = ",".join(quoted(name) for name in unknown)
        lines.append(f"warn: some health checks cannot be excluded: no matches for {listed}")
    return "\n".join([*lines, f"{endpoint} check passed", ""])
