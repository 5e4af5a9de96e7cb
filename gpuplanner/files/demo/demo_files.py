"""The demo inputs as files: jobs, contracts, prices, users, sites and traffic."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.demo.days import DemoDays
from gpuplanner.files.demo.queue import queued
from gpuplanner.files.demo.runs import runs_of
from gpuplanner.files.project.project_backups import Expected, keep_present, stamp_of
from gpuplanner.files.system import user_files
from gpuplanner.files.system.output_file import Output, output_folder, write_output
from gpuplanner.files.tables.delimited import write_rows
from gpuplanner.files.values.word_lists import phrases

JOB_COLUMNS: Final = phrases(
    "job_id|cluster|name|account|user|queue|gpu_model|gpus|nodes|submit|eligible|start|end|time_limit"
    "|state|gpu_activity_percent|class|model"
)
DATED: Final = ("contracts.csv", "prices.csv")
"""Tables whose days count from the log's end; in resources/demo they are numbers of days."""
DAY_COLUMNS: Final = ("start", "end", "starts", "ends", "valid_until", "as_of")
UNDATED: Final = ("users.csv", "sites.csv", "traffic.csv")
DEMO_FILES: Final = ("jobs.csv", *DATED, *UNDATED)

Table = list[dict[str, str]]


def write_demo(folder: Path, days: DemoDays, *, is_folder_ours: bool = False) -> list[Path]:
    """Write jobs.csv, contracts.csv, prices.csv, users.csv, sites.csv and traffic.csv; for a day the same bytes.

    folder is made where missing; other files of these names in it are kept beside them (project_backups.py), unless
    is_folder_ours: then they are the demo of another day. Errors: PlannerError file_unreadable.
    """
    output_folder(folder)  # first: to make the rows takes seconds
    contracts = _dated("contracts.csv", days)
    contents = {
        "jobs.csv": _csv(chain((JOB_COLUMNS,), demo_jobs(read_table("workloads.csv"), contracts, days))),
        "contracts.csv": _csv(_with_heading(contracts)),
        "prices.csv": _csv(_with_heading(_dated("prices.csv", days))),
    }
    for name in UNDATED:
        contents[name] = user_files.resource_path(f"demo/{name}").read_bytes()
    for name, content in contents.items():
        write_output(folder / name, content, keep=_keep_nothing if is_folder_ours else _keep_theirs)
    return [folder / name for name in contents]


def _keep_theirs(out: Output) -> None:
    """Somebody's own file of a name of ours is theirs."""
    keep_present(out, 0, Expected(is_any_replaced=True), stamp_of(out.part))


def _keep_nothing(out: Output) -> None:
    """What is there was ours."""


def demo_jobs(
    workloads: Iterable[Mapping[str, str]], contracts: Table, days: DemoDays
) -> Iterator[tuple[str, ...]]:
    """One row of jobs.csv per run, in the order in which jobs started; ids count up from 100001."""
    jobs = [(row, run) for row in workloads for run in runs_of(row, days)]
    jobs.sort(
        key=lambda job: (job[1].start_s, job[1].end_s, job[0]["cluster"], job[0]["name"], job[0]["user"])
    )
    for number, ((row, run), queue) in enumerate(
        zip(jobs, queued(jobs, contracts, days), strict=True), start=100_001
    ):
        activity = "" if run.activity_percent is None else f"{run.activity_percent:.1f}"
        eligible = "" if queue.eligible_s is None else iso_utc(queue.eligible_s)
        yield (
            str(number),
            row["cluster"],
            row["name"],
            row["account"],
            row["user"],
            row["queue"],
            row["gpu_model"],
            row["gpus"],
            row["nodes"],
            iso_utc(queue.submit_s),
            eligible,
            iso_utc(run.start_s),
            iso_utc(run.end_s),
            queue.time_limit,
            run.state,
            activity,
            "",
            row["model"],
        )


def read_table(name: str) -> Table:
    """A table of the demo's resources, a dict for each row."""
    with user_files.resource_path(f"demo/{name}").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _dated(name: str, days: DemoDays) -> Table:
    """A table of resources/demo with its numbers of days, counted from the log's end, as dates."""
    return [
        {key: days.date(int(cell)) if cell and key in DAY_COLUMNS else cell for key, cell in row.items()}
        for row in read_table(name)
    ]


def _with_heading(table: Table) -> Iterator[tuple[str, ...]]:
    """The heading as the first row, then the values of each row in its order."""
    yield tuple(table[0])
    yield from (tuple(row.values()) for row in table)


def _csv(rows: Iterable[tuple[str, ...]]) -> bytes:
    """Rows as the bytes of a CSV file in UTF-8, the same on every system."""
    written = io.StringIO()
    write_rows(written, rows, "\n")
    return written.getvalue().encode()
