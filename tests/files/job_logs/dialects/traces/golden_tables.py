"""Public traces, as golden tables: whole logs, and what each function of a trace says of many texts.

Each log has random damage, by a seed; with seed 0 it is sound.
"""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from gpuplanner.files.job_logs.dialects.traces import openb_pods, pai, philly, standard_workload
from gpuplanner.files.sources.source import PARQUET, Source, survey
from tests.files.job_logs.job_tables import Rows, call_lines, job_table_lines, named
from tests.files.job_logs.random_logs import log_text, sniffed_text
from tests.golden.tables import Table
from tests.shown import refusal, shown

FOLDER: Final = "tables_files_job_logs_dialects_traces"
SHAPES: Final = ("openb", "philly", "table like philly", "pai", "swf")
SEEDS: Final = (0, 1, 2)


# --- Standard Workload Format --------------------------------------------------------------------

_SWF: Final = "7 100 20 3000 8 41 42 16 900 43 1 3 5 11 6 44 45 46"
"""A job whose every field has a number of its own."""
_BEGIN_S: Final = 1_000_000


def swf_line(changes: Mapping[int, str]) -> str:
    """Return a line of the format. changes: by place from 0."""
    return " ".join(changes.get(place, cell) for place, cell in enumerate(_SWF.split()))


_SWF_CHANGES: Final = (
    {},
    *({place: "-1"} for place in range(2, 18)),
    {4: "-1", 7: "-1"},
    {4: "0"},
    {4: "-1", 7: "0"},
    *({10: status} for status in ("0", "2", "3", "4", "5", "6", "x")),
    {10: "0", 3: "-1"},
    {10: "1", 2: "-1"},
    {10: "2", 2: "-1", 3: "-1"},
    {1: "x"},
    {2: "x"},
    {3: "x", 1: "y"},
    {1: "1.5", 2: "0.5", 3: "0.75"},
    {1: "0", 2: "0", 3: "0"},
)


def swf_jobs_text(_: str) -> str:
    """Return each changed line as a job, and lines of other widths."""
    lines = {str(changes): swf_line(changes) for changes in _SWF_CHANGES}
    lines |= {f"{width} fields": " ".join(f"{_SWF} 47".split()[:width]) for width in (0, 1, 17, 19)}
    return call_lines(lambda line: standard_workload.job_texts(line, _BEGIN_S), lines)


_FIT, _ODD, _NARROW = swf_line({}), swf_line({3: "many"}), _SWF.partition(" ")[2]
_NOTES: Final = "; Version: 2.2\n;  UnixStartTime: 1767600000\n; TimeZone: 3600\n"
SWF_HEADS: Final = {
    "nothing": "",
    "blank lines": "\n \n",
    "a comment": "; made by hand",
    "notes": _NOTES,
    "a note within a line": "a ; Version: 2.2",
    "a job": _FIT,
    "a job among blank lines": f"\n\n{_FIT}\n\n\n",
    "a job below comments": f"; x\n; y\n; z\n{_FIT}",
    "notes and jobs": _NOTES + "\n".join([_FIT] * 3),
    "notes and another line": _NOTES + _NARROW,
    "a word in place of a number": _ODD,
    "too narrow": _NARROW,
    "too wide": f"{_FIT} 9",
    "half of the lines": "\n".join([_FIT, _NARROW]),
    "most of the lines": "\n".join([_FIT, _ODD, _FIT]),
    "a third of the lines": "\n".join([_NARROW, _FIT, _ODD]),
    "half of the first 20": "\n".join([*[_FIT] * 10, *[_NARROW] * 10, _FIT]),
    "half of 21": "\n".join([*[_FIT] * 11, *[_NARROW] * 10]),
}


def _swf_rows(source: Source, engine: Any, table: str) -> Any:
    return standard_workload.swf_rows(source, engine, table, is_gpu=True)


_SWF_LINES: Final = (swf_line({}), "; between", "", "  ; indented", swf_line({10: "3"}), swf_line({3: "-1"}))
SWF_LOGS: Final = {
    "with notes": "\n".join([_NOTES, *_SWF_LINES]),
    "with a late begin": "\n".join([*_SWF_LINES, "; UnixStartTime: 500"]),
    "without notes": "\n".join(["; x", *_SWF_LINES, _NARROW]),
}

# --- openb ---------------------------------------------------------------------------------------

