from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from windlass.api import Key
from windlass.kinds.apps.v1 import Deployment
from windlass.reconcile import bound, controller_fields, object_fields

if TYPE_CHECKING:
    import pytest

LOGGER = logging.getLogger("test.bound")


def fields(caplog: pytest.LogCaptureFixture) -> dict[str, Any]:
    found = vars(caplog.records[-1])["windlass"]
    assert isinstance(found, dict)
    return found


def test_a_line_carries_the_fields_of_its_logger_and_of_the_call(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, LOGGER.name):
        bound(LOGGER, controller="webapp").bound(name="shop").info("scaled to %d", 3, replicas=3)

    assert caplog.records[-1].getMessage() == "scaled to 3"
    assert fields(caplog) == {"controller": "webapp", "name": "shop", "replicas": 3}


def test_the_fields_of_a_call_do_not_stay(caplog: pytest.LogCaptureFixture) -> None:
    log = bound(LOGGER, controller="webapp")
    with caplog.at_level(logging.INFO, LOGGER.name):
        log.info("one", controller="other", more=1)
        log.info("two")

    assert fields(caplog) == {"controller": "webapp"}


def test_what_logging_itself_takes_is_no_field(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, LOGGER.name):
        try:
            int("no number")
        except ValueError:
            bound(LOGGER).exception("failed", extra={"request": 7}, stacklevel=1)

    record = caplog.records[-1]
    assert (fields(caplog), vars(record)["request"]) == ({}, 7)
    assert record.exc_info is not None
    assert record.funcName == "test_what_logging_itself_takes_is_no_field"


def test_a_line_whose_level_is_off_is_not_even_put_together() -> None:
    class Costly:
        def __str__(self) -> str:
            raise AssertionError("somebody looked")

    LOGGER.setLevel(logging.INFO)
    bound(LOGGER).debug("%s", Costly(), value=Costly())


def test_the_fields_of_a_reconcile_have_controller_runtimes_names() -> None:
    kind = Deployment.__kind__

    assert controller_fields("web", kind) == {
        "controller": "web",
        "controllerGroup": "apps",
        "controllerKind": "Deployment",
    }
    assert object_fields(kind, Key("default", "shop"), "1-2") == {
        "Deployment": {"name": "shop", "namespace": "default"},
        "namespace": "default",
        "name": "shop",
        "reconcileID": "1-2",
    }


def test_a_controller_of_keys_names_no_kind_and_a_cluster_wide_object_no_namespace() -> None:
    assert controller_fields("poll", None) == {"controller": "poll"}
    assert object_fields(Deployment.__kind__, Key("", "shop"), "1")["Deployment"] == {"name": "shop"}
    assert "name" in object_fields(None, Key("", "shop"), "1")
