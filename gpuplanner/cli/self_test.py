"""Calls about the product itself: the demo folder, and the checks of an installation."""

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

from gpuplanner.cli.answer import save_named
from gpuplanner.cli.arguments import UsageError
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.reports.report import fields
from gpuplanner.files.demo.days import DemoDays, ending, ending_yesterday
from gpuplanner.files.demo.demo_files import DEMO_FILES
from gpuplanner.files.demo.demo_project import PLANS, make_demo
from gpuplanner.files.project.project_backups import replaced_name, stamp_if_any
from gpuplanner.files.system.output_file import place_of
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.system.user_files import ROWS, data_folder, private_folder
from gpuplanner.files.workbook.write import write_workbook
from gpuplanner.lazy_dataclass import dataclass

# --- The demo folder: inputs, a project with two plans, and its workbook -------------------------

PROJECT_NAME = "demo.gpuplan"
WORKBOOK_NAME = "demo.xlsx"
FIRST_YEAR, LAST_YEAR = 1980, 2190
"""Contracts of the demo reach years before and after its log."""


def write_demo_folder(
    folder: Path, days: DemoDays, now_s: int, rows_dir: Path | None = None
) -> tuple[list[Path], tuple[str, ...]]:
    """Write everything into `folder` (made where missing); which files, and lines for standard error.

    What somebody else has under these names is kept beside them. rows_dir: where the job rows are kept, so that the
    project can be looked at in another window. Errors: PlannerError file_unreadable.
    """
    for name in (*DEMO_FILES, PROJECT_NAME, WORKBOOK_NAME):
        if folder.is_dir():
            place_of(folder / name)  # all of it or nothing
    theirs = {folder / name: stamp_if_any(folder / name) for name in DEMO_FILES}
    project = make_demo(folder, days, rows_dir=rows_dir)
    lines = []
    for path, there in theirs.items():
        now = stamp_if_any(path)
        if there is not None and now is not None and now.sha256 != there.sha256:
            lines.append(f"{path}: another file was there; it is kept as {replaced_name(path, there)}")
    lines += save_named(project, folder / PROJECT_NAME, now_s, rows_dir)
    write_workbook(evaluate(project, PLANS[0], read_tables()), folder / WORKBOOK_NAME, now_s)
    return [folder / name for name in (*DEMO_FILES, PROJECT_NAME, WORKBOOK_NAME)], tuple(lines)


def demo_days(text: str | None, now_s: int) -> DemoDays:
    """The days of a demo that ends on the day of --ending, or yesterday. Errors: UsageError.

    text: an ISO day; now_s: epoch seconds UTC, which says what yesterday is.
    """
    if text is None:
        return ending_yesterday(now_s)
    try:
        last = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--ending {text!r} is no day; write 2026-09-30") from None
    if not FIRST_YEAR <= last.year <= LAST_YEAR:
        raise UsageError(f"--ending {text!r}: give a year from {FIRST_YEAR} to {LAST_YEAR}")
    return ending(last)


def rows_folder() -> Path | None:
    """Where this user's job rows are kept, as the window keeps them; None where nothing may be written there.

    The folder is made where it is not there.
    """
    try:
        folder = private_folder(data_folder() / ROWS)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


# --- Checks of an installation: every part it needs is there and the known answers come out ------

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
    """Versions of the interpreter, its XML parser and what must be there. Errors: PackageNotFoundError for what is
    not."""
    from importlib.metadata import version
    from platform import python_version
    from pyexpat import EXPAT_VERSION

    names = (
        "PySide6_Essentials",
        "numpy",
        "pandas",
        "duckdb",
        "pyarrow",
        "pyqtgraph",
        "XlsxWriter",
        "openpyxl",
    )
    versions = (f"{name} {version(name)}" for name in names)
    return ", ".join((f"Python {python_version()}", EXPAT_VERSION.replace("_", " "), *versions))


def _resources(folder: Path, now_s: int) -> str:
    """Tables that ship with the product. Errors: ValueError where one is empty."""
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
    path = folder / "self-test.xlsx"
    write_workbook(_evaluation(folder, now_s), path, now_s)
    return f"{path.stat().st_size:,} bytes"
