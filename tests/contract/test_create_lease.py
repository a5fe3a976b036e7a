"""create: leases and their microseconds."""

import pytest

from contract import Api
from contract_objects import lease, version_of, with_spec


@pytest.fixture
def leases(namespace: str) -> str:
    return f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases"


async def test_a_lease_keeps_all_six_digits_of_its_times(api: Api, leases: str) -> None:
    times = {"acquireTime": "2026-01-01T00:00:00.000000Z", "renewTime": "2026-01-01T00:00:00.120000Z"}

    created = (await api.create(leases, lease("a", holderIdentity="me", **times))).ok()

    assert created["spec"] == {"holderIdentity": "me", **times}


async def test_a_time_in_another_zone_is_stored_in_utc(api: Api, leases: str) -> None:
    created = (await api.create(leases, lease("a", renewTime="2026-01-01T02:00:00.123456+02:00"))).ok()

    assert created["spec"]["renewTime"] == "2026-01-01T00:00:00.123456Z"


@pytest.mark.parametrize(
    "time", ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00.123456789Z", "today"]
)
async def test_a_time_without_exactly_six_digits_is_a_bad_request(api: Api, leases: str, time: str) -> None:
    refused = (await api.create(leases, lease("a", renewTime=time))).refused(400, "BadRequest")

    assert refused["message"].startswith(
        f'Lease in version "v1" cannot be handled as a Lease: parsing time "{time}"'
    )


async def test_a_lease_must_last_and_cannot_count_backwards(api: Api, leases: str) -> None:
    reply = await api.create(leases, lease("a", leaseDurationSeconds=0, leaseTransitions=-1))

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.leaseDurationSeconds", "spec.leaseTransitions"]


async def test_two_candidates_cannot_both_take_a_lease(api: Api, leases: str) -> None:
    seen = (await api.create(leases, lease("a"))).ok()
    (await api.update(f"{leases}/a", with_spec(seen, holderIdentity="first"))).ok()

    (await api.update(f"{leases}/a", with_spec(seen, holderIdentity="second"))).refused(409, "Conflict")

    assert (await api.get(f"{leases}/a")).ok()["spec"]["holderIdentity"] == "first"


async def test_a_lease_is_never_updated_unconditionally(api: Api, leases: str) -> None:
    version = version_of(await api.create(leases, lease("a")))

    reply = await api.update(f"{leases}/a", lease("a", holderIdentity="me"))

    refused = reply.refused(422, "Invalid")
    assert reply.fields == ["metadata.resourceVersion"]
    assert refused["message"] == (
        'leases.coordination.k8s.io "a" is invalid: '
        "metadata.resourceVersion: Invalid value: 0: must be specified for an update"
    )
    assert version_of(await api.get(f"{leases}/a")) == version
