"""Bills of clouds and logs of other schedulers and tools, as golden tables.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

from typing import Final

from tests.files.job_logs.dialects.random_bills import bill_text
from tests.files.job_logs.dialects.scheduler_texts import SUBJECTS, said_lines
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
BILLS: Final = ("focus 5", "aws_cur 0", "azure 0", "oci 7")
"""Form and seed of bills with several currencies, and with totals."""
TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=SHAPES),
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS)),
    "texts.txt": Table(text_of=said_lines, cases=tuple(SUBJECTS)),
    "bills.txt": Table(text_of=bill_text, cases=BILLS),
}
