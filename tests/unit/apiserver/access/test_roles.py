from windlass.apiserver import User, World
from windlass.apiserver.access import Attempt, Rbac
from windlass.apiserver.access.binding import RoleKey
from windlass.apiserver.access.roles import store_roles

STRANGER = User("system:anonymous", ("system:unauthenticated",))
ANYBODY = User("jane", ("system:authenticated",))


def stored() -> World:
    world = World()
    store_roles(world)
    return world


def test_everybody_may_ask_for_the_version_and_only_the_known_may_discover() -> None:
    rbac = Rbac(stored().store)
    discover, version = (Attempt(verb="get", path=path) for path in ("/apis", "/version"))

    assert rbac.decide(STRANGER, version).allowed
    assert rbac.decide(ANYBODY, discover).allowed
    assert not rbac.decide(STRANGER, discover).allowed


def test_every_binding_from_the_start_leads_to_a_role() -> None:
    world = stored()
    rbac = Rbac(world.store)

    for plural in ("clusterrolebindings", "rolebindings"):
        for record in world.store.collection(f"rbac.authorization.k8s.io/{plural}").page().records:
            reference = record.object()["roleRef"]
            assert rbac.role(RoleKey.of(reference, record.namespace)) is not None


def test_each_server_has_its_own_identities_and_times() -> None:
    first, second = stored(), stored()

    def admin(world: World) -> dict[str, str]:
        record = world.store.collection("rbac.authorization.k8s.io/clusterroles").get("cluster-admin")
        assert record is not None
        meta: dict[str, str] = record.object()["metadata"]
        return meta

    assert admin(first)["uid"] != admin(second)["uid"]
    assert admin(first)["creationTimestamp"]
    assert admin(first)["managedFields"][0]["time"]  # type: ignore[index]
