"""The state machine of requests by several callers, some of whom may do some things."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule
from typing_extensions import override

from contract import APPLY, config_map
from contract_objects import role, role_binding, service_account
from contract_objects import rule as allowing
from differential_caller import RBAC, ROBOT, callers, reviews, rules, subjects_of
from differential_limit import Rule
from differential_machine import Requests
from differential_step import Step
from differential_subject import NAMES, subjects
from polling import until

if TYPE_CHECKING:
    from hypothesis.strategies import DataObject

    from contract import Api, Object
    from differential_side import Side

_ROOT: Final = f"/apis/{RBAC}/v1"
_REVIEWS: Final = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
_READS: Final = (
    "/api/v1/nodes",
    "/api/v1/nodes/a",
    "/api/v1/namespaces/NS",
    "/api/v1/namespaces/NS/secrets/a",
    "/api/v1/namespaces/NS/pods/a/log",
    "/api/v1/namespaces/other-NS/configmaps",
    "/apis/apps/v1/namespaces/NS/deployments/a/scale",
    "/apis/apps/v1/namespaces/NS/deployments",
    "/apis/unknown.example.com/v1/namespaces/NS/things/a",
    "/apis/unknown.example.com/v1/things",
    "/foo",
    "/foo/bar",
)


class AccessRequests(Requests):
    """Sends the requests of any area as one caller or another, and those that are about access itself."""

    @override
    @initialize(data=st.data())
    def begin(self, data: DataObject) -> None:
        """Make a namespace with a service account in it, and allow something to somebody."""
        self._settled = 0
        self._subjects = list(subjects(self._area, self._pair.group))
        self._pair.begin(Rule())
        self._pair.both(self._introduce)
        self._pair.ask(Step("POST", self._inside("configmaps"), base=config_map("a", {"a": "b"})))
        for name in NAMES:
            self._grant(data, name)
        self._settle()

    @rule(data=st.data())
    def read(self, data: DataObject) -> None:
        """Read what there may be no right to."""
        path = data.draw(st.sampled_from(_READS)).replace("NS", self._pair.namespace)
        self._ask(data, Step("GET", path))

    @rule(data=st.data())
    def review(self, data: DataObject) -> None:
        """Ask who may do what, and who one is."""
        path, body = data.draw(reviews(self._pair.namespace))
        self._ask(data, Step("POST", path, base=body))

    @rule(data=st.data())
    def request_token(self, data: DataObject) -> None:
        """Ask for a token of the service account."""
        path = f"{self._inside('serviceaccounts')}/{ROBOT}/token"
        spec = data.draw(
            st.sampled_from(({}, {"expirationSeconds": 600}, {"expirationSeconds": 1}, {"audiences": ["x"]}))
        )
        body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}
        self._ask(data, Step("POST", path, base=body))

    @rule(data=st.data())
    def write_role(self, data: DataObject) -> None:
        """Write a role whose rules the caller may not have."""
        everywhere, name = data.draw(st.booleans()), data.draw(st.sampled_from(NAMES))
        body = self._role(data, name, everywhere=everywhere)
        if everywhere and data.draw(st.integers(0, 5)) == 0:
            body["aggregationRule"] = {"clusterRoleSelectors": [{"matchLabels": {"no": "body"}}]}
        self._write(data, body)

    @rule(data=st.data())
    def write_binding(self, data: DataObject) -> None:
        """Bind a role that the caller may not have."""
        everywhere, name = data.draw(st.booleans()), data.draw(st.sampled_from((*NAMES, "c")))
        self._write(data, self._binding(data, name, everywhere=everywhere))

    @override
    def _ask(self, data: DataObject, step: Step) -> bool:
        taken = self._pair.ask(replace(step, caller=data.draw(callers(self._pair.namespace))))
        if taken and step.method != "GET" and step.path.startswith(_ROOT):
            self._settle()
        return taken

    def _write(self, data: DataObject, body: Object) -> None:
        """Create, replace or apply an object."""
        path, name = self._collection(body), body["metadata"]["name"]
        match data.draw(st.sampled_from(("POST", "PUT", "PATCH"))):
            case "POST":
                self._ask(data, Step("POST", path, base=body))
            case "PUT":
                self._ask(data, Step("PUT", f"{path}/{name}", base=body))
            case _:
                query = {"fieldManager": "one", "force": True}
                self._ask(data, Step("PATCH", f"{path}/{name}", query, body, content_type=APPLY))

    def _grant(self, data: DataObject, name: str) -> None:
        """Have the administrator give a role to somebody."""
        everywhere = data.draw(st.booleans())
        for body in (
            self._role(data, name, everywhere=everywhere),
            self._binding(data, name, everywhere=everywhere),
        ):
            self._pair.ask(Step("POST", self._collection(body), base=body))

    def _role(self, data: DataObject, name: str, *, everywhere: bool) -> Object:
        found = role(self._name(name, everywhere=everywhere), *data.draw(rules(everywhere=everywhere)))
        return {**found, "kind": "ClusterRole" if everywhere else "Role"}

    def _binding(self, data: DataObject, name: str, *, everywhere: bool) -> Object:
        of_cluster = everywhere or data.draw(st.integers(0, 3)) == 0
        target = self._name(data.draw(st.sampled_from((name, name, *NAMES))), everywhere=of_cluster)
        found = role_binding(self._name(name, everywhere=everywhere), target)
        return {
            **found,
            "kind": "ClusterRoleBinding" if everywhere else "RoleBinding",
            "roleRef": {**found["roleRef"], "kind": "ClusterRole" if of_cluster else "Role"},
            "subjects": data.draw(subjects_of(self._pair.namespace)),
        }

    def _name(self, short: str, *, everywhere: bool) -> str:
        return f"{self._pair.namespace}-{short}" if everywhere else short

    def _collection(self, body: Object) -> str:
        kind = body["kind"]
        place = "" if kind.startswith("Cluster") else f"/namespaces/{self._pair.namespace}"
        return f"{_ROOT}{place}/{kind.lower()}s"

    def _inside(self, plural: str) -> str:
        return f"/api/v1/namespaces/{self._pair.namespace}/{plural}"

    async def _introduce(self, side: Side) -> None:
        """Make the service account, and remember a token of it."""
        accounts = self._inside("serviceaccounts")
        (await side.api.create(accounts, service_account(ROBOT))).ok()
        granted = (await side.api.create(f"{accounts}/{ROBOT}/token", {"spec": {}})).ok()
        assert side.door is not None
        side.door.tokens[ROBOT] = granted["status"]["token"]

    def _settle(self) -> None:
        """Wait until both servers go by every role and binding written so far.

        The real server learns of each of the four kinds in order, so once it goes by the last object of a kind
        it goes by all of them.
        """
        self._settled += 1
        self._pair.both(lambda side: self._wait(side.api, str(self._settled)))

    async def _wait(self, api: Api, turn: str) -> None:
        namespace = self._pair.namespace
        for everywhere in (False, True):
            name, prefix = self._name("last", everywhere=everywhere), "Cluster" if everywhere else ""
            user = f"last-{prefix}-{turn}-{namespace}"
            made = role(name, allowing("example.com", "probes", "get", resourceNames=[turn]))
            bound = role_binding(name, name, user)
            bound["roleRef"] = {**bound["roleRef"], "kind": f"{prefix}Role"}
            for body, kind in ((made, f"{prefix}Role"), (bound, f"{prefix}RoleBinding")):
                full = {**body, "kind": kind}
                (await api.apply(f"{self._collection(full)}/{name}", full)).ok()
            about = {"group": "example.com", "resource": "probes", "verb": "get", "name": turn}
            place = {} if everywhere else {"namespace": namespace}
            spec = {"user": user, "resourceAttributes": {**about, **place}}
            await until(partial(_may, api, spec))


async def _may(api: Api, spec: Any) -> bool:
    answer = (await api.create(_REVIEWS, {"spec": spec})).ok()
    return bool(answer["status"]["allowed"])
