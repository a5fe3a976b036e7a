"""kubectl learns the kinds of the embedded server, built in and custom, as it learns those of the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubectl import both_fixture, embedded_fixture
from kubectl_objects import backup, definition
from polling import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from kubectl import Both

embedded = embedded_fixture
both = both_fixture


@pytest.fixture
async def backups(both: Both) -> AsyncIterator[str]:
    """The group in which there are Backups."""
    both.write("backups.yaml", definition(both.group))
    await both.run("apply", "-f", "backups.yaml")
    await both.run("wait", "--for=condition=Established", f"crd/backups.{both.group}", "--timeout=20s")
    # The real server describes a kind some time after it serves it, and kubectl wants to know both.
    await until(
        lambda: both.ask("explain", "backup", code=None),
        lambda answers: all(said.code == 0 for said in answers),
    )
    yield both.group
    await both.run("delete", "-f", "backups.yaml")


async def test_a_definition_is_described_as_it_was_applied(both: Both, backups: str) -> None:
    await both.run("get", "crd", f"backups.{backups}", "-o", "yaml", "--show-managed-fields")
    await both.run("get", "crd", f"backups.{backups}")


async def test_custom_objects_are_printed_in_their_columns(both: Both, backups: str) -> None:
    both.write("all.yaml", backup(backups, "daily"), backup(backups, "hourly", every="1h", copies=3))
    await both.run("apply", "-f", "all.yaml")
    said = await both.run("get", "backups")
    assert said.lines[0].split() == ["NAME", "TARGET", "PHASE", "AGE"]
    await both.run("get", "bk", "-o", "wide")
    await both.run("get", "bk", "daily", "-o", "yaml", "--show-managed-fields")
    await both.run("get", "all")
    await both.run("describe", "backup", "daily")


async def test_custom_objects_are_changed_like_any_other(both: Both, backups: str) -> None:
    both.write("a.yaml", backup(backups, "a"))
    await both.run("apply", "-f", "a.yaml")
    await both.run("apply", "-f", "a.yaml")
    both.write("a.yaml", backup(backups, "a", every="2h"))
    await both.run("diff", "-f", "a.yaml", code=1)
    await both.run("apply", "-f", "a.yaml")
    await both.run("label", "backup", "a", "tier=front")
    await both.run("edit", "backup", "a", KUBE_EDITOR="sed -i s/2h/3h/")
    await both.run("patch", "backup", "a", "--type=merge", "-p", '{"spec": {"mode": "full"}}')
    await both.run("patch", "backup", "a", "-p", "{}", code=1)
    await both.run("scale", "backup", "a", "--replicas=4")
    await both.run("get", "backup", "a", "-o", "yaml", "--show-managed-fields")
    await both.run("delete", "backup", "a")


async def test_wait_follows_the_condition_of_a_custom_object(both: Both, backups: str) -> None:
    both.write("a.yaml", backup(backups, "a"))
    await both.run("create", "-f", "a.yaml")
    async with both.started("wait", "--for=condition=Ready", "backup/a", "--timeout=30s", "-v=6") as wait:
        await wait.until_told("watch=true")
        patch = '{"status": {"phase": "Done", "conditions": [{"type": "Ready", "status": "True"}]}}'
        await both.run("patch", "backup", "a", "--subresource=status", "--type=merge", "-p", patch)
        assert "condition met" in (await wait.end()).out
    await both.run("get", "backup", "a")


BROKEN: list[dict[str, object]] = [
    {"copies": 10},
    {"copies": "many"},
    {"mode": "half"},
    {"target": ""},
    {"target": None},
    {"unknown": 1},
]


async def test_a_custom_object_that_breaks_its_schema_is_refused(both: Both, backups: str) -> None:
    for spec in BROKEN:
        both.write("a.yaml", backup(backups, "a", **spec))
        await both.run("create", "-f", "a.yaml", code=1)


async def test_explain_tells_what_a_definition_says(both: Both, backups: str) -> None:
    said = await both.run("explain", "backup.spec")
    assert "What is to be saved, and how often." in said.out
    for path in ("backup.spec.target", "backup.status.conditions", "bk.spec.mode"):
        await both.run("explain", path)
    refused = await both.run("explain", "backup.nothing", code=1)
    assert refused.err == 'error: field "nothing" does not exist\n'


async def test_explain_shows_all_fields_of_a_definition(both: Both, backups: str) -> None:
    for arguments in (["backup"], ["backup", "--recursive"], ["backup.metadata"]):
        embedded, real = await both.ask("explain", *arguments)
        assert _structure(embedded.out) == _structure(real.out)


EXPLAINED = [
    "deployment.spec",
    "pod.spec.containers.resources",
    "service.spec.ports",
    "ingress.spec",
    "cronjob",
]


@pytest.mark.parametrize("path", EXPLAINED)
async def test_explain_shows_the_fields_of_built_in_kinds(both: Both, path: str) -> None:
    for form in (["explain", path], ["explain", path, "--recursive"]):
        embedded, real = await both.ask(*form)
        assert _structure(embedded.out) == _structure(real.out)


async def test_explain_reads_the_older_document_too(both: Both) -> None:
    embedded, real = await both.ask("explain", "deployment.spec", "--output=plaintext-openapiv2")
    assert _structure(embedded.out) == _structure(real.out)
    assert "   replicas\t<integer>" in _structure(embedded.out)


def _structure(text: str) -> list[str]:
    """The lines of an explanation that name something; descriptions of built-in kinds are not served."""
    named = []
    for line in text.splitlines():
        if line.startswith(("GROUP:", "KIND:", "VERSION:", "FIELD")) or "\t<" in line:
            named.append(line.rstrip())
    return named


async def test_the_resources_are_listed_as_on_the_real_server(both: Both, backups: str) -> None:
    embedded, real = await both.ask("api-resources", "-o", "wide", "--no-headers")
    ours, theirs = (sorted(" ".join(line.split()) for line in said.lines) for said in (embedded, real))
    groups = {_group(line) for line in ours}
    assert ours == [line for line in theirs if _group(line) in groups]
    assert any("backups" in line for line in ours)


def _group(line: str) -> str:
    return next(word for word in line.split() if word == "v1" or "/v" in word).rpartition("/")[0]
