"""Logs that are reduced to workloads, as golden tables.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from tests.files.job_logs.random_logs import log_text, rich_log_text
from tests.files.job_logs.reduce.name_texts import SUBJECTS, name_lines
from tests.golden.tables import Table

FOLDER: Final = "tables_files_job_logs_reduce"
SHAPES: Final = ("own", "lines by mapping", "oci.csv", "sacct with comments", "table of runs")
SEEDS: Final = (3,)
TABLES: Final = {
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS)),
    "rich_logs.txt": Table(text_of=rich_log_text, cases=tuple(f"columns {seed}" for seed in range(3, 7))),
    "names.txt": Table(text_of=name_lines, cases=tuple(SUBJECTS)),
}
