"""Rows of figures: printed as a table, kept as JSON."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "results.json"


@dataclass(frozen=True)
class Row:
    """One figure of ours beside one peer's. The promise is an upper bound of the ratio, if there is one."""

    name: str
    unit: str
    peer: str
    ours: float
    theirs: float
    promise: float | None
    load: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    @property
    def verdict(self) -> str:
        """The promise, and whether it was missed."""
        if self.promise is None:
            return f"{'-':>9}"
        return f"{self.promise:>9.2f}{'' if self.ratio <= self.promise else '  missed'}"


def row(name: str, unit: str, peer: str, figures: tuple[float, float], promise: float | None = 1.0) -> Row:
    """A row, with how busy the machine is at this moment."""
    ours, theirs = figures
    return Row(name, unit, peer, ours, theirs, promise, os.getloadavg()[0])


def report(rows: list[Row]) -> None:
    """Print the rows, and keep them beside those of benchmarks that were not run this time."""
    print(f"{'work':<32}{'peer':<22}{'ours':>10}{'theirs':>10}{'unit':>8}{'ratio':>8}{'promise':>9}")
    for each in rows:
        print(
            f"{each.name:<32}{each.peer:<22}{each.ours:>10.2f}{each.theirs:>10.2f}{each.unit:>8}"
            f"{each.ratio:>8.2f}{each.verdict}"
        )
    names = {each.name for each in rows}
    earlier = json.loads(RESULTS.read_text()) if RESULTS.is_file() else []
    kept_rows = [each for each in earlier if each["name"] not in names]
    new = [asdict(each) | {"ratio": round(each.ratio, 3)} for each in rows]
    RESULTS.write_text(json.dumps(kept_rows + new, indent=1) + "\n")
