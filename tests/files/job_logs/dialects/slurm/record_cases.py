"""Slurm's jobs in JSON and as key=value, and what is said of their parts, as lines of a golden table."""

import base64
import gzip
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.files.job_logs.dialects.slurm import slurm_fields, slurm_records
from tests.files.job_logs.job_tables import call_lines, head_lines, named
from tests.files.job_logs.slurm_texts import jobstats_comment, json_document, json_job, set_number
from tests.shown import refusal, shown

BEGIN, END = "2026-01-05T10:00:00", "2026-01-05T11:00:00"
Object = Mapping[str, Any]


def record_line(cells: Sequence[str]) -> str:
    """Return the texts of a record that say something, with their columns."""
    told = zip(slurm_fields.RECORD_COLUMNS, cells, strict=True)
    return " ".join(f"{column}={text}" for column, text in told if text) or "-"


# --- Numbers and texts ---------------------------------------------------------------------------

NUMBERS: Final[Sequence[Any]] = (
    *(0, 1, -1, 7.9, 7.0, -0.5, True, None, [], "7", "07", "-7", "7.5", "", "x", "²"),
    *(2**32 - 3, 2**32 - 2, 2**32 - 1, 2**32, 2**64 - 2, 2**64 - 1, 10**15, 10**15 + 1, 1e15, 2e15),
    *("9" * 15, "9" * 19, "9" * 20, str(2**32 - 2)),
    *(
        {"number": 7},
        {"set": True, "number": 7},
        {"set": False, "number": 7},
        {"infinite": True, "number": 7},
        {},
    ),
    {"set": True, "infinite": False, "number": {"number": 3}},
)
TEXTS: Final[Sequence[Any]] = ("a", "", 7, 0, True, 1.5, None, [], {})

# --- GPUs ----------------------------------------------------------------------------------------

GPUS: Final[Sequence[Any]] = (
    *(
        "gres/gpu=2",
        "gres/gpu:a100=2",
        "gres:gpu:2",
        "gres:gpu:a100:2",
        "gpu:2",
        "gpu",
        "gpu:a100",
        "GPU:H100:4",
    ),
    *(
        "gpu:a100:2(IDX:0,2)",
        "cpu=8,mem=4G",
        "cpu=8,gres/gpu=2,gres/gpu:a100=2",
        "gpu:a100:2,gpu:h100:1",
        "gpu:2,gpu:3",
    ),
    *("gpu:a100:0", "gres/gpu=0", "gpu:2K", "gpu:1M", "gpu:a100:2k", "gpu:x=", "gres/gpu=many"),
    *("gres/gpu=2(S:0)", "gres/gpumem=4G", "gpu:1234567890", "N/A", "(null)", "", " gpu:2 , cpu "),
    *("mps:200", "gres/shard=4", "gpu:a100_1g.5gb:3", "gpus=2", None, 5),
    ["gpu:a100:2(IDX:0-1)", "gpu:a100:1(IDX:3)"],
    ["gpu:2", "gpu:h100:1", "cpu"],
    ["gres/gpu=4", "gres/gpu=4"],
    ["gpu:x=", "gpu:2"],
    [],
)
TOLD: Final[Sequence[tuple[str, ...]]] = (
    (),
    ("", ""),
    ("gres/gpu=2",),
    ("", "gres/gpu=2", "gres/gpu=4"),
    ("gres/gpu=2", "gres/gpu:a100=2"),
    ("gres/gpu=2", "gres/gpu:a100=4"),
    ("gres/gpu=2", "gres/gpu:a100=4", "gres/gpu:h100=2"),
    ("gres/gpu:h100=2", "gres/gpu:a100=2"),
    ("gres/gpu=0", "gres/gpu=2"),
    ("gres/gpu=x", "gres/gpu=2"),
    ("gres/gpu=x", ""),
    ("gres/gpu=0", "gres/gpu=x"),
    ("gres/gpu=0",),
    ("gres/gpu=2", "gres/gpu=x"),
)


def _tres(*entries: Any) -> dict[str, Any]:
    return {"tres": {"allocated": list(entries)}}


