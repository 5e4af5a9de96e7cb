"""Bills of clouds and logs of other schedulers and tools, as golden tables.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from tests.files.job_logs.random_logs import log_text, sniffed_text
from tests.golden.tables import Table

FOLDER: Final = "tables_files_job_logs_dialects"
SHAPES: Final = (
    "focus_1_2.csv",
    "aws_cur_2.csv",
    "aws_cur_legacy.csv",
    "azure_ea.csv",
    "azure_mca.csv",
    "oci.csv",
    "lsb.acct",
    "bjobs",
    "bacct",
    "pbs",
    "condor",
    "ads of condor",
    "ray",
    "accounting of Grid Engine",
    "qacct",
    "tasks of ClearML",
    "runs of Weights & Biases",
    "table of runs",
)
SEEDS: Final = (1,)
TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=SHAPES),
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS)),
}
