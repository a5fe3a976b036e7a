"""The spec of a Job, also where a CronJob has it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.job_policy import (
    SUCCESS,
    validate_failure_policy,
    validate_success_policy,
)
from windlass.apiserver.validation.names import dns_subdomain, mismatch
from windlass.apiserver.validation.number import nonnegative
from windlass.apiserver.validation.pod_template import validate_template
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_NUMBERS: Final = (
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
)
_MOST: Final = 100_000
_MOST_OF_MANY: Final = 10_000
_MANAGER_LENGTH: Final = 63
_HTTP_PATH: Final = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
_REPLACEMENTS: Final = ("Failed", "TerminatingOrFailed")
_NOT_INDEXED: Final = "requires indexed completion mode"


def validate_job_spec(spec: Fields, old: Fields | None, path: Path) -> Iterator[Fault]:
    """Everything but the selector, which a CronJob has none of."""
    yield from nonnegative(spec, _NUMBERS, path)
    if "maxFailedIndexes" in spec and "backoffLimitPerIndex" not in spec:
        yield Fault.required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified")
    if "managedBy" in spec:
        yield from _validate_manager(spec["managedBy"], path.child("managedBy"))
    mode = spec.get("completionMode", "NonIndexed")
    if mode not in ("NonIndexed", "Indexed"):
        yield Fault.not_supported(path.child("completionMode"), mode, ("NonIndexed", "Indexed"))
    elif mode == "Indexed":
        yield from _validate_indexed(spec, path)
    else:
        for name in ("backoffLimitPerIndex", "maxFailedIndexes"):
            if name in spec:
                yield Fault.invalid(path.child(name), spec[name], _NOT_INDEXED)
    yield from _validate_policies(spec, path, indexed=mode == "Indexed")
    template = spec.get("template", {})
    before = None if old is None else old.get("template", {})
    yield from validate_template(template, before, path.child("template"))
    yield from _validate_restart(spec, template, path.child("template", "spec", "restartPolicy"))


def _validate_manager(manager: str, path: Path) -> Iterator[Fault]:
    domain, slash, rest = manager.partition("/")
    if not manager:
        yield Fault.required(path)
    elif not slash or not domain or not rest:
        yield Fault.invalid(path, manager, 'must be a domain-prefixed path (such as "acme.io/foo")')
    else:
        for problem in dns_subdomain(domain):
            yield Fault.invalid(path, domain, problem)
        if not re.fullmatch(_HTTP_PATH, rest):
            yield Fault.invalid(path, rest, mismatch("Invalid path", _HTTP_PATH))
    if len(manager.encode()) > _MANAGER_LENGTH:
        yield Fault.too_long(path, _MANAGER_LENGTH)


def _validate_indexed(spec: Fields, path: Path) -> Iterator[Fault]:
    completions, failed = spec.get("completions"), spec.get("maxFailedIndexes")
    parallelism = spec.get("parallelism", 0)
    if completions is None:
        yield Fault.required(path.child("completions"), "when completion mode is Indexed")
    if parallelism > _MOST:
        detail = f"must be less than or equal to {_MOST} when completion mode is Indexed"
        yield Fault.invalid(path.child("parallelism"), parallelism, detail)
    if completions is not None and failed is not None and failed > completions:
        detail = "must be less than or equal to completions"
        yield Fault.invalid(path.child("maxFailedIndexes"), failed, detail)
    if failed is not None and failed > _MOST:
        detail = f"must be less than or equal to {_MOST}"
        yield Fault.invalid(path.child("maxFailedIndexes"), failed, detail)
    if (completions or 0) > _MOST and "backoffLimitPerIndex" in spec:
        yield from _validate_many(failed, parallelism, path)


def _validate_many(failed: int | None, parallelism: int, path: Path) -> Iterator[Fault]:
    detail = (
        f"must be less than or equal to {_MOST_OF_MANY} when completions are above {_MOST} "
        "and used with backoff limit per index"
    )
    if failed is None:
        needed = f"must be specified when completions is above {_MOST}"
        yield Fault.required(path.child("maxFailedIndexes"), needed)
    if parallelism > _MOST_OF_MANY:
        yield Fault.invalid(path.child("parallelism"), parallelism, detail)
    if failed is not None and failed > _MOST_OF_MANY:
        yield Fault.invalid(path.child("maxFailedIndexes"), failed, detail)


def _validate_policies(spec: Fields, path: Path, *, indexed: bool) -> Iterator[Fault]:
    if "podFailurePolicy" in spec:
        yield from validate_failure_policy(spec, path.child("podFailurePolicy", "rules"))
    if "successPolicy" in spec:
        where = path.child("successPolicy")
        if not indexed:
            shown = as_declared({"rules": spec["successPolicy"].get("rules") or []}, SUCCESS)
            yield Fault.invalid(where, shown, _NOT_INDEXED)
        else:
            yield from validate_success_policy(spec, where.child("rules"))
    replacement = spec.get("podReplacementPolicy")
    supported = ("Failed",) if "podFailurePolicy" in spec else _REPLACEMENTS
    if replacement is not None and replacement not in supported:
        yield Fault.not_supported(path.child("podReplacementPolicy"), replacement, supported)


def _validate_restart(spec: Fields, template: Fields, path: Path) -> Iterator[Fault]:
    policy = template.get("spec", {}).get("restartPolicy", "")
    if policy in ("Always", ""):
        yield Fault.required(path, 'valid values: "OnFailure", "Never"')
    elif policy not in ("OnFailure", "Never"):
        yield Fault.not_supported(path, policy, ("OnFailure", "Never"))
    elif policy != "Never" and "podFailurePolicy" in spec:
        yield Fault.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')
