"""The helm program keeps the promises of `windlass.helm.Helm`, on a server in this process and on the real one."""

from __future__ import annotations

from helm_contract import HelmContract
from helm_sites import site_fixture

site = site_fixture


class TestHelmProgram(HelmContract):
    """By the program."""
