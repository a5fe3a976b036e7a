from __future__ import annotations

import subprocess
import sys

from windlass.apiserver.crd.rules import LazyRules

PROGRAM = """
import sys
from windlass.apiserver.crd.rules import LazyRules

schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
print(*LazyRules().check(schema, "at"), LazyRules().compile(schema))
print(*(name for name in sys.modules if name.startswith("windlass.schema.cel")))
"""
RULED = {"type": "object", "x-kubernetes-validations": [{"rule": "self.kind == 'A'"}]}


def test_a_schema_without_rules_loads_no_cel() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["None"]


def test_a_schema_with_rules_is_checked_and_put_to_use() -> None:
    assert not [*LazyRules().check(RULED, "at")]
    rules = LazyRules().compile(RULED)
    assert rules is not None
    assert [fault.message for fault in rules.faults({"kind": "B"}, None, None, "")] == [
        "Invalid value: failed rule: self.kind == 'A'"
    ]
