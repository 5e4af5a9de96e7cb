"""Slurm's logs and those of its tools, as golden tables: whole logs, and functions.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from tests.files.job_logs.dialects.slurm import record_cases, sacct_cases, slurm_logs
from tests.files.job_logs.job_tables import job_table_lines
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
    "sacct.txt": Table(
        text_of=lambda case: sacct_cases.FUNCTIONS[case](case), cases=tuple(sacct_cases.FUNCTIONS)
    ),
    "records.txt": Table(
        text_of=lambda case: record_cases.FUNCTIONS[case](case), cases=tuple(record_cases.FUNCTIONS)
    ),
    "sacct_tables.txt": Table(
        text_of=lambda case: job_table_lines(*slurm_logs.SACCT[case]), cases=tuple(slurm_logs.SACCT)
    ),
    "tool_tables.txt": Table(
        text_of=lambda case: job_table_lines(*slurm_logs.TOOLS[case]), cases=tuple(slurm_logs.TOOLS)
    ),
}
