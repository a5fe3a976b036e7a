from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import orjson

from windlass.api import Resource
from windlass.webhook import UserInfo, Verdict, answer_review

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.webhook import AdmissionRequest, Operation, Webhook

R = TypeVar("R", bound=Resource)
_SOMEBODY = UserInfo(name="somebody", groups=("system:authenticated",))


@dataclass(frozen=True, kw_only=True)
class Admitted(Generic[R]):
    """What came of a request: the verdict, the JSON patch, and the object, as it would be stored."""

    verdict: Verdict[R]
    patch: tuple[Json, ...]
    object: Json


async def admit(
    webhook: Webhook[R],
    obj: R,
    *,
    old: R | None = None,
    operation: Operation | None = None,
    user: UserInfo = _SOMEBODY,
) -> Admitted[R]:
    """Ask a webhook about an object as an API server would, without one: through a review and its answer.

        admitted = await admit(with_image, WebApp(metadata=ObjectMeta(name="web")))
        assert admitted.object["spec"]["image"] == "shop:latest"

    It is created, or updated if there is an `old` one, unless `operation` says otherwise; when it is deleted,
    `obj` is as it was. What the function raises is raised.
    """
    verdicts: list[Verdict[R]] = []

    async def heard(request: AdmissionRequest[R]) -> Verdict[R]:
        found = webhook(request)
        verdict = await found if inspect.isawaitable(found) else found
        verdicts.append(verdict)
        return verdict

    request = _request(webhook, obj, old, operation or ("UPDATE" if old is not None else "CREATE"))
    request["userInfo"] = {"username": user.name} | {
        name: value for name, value in asdict(user).items() if name != "name" and value
    }
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    answer = orjson.loads(await answer_review(replace(webhook, judge=heard), orjson.dumps(review)))
    return _admitted(verdicts, answer["response"], obj.to_wire())


def _request(webhook: Webhook[Any], obj: Resource, old: Resource | None, operation: Operation) -> Json:
    wire = obj.to_wire()
    deleted = operation == "DELETE"
    before = wire if deleted else old.to_wire() if old is not None else None
    return {
        "uid": "00000000-0000-0000-0000-000000000001",
        "operation": operation,
        "object": None if deleted else wire,
        "oldObject": before,
        "name": obj.metadata.name,
        "namespace": obj.metadata.namespace,
        "subResource": webhook.options.subresource,
    }


def _admitted(verdicts: list[Verdict[R]], response: Json, wire: Json) -> Admitted[R]:
    from windlass.apiserver.patch import carried_out

    status: Json = response.get("status", {})
    if not verdicts:  # the object could not even be read
        refused = Verdict[R].deny(status["message"], code=status["code"], reason=status["reason"])
        return Admitted(verdict=refused, patch=(), object=wire)
    if "patch" not in response:
        return Admitted(verdict=verdicts[0], patch=(), object=wire)
    import base64

    patch = orjson.loads(base64.b64decode(response["patch"]))
    return Admitted(verdict=verdicts[0], patch=tuple(patch), object=carried_out(wire, patch))
