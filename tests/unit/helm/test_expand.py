"""The environment in texts."""

from __future__ import annotations

import pytest

from windlass.helm.expand import expand, inline_environment

ENVIRONMENT = {"HOST": "db.example.com", "1": "one", "A_b2": "x", "QUOTED": 'a"b\\c'}


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("", ""),
        ("plain", "plain"),
        ("$HOST", "db.example.com"),
        ("${HOST}:5432", "db.example.com:5432"),
        ("a$A_b2.c", "ax.c"),
        ("$UNSET-${UNSET}", "-"),
        ("$10", "one0"),
        ("${1}", "one"),
        ("$$", ""),
        ("$$HOST", "HOST"),
        ("$", "$"),
        ("5$", "5$"),
        ("$ 5", "$ 5"),
        ("$.x", "$.x"),
        ("${}", ""),
        ("${HOST", "HOST"),
        ("$-$*$?", ""),
        ("$HÖST", "ÖST"),
        (r"\$HOST", r"\db.example.com"),
    ],
)
def test_variables_are_replaced_as_go_does(text: str, expanded: str) -> None:
    assert expand(text, ENVIRONMENT) == expanded


@pytest.mark.parametrize(
    ("template", "inlined"),
    [
        ('{{ env "HOST" | upper }}', '{{ "db.example.com" | upper }}'),
        ("{{env `HOST`}}", '{{"db.example.com"}}'),
        ('{{ "HOST" | env }}', '{{ "db.example.com" }}'),
        ('{{ expandenv "a-$A_b2" }}', '{{ "a-x" }}'),
        ('{{ env "UNSET" | default "y" }}', '{{ "" | default "y" }}'),
        ('{{ env "QUOTED" }}', '{{ "a\\"b\\\\c" }}'),
        ('env "HOST"', 'env "HOST"'),
        ('{{ .env "HOST" }}{{ myenv "HOST" }}', '{{ .env "HOST" }}{{ myenv "HOST" }}'),
    ],
)
def test_templates_see_the_environment_though_helm_hides_it(template: str, inlined: str) -> None:
    assert inline_environment(template, ENVIRONMENT) == inlined
