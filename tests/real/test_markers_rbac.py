"""Rules as roles, on the real API server: what a user may do who has them, and what not."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from marker_page import row, value_of
from windlass.api import Untyped
from windlass.client import Request, connect, find_kind, load_config
from windlass.codegen import Project, Rule, manager_roles
from windlass.codegen.rbac import bindings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client
    from windlass.testing import Access
