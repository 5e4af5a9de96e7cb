"""A planner's day over and over: edits, undo, evaluation, saves, opening again; loses nothing, keeps its memory level.

Run: python -m tests.faults.soak MINUTES. Prints one line of JSON; asserts that each project comes back as it was.
"""

import gc
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from gpuplanner.app.document import Document
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.project.project_file import is_same, open_project, save_project
from gpuplanner.files.system.resources import read_tables
from tests.benchmarks.bench_drag import made_project

WARM_SHARE, EDITS = 0.25, 20


def resident_mb() -> float:
    """What this process holds now (Linux); elsewhere it is not known."""
    gc.collect()
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), float("nan"))


def soak(seconds: float, folder: Path) -> dict[str, float]:
    """Rounds done, and MB held after the first quarter, at most since then, and at the end."""
    document, chance, path = Document(made_project(200, 730)), random.Random(0), folder / "a.gpuplan"
    tables, scenario = read_tables(), document.project.scenarios[0].name
    keys = [workload.key for workload in document.project.workloads]
    begun, rounds, held = time.monotonic(), 0, []
    while (past := time.monotonic() - begun) < seconds or rounds < 2:
        for _ in range(EDITS):
            after = move_workloads(document.project, scenario, [chance.choice(keys)], chance.choice(POOLS))
            document.edit("Move", after)
            if chance.random() < 0.3:
                document.undo_stack.undo()
        evaluate(document.project, scenario, tables)
        save_project(document.project, path)
        assert is_same(open_project(path), document.project), rounds
        document.load(open_project(path))
        rounds += 1
        if past >= WARM_SHARE * seconds:
            held.append(resident_mb())
    return {"rounds": rounds, "first_mb": held[0], "most_mb": max(held), "last_mb": held[-1]}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        print(json.dumps(soak(60 * float(sys.argv[1]), Path(made))))
