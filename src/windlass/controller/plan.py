from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from windlass.controller.acts import PlanEndsError
from windlass.controller.facilities import facilities_of
from windlass.controller.journal import Recorder
from windlass.controller.log import BoundLogger
