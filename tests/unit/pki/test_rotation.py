from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotating import HOSTS, SECOND, START, History
from windlass.pki import Keyring, Lifespan, RotationPolicy, due, renewed
from windlass.pki.lifespan import hosts_of, is_signed_by

POLICY = RotationPolicy()
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(scope="module")
def first() -> Keyring:
    return renewed(None, POLICY, HOSTS, START)


def after(keyring: Keyring, now: datetime) -> Keyring:
    return renewed(keyring, POLICY, HOSTS, now)


def in_step(keyring: Keyring, until: datetime) -> Keyring:
    """The keyring at a moment, if whatever is due is done at once."""
    while (moment := due(keyring, POLICY)) <= until:
        following = after(keyring, moment)
        assert following is not keyring, f"nothing to do at {moment}, when something is due"
        keyring = following
    return keyring


def coming(first: Keyring) -> tuple[Keyring, datetime]:
    """A keyring whose next authority was published just now."""
    keyring, now = first, START
    while keyring.coming is None:
        now = due(keyring, POLICY)
        keyring = after(keyring, now)
    return keyring, now


def test_the_first_keyring_serves_by_an_authority_of_its_own(first: Keyring) -> None:
    assert (first.revision, first.coming, first.outgoing) == (1, None, ())
    assert first.bundle == first.authority.certificate
    assert hosts_of(first.serving.certificate) == set(HOSTS)
    assert Lifespan.of(first.serving.certificate) == Lifespan(START, START + POLICY.serving_lifetime)
    assert Lifespan.of(first.authority.certificate) == Lifespan(START, START + POLICY.authority_lifetime)


def test_nothing_is_replaced_before_its_time(first: Keyring) -> None:
    assert after(first, START) is first
    assert after(first, due(first, POLICY) - SECOND) is first


def test_a_serving_certificate_is_renewed_after_two_thirds_of_its_life_by_the_same_authority(
    first: Keyring,
) -> None:
    moment = START + POLICY.serving_lifetime * 2 / 3
    assert due(first, POLICY) == moment

    second = after(first, moment)

    assert second.revision == 2
    assert second.serving != first.serving
    assert second.authority == first.authority
    assert Lifespan.of(second.serving.certificate).until == moment + POLICY.serving_lifetime


def test_the_next_authority_is_published_before_it_signs(first: Keyring) -> None:
    keyring, now = coming(first)

    assert keyring.coming is not None
    assert keyring.coming.certificate in keyring.bundle
    assert keyring.authority == first.authority
    assert is_signed_by(keyring.serving.certificate, first.authority.certificate)
    early = now + POLICY.propagation + POLICY.leeway - SECOND
    assert after(keyring, early) is keyring


def test_it_signs_when_everyone_has_seen_it_and_the_former_key_is_forgotten(first: Keyring) -> None:
    keyring, now = coming(first)

    handed = after(keyring, now + POLICY.propagation + POLICY.leeway)

    assert handed.authority == keyring.coming
    assert handed.coming is None
    assert is_signed_by(handed.serving.certificate, handed.authority.certificate)
    assert handed.outgoing == (first.authority.certificate,)
    assert handed.bundle == keyring.bundle
    assert first.authority.key not in "".join(handed.data().values())


def test_it_waits_for_a_bundle_that_came_late_to_where_clients_read_it(first: Keyring) -> None:
    keyring, now = coming(first)
    usual = now + POLICY.propagation + POLICY.leeway

    assert renewed(keyring, POLICY, HOSTS, usual, published=now + SECOND) is keyring
    late = renewed(keyring, POLICY, HOSTS, usual + SECOND, published=now + SECOND)
    assert late.authority == keyring.coming


def test_an_outgoing_authority_is_trusted_until_it_has_expired(first: Keyring) -> None:
    expired = Lifespan.of(first.authority.certificate).until + POLICY.leeway

    assert first.authority.certificate in in_step(first, expired - SECOND).bundle
    assert first.authority.certificate not in in_step(first, expired).bundle


def test_what_an_authority_signs_does_not_outlive_it(first: Keyring) -> None:
    end = Lifespan.of(first.authority.certificate).until

    late = after(first, end - DAY)

    assert Lifespan.of(late.serving.certificate).until == end


def test_after_a_long_sleep_there_is_a_new_authority_at_once(first: Keyring) -> None:
    now = START + 10 * POLICY.authority_lifetime

    woken = after(first, now)

    assert woken.revision == 2
    assert woken.bundle == woken.authority.certificate != first.bundle
    assert Lifespan.of(woken.serving.certificate).holds(now + POLICY.leeway)


