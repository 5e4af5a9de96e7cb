"""Kubernetes' pods and the logs of its schedulers, as golden tables.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

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
}
