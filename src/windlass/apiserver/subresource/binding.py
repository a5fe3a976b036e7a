"""binding: the decision of a scheduler, which gives a pod its node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.decode import builtin_types, complete
from windlass.apiserver.kind.pod_condition import set_pod_condition
from windlass.apiserver.kind.topology import topology_labels
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.form import check_name, done, read_form
from windlass.apiserver.validation import validate
from windlass.apiserver.verb.options import write_options
from windlass.apiserver.verb.update import check_uid, unmet

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions

Object = dict[str, Any]


async def bind(operation: Operation) -> Reply:
    """Bind the pod that the path names."""
    options = write_options(operation.call, "CreateOptions")
    kind = operation.resource.subresources[operation.route.subresource].kind
    binding = read_form(operation, kind, options)
    check_name(operation, binding)
    target = binding.get("target", {})
    if target.get("kind") == "Node":
        labels = topology_labels(operation.world, target.get("name", ""))
        binding["metadata"]["labels"] = {**binding["metadata"].get("labels", {}), **labels}
    _assign(operation, binding, options)
    return done(operation)


async def create_binding(operation: Operation) -> Reply:
    """Bind the pod that the body names: the older way, by a collection that keeps nothing."""
    options = write_options(operation.call, "CreateOptions")
    binding = read_form(operation, operation.resource.kind, options)
    binding["metadata"].pop("uid", None)  # as of anything that is created
    pods = operation.catalog.find("", "v1", "pods")
    assert pods is not None  # noqa: S101 - every server has them
    name = binding["metadata"].get("name", "")
    route = operation.route._replace(plural="pods", name=name)
    _assign(operation._replace(resource=pods, route=route), binding, options)
    return done(operation)


def _assign(operation: Operation, binding: Object, options: WriteOptions) -> None:
    """Give a pod the node that a binding names, with the labels and annotations of the binding.

    Raises:
        Refusal: 409, the pod cannot be bound, or is not the one that was meant; 500, the binding is invalid.
    """
    texts = [str(fault) for fault in validate("/Binding", binding, None, "")]
    if texts:
        raise Refusal(500, texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]", "")
    if not operation.route.name:
        raise Refusal.bad_request("Name parameter required.")
    record = operation.record()
    pod = record.object()
    _check(operation, binding, pod)
    if options.dry_run:
        return
    pod["spec"]["nodeName"] = binding["target"]["name"]
    pod["status"].pop("nominatedNodeName", None)
    for name in ("labels", "annotations"):
        if binding["metadata"].get(name):
            pod["metadata"][name] = {**pod["metadata"].get(name, {}), **binding["metadata"][name]}
    set_pod_condition(pod, {"type": "PodScheduled", "status": "True"}, operation.world.now())
    complete(pod, operation.resource.kind, builtin_types())
    operation.resource.collection.put(record.key, pod, record)
    operation.resource.traits.stored(pod, operation.world)


def _check(operation: Operation, binding: Object, pod: Object) -> None:
    """Refuse to bind another pod than the one that was meant, or one that cannot be bound."""
    check_uid(operation, binding, pod)
    expected, found = binding["metadata"].get("resourceVersion"), pod["metadata"]["resourceVersion"]
    if expected and expected != found:
        raise unmet(operation, "ResourceVersion", expected, found)
    name, node = operation.route.name, pod["spec"].get("nodeName")
    if "deletionTimestamp" in pod["metadata"]:
        why = f"pod {name} is being deleted, cannot be assigned to a host"
    elif node:
        why = f'pod {name} is already assigned to node "{node}"'
    elif pod["spec"].get("schedulingGates"):
        why = f"pod {name} has non-empty .spec.schedulingGates"
    else:
        return
    raise Refusal.conflict("", "pods/binding", name, why)
