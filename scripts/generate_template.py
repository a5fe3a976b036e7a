"""Write the Go types anew that the hash of a pod template rests on; `--check` only tells if they changed.

They are read by `facts/template` from the modules that its `go.mod` names.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import orjson

FACTS = Path(__file__).resolve().parent / "facts"
FILE = FACTS.parent.parent / "src/windlass/cluster/controller/template.json"


def main() -> None:
    """Write, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if something would change")
    command = ["go", "run", "./template"]
    printed = subprocess.run(command, cwd=FACTS, check=True, stdout=subprocess.PIPE).stdout
    data = orjson.dumps(orjson.loads(printed), option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
    if parser.parse_args().check:
        sys.exit(f"stale: {FILE.name}" if FILE.read_bytes() != data else None)
    FILE.write_bytes(data)


main()
