"""Exports of Slurm with a twist: framed, with blanks in lists, odd delimiters, few keys, GPUs told by the node."""

import json

import pytest

from gpuplanner.files.job_logs.dialects.slurm.sacct_layout import delimiter_of
from tests.files.job_logs.row_ends import HOUR, Read
from tests.some_of import one_in, some_of

FRAMED = """ JobID  | State     | Start               | End                 | AllocTRES
--------+-----------+---------------------+---------------------+--------------
 5      | COMPLETED | 2026-01-05T10:00:00 | 2026-01-05T11:00:00 | gres/gpu=8
"""
OLD_SCONTROL = """JobId=8 JobName=train
   JobState=COMPLETED RunTime=01:00:00 StartTime=2026-01-05T10:00:00 EndTime=2026-01-05T11:00:00
   NumNodes=2 NumCPUs=8
   TRES=cpu=8,mem=4000M,node=2,billing=8
   {gpus}

"""


def test_a_framed_table_keeps_its_gpus(read_log: Read) -> None:
    read = read_log(FRAMED)
    assert read.jobs.milli_gpu_seconds == 8 * HOUR
    assert (read.intake[0].rows_accepted, read.intake[0].rows_ignored) == (1, 1)


@pytest.mark.parametrize(
    "listed", one_in(4, ["cpu=8, gres/gpu:a100=2, gres/gpu=2", " gres/gpu=2 ", "gres/gpu=2,gres/cpu=9"])
)
def test_blanks_in_a_list_of_resources_hide_no_gpu(read_log: Read, listed: str) -> None:
    text = (
        f"JobID|Start|End|State|AllocTRES\n1|2026-01-05T10:00:00Z|2026-01-05T11:00:00Z|COMPLETED|{listed}\n"
    )
    assert read_log(text).jobs.milli_gpu_seconds == 2 * HOUR


@pytest.mark.parametrize("sign", one_in(4, ["\u2603", "~", "^", "|"]))
def test_a_delimiter_of_their_own_is_found_without_a_header(read_log: Read, sign: str) -> None:
    cells = (
        *("7", "train", "ann", "COMPLETED", "2026-01-05T10:00:00", "2026-01-05T11:00:00"),
        "cpu=4,gres/gpu=2,node=1",
    )
    text = "".join(sign.join((f"{number}", *cells[1:])) + sign + "\n" for number in (701, 702, 703))
    assert delimiter_of(text) == sign
    assert read_log(text).jobs.milli_gpu_seconds == 6 * HOUR


def test_a_job_in_json_with_few_keys_is_known(read_log: Read) -> None:
    times = {
        name: {"set": True, "infinite": False, "number": at}
        for name, at in (("start", 1e9), ("end", 1e9 + 3600))
    }
    allocated = [{"type": "gres", "name": "gpu:nvidia_h100_80gb_hbm3", "id": 1002, "count": 4}]
    job = {"job_id": 5, "state": {"current": ["TIMEOUT"]}, "time": times, "tres": {"allocated": allocated}}
    read = read_log(json.dumps({"jobs": [job]}))
    assert (read.intake[0].format, read.jobs.milli_gpu_seconds) == ("sacct_json", 4 * HOUR)
    assert read.cube.gpu_models == ("H100",)


@pytest.mark.parametrize(
    ("gpus", "count", "model"),
    some_of(
        [
            ("Gres=gpu:2 Reservation=(null)", 4, None),
            ("TresPerNode=gres:gpu:a100:1", 2, "a100"),
            ("TresPerNode=gres/gpu:4", 8, None),
            ("Gres=(null)", 0, None),
            ("Gres=craynetwork:1", 0, None),
        ],
        quick=1,
    ),
)
def test_gpus_of_each_node_count_where_none_are_accounted(
    read_log: Read, gpus: str, count: int, model: str | None
) -> None:
    read = read_log(OLD_SCONTROL.format(gpus=gpus))
    assert (read.jobs.milli_gpu_seconds, read.accepted_jobs) == (count * HOUR, 1)
    assert [name.casefold() for name in read.cube.gpu_models] == ([model] if model else [])


def test_accounted_gpus_come_before_those_of_each_node(read_log: Read) -> None:
    text = OLD_SCONTROL.replace("billing=8", "billing=8,gres/gpu=3").format(gpus="Gres=gpu:4")
    assert read_log(text).jobs.milli_gpu_seconds == 3 * HOUR