def _entry(kind: str, count: Any, name: str | None = None) -> dict[str, Any]:
    return {"type": kind, "name": name, "count": count}


_GRES: Final = _entry("gres", 4, "gpu")
_A100S: Final = _entry("gres", 4, "gpu:a100")
RESOURCES: Final[Mapping[str, Object]] = {
    "empty": {},
    "accounting": _tres(_entry("cpu", 8), _entry("node", 2), _GRES, _A100S),
    "accounting, no node": {**_tres(_GRES), "allocation_nodes": 3},
    "accounting, node is 0": {**_tres(_GRES, _entry("node", 0)), "allocation_nodes": 3},
    "accounting, unset": _tres(_entry("node", 2**64 - 2), _entry("gres", None, "gpu")),
    "accounting, asked for": {"tres": {"requested": [_GRES]}},
    "accounting, given nothing": {"tres": {"allocated": [], "requested": [_GRES]}},
    "accounting, no list": {"tres": {"allocated": "x"}},
    "accounting, odd entries": _tres("x", {"type": "gres"}, _entry("billing", 3), _entry("gres", 1, "nic")),
    "accounting, devices by node": {**_tres(), "gres_detail": ["gpu:h100:2(IDX:0-1)", "gpu:h100:2"]},
    "accounting, devices used": {**_tres(_GRES), "used_gres": "gpu:h100:4"},
    "tres is a text": {"tres": "x", "tres_alloc_str": "gres/gpu=2"},
    "queue": {"tres_alloc_str": "cpu=8,gres/gpu=2", "node_count": set_number(2)},
    "queue, unset nodes": {"tres_alloc_str": "gres/gpu=2", "node_count": set_number(None)},
    "queue, nodes of the accounting": {"tres_alloc_str": "gres/gpu=2", "allocation_nodes": 5},
    "queue, asked for": {"tres_req_str": "gres/gpu=2"},
    "queue, devices by node": {
        "gres_detail": ["gpu:h100:2(IDX:0-1)", "gpu:h100:2"],
        "tres_req_str": "gres/gpu=9",
    },
    "queue, no devices by node": {"gres_detail": []},
    "queue, devices used": {"used_gres": "gpu:2", "tres_alloc_str": ""},
    "queue, by job": {"tres_per_job": "gres:gpu:3"},
    "queue, by node": {"tres_per_node": "gres:gpu:a100:2", "node_count": 3},
    "queue, by node, none": {"tres_per_node": "gres:gpu:2", "node_count": 0},
    "queue, by node, one": {"tres_per_node": "gres:gpu:2", "node_count": 1},
    "queue, by node, unknown": {"tres_per_node": "gres:gpu:2"},
    "queue, by node, unreadable": {"tres_per_node": "gpu:x=", "node_count": 3},
    "queue, by node, shares": {"tres_per_node": "gres:mps:150", "node_count": 2},
    "queue, by node, two models": {"tres_per_node": "gpu:a100:2,gpu:h100:1", "node_count": 3},
    "queue, by task": {"tres_per_task": "gres:gpu:2", "tasks": 4, "node_count": 3},
    "queue, by task, one": {"tres_per_task": "gres:gpu:2", "tasks": 1},
    "queue, by task, unknown": {"tres_per_task": "gres:gpu:2"},
    "queue, by task, none": {"tres_per_task": "gres:gpu:2", "tasks": 0},
    "queue, by socket": {"tres_per_socket": "gres:gpu:2", "sockets_per_node": 2, "node_count": 3},
    "queue, by socket, unknown": {"tres_per_socket": "gres:gpu:2", "node_count": 3},
    "queue, by socket, none": {"tres_per_socket": "gres:gpu:2", "sockets_per_node": 0},
    "queue, on processors": {"tres_alloc_str": "cpu=8"},
    "queue, nothing told": {"tres_alloc_str": "N/A", "tres_req_str": "(null)"},
    "queue, one told": {"tres_alloc_str": "N/A", "tres_req_str": "cpu=1"},
}

# --- Jobs of JSON --------------------------------------------------------------------------------

_TIME: Final = {"start": 1000, "end": 5000, "elapsed": 4000, "suspended": 0, "submission": 900}


