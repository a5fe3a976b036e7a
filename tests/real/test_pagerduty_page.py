"""The page of the PagerDuty simulator in a real browser; left out where there is none."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from browsing import Tab, browser, browsing
from pagerduty_asking import KEY, Asking, relationship
from windlass.aio import SystemClock
from windlass.operators.pagerduty.simulator import Account, furnish
from windlass.operators.pagerduty.simulator.server import serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
def account() -> Account:
    """An account with something of everything in it."""
    account = Account(clock=SystemClock(), random=Random(0))
    account.allow(KEY)
    furnish(account)
    return account


@pytest.fixture
def shop(account: Account) -> str:
    """A service under a business service."""
    ask, (default,) = Asking(account), account.books.policies
    shop, checkout = ask.service(default.id), ask.business("Checkout")
    ask("POST", "/service_dependencies/associate", relationship(shop, checkout))
    body = {"integration": {"type": "events_api_v2_inbound_integration", "name": "Alertmanager"}}
    ask("POST", f"/services/{shop}/integrations", body)
    return shop


@pytest.fixture
async def tab(account: Account, shop: str, tmp_path: Path) -> AsyncIterator[Tab]:
    """The page, when it shows the service."""
    program = browser()
    if program is None:
        pytest.skip("needs chromium")
    async with serving(account) as url, browsing(program, tmp_path, f"{url}/service-directory/{shop}") as tab:
        await tab.until(f"document.getElementById('{shop}') !== null")
        yield tab
        assert tab.problems == []


def card(shop: str) -> str:
    return f"document.getElementById('{shop}')"


async def test_it_shows_the_account_and_the_picture_of_it(tab: Tab, shop: str) -> None:
    shown = await tab.run(f"{card(shop)}.innerText")
    boxes = await tab.run(
        "[...document.querySelectorAll('#picture svg g title')].map((each) => each.textContent)"
    )

    assert {"Shop", "active", "Default", "Alertmanager"} <= set(shown.split())
    assert boxes == ["business service Checkout", "service, active Shop", "escalation policy Default"]
    assert await tab.run("document.querySelectorAll('#picture svg path').length") == 2
    assert await tab.run(f"{card(shop)}.classList.contains('chosen')")


async def test_it_shows_what_others_change_without_being_asked(tab: Tab, account: Account, shop: str) -> None:
    account.by_hand.edit(shop, description="Somebody was here")

    assert await tab.until(f"{card(shop)}.innerText.includes('Somebody was here')")


async def test_a_person_edits_a_service_in_the_dialog(tab: Tab, account: Account, shop: str) -> None:
    await tab.run(f"{card(shop)}.querySelector('button').click()")
    await tab.run("document.getElementById('field-description').value = 'by hand'")
    await tab.run("document.getElementById('field-auto_resolve_timeout').value = ''")
    await tab.run("document.querySelector('#editor button[type=submit]').click()")
    await tab.until(f"!document.getElementById('editor').open && {card(shop)}.innerText.includes('by hand')")

    fields = account.books.services.get(shop).fields
    assert (fields["description"], fields["auto_resolve_timeout"], fields["acknowledgement_timeout"]) == (
        "by hand",
        None,
        1800,
    )


async def test_a_refusal_stays_in_the_dialog_and_says_why(tab: Tab, account: Account, shop: str) -> None:
    await tab.run(f"{card(shop)}.querySelector('button').click()")
    await tab.run("document.getElementById('field-name').value = ''")
    await tab.run("document.querySelector('#editor button[type=submit]').click()")
    said = await tab.until("document.getElementById('editor-error').textContent")

    assert "Name can't be blank" in said
    assert account.books.services.get(shop).name == "Shop"
    tab.problems.clear()  # the browser logs each request that was refused


async def test_the_keyboard_stays_where_it_is_when_the_page_refreshes(
    tab: Tab, account: Account, shop: str
) -> None:
    await tab.run(f"{card(shop)}.querySelector('button').focus()")
    account.by_hand.trouble(shop, "critical")
    await tab.until(f"{card(shop)}.innerText.includes('critical')")

    assert await tab.run("document.activeElement.getAttribute('aria-label')") == "Edit: Shop"


async def test_whatever_can_be_used_has_a_name_for_those_who_cannot_see_it(tab: Tab) -> None:
    tree: list[dict[str, Any]] = (await tab.command("Accessibility.getFullAXTree"))["nodes"]
    used = [
        each
        for each in tree
        if each.get("role", {}).get("value") in ("button", "combobox", "link", "textbox", "img")
    ]
    headings = [each["name"]["value"] for each in tree if each.get("role", {}).get("value") == "heading"]

    assert len(used) > 8
    assert [each for each in used if not each["name"]["value"].strip()] == []
    assert {"What stands on what", "Services", "Escalation policies", "Business services"} <= set(headings)
