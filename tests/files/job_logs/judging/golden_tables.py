"""Logs whose rows are judged one by one, as golden tables.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from tests.files.job_logs.random_logs import log_text
from tests.golden.tables import Table

FOLDER: Final = "tables_files_job_logs_judging"
SHAPES: Final = ("own", "slurm2sql", "by mapping", "workloads of Run:ai")
SEEDS: Final = (3, 4)
TABLES: Final = {
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS))
}
