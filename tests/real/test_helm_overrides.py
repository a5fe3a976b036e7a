"""Overrides that are templates, rendered by Helm itself."""

from __future__ import annotations

import pytest

from discovering import Discovery
from windlass.client import Client
from windlass.errors import ConfigError, ToolError
from windlass.helm import HelmProgram
from windlass.helm.values import resolve_overrides
from windlass.tools import find_helm


@pytest.fixture
def helm() -> HelmProgram:
    """Helm without a cluster, which overrides do not need."""
    try:
        return HelmProgram(Client(Discovery()), program=find_helm())
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")


async def test_templates_have_sprig_and_the_environment_and_their_text_stays_exact(helm: HelmProgram) -> None:
    odd = '}}"\\ {{ \n<&>'
    overrides = {
        "plain": "${PLAIN}",
        "image.tag": ' {{ "v1" | upper }}\n"é" ',
        "list[0].name": '{{ env "ODD" }}',
        "nested": '{{ (dict "a" 1).a }}-{{ "ODD" | env | len }}',
    }

    resolved = await resolve_overrides(overrides, {"ODD": odd, "PLAIN": "p"}, helm)

    assert resolved == {
        "plain": "p",
        "image.tag": ' V1\n"é" ',
        "list[0].name": odd,
        "nested": f"1-{len(odd)}",
    }


async def test_a_template_that_is_wrong_is_named(helm: HelmProgram) -> None:
    with pytest.raises(ConfigError, match=r'\(image\.tag\): .*function "nosuch" not defined'):
        await resolve_overrides({"image.tag": "{{ nosuch }}", "other": "x"}, {}, helm)
