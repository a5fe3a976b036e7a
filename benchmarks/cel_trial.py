"""Which CEL engine for Python agrees with kube-apiserver, on the rules of widely used CRDs?

python -m benchmarks.cel_trial [--corpus FILE]

It needs `go`, for the modules that hold the definitions, and pip, which installs each engine into an
environment of its own. `docs/design/cel.md` says what came of it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.cel_corpus import Case, collect
from benchmarks.cel_probe import probes
from benchmarks.cel_verdict import judge

SEED = 1
REQUIREMENTS = {
    "cel-python": "cel-python==0.5.0",
    "cel-expr-python": "cel-expr-python==0.1.3",
    "common-expression-language": "common-expression-language==0.10.0",
    "python-cel": "python-cel==0.1.1",
}
REASON_WIDTH = 90


def main() -> None:
    """Collect, judge, try each engine, and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, help="read the verdicts from this file; made if it is missing")
    corpus = _corpus(parser.parse_args().corpus)
    _describe(corpus)
    with tempfile.TemporaryDirectory() as folder:
        for engine, requirement in REQUIREMENTS.items():
            python = _environment(Path(folder) / engine, requirement)
            _report(engine, corpus, _answers(python, engine, corpus))


def _corpus(file: Path | None) -> list[dict[str, Any]]:
    if file and file.exists():
        stored: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
        return stored
    cases: list[Case] = [*collect(), *probes()]
    judge(cases, SEED)
    corpus = [asdict(case) for case in cases]
    if file:
        file.write_text(json.dumps(corpus, indent=1), encoding="utf-8")
    return corpus


def _describe(corpus: list[dict[str, Any]]) -> None:
    rules = [case for case in corpus if case["module"] != "probe"]
    tried = [case for case in rules if case["values"]]
    verdicts = Counter(value["verdict"] for case in rules for value in case["values"])
    told_apart = sum(len({value["verdict"] for value in case["values"]}) > 1 for case in tried)
    print(f"{len(rules)} rules, {len(tried)} with values, {told_apart} with more than one verdict")
    print(", ".join(f"{count} values {verdict}" for verdict, count in verdicts.most_common()))
    print(f"{sum(bool(case['refused']) for case in rules)} definitions refused;", end=" ")
    print(f"{sum(bool(case['misspelt']) for case in rules)} refused when a field of the rule is not declared")
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
    pairs = [(case, answer) for case, answer in zip(corpus, answers["cases"], strict=True) if case["values"]]
    rules = [(case, answer) for case, answer in pairs if case["module"] != "probe"]
    agreed = [_agrees(case, answer) for case, answer in rules]
    evaluated = sum(len(case["values"]) for case, answer in rules if "evaluate" in answer)
    print(f"\n{engine}: import {answers['import']['cpu']:.2f} s CPU, {answers['import']['memory_mb']:.0f} MB")
    print(f"  rules agreed {sum(agreed)} of {len(agreed)} ({sum(agreed) / len(agreed):.1%})")
    print(
        f"  compile {sum(answer['compile'] for _, answer in rules) / len(rules) * 1e6:.0f} µs a rule,",
        end=" ",
    )
    print(
        f"evaluate {sum(answer.get('evaluate', 0) for _, answer in rules) / evaluated * 1e6:.0f} µs a value"
    )
    libraries = Counter[str]()
    for case, answer in pairs:
        if case["module"] == "probe":
            libraries[case["path"]] += _agrees(case, answer)
    totals = Counter(case["path"] for case, _ in pairs if case["module"] == "probe")
    print("  libraries:", ", ".join(f"{name} {libraries[name]}/{total}" for name, total in totals.items()))
    for reason, count in Counter(filter(None, map(_difference, rules))).most_common(12):
        print(f"  {count:4} {reason}")


def _agrees(case: dict[str, Any], answer: dict[str, Any]) -> bool:
    return not _difference((case, answer))


def _difference(pair: tuple[dict[str, Any], dict[str, Any]]) -> str:
    """The first difference between the server and an engine on a case; nothing where they agree."""
    case, answer = pair
    for value, (verdict, message) in zip(case["values"], answer["verdicts"], strict=True):
        if verdict != value["verdict"]:
            reason = " ".join(message.split())[:REASON_WIDTH]
            return f"{value['verdict']} by the server, here {verdict}: {reason}"
    return ""


if __name__ == "__main__":
    main()
