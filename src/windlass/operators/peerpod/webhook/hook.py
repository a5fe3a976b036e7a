from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import LabelSelector, LabelSelectorRequirement
from windlass.kinds.core.v1 import Pod
from windlass.operators.peerpod.webhook.record import UnsizableError
from windlass.operators.peerpod.webhook.sized import sized
from windlass.webhook import AdmissionRequest, HookOptions, Verdict, mutating

if TYPE_CHECKING:
    from windlass.operators.peerpod.webhook.settings import SizingSettings
    from windlass.webhook import Webhook

NAME: Final = "mwebhook.peerpods.io"
PATH: Final = "/mutate-v1-pod"
OPT_OUT: Final = "kata.peerpods.io/webhook"
"""The label by which a pod is left as its author wrote it: `disabled`."""


_CLASS: Final = "object.spec.runtimeClassName"


def pod_webhook(settings: SizingSettings) -> Webhook[Pod]:
    """The webhook that sizes pods as they are created.

    The API server itself judges the runtime class and the label, so that no other pod depends on the
    webhook. It is asked again if another one changes the pod after it.
    """

    @mutating(Pod, verbs=("create",), name=NAME, path=PATH, options=_options(settings))
    def sizes(request: AdmissionRequest[Pod]) -> Verdict[Pod]:
        try:
            pod, warnings = sized(request.object, settings)
        except UnsizableError as error:
            return Verdict.deny(str(error), code=422, reason="Invalid")
        return Verdict.change(pod, warnings=warnings)

    return sizes


def _options(settings: SizingSettings) -> HookOptions:
    classes = ", ".join(f"'{each}'" for each in settings.runtime_classes)
    return HookOptions(
        failure="Fail",  # a pod that is not sized would be asked of its node, and no machine counted
        reinvoke=True,
        conditions={"runtime-class": f"has({_CLASS}) && {_CLASS} in [{classes}]"},
        objects=LabelSelector(
            match_expressions=[LabelSelectorRequirement(key=OPT_OUT, operator="NotIn", values=["disabled"])]
        ),
    )
