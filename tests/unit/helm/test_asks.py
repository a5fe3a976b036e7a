"""What templates ask about the cluster, found in their text."""

from __future__ import annotations

from time import process_time

import pytest

from windlass.helm.asks import Asks, find_asks, without_comments

ANY = Asks(api_versions=None)
WHOLE = Asks(api_versions=None, kube_version=True)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("plain: {{ .Values.a }}", Asks()),
        ("capabilities: {drop: [ALL]}  # Capabilities", Asks()),
        ("{{/* .Capabilities.KubeVersion, lookup */}}", Asks()),
        ("{{- /* .Capabilities.KubeVersion */ -}}", Asks()),
        ('{{ if .Capabilities.APIVersions.Has "a/v1" }}', Asks(api_versions=frozenset({"a/v1"}))),
        ('{{- if ($.Capabilities.APIVersions.Has "a/v1/B") -}}', Asks(api_versions=frozenset({"a/v1/B"}))),
        ("{{ if .Capabilities.APIVersions.Has `a/v1` }}", Asks(api_versions=frozenset({"a/v1"}))),
        (
            '{{ if or (.Capabilities.APIVersions.Has "a/v1")\n (.x.Capabilities.APIVersions.Has "b/v1") }}',
            Asks(api_versions=frozenset({"a/v1", "b/v1"})),
        ),
        ("{{ .Capabilities.APIVersions.Has .Values.api }}", ANY),
        ('{{ .Capabilities.APIVersions.Has (printf "%s/v1" .x) }}', ANY),
        ('{{ "a/v1" | .Capabilities.APIVersions.Has }}', ANY),
        ("{{ range .Capabilities.APIVersions }}", ANY),
        ("{{ $caps := .Capabilities }}", WHOLE),
        ("{{ with .Capabilities }}", WHOLE),
        ("{{ (.Capabilities).KubeVersion }}", WHOLE),
        ('{{ get . "Capabilities" }}', WHOLE),
        ('{{ include "x" . }}{{ tpl .Values.y $ }}', Asks()),
        ("{{ .Capabilities.KubeVersion.Version }}", Asks(kube_version=True)),
        ('{{ semverCompare ">=1.25-0" $.Capabilities.KubeVersion.GitVersion }}', Asks(kube_version=True)),
        ("{{ .Capabilities.HelmVersion.Version }}", Asks()),
        ('{{ $old := lookup "v1" "Secret" .Release.Namespace "x" }}', Asks(lookup=True)),
        ('{{ (lookup "v1" "Secret" "a" "b").data }}', Asks(lookup=True)),
        ("{{ .Values.lookup }} {{ $lookup }} {{ lookups }} lookup", Asks()),
        ('{{ fail "lookup failed" }}', Asks()),
        ('{{ tpl "{{ lookup `v1` `Secret` `a` `b` }}" . }}', Asks(lookup=True)),
    ],
)
def test_what_a_template_asks(text: str, asks: Asks) -> None:
    assert find_asks([text]) == asks


def test_several_templates_ask_together() -> None:
    texts = [
        '{{ .Capabilities.APIVersions.Has "a/v1" }}',
        "{{ .Capabilities.KubeVersion }}",
        '{{ .Capabilities.APIVersions.Has "b/v1" }} {{ lookup "v1" "Pod" "" "" }}',
    ]

    assert find_asks(texts) == Asks(kube_version=True, api_versions=frozenset({"a/v1", "b/v1"}), lookup=True)
    assert find_asks([*texts, "{{ range .Capabilities.APIVersions }}"]).api_versions is None


def test_a_comment_ends_at_the_first_mark_and_what_is_no_comment_counts() -> None:
    unclosed = "{{/* a */ .Capabilities.KubeVersion */}}"

    assert without_comments("a{{/* x */}}b{{- /* y\n*/ -}}c{{/* */ }}d") == "abcd"
    assert without_comments(unclosed) == unclosed
    assert find_asks([unclosed]).kube_version


@pytest.mark.parametrize("piece", ["{{/*", "{{- /* */", "{{", "{{/*/", '{{ "', "{{ /* */}}", " ", "{{ }}"])
def test_a_large_template_is_scanned_in_linear_time(piece: str) -> None:
    text = piece * (2**20 // len(piece))
    began = process_time()
    find_asks([text, f"{{{{ {text}}}}}"])
    assert process_time() - began < 5  # a quadratic scan takes an hour
