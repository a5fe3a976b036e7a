"""The status of a Job: what its controller may report, and what it cannot take back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.job_index import first_common, total_of
from windlass.apiserver.validation.meta import IMMUTABLE
from windlass.apiserver.validation.number import nonnegative
from windlass.apiserver.validation.workload import STATUS
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_COUNTS: Final = ("active", "succeeded", "failed", "ready", "terminating")
_FOR_GOOD: Final = ("Failed", "Complete", "FailureTarget")


def is_true(status: Fields, condition: str) -> bool:
    """Whether a condition holds."""
    return any(
        each.get("type") == condition and each.get("status") == "True"
        for each in status.get("conditions", ())
    )


def validate_job_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A reported status; most rules are only looked at when what they speak of has changed."""
    spec, status, before = obj.get("spec", {}), obj.get("status", {}), old.get("status", {})
    yield from nonnegative(status, _COUNTS, STATUS)
    yield from _validate_uncounted(status)
    yield from _validate_conditions(status, before)
    yield from _validate_finish(spec, status, before)
    yield from _validate_indexes(spec, status, before)
    yield from _validate_counts(status, before)
    yield from _validate_success(spec, status)
    yield from _validate_history(spec, status, before)


def _at_conditions(detail: str) -> Fault:
    return Fault("FieldValueInvalid", str(STATUS.child("conditions")), f"Invalid value: {detail}")


def _changed(status: Fields, before: Fields, *names: str) -> bool:
    """Whether one of these fields or, in capitals, conditions has changed."""
    return any(
        is_true(status, name) != is_true(before, name)
        if name[0].isupper()
        else status.get(name) != before.get(name)
        for name in names
    )


def _is_finished(status: Fields) -> bool:
    return is_true(status, "Complete") or is_true(status, "Failed")


def _validate_uncounted(status: Fields) -> Iterator[Fault]:
    seen: set[str] = set()
    for kind in ("succeeded", "failed"):
        for index, uid in enumerate(status.get("uncountedTerminatedPods", {}).get(kind, ())):
            path = STATUS.child("uncountedTerminatedPods", kind).index(index)
            if not uid:
                yield Fault.invalid(path, uid, "must not be empty")
            elif uid in seen:
                yield Fault.duplicate(path, uid)
            seen.add(uid)


def _validate_conditions(status: Fields, before: Fields) -> Iterator[Fault]:
    complete, failed = is_true(status, "Complete"), is_true(status, "Failed")
    target = is_true(status, "FailureTarget")
    if complete and failed and _changed(status, before, "Complete", "Failed"):
        yield _at_conditions("cannot set Complete=True and Failed=true conditions")
    if complete and target and _changed(status, before, "Complete", "FailureTarget"):
        yield _at_conditions("cannot set Complete=True and FailureTarget=true conditions")
    yield from _validate_completion_time(status, before)
    if failed and not target and _changed(status, before, "Failed", "failedIndexes"):
        yield _at_conditions("cannot set Failed=True condition without the FailureTarget=true condition")
    met = is_true(status, "SuccessCriteriaMet")
    if complete and not met and _changed(status, before, "Complete", "SuccessCriteriaMet"):
        detail = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition"
        yield _at_conditions(detail)


def _validate_completion_time(status: Fields, before: Fields) -> Iterator[Fault]:
    time, start, path = status.get("completionTime"), status.get("startTime"), STATUS.child("completionTime")
    complete = is_true(status, "Complete")
    if _changed(status, before, "Complete", "completionTime"):
        if time is not None and not complete:
            detail = "cannot set completionTime when there is no Complete=True condition"
            yield Fault.invalid(path, time, detail)
        if time is None and complete:
            yield Fault.required(path, "completionTime is required for Complete jobs")
    if time and start and time < start and _changed(status, before, "startTime", "completionTime"):
        yield Fault.invalid(path, time, "must be equal to or after `startTime`")


def _validate_finish(spec: Fields, status: Fields, before: Fields) -> Iterator[Fault]:
    if not _is_finished(status):
        return
    newly = not _is_finished(before)
    if status.get("active", 0) > 0 and (newly or _changed(status, before, "active")):
        yield Fault.invalid(STATUS.child("active"), status["active"], "active>0 is invalid for finished job")
    nothing_to_do = spec.get("suspend") is True and spec.get("completions") == 0
    if "startTime" not in status and not nothing_to_do and (newly or _changed(status, before, "startTime")):
        yield Fault.required(STATUS.child("startTime"), "startTime is required for finished job")
    uncounted = status.get("uncountedTerminatedPods", {})
    if any(uncounted.values()) and (newly or _changed(status, before, "uncountedTerminatedPods")):
        shown = {"Succeeded": uncounted.get("succeeded"), "Failed": uncounted.get("failed")}
        path = STATUS.child("uncountedTerminatedPods")
        yield Fault.invalid(path, shown, "must be empty for finished job")


