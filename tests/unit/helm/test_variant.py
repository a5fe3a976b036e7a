"""The branches of a chart are found in its values and its templates."""

from __future__ import annotations

import pytest

from branching import FILES
from windlass.errors import ChartError
from windlass.helm.variant import Variant, variants


def by_name(files: dict[str, str]) -> dict[str, Variant]:
    return {each.name: each for each in variants(files)}


def test_every_switch_is_turned_also_those_of_subcharts_under_their_alias() -> None:
    found = by_name(dict(FILES))

    assert found["ingress.enabled=True"].values == {"ingress": {"enabled": True}}
    assert found["account=False"].values == {"account": False}
    assert found["fold.gate.open=True"].values == {"fold": {"gate": {"open": True}}}


def test_a_text_that_a_template_compares_with_is_tried() -> None:
    assert by_name(dict(FILES))["kind=StatefulSet"].values == {"kind": "StatefulSet"}


def test_an_empty_value_that_a_template_tests_is_filled_with_something_of_its_type() -> None:
    test = "{{ if .Values.%s }}x{{ end }}"
    files = {
        "values.yaml": "a: ''\nb: []\nc: {}\nd: 0\ne: null\nf: full\ng: ''",
        "templates/a.yaml": "".join(test % name for name in "abcdefh") + "{{ .Values.g }}",
    }
    values = [each.values for each in variants(files) if len(each.settings) == 1]

    assert values == [
        {"a": "example"},
        {"b": [{"name": "example"}]},
        {"b": ["example"]},
        {"c": {"example": "example"}},
        {"d": 1},
        {"e": "example"},
        {"h": "example"},
    ]


def test_no_variant_changes_a_value_that_is_given() -> None:
    files = {
        "values.yaml": "up: false\nnested: {up: false, other: false}\nmode: ''\nnone: {a: 1}",
        "templates/a.yaml": '{{ if eq .Values.mode "x" }}{{ end }}{{ if .Values.none }}{{ end }}{{ with .Values.free }}',
    }
    given = {"up": False, "nested": {"up": True}, "mode": "y", "none": None}

    places = {place for each in variants(files, given) for place, _ in each.settings}

    assert places == {("nested", "other"), ("free",)}


def test_everything_is_on_at_once_and_what_is_deeper_counts() -> None:
    files = {
        "values.yaml": "a: {open: false, b: ''}",
        "templates/a.yaml": "{{ if .Values.x }}{{ if .Values.x.y }}{{ with .Values.a.b }}{{ end }}{{ end }}{{ end }}",
    }

    assert by_name(files)["everything on"].values == {
        "a": {"open": True, "b": "example"},
        "x": {"y": "example"},
    }


def test_what_the_chart_asks_for_is_served_in_all_variants_but_the_plainest() -> None:
    found = by_name(dict(FILES))

    assert found["as it is"].served == frozenset()
    assert found["all APIs served"].served == {"monitoring.coreos.com/v1"}
    assert found["ingress.enabled=True"].served == {"monitoring.coreos.com/v1"}


def test_a_chart_without_values_is_rendered_once_for_an_install_and_once_for_an_upgrade() -> None:
    assert [(each.values, each.is_upgrade) for each in variants({"Chart.yaml": "name: x"})] == [
        ({}, False),
        ({}, True),
    ]


def test_no_two_variants_render_the_same() -> None:
    found = variants({"values.yaml": "open: false"})

    assert [each.values for each in found if not each.is_upgrade] == [{}, {"open": True}, {"open": False}]


def test_a_variant_goes_without_what_fails_alone() -> None:
    found = by_name({"values.yaml": "a: false\nb: false"})

    assert found["everything on"].without([found["a=True"]]).values == {"b": True}


def test_a_subchart_that_is_used_twice_has_its_values_twice() -> None:
    files = {
        "Chart.yaml": "dependencies: [{name: db, alias: one}, {name: db, alias: two}, {name: other}]",
        "values.yaml": "one: {open: true}",
        "charts/db-1.tgz/Chart.yaml": "name: db",
        "charts/db-1.tgz/values.yaml": "open: false",
    }
    switches = {each.name for each in variants(files) if len(each.settings) == 1}

    assert switches == {"one.open=False", "two.open=True"}


def test_values_that_cannot_be_read_are_a_fault_of_the_chart() -> None:
    with pytest.raises(ChartError, match=r"values\.yaml"):
        variants({"values.yaml": "a: ["})
