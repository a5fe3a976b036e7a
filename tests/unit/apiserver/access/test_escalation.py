from typing import Any

import pytest

from access import rule
from windlass.apiserver.access.escalation import covers, described, rights
from windlass.apiserver.access.rule import Rule

Json = dict[str, Any]


def missing(own: Json, wanted: Json) -> list[str]:
    """What of the wanted rule the own one does not give, in words."""
    return described(right for right in rights([Rule(wanted)]) if not covers(Rule(own), right))


@pytest.mark.parametrize(
    ("own", "wanted"),
    [
        (rule("", "pods", "get list"), rule("", "pods", "get")),
        (rule("*", "*", "*"), rule("apps", "deployments/scale", "*")),
        (rule("", "*/log", "get"), rule("", "pods/log", "get")),
        (rule("", "pods", "get"), rule("", "pods", "get", resourceNames=["a"])),
        (rule("", "pods", "get", resourceNames=["a", "b"]), rule("", "pods", "get", resourceNames=["b"])),
        (
            {"verbs": ["*"], "nonResourceURLs": ["/a/*"]},
            {"verbs": ["get"], "nonResourceURLs": ["/a/b", "/a/c/*"]},
        ),
        (rule("", "pods", "get"), {"verbs": ["get"]}),
    ],
)
def test_a_rule_gives_all_that_lies_within_it(own: Json, wanted: Json) -> None:
    assert missing(own, wanted) == []


@pytest.mark.parametrize(
    ("own", "wanted"),
    [
        (rule("", "pods", "get list watch"), rule("", "pods", "*")),
        (rule("", "pods", "get"), rule("*", "pods", "get")),
        (rule("", "pods pods/log", "get"), rule("", "*", "get")),
        (rule("", "pods/log", "get"), rule("", "*/log", "get")),
        (rule("", "pods", "get", resourceNames=["a"]), rule("", "pods", "get")),
        (rule("", "pods", "get", resourceNames=["a"]), rule("", "pods", "get", resourceNames=["b"])),
        (rule("*", "*", "*"), {"verbs": ["get"], "nonResourceURLs": ["/metrics"]}),
        ({"verbs": ["get"], "nonResourceURLs": ["/a"]}, {"verbs": ["get"], "nonResourceURLs": ["/a/*"]}),
    ],
)
def test_a_rule_gives_nothing_beyond_itself(own: Json, wanted: Json) -> None:
    assert len(missing(own, wanted)) == 1


def test_what_is_missing_is_told_by_resource_with_its_verbs_together() -> None:
    own = rule("", "pods", "get")
    wanted = {
        "apiGroups": ["", "apps"],
        "resources": ["pods"],
        "verbs": ["get", "list"],
        "resourceNames": ["a"],
    }

    assert missing(own, wanted) == [
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["list"]}',
        '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["a"], Verbs:["get" "list"]}',
    ]


def test_missing_paths_are_told_verb_by_verb() -> None:
    wanted = {"nonResourceURLs": ["/x"], "verbs": ["get", "post"]}

    assert missing({}, wanted) == [
        '{NonResourceURLs:["/x"], Verbs:["get"]}',
        '{NonResourceURLs:["/x"], Verbs:["post"]}',
    ]


def test_a_verb_that_is_wanted_twice_is_told_once_on_a_path_and_twice_on_a_resource() -> None:
    wanted = {"verbs": ["get", "get"]}

    told = [
        missing({}, {**wanted, "nonResourceURLs": ["/a"]}),
        missing({}, {**wanted, "apiGroups": [""], "resources": ["pods"]}),
    ]

    assert told == [
        ['{NonResourceURLs:["/a"], Verbs:["get"]}'],
        ['{APIGroups:[""], Resources:["pods"], Verbs:["get" "get"]}'],
    ]
