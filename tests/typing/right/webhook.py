"""Webhooks that are right."""

from __future__ import annotations

from datetime import timedelta

from windlass import Resource, Spec
from windlass.webhook import AdmissionRequest, Conversion, HookOptions, Spoke, Verdict, mutating, validating


class WebAppSpec(Spec):
    image: str


class WebApp(Resource, group="demo.example.com", version="v1"):
    spec: WebAppSpec


class OldWebAppSpec(Spec):
    container: str


class OldWebApp(Resource, group="demo.example.com", version="v1beta1", kind="WebApp"):
    spec: OldWebAppSpec


class Shop(Resource, group="demo.example.com", version="v1"):
    owner: str = ""


OPTIONS = HookOptions(failure="Ignore", timeout=timedelta(seconds=5))


@validating(WebApp, verbs=("create", "update"), options=OPTIONS)
def has_a_tag(request: AdmissionRequest[WebApp]) -> Verdict[WebApp]:
    if ":" not in request.object.spec.image:
        return Verdict.deny("spec.image: write the tag too")
    return Verdict.allow()


@mutating(WebApp)
async def with_tag(request: AdmissionRequest[WebApp]) -> Verdict[WebApp]:
    app = request.object
    app.spec.image += ":latest"
    return Verdict.change(app)


def upgraded(old: OldWebApp) -> WebApp:
    return WebApp(spec=WebAppSpec(image=old.spec.container))


def downgraded(app: WebApp) -> OldWebApp:
    return OldWebApp(spec=OldWebAppSpec(container=app.spec.image))


CONVERSION = Conversion(
    hub=WebApp,
    spokes=(Spoke(OldWebApp, to_hub=upgraded, from_hub=downgraded, lacks=("spec.port",)),),
)
