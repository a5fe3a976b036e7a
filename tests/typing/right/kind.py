"""A kind that is right."""

from windlass import Column, Definition, Field, Resource, Spec, Status


class WebAppSpec(Spec):
    image: str
    replicas: int = Field(default=1, ge=0)


class WebAppStatus(Status):
    ready_replicas: int = 0


class WebApp(
    Resource,
    group="demo.example.com",
    version="v1",
    namespaced=False,
    subresources=("status",),
    definition=Definition(
        short_names=("wa",),
        columns=(Column("Ready", ".status.readyReplicas", type="integer"),),
        storage=True,
    ),
):
    spec: WebAppSpec
    status: WebAppStatus = WebAppStatus()


def scaled(app: WebApp, replicas: int) -> WebApp:
    app.spec.replicas = replicas
    return app