def test_the_coming_authority_steps_in_early_when_the_other_one_is_spent(first: Keyring) -> None:
    keyring, _ = coming(first)
    end = Lifespan.of(first.authority.certificate).until

    handed = renewed(keyring, POLICY, HOSTS, end, published=end)

    assert handed.authority == keyring.coming


def test_certificates_of_a_clock_that_was_ahead_are_replaced() -> None:
    ahead = renewed(None, POLICY, HOSTS, START + DAY)

    assert Lifespan.of(after(ahead, START).authority.certificate).made == START


def test_a_coming_authority_of_a_clock_that_was_ahead_is_made_anew(first: Keyring) -> None:
    keyring, now = coming(first)
    wrong = replace(keyring, coming=renewed(None, POLICY, HOSTS, now + DAY).authority)

    mended = after(wrong, now)

    assert mended.authority == first.authority
    assert mended.coming is not None
    assert Lifespan.of(mended.coming.certificate).made == now


def test_a_host_more_is_a_reason_for_a_new_certificate_and_one_less_is_not(first: Keyring) -> None:
    now = START + HOUR
    more = renewed(first, POLICY, (*HOSTS, "shop.example.com"), now)

    assert hosts_of(more.serving.certificate) == {*HOSTS, "shop.example.com"}
    assert renewed(more, POLICY, HOSTS, now) is more
    assert hosts_of(after(more, due(more, POLICY)).serving.certificate) == set(HOSTS)


def test_replicas_that_want_different_hosts_come_to_rest(first: Keyring) -> None:
    keyring = first
    for _ in range(4):
        for wanted in (["a.example.com"], ["b.example.com", "::1"], ["0:0:0:0:0:0:0:1"]):
            keyring = renewed(keyring, POLICY, wanted, START + HOUR)

    assert keyring.revision == 3
    assert hosts_of(keyring.serving.certificate) == {*HOSTS, "a.example.com", "b.example.com", "::1"}


def test_a_host_longer_than_a_subject_may_be_is_served() -> None:
    host = f"{'s' * 63}.{'n' * 63}.svc"

    assert hosts_of(renewed(None, POLICY, [host], START).serving.certificate) == {host}


def seconds(least: int, most: int) -> st.SearchStrategy[timedelta]:
    return st.integers(least, most).map(lambda count: timedelta(seconds=count))


@st.composite
def policies(draw: st.DrawFn) -> RotationPolicy:
    """Any policy that is accepted, down to those with no second to spare."""
    propagation, leeway = draw(seconds(0, 600)), draw(seconds(1, 299))
    renew_at = draw(st.floats(0.1, 0.9))
    serving = 2 * (propagation + leeway) / (1 - renew_at) + draw(seconds(1, 4000))
    handover = serving + 3 * propagation + 2 * leeway
    return RotationPolicy(
        authority_lifetime=handover + draw(seconds(1, 9000)),
        serving_lifetime=serving,
        renew_at=renew_at,
        propagation=propagation,
        leeway=leeway,
    )


def lived(policy: RotationPolicy, looks: st.DataObject) -> tuple[History, datetime]:
    """A history in which replicas whose clocks differ look whenever they like, but not too late."""
    now, history = START, History(policy)
    keyring = renewed(None, policy, HOSTS, now)
    history.store(keyring, now)
    parts = st.floats(0, 1)
    for _ in range(looks.draw(st.integers(1, 25))):
        moment = due(keyring, policy)
        latest = max(moment - now, timedelta()) + policy.propagation
        is_early = looks.draw(st.booleans())
        now += latest * looks.draw(parts) if is_early else latest
        skew = policy.leeway * (looks.draw(parts) - 0.5)
        keyring = renewed(keyring, policy, HOSTS, now + skew)
        history.store(keyring, now)
    return history, now


@pytest.mark.property
@given(policy=policies(), looks=st.data())
def test_nobody_is_ever_shown_a_certificate_that_he_cannot_trust(
    policy: RotationPolicy, looks: st.DataObject
) -> None:
    history, end = lived(policy, looks)

    assert history.faults(end) == []


def test_the_judge_sees_an_authority_that_signs_too_early(first: Keyring) -> None:
    keyring, now = coming(first)
    hasty = replace(POLICY, propagation=timedelta())
    history = History(POLICY)
    history.store(first, START)
    history.store(keyring, now)
    history.store(renewed(keyring, hasty, HOSTS, now + POLICY.leeway), now + POLICY.leeway)

    faults = history.faults(now + HOUR)

    assert any("is presented to one who trusts 1" in fault for fault in faults)


def test_the_judge_sees_a_certificate_that_nobody_renewed() -> None:
    history = History(POLICY)
    history.store(renewed(None, POLICY, HOSTS, START), START)

    assert "has expired" in history.faults(START + POLICY.serving_lifetime)[0]