OPENB_GPUS: Final = (
    *("", "|", "|500", "0|", "0|500", "0.0|x", "1", "1|", "1|1000", "1|460", "2|500", "8|1000", " 2 | 250 "),
    *("1|0", "0.5|", "-1|1000", "1|-1", "-1|-1", "x|1000", "1|x", "1|2|3", "1e3|1", "100000000|1000"),
)
_OPENB_HEADING: Final = (
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"
    "scheduled_time"
)
OPENB_HEADS: Final = {
    "nothing": "",
    "all columns": _OPENB_HEADING,
    "capital letters": _OPENB_HEADING.upper(),
    "semicolons": _OPENB_HEADING.replace(",", ";"),
    "tabs and rows": _OPENB_HEADING.replace(",", "\t") + "\na\t1",
    **{
        f"without {name}": _OPENB_HEADING.replace(name, "x")
        for name in ("num_gpu", "gpu_milli", "scheduled_time", "deletion_time", "gpu_spec", "qos")
    },
    "needed alone": "name,num_gpu,gpu_milli,scheduled_time,deletion_time",
    "a blank line above": f"\n{_OPENB_HEADING}",
}
_OPENB_ROWS: Final = (
    "a,1,2,1,1000,,LS,Succeeded,5,100,10",
    "b,1,2,2,460,V100M16|V100M32,BE,Running,5,200,20",
    "c,1,2,0,0,T4,BE,Pending,5,,",
    "d,1,2,1,,G2,BE,Failed,5,,",
    "e,1,2,x,1000,P100,,,5,100,10",
    "f,1,2,-1,1000,P100,,Succeeded,5,100,",
    "g,1,2",
)
OPENB_LOGS: Final = {
    "all columns": "\n".join((_OPENB_HEADING, *_OPENB_ROWS)),
    "without when it was created": "\n".join((_OPENB_HEADING.replace("creation", "x"), *_OPENB_ROWS[:2])),
    "capital letters": "\n".join((_OPENB_HEADING.upper(), *_OPENB_ROWS[:2])),
    "without GPUs": _OPENB_HEADING.replace("num_gpu", "x"),
    "no rows": _OPENB_HEADING,
}


def openb_facts_text(_: str) -> str:
    """Return the facts of each list, and those of a file that is no text."""
    with tempfile.TemporaryDirectory(prefix="log-") as folder:
        path = Path(folder) / "log"
        lines = []
        for name, text in OPENB_LOGS.items():
            path.write_text(text, encoding="utf-8")
            lines.append(f"{name}: {refusal(lambda: openb_pods.facts(survey(str(path))))}")
    lines.append(f"Parquet: {shown(openb_pods.facts(Source(path='x', kind=PARQUET, size=1, sha256='')))}")
    return "\n".join(lines)


# --- PAI -----------------------------------------------------------------------------------------

PAI_GPUS: Final = (
    *("", "|", "3|", "|50", "1|50", "4.0|50.0", "1|100", "2|0", "0|50", "0|0", " 1 | 25 ", "1|0.0", "8|1600"),
    *("-1|50", "1|-50", "-1|-50", "x|50", "1|x", "x|", "0.5|50", "1|50|2"),
)
_PAI_HEADING: Final = ",".join(pai.COLUMNS)
_PAI_ROW: Final = "j1,worker,2.0,Terminated,100.0,200.0,600.0,30.0,50.0,V100"


def pai_row(**changes: str) -> str:
    """Return a row of the table. changes: by column."""
    cells = dict(zip(pai.COLUMNS, _PAI_ROW.split(","), strict=True))
    return ",".join((cells | changes).values())


