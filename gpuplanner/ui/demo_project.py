"""The demo as a project: its inputs written to a folder, read like any others, with two plans."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from gpuplanner.domain.edits import add_plan
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import AS_TODAY, Scenario

PLANS = ("Plan A \u00b7 Separate", "Plan B \u00b7 As today")


def make_demo(
    folder: Path, on_progress: Callable[[float, str], None], is_cancelled: Callable[[], bool]
) -> Project:
    """Write and read the demo; takes seconds, so it runs in a thread."""
    from gpuplanner.files.demo import write_demo
    from gpuplanner.files.intake import read_inputs

    folder.mkdir(parents=True, exist_ok=True)
    on_progress(0.05, "writing the demo's log")
    write_demo(folder)
    read = read_inputs(
        *([str(folder / name)] for name in ("jobs.csv", "contracts.csv", "prices.csv")),
        on_progress=lambda fraction, text: on_progress(0.3 + 0.7 * fraction, text),
        is_cancelled=is_cancelled,
    )
    if read.window is None or read.cube is None:
        raise ValueError("demo: no job was accepted")
    project = Project(
        window=read.window,
        cube=read.cube,
        workloads=read.workloads,
        jobs=read.jobs,
        contracts=read.contracts,
        offers=read.offers,
        intake=read.intake,
        scenarios=(Scenario(PLANS[0]),),
        title="Demo",
    )
    return replace(add_plan(project, PLANS[1], start=AS_TODAY))
