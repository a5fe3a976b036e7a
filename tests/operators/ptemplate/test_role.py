"""What the operator may do: enough, and not more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from templating import ptemplate, says
from windlass.api import ObjectMeta
from windlass.codegen import load_project, operator_rules
from windlass.kinds.apps.v1 import DaemonSet
from windlass.kinds.core.v1 import Secret
from windlass.operators.ptemplate import (
    AliasPtemplate,
    AliasPtemplateController,
    Ptemplate,
    PtemplateController,
    add_to,
)
from windlass.operators.ptemplate.desired import consumers_of
from windlass.operators.ptemplate.kmm import Module
from windlass.reconcile import Rule
from windlass.testing import TrialOptions, install_kinds

if TYPE_CHECKING:
    from windlass.testing import Starter

NEVER_NEEDED = (Rule.on(Module, "delete"),)  # with its owner a Module goes by itself


async def test_it_lacks_no_grant_and_wastes_none(operator: Starter) -> None:
    async with operator(add_to, options=TrialOptions(least_privilege=True)) as trial:
        await install_kinds(trial.client, [Module])
        wanted = ptemplate("old", trial.namespace, imagePullSecret={"name": "s"})
        made = await trial.client.create(wanted)
        old = consumers_of(wanted)
        old.metadata.owner_references = [made.owner_reference()]
        old.spec.selector.match_labels = old.spec.template.metadata.labels = {"app": "old"}
        first = await trial.client.create(old)  # with a selector that cannot be changed: it is deleted
        await trial.client.create(Secret(metadata=ObjectMeta(name="s")))
        alias = AliasPtemplate(metadata=ObjectMeta(name="alias"), spec=ptemplate().spec)
        await trial.client.create(alias)
        await trial.until(DaemonSet, "old-consumer", lambda each: each.metadata.uid != first.metadata.uid)
        await trial.until(DaemonSet, "alias-consumer", lambda _: True)
        await trial.until(Ptemplate, "old", lambda each: says(each, "Ready", "False", "NotReported"))
        await trial.until(AliasPtemplate, "alias", lambda each: says(each, "Ready", "False", "NotReported"))

        assert trial.granted
        trial.granted.check(except_for=[_within(each, trial.namespace) for each in NEVER_NEEDED])


def _within(rule: Rule, namespace: str) -> Rule:
    return Rule(groups=rule.groups, resources=rule.resources, verbs=rule.verbs, namespace=namespace)


def test_the_generated_role_is_that_of_the_running_operator() -> None:
    project = load_project("windlass.operators.ptemplate")
    running = operator_rules([PtemplateController(), AliasPtemplateController()])

    assert project.rules == ()
    assert set(operator_rules(project.reconcilers)) == set(running)
