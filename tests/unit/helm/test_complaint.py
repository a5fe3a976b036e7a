"""Of what Helm says, the fault is kept and the noise is not."""

from time import process_time

import pytest

from windlass.helm.complaint import complaint


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Error: release has no 7 version\n", "release has no 7 version"),
        ("Error: UPGRADE FAILED: it broke\n", "it broke"),
        ("Error: INSTALLATION FAILED: UPGRADE FAILED: it broke", "it broke"),
        ('level=WARN msg="upgrade failed" name=web\nError: UPGRADE FAILED: it broke', "it broke"),
        ("time=2026-01-01T00:00:00Z level=ERROR msg=no\nError: it broke", "it broke"),
        ("WARNING: Kubernetes configuration file is readable\nError: it broke", "it broke"),
        ("W0101 10:00:00.1 1 warnings.go:70] old\nError: it broke", "it broke"),
        ("coalesce.go:298: warning: cannot overwrite\nError: it broke", "it broke"),
        ("Error: bad YAML\n\nUse --debug flag to render out invalid YAML\n", "bad YAML"),
        ("Error: unknown flag: --x\n\nUsage:\n  helm upgrade\n", "unknown flag: --x"),
        ("Error: values don't meet the schema:\nweb:\n- missing property 'size'\n",
         "values don't meet the schema:\nweb:\n- missing property 'size'"),
        ("it cannot be started (No such file)\n", "it cannot be started (No such file)"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_fault_is_kept_and_the_noise_is_not(said: str, kept: str) -> None:
    assert complaint(said) == kept


def test_a_flood_is_cut() -> None:
    found = complaint("Error: " + "x" * 5000)

    assert len(found) == 1000
    assert found.endswith("x…")


def test_many_empty_lines_are_read_in_linear_time() -> None:
    began = process_time()
    complaint("Error: " + "\n" * 2**20 + "x")
    assert process_time() - began < 5
