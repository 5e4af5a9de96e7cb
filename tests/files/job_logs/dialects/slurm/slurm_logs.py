"""Small exports of Slurm and of tools that keep its records, each with something special, before rows are judged."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gpuplanner.files.job_logs.dialects.slurm import (
    sacct,
    slurm2sql,
    slurm_database,
    slurm_records,
    squeue,
    xdmod,
)
from tests.files.job_logs.job_tables import Rows
from tests.files.job_logs.slurm_texts import fixed_width, jobstats_comment, json_document, json_job

BEGIN, END = "2026-01-05T10:00:00", "2026-01-05T11:00:00"


def table(names: str, *rows: str, delimiter: str = "|") -> str:
    """Return a heading and rows whose cells are parted by `|`, with another delimiter."""
    return "\n".join((names, *rows, "")).replace("|", delimiter)


# --- sacct ---------------------------------------------------------------------------------------

_USUAL: Final = "JobID|State|Start|End|AllocTRES"


def _row(
    job_id: str = "1",
    state: str = "COMPLETED",
    start: str = BEGIN,
    end: str = END,
    gpus: str = "cpu=8,gres/gpu=2",
) -> str:
    return f"{job_id}|{state}|{start}|{end}|{gpus}"


def _times(*starts: str) -> str:
    return table(
        _USUAL, *(_row(str(number), start=start, end=start) for number, start in enumerate(starts, 1))
    )


_USAGE: Final = "JobID|State|Start|End|AllocTRES|TRESUsageInAve"
_PLACES: Final = (("JobID", 8), ("State", 10), ("Start", 19), ("End", 19), ("AllocTRES", 18))
_PLACED: Final = tuple((job_id, "COMPLETED", BEGIN, END, "gres/gpu=2") for job_id in ("9401", "9402", "9403"))
_IDS: Final[Mapping[str, str]] = {
    "jobs and steps": table(_USUAL, _row(), _row("1.batch"), _row("2_3"), _row("4+1", gpus="")),
    "states": table(
        _USUAL,
        _row("1_[2-3]", "PENDING"),
        _row("1_[2-3]", "RUNNING"),
        _row("1_[2-3]", "CANCELLED", "Unknown"),
        _row("2", "REVOKED"),
        _row("3", "revoked by x"),
        _row("4", ""),
    ),
    "no states": table(
        "JobID|Start|End|AllocTRES", f"1|{BEGIN}|{END}|gres/gpu=1", f"1_[2]|{BEGIN}|{END}|gres/gpu=1"
    ),
    "strays": table(_USUAL, "# remark", "Total||||", "$ x", "what is this", _row(), "Total||2026||", "-----"),
    "strays behind another column": table(
        "User|JobID|Start|End|AllocTRES", "sum|9|||", "ann|total|||", f"ann|1|{BEGIN}|{END}|gres/gpu=1"
    ),
    "raw ids": table(_USUAL.replace("JobID", "JobIDRaw"), _row(), _row("1.batch")),
    "both ids": table(f"JobIDRaw|{_USUAL}", f"7|{_row('1_3')}", f"7.batch|{_row('1_3.batch')}"),
    "ids as a spreadsheet has them": table(_USUAL, _row("1.0"), _row("2.0"), _row(" 3.0 ")),
    "ids of steps": table(_USUAL, _row("1"), _row("1.0")),
    "ids of a spreadsheet and another": table(_USUAL, _row("1.0"), _row("x")),
    "no ids": table(_USUAL, _row("")),
    "no rows": table(_USUAL),
    "hosts": table(
        f"{_USUAL}|NodeList|NNodes",
        f"{_row()}|n[1-2]|2",
        *(f"{_row()}|{none}|1" for none in ("None assigned", "none", "(null)", "Unknown", "")),
    ),
}
_QUEUE_TIMES: Final[Mapping[str, str]] = {
    "elapsed": table("JobID|Start|Elapsed|AllocTRES", f"1|{BEGIN}|01:00:00|gres/gpu=1"),
    "raw elapsed": table("JobID|Start|End|ElapsedRaw|AllocTRES", f"1|{BEGIN}|{END}|3600|gres/gpu=1"),
    "limits": table(f"{_USUAL}|Timelimit|Priority|QOS", f"{_row()}|1-00:00:00|5|q"),
    "limits in minutes": table(f"{_USUAL}|TimelimitRaw", f"{_row()}|60"),
    "both limits": table(f"{_USUAL}|TimelimitRaw|Timelimit", f"{_row()}|60|01:00:00"),
    "queue": table(f"{_USUAL}|Submit|Eligible", f"{_row()}|{BEGIN}|Unknown", f"{_row('2')}||{BEGIN}"),
    "queue, zero times": table(
        f"{_USUAL}|Submit|Eligible",
        f"{_row()}|{BEGIN}|1970-01-01",
        f"{_row('2', end='1970-01-01T01:00:00')}|0|{BEGIN}",
    ),
}
_CLOCKS: Final[Mapping[str, str]] = {
    "seconds": _times("1767607200", "1767607201.0", "Unknown", "", "0"),
    "seconds and submission": table(f"{_USUAL}|Submit", f"{_row(start='1767607200', end='1767610800')}|0"),
    "nine digits": _times("176760720"),
    "eight digits": _times("17676072"),
    "twelve digits": _times("176760720000"),
    "seconds and another": _times("1767607200", "x"),
    "no times": _times("Unknown", "None"),
    "zero times": _times("0", BEGIN, "1970-01-01T00:00:00", "1969-12-31T19:00:00", "0.0"),
    "days first": _times("31/01/2026 05:00:00", "01/02/2026 05:00:00"),
    "days first, with submission": table(
        f"{_USUAL}|Submit", f"{_row(start='31/01/2026 05:00', end='31/01/2026 06:00')}|30/01/2026 05:00"
    ),
    "months first": _times("01/31/2026 05:00:00", "02/01/2026 05:00:00"),
    "days or months": _times("01/02/2026 05:00:00", "03/02/2026 05:00:00"),
    "years first": _times("2026/01/31-05:00:00"),
    "words": _times("yesterday"),
}
_GPUS: Final[Mapping[str, str]] = {
    "devices given": table("JobID|Start|End|AllocGRES|NNodes", f"1|{BEGIN}|{END}|gpu:2|3"),
    "lists asked for": table("JobID|Start|End|ReqTRES", f"1|{BEGIN}|{END}|cpu=1,gres/gpu=2"),
    "devices asked for": table(
        "JobID|Start|End|ReqGRES|NNodes",
        *(f"1|{BEGIN}|{END}|gpu:2|{nodes}" for nodes in ("3", "1", "", "x", "999999", "1000000")),
    ),
    "devices asked for, nodes unknown": table("JobID|Start|End|ReqGRES", f"1|{BEGIN}|{END}|gpu:2"),
    "lists and devices given": table(
        f"{_USUAL}|AllocGRES",
        f"{_row()}|gpu:9",
        f"{_row('2', gpus='cpu=8,node=1')}|gpu:3",
        f"{_row('3', gpus='cpu=8')}|",
        f"{_row('4', gpus='')}|gpu:1",
        f"{_row('5', gpus='CPU=1,GRES/GPU=2')}|gpu:9",
    ),
    "lists asked for and devices given": table(
        "JobID|Start|End|ReqTRES|AllocGRES", f"1|{BEGIN}|{END}|gres/gpu=2|gpu:3"
    ),
    "all lists": table(
        f"ReqTRES|{_USUAL}|ReqGRES", f"gres/gpu=5|{_row()}|gpu:7", f"gres/gpu=5|{_row(gpus='')}|gpu:7"
    ),
    "resources by number": table(_USUAL, _row(gpus="1=8,4=1,1001=2")),
    "resources by number, explained": table(
        _USUAL, _row(gpus="cpu=1,gres/gpu=3"), _row("2", gpus="1=8,4=1,1001=2")
    ),
}
_LINES: Final[Mapping[str, str]] = {
    "short rows": table(_USUAL, _row(), "2|COMPLETED", f"{_row('3')}|more"),
    "ending with a delimiter": table(f"{_USUAL}|", f"{_row()}|", _row("2")),
    "below a prompt": table(f"$ sacct\n\n{_USUAL}", _row(), "2|COMPLETED"),
    "carets": table(_USUAL, _row(), delimiter="^|^"),
    "tabs": table(_USUAL, _row(), delimiter="\t"),
    "commas without quotes": table(
        "JobID|AllocTRES|Start|End|State", f"1|cpu=8|gres/gpu=2|{BEGIN}|{END}|x", delimiter=","
    ),
    "commas with quotes": table(
        "JobID|AllocTRES|Start|End", f'1|"cpu=8,gres/gpu=2"|{BEGIN}|{END}', delimiter=","
    ),
    "a line end in a name": table(f"{_USUAL}|JobName", f"{_row()}|a", "b", f"{_row('2')}|c"),
}
_ACTIVITY: Final[Mapping[str, str]] = {
    "comments": table(
        f"{_USUAL}|AdminComment",
        f"{_row()}|{jobstats_comment({'n': {'gpu_utilization': {'0': 40}}})}",
        f"{_row('1.batch')}|{jobstats_comment({'n': {'gpu_utilization': {'0': 90}}})}",
        f"{_row('2')}|JS1:Short",
        f"{_row('3')}|",
    ),
    "comments on steps alone": table(
        f"{_USUAL}|AdminComment", f"{_row()}|", f"{_row('1.batch')}|{jobstats_comment({'n': {}})}"
    ),
    "comments before batch steps": table(
        f"{_USAGE}|AdminComment", f"{_row()}||", f"{_row('1.batch')}|gres/gpuutil=100|"
    ),
    "batch steps": table(
        _USAGE,
        f"{_row()}|",
        f"{_row('1.batch')}|cpu=1,gres/gpuutil=150",
        f"{_row('2')}|",
        f"{_row('2.batch', gpus='gres/gpu=1')}|gres/gpuutil=50",
        f"{_row('3')}|",
        *[f"{_row('3.batch')}|gres/gpuutil=50"] * 2,
        f"{_row('4')}|",
        f"{_row('4.batch')}|gres/gpuutil=200",
        f"{_row('5')}|",
        f"{_row('5.batch')}|gres/gpuutil=201",
    ),
    "batch steps of no use": table(_USAGE, f"{_row()}|", f"{_row('1.batch')}|cpu=1"),
    "batch steps without lists": table(
        "JobID|Start|End|AllocGRES|TRESUsageInAve", f"1.batch|{BEGIN}|{END}|gpu:1|gres/gpuutil=1"
    ),
}
_HEADERS: Final[Mapping[str, str]] = {
    "without header": table(_row(), *(_row(str(number)) for number in range(20, 23))),
    "without header, ending with a delimiter": table(*(f"{_row(str(number))}|" for number in range(20, 23))),
    "no lines of sacct": "a b c\nd e f\n",
    "without start": table("JobID|State|End|AllocTRES", f"1|COMPLETED|{END}|gres/gpu=2"),
    "below a prompt, without start": table("x\nJobID|State|End|AllocTRES", f"1|COMPLETED|{END}|gres/gpu=2"),
    "fixed width": fixed_width(_PLACES, _PLACED),
    "fixed width, cut": fixed_width(
        _PLACES,
        [
            ("1", "COMPLETED", BEGIN, END, gpus)
            for gpus in (
                "billing=8,cpu=8,gres/gpu=2",
                "cpu=8,gres/gpu=2,mem=9",
                "gres/gpu=2,cpu=8,mem=9",
                "gres/gpu:a100=12345",
            )
        ],
    ),
    "fixed width, devices cut": fixed_width(
        (*_PLACES[:4], ("AllocGRES", 9)),
        [("1", "COMPLETED", BEGIN, END, gpus) for gpus in ("gpu:2", "gpu:a100:12")],
    ),
    "fixed width, no dashes": "".join(fixed_width(_PLACES, _PLACED).splitlines(keepends=True)[::2]),
    "fixed width, no header": "".join(fixed_width(_PLACES, _PLACED).splitlines(keepends=True)[2:]),
    "fixed width, without start": fixed_width(
        (("JobID", 8), ("State", 10), ("End", 19)), [("1", "COMPLETED", END)]
    ),
}
SACCT: Final[Mapping[str, tuple[Rows, Mapping[str, str]]]] = {
    "ids and states": (sacct.rows, _IDS),
    "queue": (sacct.rows, _QUEUE_TIMES),
    "times": (sacct.rows, _CLOCKS),
    "GPUs": (sacct.rows, _GPUS),
    "lines": (sacct.rows, _LINES),
    "activity": (sacct.rows, _ACTIVITY),
    "without header": (sacct.rows, _HEADERS),
}

# --- Tools ---------------------------------------------------------------------------------------

_QUEUE: Final = "JOBID|NAME|USER|STATE|START_TIME|END_TIME|TIME|NODES|TRES_ALLOC|NODELIST(REASON)"
_RUNS: Final = f"7|train|ann|RUNNING|{BEGIN}|{END}|1:00|2|cpu=1,gres/gpu=2|n[1-2]"
SQUEUE: Final[Mapping[str, str]] = {
    "jobs": table(
        _QUEUE,
        _RUNS,
        f"8|a|bob|PENDING|N/A|{END}|0:00|1|gres/gpu=1|(Priority)",
        f"9|a|bob|COMPLETED|{BEGIN}|{END}|1:00|1|N/A|n1",
        f"9|a|bob|CG|{BEGIN}|{END}|1:00|1|gres/gpu=1|(null)",
        "10|short",
        "11|" + "x" * 200,
        f"{_RUNS}|long",
        "",
        _RUNS,
    ),
    "blanks": "\nJOBID NAME USER ST START_TIME NODES TRES NODELIST(REASON)\n"
    f"1 train ann R {BEGIN} 2 gres/gpu=2 n[1-2]\n"
    f"2 big run 7 ann PD N/A 1 gres/gpu=2 (Nodes are DOWN)\n3 x\n",
    "blanks without names": f"JOBID USER ST START_TIME NODES TRES\n1 ann R {BEGIN} 2 gres/gpu=2\n"
    f"2 ann x R {BEGIN} 1 a\n",
    "by node": table(
        "JOBID|ST|START_TIME|NODES|GRES", f"1|R|{BEGIN}|3|gpu:2", f"2|R|{BEGIN}|x|gpu:2", f"3|R|{BEGIN}|1|N/A"
    ),
    "by job": table("JOBID|ST|START_TIME|TRES-PER-JOB", f"1|R|{BEGIN}|gres:gpu:2"),
    "two names": table(
        "JOBID|ST|STATE|START_TIME|TRES|TRES_ALLOC", f"1|PD|RUNNING|{BEGIN}|gres/gpu=1|gres/gpu=2"
    ),
}
_DB: Final = "id_job,time_start,time_end,state"
_RAN: Final = "1611000000,1611003600"
_GIVEN: Final = f"{_DB},nodes_alloc,gres_used"
DATABASE: Final[Mapping[str, str]] = {
    "devices": "\n".join(
        (
            _GIVEN,
            *(f"{number},1611000000,1611003600,{number},1,gpu:2" for number in range(13)),
            f"14,0,0,{3 | 1 << 14},0,NULL",
            "15,1611000000,0,256,1,7696487:4",
            "16,1611000000,1611003600,odd,1,\\N",
            "17,1611000000,1611003600,3,1,0",
            "",
        )
    ),
    "both devices": f"{_DB},gres_alloc,gres_used\n1,{_RAN},3,gpu:1,gpu:2\n2,{_RAN},3,gpu:1,\n",
    "devices and numbers": f'{_GIVEN},tres_alloc\n1,{_RAN},3,1,,"1=4,4=1,1001=2"\n2,{_RAN},3,1,gpu:3,"1=4,1001=2"\n',
    "numbers": f'{_DB},tres_alloc\n1,{_RAN},3,"1=4,4=1,1001=2"\n',
    "numbers, some explained": f'{_DB},tres_alloc\n1,{_RAN},3,"cpu=1,gres/gpu=2"\n2,{_RAN},3,"1=4,1001=2"\n',
    "without state": "id_job,time_start,time_end,gres_used,time_submit,timelimit,name,job_name\n"
    f"1,{_RAN},gpu:1,0,60,a,b\n",
    "one name": f"id_job,time_start,time_end,gres_used,id_user,name\n1,{_RAN},gpu:1,7,a\n",
    "without GPUs": f"{_DB}\n1,1611000000,1611003600,3\n",
    "without end": "id_job,time_start,gres_used\n1,1611000000,gpu:2\n",
    "without all": "a,b\n1,2\n",
}
_OWN: Final = "JobID|JobIDnostep|JobStep|ArrayTaskID|User|State|Elapsed|Time"
_STAMPS: Final = "1767607200|1767610800"
_TOLD: Final = {
    **dict.fromkeys(("NGpus", "ReqGPUS", "ReqGPU", "NGPU"), "4"),
    "ReqTRES": "cpu=1,gres/gpu=4",
    "ReqGRES": "gpu:4",
}
"""How its table tells GPUs, by column."""
SLURM2SQL: Final[Mapping[str, str]] = {
    "table": table(
        f"{_OWN}|Start|End|AllocTRES|GpuEff|NGpus",
        f"1|1|||ann|COMPLETED|3600|x|{_STAMPS}|gres/gpu=2|0.25|9",
        f"1.batch|1|batch||ann|COMPLETED|3600|x|{_STAMPS}|gres/gpu=2||9",
        f"2|2|||ann|COMPLETED|3600|x|{_STAMPS}||odd|9",
    ),
    **{
        f"table by {name}": table(
            f"{_OWN}|Start|End|{name}",
            f"1|1|||ann|COMPLETED|3600|x|{_STAMPS}|{gpus}",
            f"2|2|||ann|COMPLETED|3600|x|{_STAMPS}|",
        )
        for name, gpus in _TOLD.items()
    },
    "table with both clocks": table(
        "JobID|JobIDSlurm|StepID|State|Elapsed|SubmitTS|Submit|StartTS|Start|EndTS|End|NGpus",
        f"5|1_2||COMPLETED|3600|1767607000|x|1767607200|{BEGIN}|1767610800|{END}|2",
        f"5|1_2|0|COMPLETED|3600|1767607000|x|1767607200|{BEGIN}|1767610800|{END}|2",
    ),
    "table without end": table(f"{_OWN}|Start|NGpus", "1|1|||ann|COMPLETED|3600|x|1767607200|2"),
    "table without end and elapsed": table(f"{_OWN}|Start|NGpus".replace("Elapsed", "Partition"), "1"),
    "table without start and GPUs": table(f"{_OWN}|End|Account", "1"),
    "table with activity": table(
        f"{_OWN}|Start|End|NGpus|GpuEff|GPUActivity", f"1|1|||ann|COMPLETED|3600|x|{_STAMPS}|4|0.5|75"
    ),
    "export": table(
        "JobID|State|Start|End|Elapsed|AllocTRES", f"1|COMPLETED|{BEGIN}|Unknown|01:00:00|gres/gpu=2"
    ),
    "export without elapsed": table(_USUAL, _row()),
    "no header": "a b\n",
}


def _shredded(layout: Sequence[str], **changes: str) -> str:
    said = {
        **dict.fromkeys(("Submit", "Eligible", "Start"), BEGIN),
        "End": END,
        "JobID": "7",
        "JobIDRaw": "7",
        "State": "COMPLETED",
        "NNodes": "3",
        "JobName": "a",
        "ReqGRES": "gpu:2",
        "ReqTRES": "cpu=1,gres/gpu=4",
        "AllocTRES": "cpu=1,gres/gpu:a100=6,node=3",
        "Account": "ml",
        "User": "ann",
        "Timelimit": "01:00:00",
        "NodeList": "n[1-3]",
        "Elapsed": "01:00:00",
    }
    return "|".join((said | changes).get(name, "") for name in layout)


XDMOD: Final[Mapping[str, str]] = {
    **{
        f"layout {number}": "\n".join(
            (_shredded(xdmod.LAYOUTS[number]), _shredded(xdmod.LAYOUTS[number], JobID="8", JobName="b|c"), "")
        )
        for number in (0, 4, 9, 13, 18)
    },
    "ending with a delimiter": f"{_shredded(xdmod.LAYOUTS[0])}|\n" * 2,
    "others": "a|b\n",
}
_HOUR: Final = f"Start={BEGIN}Z,End={END}Z,ElapsedRaw=3600"
KEY_VALUE: Final[Mapping[str, str]] = {
    "commas": f"v=1,JobID=1,User=ann,State=COMPLETED,{_HOUR},AllocTRES=cpu=8,gres/gpu=2\nv=1,error=away\n"
    f"v=1,JobID=1.batch,{_HOUR}\n",
    "no times": "v=1,JobID=1,State=COMPLETED\n",
    "no times of what waits": "v=1,JobID=1,State=PENDING\n",
    "start alone": f"v=1,JobID=1,State=COMPLETED,Start={BEGIN}\n",
    "no list": f"v=1,JobID=1,State=COMPLETED,{_HOUR}\n",
    "elapsed alone": f"v=1,JobID=1,State=FAILED,Start={BEGIN},ElapsedRaw=5,ReqTRES=gres/gpu=1\n",
    "no ids": f"v=1,User=ann,{_HOUR}\n",
    "blocks": "JobId=1 JobName=a\n   UserId=ann(7) JobState=RUNNING RunTime=01:00:00 TimeLimit=1-00:00:00\n"
    f"   StartTime={BEGIN} EndTime={END} NumNodes=2 NodeList=n[1-2] TresPerNode=gres:gpu:2\n"
    "   TRES=cpu=8,node=2\n\nJobId=2 ArrayJobId=5 ArrayTaskId=3 JobState=PENDING TRES=gres/gpu=1\n",
    "blocks without times": "JobId=1 JobName=a JobState=COMPLETED\n",
}
JSON: Final[Mapping[str, str]] = {
    "document": json_document(json_job(1, {"gpu": 2}), json_job(2, {}, state="PENDING", start=0, end=0)),
    "a list": json.dumps([json_job(1, {"gpu": 2}), "x"]),
    "a job": json.dumps(json_job(1, {"gpu": 2})),
    "jobs deeper": json.dumps({"meta": {"a": [1]}, "data": {"jobs": [json_job(1, {"gpu": 2})]}}),
    "an empty list": '{"meta": {}, "jobs": []}',
    "cut off": json_document(json_job(1, {"gpu": 2}), json_job(2, {"gpu": 1}))[:-700],
    "cut off in the first": json_document(json_job(1, {"gpu": 2}))[:300],
    "no JSON": "JobID|x\n",
}
_ENVELOPE: Final[Mapping[str, Any]] = {
    "data": {
        "type": "jobs",
        "attributes": {
            "cluster": "fox",
            "slurm_jobs": [
                {"job_id": number, "job_state": "COMPLETED", "start_time": f"{BEGIN}Z", "end_time": f"{END}Z"}
                | {"sacct": {"AllocTRES": "gres/gpu=2"}}
                for number in (1, 2)
            ],
        },
    }
}
SONAR: Final[Mapping[str, str]] = {
    "envelopes": f"{json.dumps(_ENVELOPE)}\n{json.dumps({'errors': ['away']})}\n{json.dumps(_ENVELOPE)}",
    "a list": json.dumps([_ENVELOPE]),
    "cut off": f"{json.dumps(_ENVELOPE)}\n{json.dumps(_ENVELOPE)[:99]}",
    "cut off in the first": json.dumps(_ENVELOPE)[:99],
    "no JSON": "x",
}
TOOLS: Final[Mapping[str, tuple[Rows, Mapping[str, str]]]] = {
    "squeue": (squeue.rows, SQUEUE),
    "Slurm's database": (slurm_database.database_rows, DATABASE),
    "slurm2sql": (slurm2sql.slurm2sql_rows, SLURM2SQL),
    "xdmod": (xdmod.xdmod_rows, XDMOD),
    "key=value": (slurm_records.kv_rows, KEY_VALUE),
    "JSON of Slurm": (slurm_records.rows, JSON),
    "JSON of sonar": (slurm_records.json_rows, SONAR),
}
