"""Kubernetes' pods and the logs of its schedulers, as golden tables: whole logs, and functions.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from tests.files.job_logs.dialects.kubernetes import pod_cases, scheduler_cases
from tests.files.job_logs.job_tables import job_table_lines
from tests.files.job_logs.random_logs import log_text, sniffed_text
from tests.golden.tables import Table

FOLDER: Final = "tables_files_job_logs_dialects_kubernetes"
SHAPES: Final = (
    "pods",
    "lines of pods",
    "allocation",
    "table of allocation",
    "kueue",
    "workloads of Run:ai",
    "table of Run:ai",
    "volcano",
)
SEEDS: Final = (1, 2)
TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=SHAPES),
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS)),
    "pods.txt": Table(text_of=lambda case: pod_cases.FUNCTIONS[case](case), cases=tuple(pod_cases.FUNCTIONS)),
    "schedulers.txt": Table(
        text_of=lambda case: scheduler_cases.FUNCTIONS[case](case), cases=tuple(scheduler_cases.FUNCTIONS)
    ),
    "job_tables.txt": Table(
        text_of=lambda case: job_table_lines(*scheduler_cases.LOGS[case]), cases=tuple(scheduler_cases.LOGS)
    ),
}