def _accounted(**changes: Any) -> dict[str, Any]:
    """Return a short job of the accounting. changes: of its time, or of itself."""
    time = {**_TIME, **{key: changes.pop(key) for key in list(changes) if key in _TIME}}
    return {"job_id": 7, "time": time, **_tres(_entry("node", 1), _GRES), **changes}


def _queued(**changes: Any) -> dict[str, Any]:
    job = {
        "job_id": 7,
        "job_state": ["COMPLETED"],
        "start_time": 1000,
        "end_time": 5000,
        "tres_alloc_str": "gres/gpu=2",
    }
    return {**job, **changes}


JOBS: Final[Mapping[str, Any]] = {
    "text": "x" * 300,
    "empty": {},
    **{
        f"version {version}": json_job(5, {"gpu": 2}, version=version) for version in (2108, 2302, 2311, 2505)
    },
    "with all": json_job(
        5,
        {"gpu:a100": 2},
        priority=set_number(9),
        qos="high",
        comment={"administrator": jobstats_comment({"n1": {"gpu_utilization": {"0": 60, "1": 20}}})},
    ),
    "of its association": _accounted(association={"account": "ml", "cluster": "fox", "user": "ann"}),
    "of its own": _accounted(
        association={"account": "a", "cluster": "b", "user": "c"}, account="ml", cluster="fox", user="ann"
    ),
    "odd association": _accounted(association=5, user_name="bob"),
    **{
        f"ended at {end}, {elapsed} counted, {suspended} suspended": _accounted(
            end=end, elapsed=elapsed, suspended=suspended
        )
        for end, elapsed, suspended in (
            (5000, 4000, 0),
            (5000, 3999, 0),
            (5000, 3000, 1000),
            (5000, 3000, 999),
            (5000, 0, 0),
            (5000, None, None),
            (0, 4000, 0),
        )
    },
    "never began": _accounted(start=0, end=5000, elapsed=100),
    "the accounting without times": {"job_id": 1, **_tres()},
    "the accounting without resources": {"job_id": 1, "time": _TIME},
    "limits": _accounted(time={**_TIME, "limit": set_number(30), "eligible": 950}),
    "no limits": _accounted(
        time={**_TIME, "limit": {"infinite": True, "set": True, "number": 0}, "eligible": 0}
    ),
    "queue": _queued(submit_time=800, eligible_time=850, time_limit=set_number(10), priority=3, qos="q"),
    "queue, running": _queued(job_state=["RUNNING"]),
    "queue, a state": _queued(job_state="FAILED"),
    "queue, no state by its key": {
        key: text for key, text in _queued(state="TIMEOUT").items() if key != "job_state"
    },
    "queue, flags": _queued(job_state=["RUNNING", "COMPLETING", 5]),
    "queue, comment": _queued(admin_comment=jobstats_comment({"n1": {"gpu_utilization": {"0": 30}}})),
    "queue, hosts": _queued(nodes="n[1-2]", name="train", partition="gpu"),
    **{
        f"id {ids}": {"job_id": 7, **ids}
        for ids in (
            {"array": {"job_id": 5, "task_id": 3}},
            {"array": {"job_id": 5, "task_id": 0}},
            {"array": {"job_id": 0, "task_id": 3}},
            {"array": {"job_id": 5, "task": "1-3"}},
            {"array": {"job_id": 0, "task": "1-3"}},
            {"array_job_id": set_number(5), "array_task_id": set_number(2)},
            {"array_job_id": 5, "array_task_string": "1-3%2"},
            {"het": {"job_id": 5, "job_offset": 0}},
            {"het": {"job_id": 0, "job_offset": 1}},
            {"het": {"job_id": 5}},
            {"het_job_id": 5, "het_job_offset": 1},
            {"job_id": None},
        )
    },
}

# --- Heads ---------------------------------------------------------------------------------------

