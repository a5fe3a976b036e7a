import pytest

from access import rule
from windlass.apiserver.access import Attempt
from windlass.apiserver.access.rule import Rule


@pytest.mark.parametrize(
    ("given", "attempt"),
    [
        (rule("", "pods", "get"), Attempt(verb="get", resource="pods", name="a")),
        (rule("", "pods", "*"), Attempt(verb="anything", resource="pods")),
        (rule("*", "pods", "get"), Attempt(verb="get", group="metrics.k8s.io", resource="pods")),
        (rule("", "*", "get"), Attempt(verb="get", resource="pods", subresource="log")),
        (rule("", "pods/log", "get"), Attempt(verb="get", resource="pods", subresource="log")),
        (rule("", "*/log", "get"), Attempt(verb="get", resource="pods", subresource="log")),
        (rule("", "pods", "get", resourceNames=["a"]), Attempt(verb="get", resource="pods", name="a")),
        ({"verbs": ["get"], "nonResourceURLs": ["*"]}, Attempt(verb="get", path="")),
        ({"verbs": ["get"], "nonResourceURLs": ["/a"]}, Attempt(verb="get", path="/a")),
        ({"verbs": ["get"], "nonResourceURLs": ["/a/*"]}, Attempt(verb="get", path="/a/b/c")),
    ],
)
def test_a_rule_allows_what_it_names(given: dict[str, object], attempt: Attempt) -> None:
    assert Rule(given).allows(attempt)


@pytest.mark.parametrize(
    ("given", "attempt"),
    [
        (rule("", "pods", "get"), Attempt(verb="list", resource="pods")),
        (rule("", "pods", "get"), Attempt(verb="get", group="apps", resource="pods")),
        (rule("", "pods", "get"), Attempt(verb="get", resource="pods", subresource="log")),
        (rule("", "pods/log", "get"), Attempt(verb="get", resource="pods")),
        (rule("", "*/log", "get"), Attempt(verb="get", resource="pods")),
        (rule("", "pods", "get", resourceNames=["a"]), Attempt(verb="get", resource="pods", name="b")),
        (rule("", "pods", "list", resourceNames=["a"]), Attempt(verb="list", resource="pods")),
        (rule("*", "*", "*"), Attempt(verb="get", path="/metrics")),
        ({"verbs": ["*"], "nonResourceURLs": ["*"]}, Attempt(verb="get", resource="pods")),
        ({"verbs": ["get"], "nonResourceURLs": ["/a/*"]}, Attempt(verb="get", path="/a")),
        ({"verbs": ["get"]}, Attempt(verb="get", resource="pods")),
    ],
)
def test_a_rule_allows_nothing_else(given: dict[str, object], attempt: Attempt) -> None:
    assert not Rule(given).allows(attempt)
