"""Jobs. The template of a CronJob is not defaulted; the jobs that are made from it are."""

from __future__ import annotations

from typing import Any, Final

_WITHOUT_END: Final = 2**31 - 1
_RETRIES: Final = 6


def run_once(job: dict[str, Any]) -> None:
    """A job is done by one pod; how many pods complete one that only says how many work on it stays open."""
    spec = job.setdefault("spec", {})
    if "completions" not in spec and "parallelism" not in spec:
        spec["completions"] = 1


def retries(job: dict[str, Any]) -> None:
    """Six retries of the whole job, or any number where each index has its own limit."""
    spec = job.setdefault("spec", {})
    if "backoffLimit" not in spec:
        spec["backoffLimit"] = _WITHOUT_END if "backoffLimitPerIndex" in spec else _RETRIES


def replacement(job: dict[str, Any]) -> None:
    """A pod is replaced once it terminates; where a policy has to judge it first, once it has failed."""
    spec = job.setdefault("spec", {})
    if "podReplacementPolicy" not in spec:
        spec["podReplacementPolicy"] = "Failed" if "podFailurePolicy" in spec else "TerminatingOrFailed"


def labels_of_template(job: dict[str, Any]) -> None:
    """A job without labels has those of its pods."""
    given = job.get("spec", {}).get("template", {}).get("metadata", {}).get("labels")
    if given:
        meta = job.setdefault("metadata", {})
        if not meta.get("labels"):
            meta["labels"] = dict(given)


RULES: Final = {"io.k8s.api.batch.v1.Job": (run_once, retries, replacement, labels_of_template)}