HEADS: Final[Mapping[str, str]] = {
    "nothing": "",
    "no JSON": '"job_id" "tres" "association"',
    "document": json_document(json_job(1, {"gpu": 1})),
    "three marks": '{"job_id": 1, "tres": {}, "partition": "a"}',
    "two marks": '{"job_id": 1, "partition": "a"}',
    "marks without id": '{"tres": 1, "partition": "a", "association": 1, "job_state": 1}',
    "marks of sonar": '{"slurm_jobs": [{"job_id": 1, "tres": {}, "partition": "a"}]}',
    "jobs with resources": '{"jobs": [{"job_id": 1, "tres_req_str": "x"}]}',
    "resources without jobs": '{"job_id": 1, "tres_req_str": "x"}',
    "jobs with resources without id": '{"jobs": [{"id": 1, "tres_req_str": "x"}]}',
    "jobs of Slurm": '{"meta": {"Slurm": {}}, "jobs": []}',
    "no jobs of Slurm": '{"meta": {"Slurm": {}}}',
    "jobs of others": '{"jobs": [{"job_id": 1}]}',
    "sacct's names": '[{"JobID": "1", "AllocTRES": "x"}]',
    "sacct's raw names": '[{"jobidraw": "1", "ReqTRES": "x"}]',
    "sacct's ids alone": '[{"JobID": "1"}]',
    "sacct's lists alone": '[{"AllocTRES": "1"}]',
    "envelope": '{"data": {"type": "job", "attributes": {"slurm_jobs": []}}}',
    "envelope of jobs": '{"data": {"type": "jobs", "attributes": {}}}',
    "envelope of others": '{"data": {"type": "cluster", "attributes": {}}}',
    "type without attributes": '{"data": {"type": "jobs"}}',
    "blocks": "JobId=1 JobName=a\n   JobState=RUNNING",
    "blocks below a blank line": "\n\nJobId=1\n   UserId=ann(1)",
    "block without more": "JobId=1 Partition=a",
    "no block": "x\nJobId=1 JobName=a",
    "commas": "v=1,JobID=1,User=ann",
    "commas without id": "v=1,User=ann",
    "errors alone": "v=1,error=away",
    "error and job": "v=1,error=away\nv=1,JobID=1",
    **{
        f"{jobs} of {count} lines": "\n".join(["a=1,JobID=1"] * jobs + ["x"] * (count - jobs))
        for jobs, count in ((4, 5), (3, 5), (160, 200), (159, 200), (160, 201), (160, 202))
    },
}
SNIFFS: Final[Mapping[str, Callable[[str], float]]] = {
    "JSON of Slurm": slurm_records.sniff,
    "JSON of sonar": slurm_records.sniff_json,
    "key=value": slurm_records.sniff_kv,
}


def heads_text(_: str) -> str:
    """Return how sure each is of a head."""
    return head_lines(HEADS, SNIFFS)


# --- Key and value -------------------------------------------------------------------------------

COMMAS: Final[Mapping[str, str]] = {
    "a line": "v=1,JobID=1,User=ann",
    "blank lines": "\nJobID=1\n\nJobID=2\n",
    "a value with commas": "JobID=1,JobName=a,b,c=d e,User=ann",
    "a list": "AllocTRES=cpu=8,gres/gpu=2,node=1,User=ann",
    "a list of another name": "Tres=cpu=8,mem=1,Jobs=cpu=8,mem=1",
    "a resource alone": "JobID=1,node=1,gres/gpu=2",
    "a cell before": "x,JobID=1",
    "quoted": 'JobID=1,"AllocTRES=cpu=8,gres/gpu=2",User=ann',
    "an equals sign": "JobID=1,Comment=a=b",
    "a key of 41 letters": f"{'a' * 41}=1,{'b' * 42}=2",
}
BLOCKS: Final[Mapping[str, str]] = {
    "a line": "JobId=1 JobName=my job UserId=ann(1) Command=(null)",
    "lines": "JobId=1 JobName=a\n   UserId=ann(1)\n   Command=b\n\nJobId=2 JobName=b\n",
    "no blank lines": "x\nJobId=1 JobName=a\nUserId=b\nJobId=2 JobName=b\nJobId=3 JobName=c",
    "blank lines above": "\n\nJobId=1 JobName=a\n\n\nUserId=b\n",
    "a key twice": "JobId=1 Name=a Name=b",
    "small keys": "JobId=1 name=a user=b",
    "an equals sign": "JobId=1 WorkDir=/a=b Name= End=1",
    "200 lines": "JobId=1\n" + " x\n" * 198 + " Last=y",
    "201 lines": "JobId=1\n" + " x\n" * 198 + " Last=y\n First=z",
}