PAI_HEADS: Final = {
    "nothing": "",
    "heading": _PAI_HEADING,
    "heading, semicolons": _PAI_HEADING.replace(",", ";"),
    "heading without plan_gpu": _PAI_HEADING.replace("plan_gpu", "x"),
    "heading without inst_num": _PAI_HEADING.replace("inst_num", "x"),
    "a row": _PAI_ROW,
    "rows among blank lines": f"\n{_PAI_ROW}\n \n{_PAI_ROW}\n",
    "a cell more": f"{_PAI_ROW},x",
    "a cell less": _PAI_ROW.rpartition(",")[0],
    "an empty cell more": f"{_PAI_ROW},",
    **{f"{name} is a word": pai_row(**{name: "x"}) for name in pai.COLUMNS},
    **{f"{name} is empty": pai_row(**{name: ""}) for name in pai.COLUMNS},
    **{f"status {state}": pai_row(status=state) for state in (" Waiting ", "RUNNING", "failed", "Done")},
    "the 50th row is no task": "\n".join([*[_PAI_ROW] * 49, "x"]),
    "the 51st row is no task": "\n".join([*[_PAI_ROW] * 50, "x"]),
}
_PAI_ROWS: Final = (
    _PAI_ROW,
    pai_row(task_name="", gpu_type="MISC", status="Failed"),
    pai_row(job_name="j2", start_time="", status="Waiting"),
    pai_row(job_name="j3", start_time="", status="Terminated"),
    pai_row(job_name="j4", status="Running", end_time="", plan_gpu=""),
    pai_row(job_name="j5", status="Odd", inst_num="", gpu_type="misc"),
)
PAI_LOGS: Final = {
    "with heading": "\n".join((_PAI_HEADING, *_PAI_ROWS)),
    "without heading": "\n".join((*_PAI_ROWS[:-1], pai_row(inst_num="", gpu_type="T4"))),
    "semicolons, users, groups": "\n".join(
        f"{row},{more}".replace(",", ";")
        for row, more in zip((_PAI_HEADING, *_PAI_ROWS[:2]), ("user,group", "ann,g1", ","), strict=True)
    ),
    "without times": _PAI_HEADING.replace("start_time", "x").replace("end_time", "y"),
}

# --- Philly --------------------------------------------------------------------------------------

_OF_PHILLY: Final = '"jobid": "a", "vc": "v", "status": "Pass", "attempts": [{"start_time": "x"}]'
_LIKE_PHILLY: Final = "vc,gpu_num,node_num,start_time,duration,status"
PHILLY_HEADS: Final = {
    "nothing": "",
    "jobs": f"[{{{_OF_PHILLY}}}]",
    "a job": f"{{{_OF_PHILLY}}}",
    "jobs without vc": f"[{{{_OF_PHILLY}}}]".replace("vc", "x"),
    "jobs without attempts": f"[{{{_OF_PHILLY}}}]".replace("attempts", "x"),
    "a job in an object": f'{{"jobs": {{{_OF_PHILLY}}}}}',
    "table": _LIKE_PHILLY,
    "tabs": _LIKE_PHILLY.replace(",", "\t"),
    **{f"without {name}": _LIKE_PHILLY.replace(name, "x") for name in ("gpu_num", "start_time", "duration")},
    "by vc": "vc,gpus,start_time,duration",
    "by virtual cluster": "Virtual Cluster,gpus,start_time,duration",
    "by GPUs and nodes": "gpu_num,node_num,start_time,duration",
    "by GPUs alone": "gpu_num,start_time,duration",
    "no states": "gpus,start,duration,status",
    **{
        f"states {states}": "\n".join(["gpus,start,duration,status", *(f"1,0,5,{s}" for s in states.split())])
        for states in (
            "Pass",
            "pass killed FAILED",
            "killed failed",
            "Pass Completed",
            "completed",
            "Odd Pass",
        )
    },
    "short rows": "gpus,start,duration,status\n1,0,5,Pass\n1,0,5\n1",
    "states elsewhere": "status,gpus,start,duration\nPass,1,0,5",
    "the 50th row is odd": "\n".join(["gpus,start,duration,status", *["1,0,5,Pass"] * 49, "1,0,5,x"]),
    "the 51st row is odd": "\n".join(["gpus,start,duration,status", *["1,0,5,Pass"] * 50, "1,0,5,x"]),
    **{
        f"duration as {name}": f"vc,gpus,start,{name}"
        for name in ("duration_min", "duration (h)", "duration_seconds", "run_time_hours", "duration_days")
    },
}
_ATTEMPT: Final = {
    "start_time": "2017-10-09 07:07:25",
    "end_time": "2017-10-09 08:07:25",
    "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu5"]}],
}
_NEVER: Final = {"start_time": "None", "end_time": None, "detail": [{"ip": "m3", "gpus": []}]}
_PHILLY_JOB: Final = {
    "status": "Pass",
    "vc": "v1",
    "jobid": "app_1",
    "user": "u1",
    "submitted_time": "2017-10-08 01:02:03",
}
PHILLY_JOBS: Final[Mapping[str, Any]] = {
    "no object": "text",
    "a number": 7,
    "empty": {},
    "without attempts": _PHILLY_JOB,
    "pending": {**_PHILLY_JOB, "status": "Pending"},
    "running": {**_PHILLY_JOB, "status": "running", "attempts": []},
    "killed before it ran": {**_PHILLY_JOB, "status": "Killed", "attempts": "x"},
    "one attempt": {**_PHILLY_JOB, "attempts": [_ATTEMPT]},
    "two attempts": {**_PHILLY_JOB, "attempts": [_ATTEMPT, {**_ATTEMPT, "end_time": "null"}]},
    "three, one never began": {**_PHILLY_JOB, "status": "Killed", "attempts": [_ATTEMPT, _NEVER, _ATTEMPT]},
    "the last never began": {**_PHILLY_JOB, "status": "Failed", "attempts": [_ATTEMPT, _NEVER]},
    "no details": {**_PHILLY_JOB, "attempts": [{**_ATTEMPT, "detail": []}]},
    "odd devices": {**_PHILLY_JOB, "attempts": [{**_ATTEMPT, "detail": [{"gpus": 4}, {"ip": None}, 5]}]},
    "odd status": {**_PHILLY_JOB, "status": None, "submitted_time": "NULL", "attempts": [_ATTEMPT]},
}
_PHILLY_TABLE: Final = "Job ID,VC,user,gpu_num,node_num,submit_time,start_time,end_time,duration_min,status\n"


