"""The parameters of writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation.meta import validate_manager
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.apiserver.exchange import Call, Query

APPLY: Final = "application/apply-patch+yaml"
_VALIDATIONS: Final = ("", "Ignore", "Strict", "Warn")
_LONGEST_MANAGER: Final = 128
_MANAGER: Final = Path("fieldManager")


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """How a write is meant: only as a trial, by which field manager, how strictly, by force."""

    dry_run: bool = False
    manager: str = ""
    validation: str = "Warn"
    force: bool = False


def write_options(call: Call, kind: str, *, applying: bool = False) -> WriteOptions:
    """The options of a request, of which `kind` is what errors call them.

    Raises:
        Refusal: 422, one of them makes no sense.
    """
    query = call.query
    faults = list(_faults(query, kind, applying=applying))
    if faults:
        raise Refusal.invalid("meta.k8s.io", kind, "", faults)
    return WriteOptions(
        dry_run=bool(query.texts("dryRun")),
        manager=query.text("fieldManager") or _agent(call),
        validation=query.text("fieldValidation") or "Warn",
        force=query.flag("force"),
    )


def dry_run_faults(values: Sequence[str], path: str = "dryRun") -> Iterator[Fault]:
    """What is wrong with the values of dryRun."""
    if values and set(values) != {"All"}:
        yield Fault.not_supported(path, list(values), ("All",))


def _faults(query: Query, kind: str, *, applying: bool) -> Iterator[Fault]:
    manager = query.text("fieldManager")
    if kind == "PatchOptions":
        if applying and not manager:
            yield Fault.required("fieldManager", "is required for apply patch")
        elif not applying and "force" in query:
            yield Fault.forbidden("force", "may not be specified for non-apply patch")
    if manager:
        yield from validate_manager(manager, _MANAGER)
    if "dryRun" in query:
        yield from dry_run_faults(query.texts("dryRun"))
    validation = query.text("fieldValidation")
    if validation not in _VALIDATIONS:
        yield Fault.not_supported("fieldValidation", validation, _VALIDATIONS)


def _agent(call: Call) -> str:
    """Who writes, by the name of the program, where the request does not say."""
    name = call.headers.get("user-agent", "").partition("/")[0]
    if not name.isprintable():
        name = "".join(character for character in name if character.isprintable())
    return name[:_LONGEST_MANAGER] or "unknown"
