"""What the policies of a Job say: of a failed pod, and of the indexes that have succeeded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.cluster.controller.job.indexes import Indexes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.kinds.batch.v1 import Job
    from windlass.kinds.batch.v1.job_spec import (
        PodFailurePolicyOnExitCodesRequirement,
        PodFailurePolicyRule,
        SuccessPolicyRule,
    )
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod import ContainerStatus


class Failure(NamedTuple):
    """What becomes of a failure: the action of the rule that matched, if one did, and the reason to tell."""

    action: str = ""
    message: str = ""

    @property
    def counts(self) -> bool:
        """Whether it counts towards the limits."""
        return self.action != "Ignore"


def judge_failure(job: Job, pod: Pod) -> Failure:
    """What the first rule says that fits a failed pod."""
    policy = job.spec.pod_failure_policy
    for index, rule in enumerate(policy.rules if policy else ()):
        found = _match(rule, pod)
        if found:
            return Failure(rule.action, f"{found} matching {rule.action} rule at index {index}")
    return Failure()


def met_success_rule(job: Job, succeeded: Indexes) -> int | None:
    """Which rule of the success policy is fulfilled."""
    policy = job.spec.success_policy
    for index, rule in enumerate(policy.rules if policy and succeeded else ()):
        if _is_met(rule, succeeded, job.spec.completions or 0):
            return index
    return None


def _match(rule: PodFailurePolicyRule, pod: Pod) -> str:
    """How a pod fits a rule; empty where it does not."""
    name = f"{pod.metadata.namespace}/{pod.metadata.name}"
    if rule.on_exit_codes is not None:
        for statuses in (pod.status.container_statuses, pod.status.init_container_statuses):
            for container, code in _failed(statuses, rule.on_exit_codes):
                return f"Container {container} for pod {name} failed with exit code {code}"
        return ""
    for condition in pod.status.conditions:
        for pattern in rule.on_pod_conditions:
            if (condition.type, condition.status) == (pattern.type, pattern.status or "True"):
                return f"Pod {name} has condition {condition.type}"
    return ""


def _failed(
    statuses: Iterable[ContainerStatus], wanted: PodFailurePolicyOnExitCodesRequirement
) -> Iterable[tuple[str, int]]:
    for each in statuses:
        terminated = each.state.terminated if each.state else None
        if terminated is None or terminated.exit_code == 0:
            continue
        if wanted.container_name in (None, each.name) and _fits(wanted, terminated.exit_code):
            yield each.name, terminated.exit_code


def _fits(wanted: PodFailurePolicyOnExitCodesRequirement, code: int) -> bool:
    return (code in wanted.values) == (wanted.operator == "In")


def _is_met(rule: SuccessPolicyRule, succeeded: Indexes, completions: int) -> bool:
    if rule.succeeded_indexes is None:
        return rule.succeeded_count is not None and len(succeeded) >= rule.succeeded_count
    wanted = Indexes.parse(rule.succeeded_indexes, completions)
    reached = len(wanted & succeeded)
    enough = rule.succeeded_count is not None and reached >= rule.succeeded_count
    return bool(wanted) and (enough or reached == len(wanted))
