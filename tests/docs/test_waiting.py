"""The guide to tools that wait: its types get the default that it promises, and its files are about kinds that ship."""

from __future__ import annotations

from typing import Any

import readme
from shipped import shipped
from windlass.api import UNOBSERVED, read_yaml
from windlass.codegen import custom_resource_definitions
from windlass.controller import reporting

PAGE = "docs/guides/waiting.md"


def test_the_types_of_the_guide_make_a_new_object_read_as_not_observed() -> None:
    names: dict[str, Any] = {"__name__": "guide"}
    for example in readme.blocks("python", PAGE):
        exec(compile(example, PAGE, "exec", dont_inherit=True), names)  # noqa: S102 - the guide is ours

    assert reporting(names["Site"]).ready == "Ready"
    for kind in (names["Site"], names["Shop"]):
        (definition,) = custom_resource_definitions([kind])
        (version,) = definition["spec"]["versions"]
        schema = version["schema"]["openAPIV3Schema"]["properties"]["status"]
        assert schema["default"] == {"observedGeneration": UNOBSERVED}
        assert reporting(kind).observes


def test_the_files_for_flux_and_argo_are_about_the_groups_that_ship() -> None:
    groups = {each.kind.__kind__.group for each in shipped()}
    for text in readme.blocks("yaml", PAGE):
        (document,) = read_yaml(text)
        if document["kind"] == "ConfigMap":
            (rules,) = read_yaml(document["data"]["resource.customizations"])
            assert rules.keys() == {f"{group}/*" for group in groups}
        else:
            (check,) = document["spec"]["healthChecks"]
            known = {(each.kind.__kind__.api_version, each.kind.__kind__.name) for each in shipped()}
            assert (check["apiVersion"], check["kind"]) in known
