"""kubectl learns the kinds of the embedded server, built in and custom, as it learns those of the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubectl import both_fixture
from kubectl_objects import Backups
from servers import embedded_fixture

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from kubectl import Both

embedded = embedded_fixture
both = both_fixture

EXPLAINED = [
    "deployment.spec",
    "pod.spec.containers.resources",
    "service.spec.ports",
    "ingress.spec",
    "cronjob",
]
BROKEN: list[dict[str, object]] = [
    {"copies": 10},
    {"copies": "many"},
    {"mode": "half"},
    {"target": ""},
    {"target": None},
    {"unknown": 1},
]


@pytest.fixture
async def backups(both: Both) -> AsyncIterator[Backups]:
    """A kind of this test alone, which both servers serve and describe."""
    kind = Backups(both.namespace.rpartition("-")[2])
    both.write("backups.yaml", kind.definition())
    await both.run("apply", "-f", "backups.yaml")
    await both.run("wait", "--for=condition=Established", f"crd/{kind.name}", "--timeout=20s")
    await both.insist("explain", f"{kind.plural}.spec")
    yield kind
    await both.run("delete", "-f", "backups.yaml", "--wait=false")


async def test_a_definition_is_kept_as_it_was_applied(both: Both, backups: Backups) -> None:
    await both.get("crd", backups.name)
    await both.run("get", "crd", backups.name)
    said = await both.run("apply", "-f", "backups.yaml")
    assert said.out.endswith("unchanged\n")


async def test_custom_objects_are_printed_in_their_columns(both: Both, backups: Backups) -> None:
    both.write("all.yaml", backups.make("daily"), backups.make("hourly", every="1h", copies=3))
    await both.run("apply", "-f", "all.yaml")
    said = await both.run("get", backups.plural)
    assert said.lines[0].split() == ["NAME", "TARGET", "PHASE", "AGE"]
    await both.run("get", backups.short, "-o", "wide")
    await both.run("get", backups.category)
    await both.get(backups.short, "daily")
    await both.run("describe", backups.plural, "daily")


async def test_custom_objects_are_changed_like_any_other(both: Both, backups: Backups) -> None:
    one = f"{backups.plural}/a"
    both.write("a.yaml", backups.make("a"))
    await both.run("apply", "-f", "a.yaml")
    await both.run("apply", "-f", "a.yaml")
    both.write("a.yaml", backups.make("a", every="2h"))
    await both.run("diff", "-f", "a.yaml", code=1)
    await both.run("apply", "-f", "a.yaml")
    await both.run("label", one, "tier=front")
    await both.run("edit", one, KUBE_EDITOR="sed -i s/2h/3h/")
    await both.run("patch", one, "--type=merge", "-p", '{"spec": {"mode": "full"}}')
    await both.run("patch", one, "-p", "{}", code=1)
    await both.run("scale", one, "--replicas=4")
    await both.get(one)
    await both.run("delete", one)


async def test_wait_follows_the_condition_of_a_custom_object(both: Both, backups: Backups) -> None:
    one = f"{backups.plural}/a"
    both.write("a.yaml", backups.make("a"))
    await both.run("create", "-f", "a.yaml")
    async with both.started("wait", "--for=condition=Ready", one, "--timeout=30s", "-v=6") as wait:
        await wait.until_told("watch=true")
        patch = '{"status": {"phase": "Done", "conditions": [{"type": "Ready", "status": "True"}]}}'
        await both.run("patch", one, "--subresource=status", "--type=merge", "-p", patch)
        assert "condition met" in (await wait.end()).out
    await both.run("get", one)


async def test_a_custom_object_that_breaks_its_schema_is_refused(both: Both, backups: Backups) -> None:
    for spec in BROKEN:
        both.write("a.yaml", backups.make("a", **spec))
        await both.run("create", "-f", "a.yaml", code=1)


async def test_explain_tells_what_a_definition_says(both: Both, backups: Backups) -> None:
    said = await both.run("explain", f"{backups.plural}.spec")
    assert "What is to be saved, and how often." in said.out
    for path in ("spec.target", "spec.mode", "status.conditions"):
        await both.run("explain", f"{backups.short}.{path}")
    refused = await both.run("explain", f"{backups.plural}.nothing", code=1)
    assert refused.err == 'error: field "nothing" does not exist\n'


async def test_explain_shows_all_fields_of_a_definition(both: Both, backups: Backups) -> None:
    for arguments in ([backups.plural], [backups.plural, "--recursive"], [f"{backups.plural}.metadata"]):
        embedded, real = await both.ask("explain", *arguments)
        assert structure(embedded.out) == structure(real.out)


@pytest.mark.parametrize("path", EXPLAINED)
async def test_explain_shows_the_fields_of_built_in_kinds(both: Both, path: str) -> None:
    for form in (["explain", path], ["explain", path, "--recursive"]):
        embedded, real = await both.ask(*form)
        assert structure(embedded.out) == structure(real.out)


async def test_explain_reads_the_older_document_too(both: Both) -> None:
    embedded, real = await both.ask("explain", "deployment.spec", "--output=plaintext-openapiv2")
    assert structure(embedded.out) == structure(real.out)
    assert "   replicas\t<integer>" in structure(embedded.out)


def structure(text: str) -> list[str]:
    """The lines of an explanation that name something; descriptions of built-in kinds are not served."""
    heads = ("GROUP:", "KIND:", "VERSION:", "FIELD")
    return [line.rstrip() for line in text.splitlines() if line.startswith(heads) or "\t<" in line]


async def test_the_resources_are_listed_as_on_the_real_server(both: Both, backups: Backups) -> None:
    embedded, real = await both.ask("api-resources", "-o", "wide", "--no-headers")
    ours, theirs = (sorted(" ".join(line.split()) for line in said.lines) for said in (embedded, real))
    groups = {group_of(line) for line in ours}
    assert ours == [line for line in theirs if group_of(line) in groups]
    assert backups.group in groups
    await both.run("api-resources", f"--api-group={backups.group}", "-o", "wide")


def group_of(line: str) -> str:
    """The group that a line of `api-resources` tells of."""
    return next(word for word in line.split() if word == "v1" or "/v" in word).rpartition("/")[0]
