"""delete: whole collections."""

from contract import Api, config_map
from contract_crd import Definitions


async def names(api: Api, path: str) -> list[str]:
    return [item["metadata"]["name"] for item in (await api.get(path)).ok()["items"]]


async def labelled(api: Api, path: str, *each: str) -> None:
    for name in each:
        (await api.create(path, config_map(name, labels={"name": name}))).ok()


async def test_a_collection_is_deleted_as_a_whole(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a", "b")

    (await api.delete(config_maps)).ok()

    assert await names(api, config_maps) == []


async def test_the_deleted_objects_are_listed_in_the_answer(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a", "b")

    deleted = (await api.delete(config_maps)).ok()

    assert (deleted["kind"], deleted["apiVersion"]) == ("ConfigMapList", "v1")
    assert [item["metadata"]["name"] for item in deleted["items"]] == ["a", "b"]
    assert deleted["metadata"]["resourceVersion"]


async def test_a_label_selector_chooses_what_is_deleted(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a", "b", "c")

    (await api.delete(config_maps, labelSelector="name in (a,c)")).ok()

    assert await names(api, config_maps) == ["b"]


async def test_a_field_selector_chooses_what_is_deleted(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a", "b")

    (await api.delete(config_maps, fieldSelector="metadata.name=a")).ok()

    assert await names(api, config_maps) == ["b"]


async def test_a_selector_that_matches_nothing_deletes_nothing(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a")

    deleted = (await api.delete(config_maps, labelSelector="name=other")).ok()

    assert deleted["items"] == []
    assert await names(api, config_maps) == ["a"]


async def test_a_malformed_selector_deletes_nothing(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a")

    (await api.delete(config_maps, labelSelector="(((")).refused(400, "BadRequest")

    assert await names(api, config_maps) == ["a"]


async def test_the_options_apply_to_each_object(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a", "b")

    (await api.delete(config_maps, {"propagationPolicy": "Orphan"}, labelSelector="name=a")).ok()

    waiting = (await api.get(f"{config_maps}/a")).ok()["metadata"]
    assert waiting["finalizers"] == ["orphan"]
    assert "deletionTimestamp" in waiting


async def test_finalizers_hold_back_their_objects_only(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a")
    (await api.create(config_maps, config_map("b", finalizers=["example.com/b"]))).ok()

    (await api.delete(config_maps)).ok()

    assert await names(api, config_maps) == ["b"]
    assert "deletionTimestamp" in (await api.get(f"{config_maps}/b")).ok()["metadata"]


async def test_a_dry_run_deletes_nothing(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a", "b")

    deleted = (await api.delete(config_maps, dryRun="All")).ok()

    assert [item["metadata"]["name"] for item in deleted["items"]] == ["a", "b"]
    assert await names(api, config_maps) == ["a", "b"]


async def test_all_namespaces_cannot_be_emptied_at_once(api: Api, namespace: str) -> None:
    selector = f"name={namespace}"  # nothing has this label, should the server try

    reply = await api.delete("/api/v1/configmaps", labelSelector=selector)

    reply.refused(405, "MethodNotAllowed")


async def test_namespaces_cannot_be_deleted_as_a_collection(api: Api, namespace: str) -> None:
    reply = await api.delete("/api/v1/namespaces", labelSelector=f"name={namespace}")

    reply.refused(405, "MethodNotAllowed")


async def test_a_limit_limits_what_is_deleted(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a", "b", "c")

    deleted = (await api.delete(config_maps, limit=2)).ok()

    assert [item["metadata"]["name"] for item in deleted["items"]] == ["a", "b"]
    assert deleted["metadata"]["remainingItemCount"] == 1
    assert await names(api, config_maps) == ["c"]


async def test_custom_resources_are_deleted_up_to_a_limit_too(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    for name in ("a", "b"):
        (await widgets.create(name)).ok()

    (await api.delete(widgets.path, limit=1)).ok()

    assert await names(api, widgets.path) == ["b"]


async def test_a_deletion_goes_on_where_a_list_ended(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a", "b", "c")
    page = (await api.get(config_maps, limit=1)).ok()

    (await api.delete(config_maps, **{"continue": page["metadata"]["continue"]})).ok()

    assert await names(api, config_maps) == ["a"]


async def test_a_deletion_that_cannot_go_on_deletes_nothing(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a")

    (await api.delete(config_maps, **{"continue": "x"})).refused(400, "BadRequest")

    assert await names(api, config_maps) == ["a"]


async def test_what_a_version_shows_is_deleted(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a")
    version = (await api.get(config_maps)).ok()["metadata"]["resourceVersion"]
    await labelled(api, config_maps, "b")

    (await api.delete(config_maps, {}, resourceVersion=version)).ok()

    assert await names(api, config_maps) == ["b"]


async def test_a_version_without_a_body_is_a_precondition_of_each_too(api: Api, config_maps: str) -> None:
    await labelled(api, config_maps, "a")

    refused = (await api.delete(config_maps, resourceVersion=0)).refused(409, "Conflict")

    assert "the ResourceVersion in the precondition (0) does not match" in refused["message"]
    assert await names(api, config_maps) == ["a"]
