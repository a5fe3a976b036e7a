"""CronJobs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.cron_schedule import schedule_problem
from windlass.apiserver.validation.job_spec import validate_job_spec
from windlass.apiserver.validation.label import shown_selector
from windlass.apiserver.validation.meta import METADATA, validate_object_meta, validate_plain_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import nonnegative
from windlass.apiserver.validation.workload import SPEC
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_NAME_LENGTH: Final = 52
_CONCURRENCY: Final = ("Allow", "Forbid", "Replace")
_ZONE_PART: Final = r"[A-Za-z\.\-_0-9+]{1,14}"


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A CronJob that is created or updated."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), None if old is None else old.get("spec", {})
    yield from _validate_schedule(spec, before, SPEC.child("schedule"))
    yield from nonnegative(spec, ("startingDeadlineSeconds",), SPEC)
    if "timeZone" in spec and (before is None or before.get("timeZone") != spec["timeZone"]):
        yield from _validate_zone(spec["timeZone"], SPEC.child("timeZone"))
    policy = spec.get("concurrencyPolicy", "")
    if not policy:
        yield Fault.required(SPEC.child("concurrencyPolicy"))
    elif policy not in _CONCURRENCY:
        yield Fault.not_supported(SPEC.child("concurrencyPolicy"), policy, _CONCURRENCY)
    yield from _validate_template(spec, before, SPEC.child("jobTemplate", "spec"))
    yield from nonnegative(spec, ("successfulJobsHistoryLimit", "failedJobsHistoryLimit"), SPEC)
    name = obj.get("metadata", {}).get("name", "")
    if old is None and len(name) > _NAME_LENGTH:
        yield Fault.invalid(METADATA.child("name"), name, "must be no more than 52 characters")


def validate_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A CronJob whose status is written."""
    return validate_plain_meta(obj, old, dns_subdomain)


def _validate_template(spec: Fields, before: Fields | None, path: Path) -> Iterator[Fault]:
    job = spec.get("jobTemplate", {}).get("spec", {})
    kept = None if before is None else before.get("jobTemplate", {}).get("spec", {})
    yield from validate_job_spec(job, kept, path)
    if "selector" in job:
        shown = shown_selector(job["selector"])
        yield Fault.invalid(path.child("selector"), shown, "`selector` will be auto-generated")
    if job.get("manualSelector"):
        yield Fault.not_supported(path.child("manualSelector"), value=True, supported=("nil", "false"))


def _validate_schedule(spec: Fields, before: Fields | None, path: Path) -> Iterator[Fault]:
    schedule = spec.get("schedule", "")
    if not schedule:
        yield Fault.required(path)
        return
    problem = schedule_problem(schedule)
    if problem:
        yield Fault.invalid(path, schedule, problem)
    if "TZ" not in schedule:
        return
    if before is None or "TZ" not in before.get("schedule", ""):
        detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
        yield Fault.invalid(path, schedule, detail)
    elif "timeZone" in spec:
        detail = "cannot use both timeZone field and TZ or CRON_TZ in schedule"
        yield Fault.invalid(path, schedule, detail)


def _validate_zone(zone: str, path: Path) -> Iterator[Fault]:
    from zoneinfo import available_timezones  # slow to ask, and few have a time zone

    if not zone:
        yield Fault.invalid(path, zone, "timeZone must be nil or non-empty string")
        return
    parts = zone.split("/")
    known = all(part not in (".", "..") and re.fullmatch(_ZONE_PART, part) for part in parts)
    if not known or any(part.startswith("-") for part in parts):
        yield Fault.invalid(path, zone, f"unknown time zone {zone}")
        return
    if zone.lower() == "local":
        explicit = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
        yield Fault.invalid(path, zone, explicit)
    if zone not in ("UTC", "Local") and zone not in available_timezones():
        yield Fault.invalid(path, zone, f"unknown time zone {zone}")
