"""Checks of an installation: every part it needs is there and the known answers come out."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpuplanner.domain.reports.entries import fields
from gpuplanner.files.system.own_folder import own_folder

JOBS = """job_id,cluster,name,gpu_model,gpus,start,end,class
1,atlas,train,H100,8,2026-01-01T00:00:00Z,2026-01-01T12:30:00Z,training
2,atlas,serve,H100,1,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,inference
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end
c1,atlas,H100,8,2.75,2025-12-01,2027-01-01
"""
PRICES = """offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour
od,H100,STANDARD,0,6.88
y1,H100,COMMITTED,12,2.75
"""
EXPECTED_GPU_HOURS = 8 * 12.5 + 24


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the self-test.

    detail: what was found, or the error.
    """

    name: str
    passed: bool
    detail: str


CHECKED: Final = fields("name", "passed", "detail")
"""A line as the document has it."""


def run_checks(now_s: int) -> tuple[CheckResult, ...]:
    """Every check in turn; one that raises has failed, with the error as its detail.

    now_s: epoch seconds UTC, for what is written. Writes only into a folder of its own, which is gone
    afterwards.
    """
    checks: tuple[tuple[str, Callable[[Path, int], str]], ...] = (
        ("libraries", _libraries),
        ("resources", _resources),
        ("job log to plan", _job_log_to_plan),
        ("project file", _project_file),
        ("workbook", _workbook),
    )
    results = []
    with own_folder() as folder:
        for name, run in checks:
            try:
                results.append(CheckResult(name, True, run(folder, now_s)))
            except Exception as error:  # the point of this command is to report, whatever went wrong
                results.append(CheckResult(name, False, f"{type(error).__name__}: {error}"))
    return tuple(results)


def _libraries(folder: Path, now_s: int) -> str:
    """Versions of what must be there. Errors: PackageNotFoundError for what is not."""
    from importlib.metadata import version

    names = (
        "PySide6_Essentials",
        "numpy",
        "pandas",
        "duckdb",
        "ibis-framework",
        "pyqtgraph",
        "XlsxWriter",
        "openpyxl",
    )
    return ", ".join(f"{name} {version(name)}" for name in names)


def _resources(folder: Path, now_s: int) -> str:
    """Tables that ship with the product. Errors: ValueError where one is empty."""
    from gpuplanner.files.system.resources import read_tables

    tables = read_tables()
    if not tables.class_rules or not tables.gpu_models:
        raise ValueError("a table is empty; install gpuplanner again")
    return f"{len(tables.gpu_models)} GPU models, {len(tables.class_rules)} class rules"


def _project(folder: Path):  # type: ignore[no-untyped-def]
    """A small project, read from files as a planner's would be."""
    from gpuplanner.files.importing.intake import read_inputs

    paths = []
    for name, text in (("jobs.csv", JOBS), ("contracts.csv", CONTRACTS), ("prices.csv", PRICES)):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append([str(path)])
    return read_inputs(*paths).project()


def _evaluation(folder: Path, now_s: int):  # type: ignore[no-untyped-def]
    """It with all its figures."""
    from gpuplanner.domain.evaluation import evaluate
    from gpuplanner.files.system.resources import read_tables

    project = _project(folder)
    return evaluate(project, project.scenarios[0].name, read_tables())


def _job_log_to_plan(folder: Path, now_s: int) -> str:
    """GPU-hours come out exactly, and the plan has a cost. Errors: ValueError."""
    evaluation = _evaluation(folder, now_s)
    gpu_hours = evaluation.project.cube.total / 3_600_000
    if gpu_hours != EXPECTED_GPU_HOURS:
        raise ValueError(f"{gpu_hours} GPU-hours instead of {EXPECTED_GPU_HOURS}")
    planned = evaluation.advice.totals.plan
    if planned is None or planned <= 0:
        raise ValueError("the plan has no cost")
    return f"{gpu_hours:g} GPU-hours, plan ${planned:,.2f} per month"


def _project_file(folder: Path, now_s: int) -> str:
    """Saved, opened, and the same demand. Errors: ValueError."""
    from gpuplanner.files.project.project_file import open_project, save_project

    project, path = _project(folder), folder / "self-test.gpuplan"
    save_project(project, path)
    if open_project(path).cube.total != project.cube.total:
        raise ValueError("a saved project did not come back as it was")
    return "saved and opened"


def _workbook(folder: Path, now_s: int) -> str:
    """Written; its size says that something is in it."""
    from gpuplanner.files.workbook.write import write_workbook

    path = folder / "self-test.xlsx"
    write_workbook(_evaluation(folder, now_s), path, now_s)
    return f"{path.stat().st_size:,} bytes"