def _lines_of(read: Callable[[Sequence[str]], Any], inputs: Mapping[str, str]) -> str:
    return call_lines(lambda text: shown(list(read(text.split("\n")))).replace(" x" * 198, " …"), inputs)


_KV: Final = {
    "jobid": "7",
    "user": "ann",
    "state": "COMPLETED",
    "start": BEGIN,
    "end": END,
    "alloctres": "gres/gpu=2",
}
VALUES: Final[Mapping[str, tuple[Mapping[str, str], bool]]] = {
    f"{name}{', of the controller' * of_controller}": (values, of_controller)
    for name, values in {
        "empty": {},
        "all": _KV,
        "an error": {"error": "away"},
        "an error of a job": {**_KV, "error": "away"},
        "a user with a number": {**_KV, "user": "ann(1001)"},
        "nothing": {**_KV, "account": "(null)", "partition": "(null)"},
        "running": {**_KV, "state": "RUNNING", "runtime": "1:00"},
        "running, no runtime": {**_KV, "state": "RUNNING"},
        "done, with runtime": {**_KV, "runtime": "1:00"},
        "a task": {**_KV, "arrayjobid": "5", "arraytaskid": "3"},
        "a task without array": {**_KV, "arraytaskid": "3"},
        "an array without task": {**_KV, "arrayjobid": "5"},
        "a limit": {**_KV, "timelimit": "60"},
        "a limit in minutes": {**_KV, "timelimitraw": "60"},
        "a limit in words": {**_KV, "timelimitraw": "UNLIMITED"},
        "both limits": {**_KV, "timelimit": "1:00:00", "timelimitraw": "60"},
        "a comment": {**_KV, "admincomment": jobstats_comment({"n": {"gpu_utilization": {"0": 40}}})},
        "other names": {
            "jobidraw": "8",
            "userid": "bob",
            "jobstate": "FAILED",
            "starttime": BEGIN,
            "endtime": END,
        },
        "two names": {"jobid": "", "jobidraw": "8", "tres": "gres/gpu=1", "reqtres": "gres/gpu=2"},
        "by node": {"jobid": "8", "nodecnt": "3", "tres": "cpu=8,node=3", "trespernode": "gres:gpu:2"},
        "by node, one": {"jobid": "8", "nodecnt": "1", "trespernode": "gpu:2"},
        "by node, none": {"jobid": "8", "nodecnt": "0", "trespernode": "gpu:2"},
        "by node, unknown": {"jobid": "8", "nodecnt": "x", "trespernode": "gpu:2"},
        "by node, 999999": {"jobid": "8", "nodecnt": "999999", "trespernode": "gpu:2"},
        "by node, 1000000": {"jobid": "8", "nodecnt": "1000000", "trespernode": "gpu:2"},
        "by device": {"jobid": "8", "nodecnt": "2", "gres": "gpu:a100:1"},
        "by job": {"jobid": "8", "nodecnt": "2", "tresperjob": "gres:gpu:6", "trespernode": "gpu:2"},
        "by node, and listed": {**_KV, "alloctres": "cpu=1,GRES/GPU=4", "trespernode": "gpu:2"},
    }.items()
    for of_controller in (False, True)
}

# --- Envelopes of sonar --------------------------------------------------------------------------

_SONAR: Final = {
    "job_id": 7,
    "job_name": "train",
    "account": "ml",
    "user_name": "ann",
    "partition": "gpu",
    "job_state": "COMPLETED",
    "start_time": BEGIN,
    "end_time": END,
    "nodes": ["n1", "n2"],
    "requested_node_count": 2,
    "sacct": {"AllocTRES": "billing=8,gres/gpu=2,node=2", "ElapsedRaw": 3600},
    "time_limit": 62,
    "priority": 12,
    "qos": "q",
}


def _envelope(*jobs: Any, **more: Any) -> dict[str, Any]:
    return {"data": {"type": "jobs", "attributes": {"cluster": "fox", "slurm_jobs": list(jobs)}}, **more}


