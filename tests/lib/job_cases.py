"""Jobs and pods as a controller sees them, for tests of what it makes of them."""

from __future__ import annotations

from typing import Any

from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import Pod

TRACKING = "batch.kubernetes.io/job-tracking"
INDEX = "batch.kubernetes.io/job-completion-index"
FAILURES = "batch.kubernetes.io/job-index-failure-count"


def job(status: dict[str, Any] | None = None, **spec: Any) -> Job:
    """A Job that wants one completion, unless said otherwise."""
    template = {
        "metadata": {"labels": {"app": "work"}},
        "spec": {"containers": [{"name": "main", "image": "web:1"}], "restartPolicy": "Never"},
    }
    defaults = {"parallelism": 1, "completions": 1, "backoffLimit": 6, "template": template}
    metadata = {"name": "work", "namespace": "default", "uid": "job"}
    return Job.from_wire({"metadata": metadata, "spec": defaults | spec, "status": status or {}})


def indexed(completions: int, status: dict[str, Any] | None = None, **spec: Any) -> Job:
    """A Job each of whose completions is one of its own."""
    defaults = {"completions": completions, "parallelism": completions, "completionMode": "Indexed"}
    return job(status, **(defaults | spec))


def pod(
    name: str,
    phase: str = "Pending",
    index: int | None = None,
    *,
    code: int = 0,
    at: str = "2026-01-01T00:00:00Z",
    **metadata: Any,
) -> Pod:
    """A pod of a Job that is still to be counted; one that has ended did so `at` a time."""
    annotations = metadata.pop("annotations", {}) | ({} if index is None else {INDEX: str(index)})
    meta = {"name": name, "namespace": "default", "uid": name, "finalizers": [TRACKING], **metadata}
    state = {"terminated": {"exitCode": code, "finishedAt": at}} if phase in ("Succeeded", "Failed") else {}
    container = {"name": "main", "image": "web:1", "imageID": "", "ready": False, "restartCount": 0}
    return Pod.from_wire(
        {
            "metadata": meta | {"annotations": annotations},
            "spec": {"containers": [{"name": "main", "image": "web:1"}]},
            "status": {"phase": phase, "containerStatuses": [container | {"state": state}]},
        }
    )
