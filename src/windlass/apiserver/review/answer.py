"""The frame of every review: read, answered, shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver import admission
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.review.access import list_rules, review_access, review_own_access
from windlass.apiserver.review.identity import review_token, tell_user
from windlass.apiserver.verb.answer import answer_object
from windlass.apiserver.verb.identity import place
from windlass.apiserver.verb.manage import manage_create
from windlass.apiserver.verb.options import write_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_ANSWERS: Final[dict[str, Callable[[Operation, Object], Object]]] = {
    "LocalSubjectAccessReview": review_access,
    "SelfSubjectAccessReview": review_own_access,
    "SelfSubjectReview": tell_user,
    "SelfSubjectRulesReview": list_rules,
    "SubjectAccessReview": review_access,
    "TokenReview": review_token,
}
_OF_THE_SERVER: Final = (
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "selfLink",
    "uid",
)
_FORMS: Final = "application/json, application/yaml, application/vnd.kubernetes.protobuf"


def refuse_table(operation: Operation) -> None:
    """Refuse to answer by a table: what is not stored has none.

    Raises:
        Refusal: 406.
    """
    if operation.form.conversion == "Table":
        raise Refusal(406, f"only the following media types are accepted: {_FORMS}")


async def answer_review(operation: Operation) -> Reply:
    """The answer to the creation of a review.

    Raises:
        Refusal: it is malformed or invalid, or wanted as a table.
    """
    refuse_table(operation)
    resource, call = operation.resource, operation.call
    options = write_options(call, "CreateOptions")
    review = resource.traits.decode(resource, call.body, call, options.validation)
    place(operation, review)
    for name in _OF_THE_SERVER:
        review["metadata"].pop(name, None)
    manage_create(operation, review, options)
    admission.reviewing(operation, review)
    return answer_object(operation, _ANSWERS[resource.kind.name](operation, review), 201)