ENVELOPES: Final[Mapping[str, Any]] = {
    "text": "x" * 300,
    "empty": {},
    "a job": _envelope(_SONAR),
    "jobs and a text": _envelope(_SONAR, "x" * 300, {}),
    "errors": _envelope(errors=[{"detail": "away", "cluster": "c"}, "odd", {"detail": ""}, None]),
    "errors in no list": _envelope(errors="x"),
    "cluster outside": {"cluster": "c", "data": {"attributes": {"slurm_jobs": [_SONAR]}}},
    "no list": {"data": {"attributes": {"slurm_jobs": "x"}}},
    "a step": _envelope({**_SONAR, "job_step": "batch"}),
    "a task": _envelope({**_SONAR, "array_job_id": 5, "array_task_id": 3}),
    "the first task": _envelope({**_SONAR, "array_job_id": 5, "job_step": "0"}),
    "no array": _envelope({**_SONAR, "array_job_id": 0, "array_task_id": 3}),
    "a part": _envelope({**_SONAR, "het_job_id": 5, "het_job_offset": 1}),
    "the first part": _envelope({**_SONAR, "het_job_id": 5}),
    **{
        f"limit {limit}": _envelope({"job_id": 1, "time_limit": limit, "priority": limit})
        for limit in (0, 1, 2, 3, None)
    },
    "hosts in a text": _envelope({**_SONAR, "nodes": "n[1-2]"}),
    "no accounting": _envelope({**_SONAR, "sacct": None, "allocated_resources": "gres/gpu=1,node=1, cpu=4"}),
    "by device": _envelope(
        {"job_id": 1, "gres_detail": ["gpu:a100:2", "gpu:a100:1"], "requested_resources": "gres/gpu=9"}
    ),
    "asked for": _envelope({"job_id": 1, "requested_resources": "cpu=1,gres/gpu:a100=2"}),
    "sacct's names": {
        "JobID": "7",
        "Account": "ml",
        "AllocTRES": "gres/gpu=2",
        "Start": BEGIN,
        "cluster": "c",
    },
    "sacct's names in a list": {
        "cluster": "c",
        "ids": [1],
        "jobs": [{"jobidraw": 5}, 6],
        "more": [{"JobID": 9}],
    },
    "sacct's names, of a cluster": _envelope({"JobID": "7", "Cluster": "own"}, {"JobID": "8", "Cluster": ""}),
}


def envelopes_text(_: str) -> str:
    """Return the records of each envelope."""
    lines = []
    for name, envelope in ENVELOPES.items():
        lines.append(f"{name}:")
        lines += [f"  {record_line(cells)}" for cells in slurm_records.records(envelope)]
    return "\n".join(lines)


# --- Columns and comments ------------------------------------------------------------------------


def _packed(summary: bytes) -> str:
    return "JS1:" + base64.b64encode(gzip.compress(summary, mtime=0)).decode()


def _used(*figures: Any) -> str:
    used = {str(place): figure for place, figure in enumerate(figures)}
    return jobstats_comment({"n1": {"gpu_utilization": used}})


_PACKED_AT_MOST: Final = 2**18
_UNPACKED_AT_MOST: Final = 2**22


def _wide(length: int) -> str:
    """Return a comment of so many letters."""
    text = _used(50)
    return text[:4] + " " * (length - len(text)) + text[4:]


def _deep(size: int) -> str:
    """Return a comment of so many bytes when it is unpacked."""
    frame = '{"pad": "%s", "nodes": {"n1": {"gpu_utilization": {"0": 50}}}}'
    return _packed((frame % ("x" * (size - len(frame) + 2))).encode())


