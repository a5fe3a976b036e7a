"""What templates write out is found in their text."""

from __future__ import annotations

from time import process_time

import pytest

from windlass.helm.mentions import (
    Decision,
    Mentioned,
    api_versions,
    decisions,
    kinds,
    lookups,
    required,
    templates,
)

INGRESS = """
{{- if .Capabilities.APIVersions.Has "networking.k8s.io/v1" }}
apiVersion: networking.k8s.io/v1
{{- else }}
apiVersion: "extensions/v1beta1"
{{- end }}
kind: Ingress
spec:
  ref:
    apiVersion: apps/v1
    kind: Deployment
---
apiVersion: {{ include "version" . }}
kind: Job
---
apiVersion: v1
kind: Pod
metadata:
  annotations:
    "helm.sh/hook": test
"""


def test_kinds_are_found_with_each_version_that_they_may_have() -> None:
    assert list(kinds(INGRESS)) == [
        Mentioned("networking.k8s.io/v1", "Ingress"),
        Mentioned("extensions/v1beta1", "Ingress"),
        Mentioned("", "Job"),
    ]


def test_comments_and_prose_are_no_templates() -> None:
    files = {
        "templates/a.yaml": "# kind: A\n{{/* kind: B */}}\nkind: C\n",
        "charts/x/templates/b.tpl": "kind: D",
        "README.md": "kind: E",
        "values.yaml": "kind: F",
    }

    assert [(folder, [each.kind for each in kinds(text)]) for folder, text in templates(files)] == [
        ("", ["C"]),
        ("charts/x/", ["D"]),
    ]


def test_what_a_template_looks_at_is_found() -> None:
    text = '{{ $x := (lookup "apps/v1" "Deployment" .Release.Namespace "a") }}{{ lookup $v "Pod" "" "" }}'
    everywhere = '{{ lookup "v1" "Pod" "" "" }}{{ lookup "v1" "Secret" "kube-system" "a" }}'

    assert list(lookups(text)) == [(Mentioned("apps/v1", "Deployment"), None)]
    assert list(lookups(everywhere)) == [
        (Mentioned("v1", "Pod"), ""),
        (Mentioned("v1", "Secret"), "kube-system"),
    ]


def test_what_a_template_asks_for_is_found_also_if_it_is_not_asked_directly() -> None:
    text = '{{ if has "a.io/v1" .Capabilities.APIVersions }}{{ .Capabilities.APIVersions.Has "b.io/v2beta1/Thing" }}'

    assert list(api_versions(text + '{{ print "c.io/v1" }}')) == ["a.io/v1", "b.io/v2beta1/Thing"]


@pytest.mark.parametrize(
    ("action", "found"),
    [
        ("if .Values.a.b", [Decision(("a", "b"))]),
        ("- with $.Values.a -", [Decision(("a",))]),
        ("else if and .Values.a (not .Values.b)", [Decision(("a",)), Decision(("b",))]),
        ('if eq .Values.a "x"', [Decision(("a",), "x"), Decision(("a",))]),
        ("range $i, $x := .Values.list", [Decision(("list",))]),
        (".Values.a", []),
    ],
)
def test_values_by_which_templates_decide_are_found(action: str, found: list[Decision]) -> None:
    assert list(decisions(f"{{{{{action}}}}}")) == found


@pytest.mark.parametrize(
    ("action", "paths"),
    [
        ('required "say a" .Values.a.b | quote', [("a", "b")]),
        ('required (printf "%s" "x") $.Values.a', [("a",)]),
        ('.Values.a | required "say a"', [("a",)]),
        (".Values.a | quote", []),
    ],
)
def test_values_that_are_required_are_found(action: str, paths: list[tuple[str, ...]]) -> None:
    assert list(required(f"{{{{ {action} }}}}")) == paths


@pytest.mark.parametrize(
    "piece", ["{{/*", "{{", ".Values.a", "required (", 'lookup "a" ', "eq .Values.a ", '"v1']
)
def test_a_large_template_is_searched_in_linear_time(piece: str) -> None:
    text = piece * (2**18 // len(piece))
    began = process_time()
    for each in (text, f"{{{{ if APIVersions {text}}}}}"):
        found = list(templates({"templates/a.yaml": each}))
        searches = (kinds, lookups, api_versions, decisions, required)
        assert len([list(search(held)) for search in searches for _, held in found]) == len(searches)
    assert process_time() - began < 10  # a quadratic search takes minutes
