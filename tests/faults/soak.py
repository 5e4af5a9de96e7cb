"""A planner's day over and over: edits, undo, evaluation, saves, opening again; loses nothing, keeps its memory level.

Run: python -m tests.faults.soak MINUTES. Half of the time without a window, then in one. Prints one line of JSON;
asserts that each project comes back as it was.
"""

import gc
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from gpuplanner.app.document import Document
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.project.project_file import is_same, open_project, save_project
from gpuplanner.files.system.memory import share_memory
from gpuplanner.files.system.resources import read_tables
from tests.benchmarks.bench_drag import made_project

WARM_SHARE, EDITS = 0.25, 20


def resident_mb(*, is_collected: bool = True) -> float:
    """What this process holds now (Linux); elsewhere it is not known."""
    if is_collected:
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


def soak_window(seconds: float, folder: Path) -> dict[str, float]:
    """Acts in a window, and MB held after the first, which shows a plan, and at most since then.

    Nothing is collected or given back but by the window itself.
    """
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from gpuplanner.app.settings import Settings
    from gpuplanner.app.tidying import Tidying
    from gpuplanner.ui.kit.palettes import LIGHT
    from gpuplanner.ui.kit.style_sheet import apply_palette
    from gpuplanner.ui.window.application import build
    from tests.benchmarks.bench_window import at_rest

    application = QApplication([])
    apply_palette(application, LIGHT)
    settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    window, flow, document = build(settings, 1_790_000_000)
    Tidying(window.session.evaluator, window)
    window.show()
    document.load(made_project(1000, 2160))
    at_rest(window, application)
    chance, acts, held = random.Random(0), 0, list[float]()
    plan, panels = document.project.scenarios[0].name, window.docks.openers()
    keys = [one.key for one in document.project.workloads]
    begun = time.monotonic()
    while time.monotonic() - begun < seconds or acts < EDITS:
        act = chance.random() if acts else 0.0
        window.choose_scenario(TODAY if act > 0.9 else plan)  # where nothing is moved
        if act < 0.6:
            window.board.workloads_moved.emit((chance.choice(keys),), chance.choice(POOLS))
        elif act < 0.8:
            document.undo_stack.undo()
        else:
            chance.choice(panels).trigger()
        at_rest(window, application)
        acts += 1
        held.append(resident_mb(is_collected=False))
    flow.leave_quietly()
    return {"acts": acts, "start_mb": held[0], "window_mb": max(held)}


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    share_memory()
    half_s = 30 * float(sys.argv[1])
    with tempfile.TemporaryDirectory() as made:
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_STATE_HOME"] = made
        found = soak(half_s, Path(made))
        print(json.dumps(found | soak_window(half_s, Path(made))))
