"""Grid Engine: the same jobs as accounting lines, blocks of qacct and objects; whose GPUs a request tells."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from gpuplanner.files.job_logs.dialects.grid_engine import SgeGpus, sge_gpus, sge_job_texts
from gpuplanner.files.job_logs.dialects.grid_engine_forms import COLUMNS
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import one_in

BEGIN_S = 1_767_607_200  # 2026-01-05 10:00 UTC

_USUAL = dict.fromkeys(COLUMNS, "0")
_USUAL |= dict.fromkeys(("project", "granted_pe", "pe_taskid", "job_class", "qdel_info"), "NONE")
_USUAL |= {"qname": "gpu.q", "hostname": "g1", "group": "ml", "owner": "ann", "account": "sge", "slots": "1"}
_USUAL |= {"job_name": "train", "department": "defaultdepartment", "category": "-U gpu -l h_rt=9000,gpu=2"}
_USUAL |= {"start_time": str(BEGIN_S), "end_time": str(BEGIN_S + 7200), "submission_time": str(BEGIN_S - 60)}


def record(number: int, **other: str) -> dict[str, str]:
    return {**_USUAL, "job_number": str(number)} | other


JOBS = [
    record(1, granted_pe="smp", slots="8", project="vision"),
    record(2, task_number="3", category="-l gpu_a100=1", failed="100 ", exit_status="137"),
    record(3, start_time="0", end_time="0", failed="1"),
    record(4, category="NONE"),
    record(5, pe_taskid="1.g2"),
    record(6, category="-l gpus=0.25,gpu_type=V100 -pe omp 8", slots="8", qdel_info="ann@login"),
]
GPU_HOURS = 2 * 2 + 1 * 2 + 2 * 2


def accounting(records: list[dict[str, str]]) -> str:
    lines = (":".join(one[name] for name in COLUMNS) for one in records)
    return "# Version: 6.2u5\n#\n" + "".join(f"{line}\n" for line in lines)


def in_millis(records: list[dict[str, str]]) -> list[dict[str, str]]:
    times = ("submission_time", "start_time", "end_time")
    return [one | {name: f"{one[name]}123" for name in times if one[name] != "0"} for one in records]


_NAMES = {"job_name": "jobname", "job_number": "jobnumber", "task_number": "taskid"}
_NAMES |= {"submission_time": "qsub_time"}


def block(one: Mapping[str, str], clock: str = "%a %b %d %H:%M:%S %Y") -> str:
    """As qacct -j prints a job."""
    from datetime import UTC, datetime

    def shown(name: str, text: str) -> str:
        if name.endswith("_time"):
            return "-/-" if text == "0" else datetime.fromtimestamp(int(text), UTC).strftime(clock)
        return "undefined" if name == "task_number" and text == "0" else text

    lines = (f"{_NAMES.get(name, name):<12} {shown(name, one[name])}\n" for name in COLUMNS)
    return f"{'=' * 62}\n{''.join(lines)}"


TOTALS = f"{'=' * 62}\nTotal System Usage\n    WALLCLOCK    UTIME\n         7200      0.1\n"


@pytest.mark.parametrize(
    "text",
    one_in(
        6,
        [
            accounting(JOBS),
            accounting(in_millis(JOBS)),
            "".join(map(block, JOBS)),
            "".join(map(block, JOBS)) + TOTALS,
            "".join(block(one, "%m/%d/%Y %H:%M:%S.123") for one in JOBS).removeprefix("=" * 62 + "\n"),
            "".join(f"{json.dumps(one)}\n" for one in in_millis(JOBS)),
        ],
    ),
    ids=["lines", "milliseconds", "qacct", "with totals", "qacct of later versions", "jsonl"],
)
def test_jobs_in_every_form(read_log: Read, text: str) -> None:
    read = read_log(text)
    ignored = 2 + ("Total" in text)
    assert fates(read) == ("sge", 4 + ignored, 4, 0, 0, ignored)
    found = codes(read)
    assert found.pop("naive_time_assumed_utc", 4) == 4
    assert found == counts(never_started=1, no_gpus=1, undecided=1, unknown_gpu_model=1)
    assert read.jobs.milli_gpu_seconds == GPU_HOURS * HOUR
    assert read.jobs.first_start_s == BEGIN_S
    assert {workload.owner for workload in read.workloads} == {"vision", "ann"}


@pytest.mark.parametrize(
    ("category", "slots", "beyond", "gpus"),
    [
        ("-l gpu=2", "1", "", SgeGpus("2")),
        ("-l h_rt=1,ngpus=4 -pe smp 16", "16", "", SgeGpus("4", "", True)),
        ("-l gpu=1 -pe smp 4", "4", "gpu=g1=(0 1 2 3)", SgeGpus("4")),
        ("-l gpu=1 -pe mpi 4", "4", "gpu=g1=(0 1),gpu=g2=(2)", SgeGpus("3")),
        ("-l coproc_v100=2", "1", "", SgeGpus("2", "v100")),
        ("-l gpu=TRUE", "1", "", SgeGpus("TRUE")),
        ("-soft -l gpu=2 -hard -l h_rt=9", "1", "", SgeGpus()),
        ("-l gpu=0,gpu_mem=4G", "1", "", SgeGpus()),
        ("-q gpu.q", "4", "", SgeGpus()),
    ],
)
def test_gpus_of_a_request(category: str, slots: str, beyond: str, gpus: SgeGpus) -> None:
    assert sge_gpus({"category": category, "slots": slots, "beyond": beyond}) == gpus


def test_how_jobs_ended() -> None:
    def state(**other: Any) -> str:
        return sge_job_texts(record(1, **other))["state"]

    assert (state(), state(exit_status="1"), state(failed="25")) == ("COMPLETED", "FAILED", "REQUEUED")
    assert state(failed="37 : qmaster enforced h_rt") == "TIMEOUT"
    assert state(qdel_info="root@m") == state(start_time="0") == "CANCELLED"


@pytest.mark.long
def test_a_line_cut_short_is_rejected(read_log: Read) -> None:
    text = accounting(JOBS[:3]) + "gpu.q:g1:ml:ann\n# rotated\n"
    assert fates(read_log(text)) == ("sge", 5, 2, 1, 0, 2)
