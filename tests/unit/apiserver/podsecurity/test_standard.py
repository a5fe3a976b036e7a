"""What each version of each standard has to say of pods; tests/real asks the real server the same."""

from __future__ import annotations

import pytest

from insecure import INSECURE
from windlass.apiserver.podsecurity.policy import Standard
from windlass.apiserver.podsecurity.standard import violations

ESCALATION, CAPABILITIES = "allowPrivilegeEscalation != false", "unrestricted capabilities"
ROOT, SECCOMP = "runAsNonRoot != true", "seccompProfile"
HOST, PROC = "host namespaces", "procMount"


def reasons(title: str, level: str, minor: int | None = None) -> list[str]:
    annotations, spec = INSECURE[title]
    found = violations(Standard(level, minor), {"annotations": annotations}, spec)
    return [violation.reason for violation in found]


@pytest.mark.parametrize("title", INSECURE)
def test_who_may_do_everything_breaks_nothing(title: str) -> None:
    assert reasons(title, "privileged") == []


@pytest.mark.parametrize(
    ("title", "baseline", "restricted"),
    [
        ("hardened", [], []),
        ("plain", [], [ESCALATION, CAPABILITIES, ROOT, SECCOMP]),
        ("privileged", ["privileged"], ["privileged", ESCALATION]),
        ("capabilities", ["non-default capabilities"], [CAPABILITIES]),
        ("one capability", [], []),
        ("a host namespace", [HOST], [HOST]),
        ("host path", ["hostPath volumes"], ["restricted volume types"]),
        ("a volume", [], ["restricted volume types"]),
        ("a host port", ["hostPort"], ["hostPort"]),
        ("probes", ["probe or lifecycle host"], ["probe or lifecycle host"]),
        ("proc mount", [], [PROC]),
        ("selinux", ["seLinuxOptions"], ["seLinuxOptions"]),
        ("selinux level", [], []),
        ("unconfined", [SECCOMP], [SECCOMP]),
        ("sysctls", ["forbidden sysctls"], ["forbidden sysctls"]),
        ("root", [], [ROOT, "runAsUser=0"]),
        ("root of its own", [], []),
        ("app armor", ["forbidden AppArmor profile"], ["forbidden AppArmor profile"]),
        ("app armor of the node", [], []),
        ("app armor annotation", ["forbidden AppArmor profile"], ["forbidden AppArmor profile"]),
        ("windows", [], [ROOT]),
        ("windows host process", [HOST, "hostProcess"], [HOST, "hostProcess", ROOT]),
        (
            "everything",
            [HOST, "privileged", PROC],
            [HOST, "privileged", ESCALATION, CAPABILITIES, PROC, ROOT, "runAsUser=0", SECCOMP],
        ),
    ],
)
def test_the_latest_version_finds(title: str, baseline: list[str], restricted: list[str]) -> None:
    assert reasons(title, "baseline") == baseline
    assert reasons(title, "restricted") == restricted
    assert reasons(title, "restricted", 99) == restricted


@pytest.mark.parametrize(
    ("title", "level", "minor", "before", "after"),
    [
        ("plain", "restricted", 8, [ROOT], [ESCALATION, ROOT]),
        ("plain", "restricted", 19, [ESCALATION, ROOT], [ESCALATION, ROOT, SECCOMP]),
        ("unconfined", "baseline", 19, [], [SECCOMP]),
        ("seccomp annotation", "baseline", 19, [SECCOMP], []),
        ("capabilities", "restricted", 22, ["non-default capabilities"], [CAPABILITIES]),
        ("root", "restricted", 23, [ROOT], [ROOT, "runAsUser=0"]),
        ("windows", "restricted", 25, [ESCALATION, CAPABILITIES, ROOT, SECCOMP], [ROOT]),
        ("selinux engine", "baseline", 31, ["seLinuxOptions"], []),
        ("harmless sysctls", "baseline", 32, ["forbidden sysctls"], []),
        ("a probe", "baseline", 34, [], ["probe or lifecycle host"]),
        ("proc mount", "baseline", 35, [PROC], []),
        ("root of its own", "restricted", 35, [ROOT, "runAsUser=0"], []),
    ],
)
def test_a_version_changes(title: str, level: str, minor: int, before: list[str], after: list[str]) -> None:
    assert reasons(title, level, minor - 1) == before
    assert reasons(title, level, minor) == after
