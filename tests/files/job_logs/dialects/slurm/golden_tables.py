"""Slurm's logs and those of its tools, as golden tables.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from tests.files.job_logs.random_logs import log_text, sniffed_text
from tests.golden.tables import Table

FOLDER: Final = "tables_files_job_logs_dialects_slurm"
SHAPES: Final = (
    "sacct",
    "sacct with comments",
    "sacct of fixed width",
    "listing of squeue",
    "sacct in JSON",
    "sonar",
    "job completion",
    "scontrol",
    "sonar in JSON",
    "slurm2sql",
    "table of slurm2sql",
    "xdmod",
    "table of Slurm's database",
)
SEEDS: Final = (1, 2)
TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=SHAPES),
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS)),
}