COMMENTS: Final[Mapping[str, str]] = {
    "empty": "",
    "short": "JS1:Short",
    "none": "JS1:None",
    "no mark": _used(50)[4:],
    "two GPUs": _used(60, 21),
    "a third": _used(0, 0, 100),
    "two nodes": jobstats_comment(
        {"a": {"gpu_utilization": {"0": 10}}, "b": {"gpu_utilization": {"0": 50, "1": 60}}}
    ),
    "a node without GPUs": jobstats_comment({"a": {"cpus": 4}, "b": {"gpu_utilization": {"0": 50}}}),
    "odd nodes": jobstats_comment(
        {"a": 5, "b": {"gpu_utilization": 7}, "c": {"gpu_utilization": {"0": "x", "1": 8}}}
    ),
    "no nodes": jobstats_comment({}),
    "nodes in a list": _packed(b'{"nodes": [1]}'),
    "no object": _packed(b"[1]"),
    "no JSON": _packed(b"{"),
    "bounds": _used(0, 100),
    "above": _used(100.5, 40),
    "below": _used(-0.5, 40),
    "other packing": "JS1:" + base64.b64encode(zlib.compress(b'{"nodes": {}}')).decode(),
    "zlib": "JS1:"
    + base64.b64encode(zlib.compress(gzip.decompress(base64.b64decode(_used(50)[4:])))).decode(),
    "not packed": "JS1:" + base64.b64encode(b"x").decode(),
    "odd letters": "JS1:!!!!",
    "blanks within": "JS1:\n " + _used(50)[4:],
    "as long as may be": _wide(_PACKED_AT_MOST),
    "longer": _wide(_PACKED_AT_MOST + 1),
    "as large as may be": _deep(_UNPACKED_AT_MOST),
    "larger": _deep(_UNPACKED_AT_MOST + 1),
}
ADMIN_COMMENTS: Final[Mapping[str, Any]] = {
    "none": None,
    "a number": 5,
    "text": "x",
    "blanks": f" {_used(50, 25)}\n",
    "nothing used": _used(0),
}
HEADINGS: Final[Sequence[Sequence[str]]] = (
    (),
    ("JobID", "Start", "End", "AllocTRES"),
    ("JOBIDRAW", "start", "Elapsed", "reqgres"),
    ("JobID", "Start", "ElapsedRaw", "ReqTRES"),
    ("JobID", "Start", "State", "AllocGRES"),
    ("Start", "End", "AllocTRES"),
    ("JobID", "End", "AllocTRES"),
    ("JobID", "Start", "End"),
)


def check_columns_text(_: str) -> str:
    """Return what an export of these columns lacks, and what is said of it."""
    lines = []
    for names in HEADINGS:
        said = refusal(lambda: slurm_fields.check_columns("log:1", names))  # noqa: B023 - called at once
        lines.append(f"{shown(names)}: {shown(slurm_fields.missing_columns(names))} {said}")
    return "\n".join(lines)


GIVEN: Final = ("", "gres/gpu=2,node=1", "gpu:2", "gpu:a100:2", "gres/gpu:a100=2", "cpu=4", "x", "gpu:2=")
FUNCTIONS: Final[Mapping[str, Callable[[str], str]]] = {
    "numbers": lambda _: call_lines(slurm_records.number, named(NUMBERS)),
    "texts": lambda _: call_lines(slurm_records.text, named(TEXTS)),
    "GPUs in texts": lambda _: call_lines(slurm_records.gpus_in_text, named(GPUS)),
    "the best of lists": lambda _: call_lines(slurm_records.best_told, named(TOLD)),
    "resources": lambda _: call_lines(slurm_records.resources_of, RESOURCES),
    "jobs": lambda _: call_lines(lambda job: record_line(slurm_records.slurm_record(job)), JOBS),
    "heads of records": heads_text,
    "lines with commas": lambda _: _lines_of(slurm_records.comma_lines, COMMAS),
    "blocks": lambda _: _lines_of(slurm_records.blocks, BLOCKS),
    "values": lambda _: call_lines(
        lambda case: record_line(slurm_records.record(case[0], from_controller=case[1])), VALUES
    ),
    "envelopes": envelopes_text,
    "comments": lambda _: call_lines(slurm_fields.gpu_percent, COMMENTS),
    "comments as texts": lambda _: call_lines(slurm_fields.activity_text, ADMIN_COMMENTS),
    "columns that lack": check_columns_text,
    "GPUs given": lambda _: call_lines(slurm_fields.read_given, named(GIVEN)),
    "zero times": lambda _: call_lines(slurm_fields.zero_times_sql, named(((), ("c1",), ("c1", "c2")))),
}
