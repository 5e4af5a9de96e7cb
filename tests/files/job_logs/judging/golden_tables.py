"""Logs whose rows are judged one by one, and headings, as golden tables.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from gpuplanner.files.job_logs.judging.column_names import name_readings, writes_day_first
from tests.files.job_logs.judging.judged_texts import SUBJECTS, judged_lines
from tests.files.job_logs.random_logs import log_text, rich_log_text
from tests.golden.tables import Table
from tests.shown import shown

FOLDER: Final = "tables_files_job_logs_judging"
SHAPES: Final = ("own", "slurm2sql", "by mapping", "workloads of Run:ai")
SEEDS: Final = (3, 4)


def heading_text(case: str) -> str:
    """Return what fields a heading may name, the surest first, and whether its language writes the day first."""
    readings = sorted(name_readings(case).items(), key=lambda item: (-item[1].confidence, item[0]))
    lines = [f"{field}: {shown(reading)}" for field, reading in readings]
    if writes_day_first(case):
        lines.append("the day is written first")
    return "\n".join(lines) or "-"


HEADINGS: Final = (
    "job_id",
    "JobIDRaw",
    "Job Name",
    "jobName.keyword",
    "spec.resources.gpus",
    "a.b.c.gpus",
    "GPUs (percent)",
    "pct gpu used",
    "milli gpu count",
    "percent gpu util",
    "gpu",
    "ngpus",
    "gpu_hours",
    "GPU-Sekunden",
    "Anzahl GPUs",
    "nb gpus",
    "gpu_milli",
    "AllocTRES",
    "Knoten",
    "nodes",
    "Beginn",
    "Début",
    "start_time_ms",
    "startTimeUs",
    "submitted (epoch_s)",
    "eligible",
    "Ende",
    "end",
    "finished_at",
    "duration_h",
    "Dauer (h)",
    "Dauer (hh:mm)",
    "duration [h]:mm",
    "elapsed hh:mm:ss",
    "runtimesec",
    "walltime min",
    "wall_time_ms",
    "timelimit",
    "Time Limit (days)",
    "Priority",
    "QOS",
    "Partition",
    "Warteschlange",
    "account",
    "project",
    "Benutzer",
    "utilisateur",
    "user email",
    "state",
    "Status",
    "exit code",
    "gpu_model",
    "GPU Type",
    "model",
    "gpu_activity_percent",
    "GPU util (%)",
    "utilization share",
    "cluster",
    "hostlist",
    "comment",
    "",
)
TABLES: Final = {
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS)),
    "rich_logs.txt": Table(
        text_of=rich_log_text, cases=("columns 1", "columns 2", *(f"units {seed}" for seed in range(10)))
    ),
    "headings.txt": Table(
        text_of=lambda case: heading_text(case.removeprefix("heading ")),
        cases=tuple(f"heading {heading}" for heading in HEADINGS),
    ),
    "texts.txt": Table(text_of=judged_lines, cases=tuple(SUBJECTS)),
}
