"""Which CEL engine for Python agrees with kube-apiserver, on the rules of widely used CRDs?

python -m benchmarks.cel_trial [--corpus FILE] [--seed NUMBER]

It needs `go`, for the modules that hold the definitions, and pip, which installs each engine into an
environment of its own. `docs/design/cel.md` says what came of it.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.cel_corpus import PROBE, Case, collect
from benchmarks.cel_probe import probes
from benchmarks.cel_values import QUOTED
from benchmarks.cel_verdict import judge

REQUIREMENTS = {
    "cel-python": "cel-python==0.5.0",
    "cel-expr-python": "cel-expr-python==0.1.3",
    "common-expression-language": "common-expression-language==0.10.0",
    "python-cel": "python-cel==0.1.1",
}
MACROS = ("all", "exists", "exists_one", "filter", "has", "map")
FUNCTIONS = ("contains", "duration", "endsWith", "int", "matches", "size", "startsWith", "string")
CORE = frozenset(MACROS + FUNCTIONS)
CALLED = re.compile(r"(\w+)\(")
REASON_WIDTH = 120

Answered = tuple[dict[str, Any], dict[str, Any]]
"""A case, and what an engine answers."""


def main() -> None:
    """Collect, judge, try each engine, and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, help="read the verdicts from this file; made if it is missing")
    parser.add_argument("--seed", type=int, default=1, help="of the values that are drawn")
    options = parser.parse_args()
    corpus = _corpus(options.corpus, options.seed)
    _describe(corpus)
    with tempfile.TemporaryDirectory() as folder:
        for engine, requirement in REQUIREMENTS.items():
            python = _environment(Path(folder) / engine, requirement)
            _report(engine, corpus, _answers(python, engine, corpus))


def _corpus(file: Path | None, seed: int) -> list[dict[str, Any]]:
    if file and file.exists():
        stored: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
        return stored
    cases: list[Case] = [*collect(), *probes()]
    judge(cases, seed)
    corpus = [asdict(case) for case in cases]
    if file:
        file.write_text(json.dumps(corpus, indent=1), encoding="utf-8")
    return corpus


def _describe(corpus: list[dict[str, Any]]) -> None:
    rules = [case for case in corpus if case["module"] != PROBE]
    tried = [case for case in rules if case["values"]]
    verdicts = Counter(value["verdict"] for case in rules for value in case["values"])
    told_apart = sum(len({value["verdict"] for value in case["values"]}) > 1 for case in tried)
    print(f"{len(rules)} rules, {len(tried)} with values, {told_apart} with more than one verdict")
    print(", ".join(f"{count} values {verdict}" for verdict, count in verdicts.most_common()))
    print(f"{sum(bool(case['refused']) for case in rules)} definitions refused;", end=" ")
    print(
        f"{sum(bool(case['undeclared']) for case in rules)} refused when a field of the rule is not declared"
    )
    for module, count in Counter(case["module"] for case in rules).most_common():
        print(f"  {count:4} {module}")


def _environment(folder: Path, requirement: str) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", requirement], check=True)
    return python


def _answers(python: Path, engine: str, corpus: list[dict[str, Any]]) -> dict[str, Any]:
    program = Path(__file__).with_name("cel_engine.py")
    done = subprocess.run(
        [python, program, engine], input=json.dumps(corpus), capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{engine} failed:\n{done.stderr}")
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def _report(engine: str, corpus: list[dict[str, Any]], answers: dict[str, Any]) -> None:
    pairs = [pair for pair in zip(corpus, answers["cases"], strict=True) if pair[0]["values"]]
    rules = [pair for pair in pairs if pair[0]["module"] != PROBE]
    differences = [found for found in map(_difference, rules) if found]
    core = [pair for pair in rules if CORE.issuperset(CALLED.findall(QUOTED.sub("", pair[0]["rule"])))]
    agreed = len(rules) - len(differences)
    print(f"\n{engine}: import {answers['import']['cpu']:.2f} s CPU, {answers['import']['memory_mb']:.0f} MB")
    print(f"  {agreed} of {len(rules)} rules agreed ({agreed / len(rules):.1%});", end=" ")
    print(f"{sum(not _difference(pair) for pair in core)} of the {len(core)} that call no library")
    _report_speed(rules)
    _report_probes([pair for pair in pairs if pair[0]["module"] == PROBE])
    for reason, count in Counter(found[:REASON_WIDTH] for found in differences).most_common():
        print(f"  {count:4} {reason}")


def _report_speed(rules: list[Answered]) -> None:
    compiling = [answer["compile"] for _, answer in rules]
    evaluating = [answer["evaluate"] for _, answer in rules if "evaluate" in answer]
    values = sum(len(case["values"]) for case, answer in rules if "evaluate" in answer)
    print(f"  compile {sum(compiling) / len(compiling) * 1e6:.0f} µs a rule,", end=" ")
    print(f"evaluate {sum(evaluating) / values * 1e6:.0f} µs a value")


def _report_probes(probed: list[Answered]) -> None:
    totals = Counter(case["path"] for case, _ in probed)
    agreed = Counter(pair[0]["path"] for pair in probed if not _difference(pair))
    print("  features:", ", ".join(f"{name} {agreed[name]}/{total}" for name, total in totals.items()))


def _difference(pair: Answered) -> str:
    """The first difference between the server and an engine on a case; nothing where they agree."""
    case, answer = pair
    for value, (verdict, message) in zip(case["values"], answer["verdicts"], strict=True):
        if verdict != value["verdict"]:
            return f"{value['verdict']} by the server, here {verdict}: {' '.join(message.split())}"
    return ""


if __name__ == "__main__":
    main()
