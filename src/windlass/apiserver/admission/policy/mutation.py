"""What a mutating policy makes of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.policy.budget import OF_VALIDATIONS, Budget, Inputs, OutOfBudget
from windlass.apiserver.admission.policy.inputs import inputs_of
from windlass.apiserver.admission.policy.plain import Mistyped, Unsayable, check_types, plain
from windlass.apiserver.admission.reread import reread
from windlass.apiserver.decode import DecodeError
from windlass.apiserver.patch import Rejected, Unusable, carried_out
from windlass.apiserver.refusal import Refusal
from windlass.errors import WindlassError
from windlass.schema import copied, type_name
from windlass.schema.ownership import Unfit, overlaid

if TYPE_CHECKING:
    from windlass.apiserver.admission.policy.policy import MutatingPolicy, Mutation
    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.patch import Operations
    from windlass.schema.ownership import Atom

Object = dict[str, Any]

_TEST_FAILED: Final = ": test failed"
_UNSAYABLE: Final = "JSONPath valueExpression evaluated to a type that could not marshal to JSON"
_TEXTS: Final = ("op", "path", "from")


class Failed(WindlassError):
    """A mutation that has no outcome."""


def mutated(mutation: Mutation, policy: MutatingPolicy, seen: Review, params: Object | None) -> Object:
    """What becomes of the object of a request, which is left as it is.

    Raises:
        Failed: the mutation has no outcome.
        Refusal: 500, its outcome is no object of the kind.
    """
    new = _outcome(mutation, policy, seen, params)
    own, kind = seen.operation.route.version, seen.kind
    if own != seen.version and not seen.resource.custom:  # which the real server does not manage
        known = f"({kind.version}.{kind.name}) to ({own}.{kind.name})"
        raise Failed(f"converting {known}: unknown conversion")
    return new


def _outcome(mutation: Mutation, policy: MutatingPolicy, seen: Review, params: Object | None) -> Object:
    inputs = Inputs(inputs_of(seen, params), policy.variables)
    if mutation.expression.program is None:
        raise Failed(mutation.expression.problem)
    try:
        found = Budget(OF_VALIDATIONS).evaluate(mutation.expression, inputs)
    except OutOfBudget as error:
        raise Failed(str(error)) from error
    if found.error:
        raise Failed(found.error)
    if mutation.merges:
        return _merged(seen, found.value)
    return _patched(seen, [_operation(each, mutation.expression.text) for each in found.value])


def _patched(seen: Review, operations: Operations) -> Object:
    """An object after the operations of a JSON patch, all of them or, where a test fails, none."""
    assert seen.obj is not None  # noqa: S101 - for the type checker
    try:
        new = carried_out(copied(seen.obj), operations)
    except Unusable as error:
        raise Refusal.internal(error.why) from error
    except Rejected as error:
        if error.why.endswith(_TEST_FAILED):
            return seen.obj
        raise Failed(f"JSON Patch: {error.why}") from error
    return reread(seen, new, "Ignore" if seen.resource.custom else "Strict")


def _operation(made: Any, expression: str) -> Object:
    """An operation of a JSON patch, of the object by which an expression says it."""
    operation: Object = {"op": "", "path": ""}
    for name in _TEXTS:
        text = made.get(name, "")
        if not isinstance(text, str):
            why = f"unexpected type {type_name(text)} for JSONPatchType '{name}' field"
            raise Failed(f"expression '{expression}' resulted in error: {why}")
        if name in operation or text:
            operation[name] = text
    if "value" in made:
        try:
            check_types(made["value"])
            operation["value"] = plain(made["value"], exact=False)
        except Mistyped as error:
            raise Failed(str(error)) from error
        except Unsayable as error:
            raise Failed(f"{_UNSAYABLE}: {error}") from error
    return operation


def _merged(seen: Review, made: Any) -> Object:
    """An object with the fields set that another has."""
    assert seen.obj is not None  # noqa: S101 - for the type checker
    kind, resource = seen.kind, seen.resource
    try:
        check_types(made)
        config = {**plain(made), "kind": kind.name, "apiVersion": kind.api_version}
        new: Object = overlaid(seen.obj, config, _atom(seen))
        managed = new["metadata"].pop("managedFields", None)
        new = resource.traits.applied(resource, new)
    except Unfit as error:
        raise Failed(f"error applying patch: {error}") from error
    except (Mistyped, Unsayable, DecodeError) as error:
        raise Failed(str(error)) from error
    if managed is not None:
        new["metadata"]["managedFields"] = managed
    return new


def _atom(seen: Review) -> Atom:
    """By what an object is merged.

    Raises:
        Unfit: it stands for a connection, or for a part of an object by a kind of another group, such as a
            Scale. Of these the real server does not find the schema.
    """
    kind = seen.kind
    foreign = (kind.group, kind.version) != (seen.operation.route.group, seen.version)
    if foreign or seen.action == "CONNECT":
        named = f"{kind.group}/{kind.version}, Kind={kind.name}"
        raise Unfit(f"failed to convert patch object to typed object: no corresponding type for {named}")
    return seen.resource.rules(seen.operation.route.subresource).atom(kind.api_version)