def _philly_rows(*times: str) -> str:
    states = ("Pass", "killed", "Failed", "odd")
    return _PHILLY_TABLE + "\n".join(
        f"{number},v1,ann,{number},1,{time},{time},{time},{number}0,{states[number % 4]}"
        for number, time in enumerate(times)
    )


PHILLY_LOGS: Final = {
    "seconds": _philly_rows("100", "99999999999", "0.5"),
    "milliseconds": _philly_rows("", "5", "100000000000"),
    "a number too long": _philly_rows("12345678901234567"),
    "16 digits": _philly_rows("1234567890123456"),
    "dates": _philly_rows("5", "2017-10-09 07:07:25"),
    "no times": _philly_rows("", " "),
    "no rows": _PHILLY_TABLE,
    "no ends": "gpus,start,duration\n1,10,5\n2,20\n3",
    "ends without submissions": "vc,gpus,start,end,run_time_hours\nv,1,10,20,0.5",
    "no times of lasting": "vc,gpus,start\nv,1,10",
    "GPUs alone": "vc,gpus\nv,1",
    "jobs": '[{"jobid": "a", "vc": "v", "status": "Pass", "submitted_time": "x", "attempts": '
    '[{"start_time": "s", "end_time": "e", "detail": [{"ip": "m", "gpus": ["0", "1"]}]}, {}]}, 5, '
    '{"jobid": "b", "vc": "v", "attempts": []}]',
}

# --- Tables --------------------------------------------------------------------------------------

FUNCTIONS: Final[Mapping[str, Callable[[str], str]]] = {
    "jobs of the Standard Workload Format": swf_jobs_text,
    "heads of the Standard Workload Format": lambda _: call_lines(standard_workload.sniff_swf, SWF_HEADS),
    "GPUs of openb": lambda _: call_lines(openb_pods.read_openb_gpus, named(OPENB_GPUS)),
    "heads of openb": lambda _: call_lines(openb_pods.sniff_openb, OPENB_HEADS),
    "facts of openb": openb_facts_text,
    "GPUs of PAI": lambda _: call_lines(pai.read_planned_gpus, named(PAI_GPUS)),
    "heads of PAI": lambda _: call_lines(pai.sniff_pai, PAI_HEADS),
    "heads of Philly": lambda _: call_lines(philly.sniff_philly, PHILLY_HEADS),
    "runs of Philly": lambda _: call_lines(philly.run_texts, PHILLY_JOBS),
}
LOGS: Final[Mapping[str, tuple[Rows, Mapping[str, str]]]] = {
    "Standard Workload Format": (_swf_rows, SWF_LOGS),
    "Standard Workload Format of processors": (standard_workload.swf_rows, {"with notes": _NOTES + _FIT}),
    "openb": (openb_pods.openb_rows, OPENB_LOGS),
    "PAI": (pai.pai_rows, PAI_LOGS),
    "Philly": (philly.philly_rows, PHILLY_LOGS),
}
TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=SHAPES),
    "logs.txt": Table(text_of=log_text, cases=tuple(f"{shape} {seed}" for shape in SHAPES for seed in SEEDS)),
    "functions.txt": Table(text_of=lambda case: FUNCTIONS[case](case), cases=tuple(FUNCTIONS)),
    "job_tables.txt": Table(text_of=lambda case: job_table_lines(*LOGS[case]), cases=tuple(LOGS)),
}
