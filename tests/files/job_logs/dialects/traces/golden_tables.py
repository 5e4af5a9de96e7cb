"""Public traces, as golden tables.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from tests.files.job_logs.random_logs import log_text, sniffed_text
from tests.golden.tables import Table

FOLDER: Final = "tables_files_job_logs_dialects_traces"
SHAPES: Final = ("openb", "philly", "table like philly", "pai", "swf")
SEEDS: Final = (0, 1, 2)
TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=SHAPES),
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS)),
}
