"""The demo inputs: a made-up company's quarter, with every situation that makes capacity planning worth doing."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.demo_jobs import runs_of
from gpuplanner.files.demo_situations import calm_rows
from gpuplanner.files.harmless_cells import write_rows
from gpuplanner.files.output_file import Output, output_folder, write_output
from gpuplanner.files.project_backups import keep_present
from gpuplanner.files.project_stamp import Expected, stamp_of
from gpuplanner.files.resources import resource_path

JOB_COLUMNS: Final = (
    "job_id", "cluster", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes",
    "start", "end", "state", "gpu_activity_percent", "class", "model",
)  # fmt: skip
WRITTEN_BY_HAND: Final = ("contracts.csv", "prices.csv", "users.csv", "sites.csv", "traffic.csv")
CALM_CONTRACTS: Final = "calm_contracts.csv"
DEMO_FILES: Final = ("jobs.csv", *WRITTEN_BY_HAND)


def write_demo(folder: Path, *, is_calm: bool = False) -> list[Path]:
    """Write jobs.csv, contracts.csv, prices.csv, users.csv, sites.csv and traffic.csv; the same bytes every time.

    folder is made where missing; other files of these names in it are kept beside them (project_backups.py). is_calm:
    the same company without the situations of `demo_situations`, on contracts that fit: a quarter in which an audit has
    nothing to find. Errors: PlannerError file_unreadable.
    """
    rows = demo_jobs(calm_rows(_workloads()) if is_calm else _workloads())
    written = io.StringIO()
    write_rows(written, chain((JOB_COLUMNS,), rows), "\n")
    contents = {"jobs.csv": written.getvalue().encode()}
    for name in WRITTEN_BY_HAND:
        source = CALM_CONTRACTS if is_calm and name == "contracts.csv" else name
        contents[name] = resource_path(f"demo/{source}").read_bytes()
    output_folder(folder)
    for name, content in contents.items():
        write_output(folder / name, content, keep=_keep_theirs)
    return [folder / name for name in contents]


def _keep_theirs(out: Output) -> None:
    """Somebody's own file of a name of ours is theirs."""
    keep_present(out, 0, Expected(is_any_replaced=True), stamp_of(out.part))


def demo_jobs(workloads: Iterable[Mapping[str, str]]) -> Iterator[tuple[str, ...]]:
    """One row of jobs.csv per run, in the order in which jobs started; ids count up from 100001."""
    runs = [(run, row) for row in workloads for run in runs_of(row)]
    runs.sort(
        key=lambda pair: (
            pair[0].start_s,
            pair[0].end_s,
            pair[1]["cluster"],
            pair[1]["name"],
            pair[1]["user"],
        )
    )
    for number, (run, row) in enumerate(runs, start=100_001):
        activity = "" if run.activity_percent is None else f"{run.activity_percent:.1f}"
        yield (
            str(number), row["cluster"], row["name"], row["account"], row["user"], row["queue"], row["gpu_model"],
            row["gpus"], row["nodes"], iso_utc(run.start_s), iso_utc(run.end_s), run.state, activity, "", row["model"],
        )  # fmt: skip


def _workloads() -> list[dict[str, str]]:
    with resource_path("demo/workloads.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