def _validate_indexes(spec: Fields, status: Fields, before: Fields) -> Iterator[Fault]:
    completions, done, failed = (
        spec.get("completions"),
        status.get("completedIndexes", ""),
        status.get("failedIndexes"),
    )
    done_path, failed_path = STATUS.child("completedIndexes"), STATUS.child("failedIndexes")
    done_changed = done != before.get("completedIndexes", "")
    failed_changed = _changed(status, before, "failedIndexes")
    per_index = "backoffLimitPerIndex" in spec
    if done_changed and completions is not None:
        _, problem = total_of(done, completions)
        if problem:
            yield Fault.invalid(done_path, done, f"error parsing completedIndexes: {problem}")
    if failed_changed and completions is not None and per_index and failed is not None:
        _, problem = total_of(failed, completions)
        if problem:
            yield Fault.invalid(failed_path, failed, f"error parsing failedIndexes: {problem}")
    if done_changed and done and spec.get("completionMode") != "Indexed":
        detail = "cannot set non-empty completedIndexes when non-indexed completion mode"
        yield Fault.invalid(done_path, done, detail)
    if failed_changed and failed is not None and not per_index:
        detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null"
        yield Fault.invalid(failed_path, failed, detail)
    if (done_changed or failed_changed) and completions is not None and failed is not None:
        common = first_common(done, failed, completions)
        if common is not None:
            detail = f"failedIndexes and completedIndexes overlap at index: {common}"
            yield Fault.invalid(failed_path, failed, detail)


def _validate_counts(status: Fields, before: Fields) -> Iterator[Fault]:
    terminating, ready = status.get("terminating", 0), status.get("ready")
    finished_changed = _is_finished(status) != _is_finished(before)
    if (
        terminating > 0
        and _is_finished(status)
        and (finished_changed or _changed(status, before, "terminating"))
    ):
        detail = "terminating>0 is invalid for finished job"
        yield Fault.invalid(STATUS.child("terminating"), terminating, detail)
    if ready is not None and ready > status.get("active", 0) and _changed(status, before, "ready", "active"):
        yield Fault.invalid(STATUS.child("ready"), ready, "cannot set more ready pods than active")


def _validate_success(spec: Fields, status: Fields) -> Iterator[Fault]:
    met = is_true(status, "SuccessCriteriaMet")
    if met and is_true(status, "Failed"):
        yield _at_conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions")
    if met and is_true(status, "FailureTarget"):
        yield _at_conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions")
    if not met and "successPolicy" in spec and is_true(status, "Complete"):
        detail = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True"
        yield _at_conditions(detail)


def _validate_history(spec: Fields, status: Fields, before: Fields) -> Iterator[Fault]:
    for condition in _FOR_GOOD:
        if is_true(before, condition) and not is_true(status, condition):
            yield _at_conditions(f"cannot disable the terminal {condition}=True condition")
    elastic = spec.get("completionMode") == "Indexed" and spec.get("completions") == spec.get("parallelism")
    for name in ("failed", "succeeded"):
        if status.get(name, 0) < before.get(name, 0) and not (name == "succeeded" and elastic):
            detail = f"cannot decrease the {name} counter"
            yield Fault.invalid(STATUS.child(name), status.get(name, 0), detail)
    done, done_before = status.get("completionTime"), before.get("completionTime")
    if done is not None and done_before is not None and done != done_before:
        yield Fault.invalid(STATUS.child("completionTime"), done, IMMUTABLE)
    yield from _validate_start(spec, status, before)
    met, met_before = is_true(status, "SuccessCriteriaMet"), is_true(before, "SuccessCriteriaMet")
    if met_before and not met:
        yield _at_conditions("cannot disable the SuccessCriteriaMet=True condition")
    if is_true(before, "Complete") and not met_before and met:
        detail = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"
        yield _at_conditions(detail)


def _validate_start(spec: Fields, status: Fields, before: Fields) -> Iterator[Fault]:
    start, first = status.get("startTime"), before.get("startTime")
    resumes = is_true(before, "Suspended") and any(
        each.get("type") == "Suspended" and each.get("status") == "False"
        for each in status.get("conditions", ())
    )
    if first is not None and start != first and not resumes and not spec.get("suspend"):
        detail = "field is immutable for unsuspended job once set"
        yield Fault.invalid(STATUS.child("startTime"), start, detail)
