"""Records what Kubernetes itself answers to the expressions of `tests/lib/cel_library.json`.

python scripts/record_cel.py

It needs `go`. An expression is added to the file with `null` for its answer.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Ask anew about every expression."""
    from cel_answer import RECORDED, comparable, questions, recorded
    from oracle import SOURCE, ask, build

    topics = recorded()
    with TemporaryDirectory() as folder:
        program = build(Path(folder), SOURCE / "cel")
        for topic in topics.values():
            answers = map(comparable, ask(program, questions(topic)))
            topic["cases"] = dict(zip(topic["cases"], answers, strict=True))
    RECORDED.write_bytes(orjson.dumps(topics, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests" / "lib"))
    main()
