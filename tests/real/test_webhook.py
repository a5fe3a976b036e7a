"""One operator's webhooks on the embedded server, in this process and over TLS, and on the real one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from versioned import SHOPS, BetaShop, Limits, Shop, ShopSpec
from widget import Widget, WidgetSpec
from windlass.api import LabelSelector, ObjectMeta
from windlass.client import Client, MergePatch, Request
from windlass.errors import ApiError, Forbidden, Invalid
from windlass.kinds.admissionregistration.v1 import (
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
)
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap
from windlass.webhook import (
    AdmissionRequest,
    HookOptions,
    Verdict,
    WebhookOptions,
    WebhookServer,
    mutating,
    validating,
)

if TYPE_CHECKING:
    from windlass.manager import Manager
    from windlass.testing import Starter, Trial


@mutating(Widget, options=HookOptions(reinvoke=True))
def painted(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Give each widget a color, in the shade that another webhook left."""
    widget = request.object
    widget.spec.color = widget.spec.color or "red"
    dark = "dark" in widget.metadata.labels
    widget.metadata.labels["painted"] = f"{'dark-' if dark else ''}{widget.spec.color}"
    return Verdict.change(widget, warnings=["it is painted"])


@mutating(Widget, name="shade.widgets.windlass.dev", path="/shade")
def shaded(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Come after `painted`, by its name, and change what that has looked at."""
    request.object.metadata.labels["dark"] = "yes"
    return Verdict.change(request.object)


@validating(
    Widget,
    verbs=("create", "update", "delete"),
    options=HookOptions(conditions={"named": "!request.name.startsWith('free')"}),
)
async def sized(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Refuse widgets that are too large, that shrink, or that are large and to be deleted."""
    size = request.object.spec.size
    if request.operation == "DELETE":
        return Verdict.deny("large ones are kept") if size > 5 else Verdict.allow()
    if size > 10:
        return Verdict.deny(f"spec.size: {size} is more than 10", code=422, reason="Invalid")
    if request.old is not None and request.old.spec.size > size:
        return Verdict.deny("it does not shrink")
    return Verdict.allow(warnings=["a dry run"] if request.dry_run else [])


@validating(
    Widget,
    name="status.widgets.windlass.dev",
    path="/status",
    verbs=("update",),
    options=HookOptions(subresource="status"),
)
def truthful(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Refuse a status that says more than there is."""
    assert request.subresource == "status"
    if request.object.status.size > request.object.spec.size:
        return Verdict.deny("the status lies")
    return Verdict.allow()


@validating(
    ConfigMap, options=HookOptions(failure="Fail", objects=LabelSelector(match_labels={"ask": "strictly"}))
)
def broken(_request: AdmissionRequest[ConfigMap]) -> Verdict[ConfigMap]:
    """Fail, where that matters."""
    raise RuntimeError("it is broken")


@validating(
    ConfigMap,
    name="lenient.configmaps.windlass.dev",
    path="/lenient",
    options=HookOptions(failure="Ignore", objects=LabelSelector(match_labels={"ask": "leniently"})),
)
def broken_too(_request: AdmissionRequest[ConfigMap]) -> Verdict[ConfigMap]:
    """Fail, where it does not."""
    raise RuntimeError("it is broken")


HOOKS = (painted, shaded, sized, truthful, broken, broken_too)


def add_to(manager: Manager) -> None:
    """The operator."""
    WebhookServer(HOOKS, WebhookOptions()).add_to(manager)


def _widget(name: str = "w", **spec: Any) -> Widget:
    return Widget(metadata=ObjectMeta(name=name), spec=WidgetSpec(**spec))


async def test_an_object_is_changed_on_its_way_in(standing: Starter) -> None:
    async with standing(add_to) as trial:
        made = await trial.client.create(_widget(size=2))
        assert made.spec.color == "red"
        assert (await trial.client.get(Widget, "w")).spec.color == "red"


async def test_one_that_wants_it_is_asked_again_after_another_has_changed_the_object(
    standing: Starter,
) -> None:
    async with standing(add_to) as trial:
        made = await trial.client.create(_widget())
        assert made.metadata.labels == {"painted": "dark-red", "dark": "yes"}


async def test_an_object_is_refused_with_the_code_and_the_words_of_the_verdict(standing: Starter) -> None:
    async with standing(add_to) as trial:
        with pytest.raises(Invalid, match=r"spec\.size: 11 is more than 10"):
            await trial.client.create(_widget(size=11))
        await trial.client.create(_widget(size=4))
        with pytest.raises(Forbidden, match="it does not shrink"):
            await trial.client.patch(Widget, "w", MergePatch({"spec": {"size": 3}}))


async def test_a_deletion_is_judged_by_the_object_as_it_was(standing: Starter) -> None:
    async with standing(add_to) as trial:
        await trial.client.create(_widget(size=6))
        with pytest.raises(Forbidden, match="large ones are kept"):
            await trial.client.delete(Widget, "w")
        await trial.client.create(_widget("small"))
        await trial.client.delete(Widget, "small")
        await trial.gone(Widget, "small")


async def test_warnings_reach_whoever_asked_and_a_dry_run_is_told(standing: Starter) -> None:
    async with standing(add_to) as trial:
        told = await _warnings(trial, dry_run=False)
        assert told == ["it is painted"]
        assert await _warnings(trial, dry_run=True) == ["it is painted", "a dry run"]


async def test_a_condition_that_is_false_spares_the_question(standing: Starter) -> None:
    async with standing(add_to) as trial:
        made = await trial.client.create(_widget("free-of-limits", size=100))
        assert made.spec.size == 100


async def test_a_subresource_has_a_webhook_of_its_own(standing: Starter) -> None:
    async with standing(add_to) as trial:
        made = await trial.client.create(_widget(size=2))
        made.status.size = 3
        with pytest.raises(Forbidden, match="the status lies"):
            await trial.client.status.update(made)
        made.status.size = 2
        assert (await trial.client.status.update(made)).status.size == 2


async def test_the_failure_policy_decides_when_a_webhook_fails(
    standing: Starter, caplog: pytest.LogCaptureFixture
) -> None:
    async with standing(add_to) as trial:
        with pytest.raises(ApiError, match=r"failed calling webhook \"validate-v1\.configmaps\.core\""):
            await trial.client.create(_settings("strictly"))
        made = await trial.client.create(_settings("leniently"))
        assert made.metadata.name == "leniently"
    failures = [each for each in caplog.records if each.getMessage() == "A webhook failed"]
    assert [each.exc_info is not None for each in failures] == [True, True]


@pytest.mark.xdist_group("conversion")
async def test_versions_are_converted_by_the_operator(standing: Starter) -> None:
    async with standing(WebhookServer([SHOPS]).add_to) as trial:
        spec = ShopSpec(host="corner", limits=Limits(least=3, most=5))
        await trial.client.create(Shop(metadata=ObjectMeta(name="corner"), spec=spec))
        old = await trial.client.get(BetaShop, "corner")
        assert (old.spec.host, old.spec.replicas) == ("corner", 3)


@validating(Deployment, verbs=("update",), options=HookOptions(subresource="scale"))
def modest(request: AdmissionRequest[Any]) -> Verdict[Any]:
    """Refuse many replicas; what is judged is a Scale, which is no Deployment."""
    if request.object["spec"]["replicas"] > 3:
        return Verdict.deny(f"{request.object.kind} {request.name}: too many")
    return Verdict.allow()


async def test_a_subresource_of_another_kind_is_judged_as_it_stands(standing: Starter) -> None:
    async with standing(WebhookServer([modest]).add_to) as trial:
        await trial.client.create(
            Deployment.from_wire(
                {
                    "metadata": {"name": "web"},
                    "spec": {
                        "selector": {"matchLabels": {"app": "web"}},
                        "template": {
                            "metadata": {"labels": {"app": "web"}},
                            "spec": {"containers": [{"name": "web", "image": "web:1"}]},
                        },
                    },
                }
            )
        )
        scale = trial.client.subresource("scale")
        few, many = (MergePatch({"spec": {"replicas": each}}) for each in (2, 4))
        await scale.patch_form(Deployment, "web", trial.namespace, few)
        with pytest.raises(Forbidden, match="Scale web: too many"):
            await scale.patch_form(Deployment, "web", trial.namespace, many)


async def test_others_are_not_judged_and_nothing_is_left(standing: Starter) -> None:
    async with standing(add_to) as trial, standing() as other:
        await other.client.create(ConfigMap(metadata=ObjectMeta(name="theirs", labels={"ask": "strictly"})))
        names = {f"{trial.namespace}-{sort}-webhook-configuration" for sort in ("mutating", "validating")}
        assert names <= await _configurations(other.client)
    async with standing() as later:
        assert not names & await _configurations(later.client)


async def test_the_metrics_are_those_of_controller_runtime(standing: Starter) -> None:
    async with standing(add_to) as trial:
        await trial.client.create(_widget())
        with pytest.raises(ApiError):
            await trial.client.create(_settings("strictly"))
        shown = trial.manager.metrics.expose().body.decode()
        path = "/validate-test-windlass-dev-v1-widget"
        prefix = "controller_runtime_webhook_"
        assert f'{prefix}requests_total{{code="200",webhook="{path}"}} 1.0' in shown
        assert f'{prefix}requests_total{{code="500",webhook="/validate-v1-configmap"}} 1.0' in shown
        assert f'{prefix}latency_seconds_count{{webhook="{path}"}} 1.0' in shown
        assert f'{prefix}requests_in_flight{{webhook="{path}"}} 0.0' in shown
        assert f"{prefix}panics_total 1.0" in shown
        assert "controller_runtime_conversion_webhook_panics_total 0.0" in shown


async def _warnings(trial: Trial, *, dry_run: bool) -> list[str]:
    """What whoever creates a widget is told."""
    path = f"/apis/test.windlass.dev/v1/namespaces/{trial.namespace}/widgets"
    body = orjson.dumps(Widget(metadata=ObjectMeta(generate_name="w-")).to_wire())
    query = (("dryRun", "All"),) if dry_run else ()
    response = await trial.client.send(
        Request(
            method="POST", path=path, query=query, body=body, headers={"content-type": "application/json"}
        )
    )
    return re.findall(r'"(.*)"', "\n".join(response.warnings))


def _settings(how: str) -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(name=how, labels={"ask": how}))


async def _configurations(client: Client) -> set[str]:
    kinds = (MutatingWebhookConfiguration, ValidatingWebhookConfiguration)
    return {each.metadata.name for kind in kinds for each in await client.list(kind)}
