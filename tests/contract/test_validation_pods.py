"""validation: of Pods, with the field and the message of each fault."""

import pytest

from contract import Api, Object
from contract_writes import assert_invalid, container, resource

LABEL = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'…"
LABEL_VALUE = "a valid label must be an empty string or consist of alphanumeric characters…"
FIRST = "spec.containers[0]"


def pod(**spec: object) -> Object:
    return resource("v1", "Pod", spec={"containers": [container()], **spec})


def with_container(**fields: object) -> Object:
    return pod(containers=[{**container(), **fields}])


FAULTS: dict[str, tuple[Object, str, str]] = {
    "a label with a space": (
        {**pod(), "metadata": {"name": "a", "labels": {"app": "b c"}}},
        "metadata.labels",
        f'Invalid value: "b c": {LABEL_VALUE}',
    ),
    "no spec": (resource("v1", "Pod"), "spec.containers", "Required value"),
    "no containers": (pod(containers=[]), "spec.containers", "Required value"),
    "containers of one name": (
        pod(containers=[container(), container()]),
        "spec.containers[1].name",
        'Duplicate value: "main"',
    ),
    "an init container of a container's name": (
        pod(initContainers=[container()]),
        "spec.initContainers[0].name",
        'Duplicate value: "main"',
    ),
    "a container without a name": (with_container(name=""), f"{FIRST}.name", "Required value"),
    "a container's name in capitals": (
        with_container(name="Main"),
        f"{FIRST}.name",
        f'Invalid value: "Main": {LABEL}',
    ),
    "a container without an image": (with_container(image=""), f"{FIRST}.image", "Required value"),
    "an image with spaces around": (
        with_container(image=" x "),
        f"{FIRST}.image",
        'Invalid value: " x ": must not have leading or trailing whitespace',
    ),
    "an unknown pull policy": (
        with_container(imagePullPolicy="Maybe"),
        f"{FIRST}.imagePullPolicy",
        'Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"',
    ),
    "a port too high": (
        with_container(ports=[{"containerPort": 65536}]),
        f"{FIRST}.ports[0].containerPort",
        "Invalid value: 65536: must be between 1 and 65535, inclusive",
    ),
    "a port of zero": (
        with_container(ports=[{"containerPort": 0}]),
        f"{FIRST}.ports[0].containerPort",
        "Required value",
    ),
    "a port's name too long": (
        with_container(ports=[{"containerPort": 1, "name": "sixteen-letters-"[:15] + "s"}]),
        f"{FIRST}.ports[0].name",
        'Invalid value: "sixteen-letterss": must be no more than 15 characters',
    ),
    "ports of one name": (
        with_container(ports=[{"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "a"}]),
        f"{FIRST}.ports[1].name",
        'Duplicate value: "a"',
    ),
    "an unknown protocol": (
        with_container(ports=[{"containerPort": 1, "protocol": "ICMP"}]),
        f"{FIRST}.ports[0].protocol",
        'Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
    ),
    "a request over its limit": (
        with_container(resources={"limits": {"cpu": "1"}, "requests": {"cpu": "1001m"}}),
        f"{FIRST}.resources.requests",
        'Invalid value: "1001m": must be less than or equal to cpu limit of 1',
    ),
    "a mount of an absent volume": (
        with_container(volumeMounts=[{"name": "files", "mountPath": "/x"}]),
        f"{FIRST}.volumeMounts[0].name",
        'Not found: "files"',
    ),
    "two mounts at one path": (
        pod(
            volumes=[{"name": "v"}],
            containers=[container(volumeMounts=[{"name": "v", "mountPath": "/x"}] * 2)],
        ),
        f"{FIRST}.volumeMounts[1].mountPath",
        'Invalid value: "/x": must be unique',
    ),
    "volumes of one name": (
        pod(volumes=[{"name": "v"}, {"name": "v"}]),
        "spec.volumes[1].name",
        'Duplicate value: "v"',
    ),
    "a volume of two sources": (
        pod(volumes=[{"name": "v", "emptyDir": {}, "hostPath": {"path": "/"}}]),
        "spec.volumes[0].hostPath",
        "Forbidden: may not specify more than 1 volume type",
    ),
    "a variable with an equals sign": (
        with_container(env=[{"name": "a=b"}]),
        f"{FIRST}.env[0].name",
        'Invalid value: "a=b": a valid environment variable name must consist only of…',
    ),
    "a variable with a value and a source": (
        with_container(
            env=[{"name": "a", "value": "1", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]
        ),
        f"{FIRST}.env[0].valueFrom",
        'Invalid value: "": may not be specified when `value` is not empty',
    ),
    "a reference to an unknown field": (
        with_container(env=[{"name": "a", "valueFrom": {"fieldRef": {"fieldPath": "metadata.x"}}}]),
        f"{FIRST}.env[0].valueFrom.fieldRef.fieldPath",
        'Invalid value: "metadata.x": error converting fieldPath: field label not supported: metadata.x',
    ),
    "a probe without a handler": (
        with_container(livenessProbe={}),
        f"{FIRST}.livenessProbe",
        "Required value: must specify a handler type",
    ),
    "a probe with two handlers": (
        with_container(livenessProbe={"httpGet": {"port": 80}, "tcpSocket": {"port": 80}}),
        f"{FIRST}.livenessProbe.tcpSocket",
        "Forbidden: may not specify more than 1 handler type",
    ),
    "a liveness probe that must succeed twice": (
        with_container(livenessProbe={"httpGet": {"port": 80}, "successThreshold": 2}),
        f"{FIRST}.livenessProbe.successThreshold",
        "Invalid value: 2: must be 1",
    ),
    "an unknown restart policy": (
        pod(restartPolicy="Sometimes"),
        "spec.restartPolicy",
        'Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    ),
    "an unknown DNS policy": (
        pod(dnsPolicy="Unknown"),
        "spec.dnsPolicy",
        'Unsupported value: "Unknown": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ),
    "a toleration of existence with a value": (
        pod(tolerations=[{"key": "a", "operator": "Exists", "value": "b"}]),
        "spec.tolerations[0].operator",
        "Invalid value: \"b\": value must be empty when `operator` is 'Exists'",
    ),
    "a node selector with a space": (
        pod(nodeSelector={"a": "b c"}),
        "spec.nodeSelector",
        f'Invalid value: "b c": {LABEL_VALUE}',
    ),
    "a host name in capitals": (
        pod(hostname="Host"),
        "spec.hostname",
        f'Invalid value: "Host": {LABEL}',
    ),
}


@pytest.mark.parametrize(("body", "field", "message"), FAULTS.values(), ids=FAULTS.keys())
async def test_a_pod_is_refused_for(api: Api, pods: str, body: Object, field: str, message: str) -> None:
    reply = await api.create(pods, body)

    assert_invalid(reply, body, (field, message))
    assert (await api.get(f"{pods}/a")).status == 404


async def test_every_fault_is_named_at_once(api: Api, pods: str) -> None:
    body = pod(restartPolicy="Sometimes", containers=[{"name": "Main", "image": ""}])

    reply = await api.create(pods, body)

    assert_invalid(
        reply,
        body,
        (f"{FIRST}.image", "Required value"),
        (f"{FIRST}.name", f'Invalid value: "Main": {LABEL}'),
        ("spec.restartPolicy", 'Unsupported value: "Sometimes": supported values: …'),
    )


async def test_a_negative_limit_is_refused_as_limit_and_as_defaulted_request(api: Api, pods: str) -> None:
    body = with_container(resources={"limits": {"cpu": "-1"}})

    reply = await api.create(pods, body)

    message = 'Invalid value: "-1": must be greater than or equal to 0'
    assert_invalid(
        reply,
        body,
        (f"{FIRST}.resources.limits[cpu]", message),
        (f"{FIRST}.resources.requests[cpu]", message),
    )


async def test_an_extended_resource_comes_in_whole_numbers(api: Api, pods: str) -> None:
    body = with_container(resources={"limits": {"example.com/gpu": "500m"}})

    reply = await api.create(pods, body)

    message = 'Invalid value: "500m": must be an integer'
    assert_invalid(
        reply,
        body,
        (f"{FIRST}.resources.limits[example.com/gpu]", message),
        (f"{FIRST}.resources.requests[example.com/gpu]", message),
    )


async def test_a_malformed_quantity_is_a_bad_request(api: Api, pods: str) -> None:
    body = with_container(resources={"limits": {"cpu": "1x"}})

    refused = (await api.create(pods, body)).refused(400, "BadRequest")

    assert refused["message"] == (
        'Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression '
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    )


@pytest.mark.parametrize(
    ("body", "found", "wanted"),
    [
        (
            with_container(ports=[{"containerPort": "80"}]),
            "string",
            "containers.ports.containerPort of type int32",
        ),
        (pod(activeDeadlineSeconds=1.5), "number 1.5", "activeDeadlineSeconds of type int64"),
        (pod(priority=2**31), "number 2147483648", "priority of type int32"),
        (pod(hostNetwork="yes"), "string", "hostNetwork of type bool"),
    ],
    ids=["text for number", "fraction for integer", "number too large", "text for boolean"],
)
async def test_a_value_of_the_wrong_type_is_a_bad_request(
    api: Api, pods: str, body: Object, found: str, wanted: str
) -> None:
    message = (await api.create(pods, body)).refused(400, "BadRequest")["message"]

    assert message.startswith(
        f'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal {found} into Go struct field '
    )
    assert message.endswith(f".spec.{wanted}")


async def test_an_unknown_priority_class_is_forbidden(api: Api, pods: str) -> None:
    refused = (await api.create(pods, pod(priorityClassName="absent"))).refused(403, "Forbidden")

    assert refused["message"] == 'pods "a" is forbidden: no PriorityClass with name absent was found'


async def test_the_form_of_an_image_is_nobodys_business(api: Api, pods: str) -> None:
    assert (await api.create(pods, with_container(image="UPPER:two words"))).status == 201


async def test_two_ports_of_one_number_are_a_warning(api: Api, pods: str) -> None:
    reply = await api.create(pods, with_container(ports=[{"containerPort": 80}, {"containerPort": 80}]))

    assert reply.status == 201
    assert "duplicate port definition" in reply.warnings[0]
