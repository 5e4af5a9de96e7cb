"""Single texts of schedulers, tools and bills, for a golden table of what each is read as: many are just at a bound."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from gpuplanner.files.job_logs.dialects import (
    bill_forms,
    bill_rows,
    bill_times,
    clearml,
    condor,
    grid_engine,
    grid_engine_forms,
    lsf,
    other_accelerators,
    pbs,
    ray,
    wandb,
)
from gpuplanner.files.job_logs.dialects.bill_times import DateOrder
from tests.files.job_logs.dialects.test_grid_engine import JOBS, accounting, block
from tests.files.job_logs.dialects.test_lsf import record
from tests.shown import refusal_lines, shown

Calls = Iterator[tuple[str, Callable[[], object]]]


LONGEST: Final = 60
"""Letters of a text that are shown."""


def said_lines(case: str) -> str:
    """Return a line for each text of a subject: the text, and what it is read as."""
    return refusal_lines(SUBJECTS[case]())


def _filled(texts: Mapping[str, str]) -> str:
    """Return the fields of a job that say something."""
    return " ".join(f"{field}={shown(text[:LONGEST])}" for field, text in texts.items() if text) or "nothing"


def _numbered(jobs: Iterator[tuple[int, Mapping[str, str]]]) -> str:
    return "; ".join(f"{row}: {_filled(texts)}" for row, texts in jobs) or "none"


# --- LSF -----------------------------------------------------------------------------------------

REQUESTS: Final[Sequence[tuple[Sequence[str], int, int]]] = (
    (("rusage[ngpus_physical=2.00]",), 2, 8),
    (("rusage[ngpus_physical=2.00]",), 0, 0),
    (("num=1/task:gmodel=TeslaV100_SXM2_32GB",), 1, 3),
    (("num=1/task",), 2, 0),
    (("num=3/host",), 2, 8),
    (("rusage[ngpus=4/job]",), 2, 8),
    (("rusage[ngpus=4/JOB]",), 2, 8),
    (("num=1:mig=2/1",), 1, 1),
    (("num=2:mig=7",), 1, 1),
    (("num=0",), 1, 1),
    (("num=10",), 10, 1),
    (("gmodel=NVIDIAA100_SXM4_40GB",), 1, 1),
    (("", "gmodel=NVIDIAA100_SXM4_40GB:num=1", "num=2:gmodel=TeslaV100"), 1, 1),
    (("num=2", "gmodel=H100"), 1, 1),
    (("num=2", "num=4"), 1, 1),
    (("num=1:gmodel=Unheard-of",), 1, 1),
    (("num=1:gmodel=NVIDIA",), 1, 1),
    (("num=1:gmodel=AMDMI300X-OAM",), 1, 1),
    (("maxnum=3",), 1, 1),
    ((), 1, 1),
)
BLOCKS: Final = (
    "Job <1>, User <a>, Project <default>, Status <DONE>, Queue <q>",
    "Job <1>, Job Name <x>, User <a>, Project <p>, Status <RUN>, Queue <q>\n"
    "Mon Jan  5 10:00:00 2026: Started 2 Task(s) on Host(s) <g1> <2*g2>, Effective RES_REQ < rusage[ngpus=1/task] >",
    "Job <1>, User <a>, Status <PEND>\nMon Jan  5 09:00:00 2026: Submitted from host <l>, Requested GPU <num=1>",
    "Job <1>, User <a>, Status <EXIT>\nMon Jan  5 09:00:00 2026: Submitted from host <l>\n"
    "Mon Jan  5 10:00:00 2026: [1] dispatched to <g1>\nMon Jan  5 11:00:00 2026: Exited; TERM_MEMLIMIT: x.\n"
    "Mon Jan  5 12:00:00 2026: Completed <exit>",
    "Job <1>, User <a>, Status <EXIT>\nMon Jan  5 10:00:00 2026: Dispatched to <g1>\n"
    "Mon Jan  5 11:00:00 2026: Termination request issued; TERM_OWNER: x.",
    "Job <1>, User <a>, Status <DONE>\nMon Jan  5 10:00:00: Dispatched to <g1>, Allocated 1 Slot(s) on <g9>\n"
    "Mon Jan  5 11:00:00: Done successfully",
    "Job <1>, User <a>, Status <UNKWN>\n  rusage[ngpus=2]\nsoon: Dispatched",
    "Job <1>, User <a>, Status <DONE>\n    , Queue <wrapped>\n     CPU_T WAIT\n     TOTAL 1\nJob <2>, User <b>\n"
    "-------------------- \nJob <3>\n-------------------\nSUMMARY: x\nJob <4>\n",
)
HEADS_WITH_YEARS: Final = (
    "completed between Jan 2026 and Feb 2026",
    "completed between 2025 and 2026",
    "from 2023 to 2026",
    "from 2022 to 2026",
    "since 1999 until 2001",
    "in 2026",
    "until 12026",
    "nothing",
    "Job <1>\nbetween 2024 and 2025",
    "between 2024\nJob <1>\nbetween 2025",
)
DAYS: Final[Sequence[tuple[str, tuple[int, ...]]]] = (
    ("Wed Dec 31 23:00:00", (2026,)),
    ("Fri Jan 2 23:00:00", (2026,)),
    ("Mon Jan 5 10:00:00", (2026,)),
    ("Mon Jan 5 10:00:00", (2020, 2026)),
    ("Mon Jan 5 10:00:00", (2015, 2026)),
    ("Mon Jan 5 10:00:00", ()),
    ("Mon Feb 29 10:00:00", (2016, 2026)),
    ("Tue Jan 5 10:00:00", (2026,)),
    ("soon", (2026,)),
)
RECORDS_OF_BJOBS: Final[Sequence[object]] = (
    {
        "JOBID": "1",
        "JOBINDEX": "0",
        "STAT": "DONE",
        "EXEC_HOST": "4*g1:g2:4*g1",
        "GPU_NUM": "8",
        "RES_REQ": "num=2",
    },
    {"JOBID": "1", "JOBINDEX": "3", "STAT": "EXIT", "FINISH_TIME": "Jan  5 12:00:00 2026 X", "NGPUS": "-"},
    {
        "JOBID": "2",
        "STAT": "RUN",
        "FINISH_TIME": "Jan  5 12:00:00 2026 L",
        "GPU_REQ": "num=2",
        "NEXEC_HOST": "3",
    },
    {"JOBID": "2", "STAT": "DONE", "FINISH_TIME": "Jan  5 12:00:00 2026 E", "RUN_TIME": "7200 second(s)"},
    {"JOBID": "3", "STAT": "PEND", "PROJ_NAME": "default", "PROJECT": "p", "NAME": "n", "GPU_NUM": 0},
    {"JOBID": "3", "STAT": "SSUSP", "PROJECT": "default", "JOB_NAME": "-", "EFFECTIVE_RESREQ": ""},
    "a text",
    7,
)


def _lsf() -> Calls:
    for requests, hosts, tasks in REQUESTS:
        label = f"{' + '.join(requests)!r} on {hosts} hosts, {tasks} tasks"
        yield label, partial(lsf.lsf_gpus, requests, hosts, tasks)
    for head in HEADS_WITH_YEARS:
        yield repr(head), partial(lsf.named_years, head)
    for text, years in DAYS:
        yield f"{text} in {years}", partial(lsf.with_year, text, years)
    for text in BLOCKS:
        yield (
            repr(text)[:60],
            lambda text=text: _numbered(lsf.bacct_jobs(text.splitlines(keepends=True), (2026,))),
        )
    many = ["Job <1>, Status <DONE>", *["x"] * 2001]
    for last in (1998, 1999, 2000, 2001):
        lines = [many[0], *many[1:last], "rusage[ngpus=2]"]
        yield f"GPUs in line {last + 1}", lambda lines=lines: _numbered(lsf.bacct_jobs(lines))
    for value in RECORDS_OF_BJOBS:
        yield json.dumps(value)[:60], lambda value=value: _filled(lsf.bjobs_texts(value))


LINES_OF_ACCT: Final[Mapping[str, str]] = {
    "sound": record(),
    "an index": record(index=3),
    "of no project": record(project="default"),
    "failed": record(status=32),
    "done and more": record(status=65),
    "never began": record(start=0, status=32),
    "no hosts": record(hosts=()),
    "hosts twice": record(hosts=("g1", "g1", "3*g2")),
    "no GPUs": record(need=""),
    "killed": record(status=32).replace('"lab" 0 8', '"lab" 33280 8'),
    "ended": record(status=32).replace('"lab" 0 8', '"lab" 36608 8'),
    "done with a status": record().replace('"lab" 0 8', '"lab" 33280 8'),
    "eligible": record().replace(" 1767600000 0 0 ", " 1767600000 1767600060 0 "),
    "requests first": record(need="num=3/task").replace('1 "asked"', '1 "num=2"'),
    "a count of hosts that is too large": record(hosts=()).replace('"asked" 0 ', '"asked" 100001 '),
    "a count of hosts that is just right": record(hosts=()).replace('"asked" 0 ', '"asked" 100000 '),
    "a negative count": record(hosts=()).replace('"asked" 0 ', '"asked" -1 '),
    "cut off": record()[:120],
    "words for tasks": record().replace("33554438 8 ", "33554438 many "),
    "another event": '"JOB_NEW" "10.1" 1767614400 1 2',
    "a note": "# written by hand",
    "no record": "hello",
}
_JOB_LINE: Final = "Job <1>, User <a>, Status <DONE>"
_TIME_LINE: Final = "Mon Jan  5 10:00:00 2026: Dispatched to <g1>"
_EVENT: Final = '"JOB_NEW" "10.1" 1767614400 1 2'
HEADS_OF_LSF: Final[Mapping[str, str]] = {
    "a record": record(),
    "a record in line 200": "\n".join(["x"] * 199 + [record()]),
    "a record in line 201": "\n".join(["x"] * 200 + [record()]),
    "other events": f"{_EVENT}\n{_EVENT}\n",
    "other events and a line": f"{_EVENT}\nx\n",
    "a note and an event": f"# x\n{_EVENT}\n",
    "blocks": f"{_JOB_LINE}\n{_TIME_LINE}\n",
    "a job without a time": f"{_JOB_LINE}\n",
    "a time without a job": f"{_TIME_LINE}\n",
    "bjobs": '{"COMMAND": "bjobs", "RECORDS": [{"JOBID": "1"}]}',
    "bhosts": '{"COMMAND": "bhosts", "RECORDS": [{"JOBID": "1"}]}',
    "bjobs without records": '{"COMMAND": "bjobs", "JOBS": 1}',
    "nothing": "",
}


def _acct() -> Calls:
    for name, line in LINES_OF_ACCT.items():
        yield name, lambda line=line: _filled(lsf.record_texts(line))
    for name, head in HEADS_OF_LSF.items():
        yield f"sure of {name}", partial(lsf.sniff, head)


# --- PBS -----------------------------------------------------------------------------------------

_S: Final = "01/05/2026 10:00:00;S;1.pbs;user=a start=1767607200 Resource_List.ngpus=2"
_E: Final = "01/05/2026 12:00:00;E;1.pbs;user=a start=1767607200 end=1767614400 Resource_List.ngpus=2"
LINES_OF_PBS: Final[Mapping[str, Sequence[str]]] = {
    "began and ended": (_S, _E),
    "began": (_S,),
    "began twice": (_S, _S.replace(";S;", ";T;")),
    "ended": (_E,),
    "requeued": (_S, "01/05/2026 11:00:00;R;1.pbs;user=a"),
    "requeued with times": (_S, _E.replace(";E;", ";R;")),
    "requeued with a walltime": (
        _S,
        _E.replace(";E;", ";R;").replace("end=1767614400", "resources_used.walltime=01:00:00"),
    ),
    "requeued, and nothing began": (_E.replace(";E;", ";R;").replace(" end=1767614400", ""),),
    "requeued without a start": ("01/05/2026 11:00:00;R;1.pbs;user=a end=1767614400",),
    "given up": (_S, "01/05/2026 11:00:00;A;1.pbs;user=a"),
    "given up before it began": ("01/05/2026 11:00:00;A;1.pbs;user=a",),
    "given up by a clock that is behind": (_S, "01/05/2026 09:00:00;A;1.pbs;user=a"),
    "deleted": (_S, "01/05/2026 11:00:00;D;1.pbs;requestor=a"),
    "an array": (_S.replace("1.pbs", "1[].pbs"), _S.replace("1.pbs", "1[2].pbs")),
    "exit 0": (f"{_E} Exit_status=0",),
    "exit 1": (f"{_E} Exit_status=1",),
    "exit 271": (f"{_E} Exit_status=271",),
    "exit 143": (f"{_E} Exit_status=143",),
    "no end": (_E.replace(" end=1767614400", ""),),
    "no end, a walltime": (_E.replace("end=1767614400", "resources_used.walltime=01:00:00"),),
    "start 0": (_E.replace("start=1767607200", "start=0"),),
    "blank": ("", "  "),
    "no event": ("hello",),
    "no such day": (_E.replace("01/05/2026", "13/45/2026"),),
    "a fraction of a second": (_E.replace("12:00:00", "12:00:00.123"),),
    "small letters": (_E.replace(";E;", ";e;"),),
    "all fields": (
        f'{_E} jobname="a b" account=x project=_pbs_project_default queue=q exec_host=n1/0*4+n2/1+n1/2 ctime=1 qtime=2 '
        "etime=3 Resource_List.walltime=01:00:00 resources_used.walltime=00:30:00 resources_used.gpupercent=50",
    ),
    "other fields": (f"{_E} project=p qtime=2 Resource_List.nodect=3 resources_used.gpupercent=401 user=b",),
    "no activity": (f"{_E} resources_used.gpupercent=-1",),
    "activity of no GPUs": (_E.replace("ngpus=2", "ngpus=0") + " resources_used.gpupercent=50",),
    "activity of fewer GPUs than none": (
        _E.replace("ngpus=2", "ngpus=-1") + " resources_used.gpupercent=50",
    ),
}
GPUS_OF_PBS: Final[Sequence[Mapping[str, str]]] = (
    {"Resource_List.ngpus": "8", "exec_vnode": "(n1:ngpus=2)"},
    {"Resource_List.ngpus": "", "exec_vnode": "(n1:ncpus=4:ngpus=2)+(n2:gpus=3:mem=1kb)"},
    {"exec_vnode": "(n1:ncpus=4)", "exec_gpus": "n1-gpu/0+n1-gpu/1+"},
    {"exec_gpus": "", "Resource_List.select": "2:ncpus=4:ngpus=4+1:ngpus=1+ngpus=1"},
    {"Resource_List.select": "1:ncpus=4", "Resource_List.nodes": "2:ppn=8:gpus=3"},
    {"Resource_List.neednodes": "n1:gpus=2+n2:gpu=1"},
    {"Resource_List.nodect": "2:gpus=1"},
    {"Resource_List.gpus": "3", "Resource_List.gpu": "4"},
    {"Resource_List.gpu": "4"},
    {"Resource_List.hpus": "8"},
    {"Resource_List.tpu": "8"},
    {"Resource_List.ncpus": "8"},
    {},
)
MODELS_OF_PBS: Final[Sequence[Mapping[str, str]]] = (
    {"Resource_List.gpu_type": "a100", "Resource_List.gpu_model": "h100"},
    {"Resource_List.gputype": "v100"},
    {"Resource_List.accelerator_model": "mi300x"},
    {"Resource_List.select": "2:ngpus=1:gpu_type=a100,x", "exec_vnode": "(n1:gpu_model=h100)"},
    {"exec_vnode": "(n1:gpu_model=h100)"},
    {"Resource_List.select": "2:ngpus=1"},
)


def _pbs() -> Calls:
    for name, lines in LINES_OF_PBS.items():
        yield name, lambda lines=lines: _numbered(pbs.pbs_jobs(iter(lines)))
    for said in GPUS_OF_PBS:
        yield f"GPUs of {shown(said)}", partial(pbs.gpus_of, said)
    for said in MODELS_OF_PBS:
        yield f"model of {shown(said)}", partial(pbs.model_of, said)
    heads = {
        "half of the lines": (_S, "x"),
        "one of three lines": (_S, "x", "x"),
        "25 of 50 lines": (*["x"] * 25, *[_S] * 25),
        "24 of 50 lines": (*["x"] * 26, *[_S] * 24),
        "25 of 51 lines": (*["x"] * 25, *[_S] * 25, "x"),
        "line 51": (*["x"] * 50, *[_S] * 50),
        "no line": (),
    }
    for name, lines in heads.items():
        yield f"sure of {name}", partial(pbs.sniff_pbs, "\n".join(lines))
    yield "an event", lambda: pbs.read_event(f'{_S} a="b c" user=z ')


# --- Grid Engine ---------------------------------------------------------------------------------

SAID_BY_SGE: Final[Sequence[Mapping[str, str]]] = (
    {"category": "-U gpu -l gpu=2,h_rt=3600 -pe smp 8", "slots": "8"},
    {"category": "-l gpu=2", "slots": "1"},
    {"category": "-l gpu=2"},
    {"category": "-l gpus=0.25,gpu_type=V100 -pe omp 8", "slots": "8"},
    {"category": "-l gpus=0.25", "slots": "1"},
    {"category": "-l gpus=1", "slots": "2"},
    {"category": "-l gpus=0", "slots": "2"},
    {"category": "-l gpus=", "slots": "2"},
    {"category": "-l gpus=0,cuda=2"},
    {"category": "-l gpus=3,cuda=2"},
    {"category": "-l gpu_a100=1"},
    {"category": "-l a100=1,gpu_model=*H100*"},
    {"category": "-l gpu_model=H100"},
    {"category": "-soft -l gpu=4 -hard -l gpu=1"},
    {"category": "-soft -l gpu=4"},
    {"category": "-l mem=4G", "hard_resources": "gpu=2"},
    {"category": "", "hard_resources": "gpu=2, gpu_type = A100"},
    {"category": "-l gpu=2", "resource_map": "gpu=n1=(0 1 2)"},
    {"category": "-l gpu_type=A100", "beyond": "ngpus=n1=(0),ngpus=n2=(0 1)"},
    {"category": "-l hpu=4", "slots": "2"},
    {"category": "-l gpu=many", "slots": "8"},
    {},
)
ENDS_OF_SGE: Final[Sequence[Mapping[str, str]]] = (
    {},
    {"failed": "1"},
    {"failed": "24 : migrating"},
    {"failed": "25"},
    {"failed": "37  : qmaster enforced h_rt"},
    {"failed": "0", "exit_status": "1"},
    {"failed": "", "exit_status": ""},
    {"failed": "100", "exit_status": "137", "qdel_info": "ann@login"},
    {"start_time": "0"},
    {"start_time": "-/-", "granted_pe": "smp", "slots": "8", "category": "-l gpu=2"},
    {"task_number": "7", "project": "p", "ru_wallclock": "3600s"},
    {"account": "lab", "project": "NONE"},
    {"account": "sge", "granted_pe": "smp"},
    {"pe_taskid": "1.n2"},
    {"pe_taskid": "undefined"},
)


def _sge() -> Calls:
    for said in SAID_BY_SGE:
        yield f"GPUs of {shown(said)}", partial(grid_engine.sge_gpus, said)
    whole = {**JOBS[0], "granted_pe": "NONE", "slots": "1", "failed": "0", "exit_status": "0"}
    for said in ENDS_OF_SGE:
        yield f"job of {shown(said)}", lambda said=said: _filled(grid_engine.sge_job_texts({**whole, **said}))


def _sge_forms() -> Calls:
    line = accounting(JOBS[:1]).splitlines()[-1]
    cells = line.split(":")
    heads = {
        "a record": line,
        "a record of two lines": f"{line}\nx\n",
        "two records of three lines": f"{line}\n{line}\nx\n",
        "11 records of 20 lines": f"{line}\n" * 11 + "x\n" * 9,
        "10 records of 20 lines": f"{line}\n" * 10 + "x\n" * 10,
        "10 records of 21 lines": f"{line}\n" * 10 + "x\n" * 9 + f"{line}\n",
        "16 cells": ":".join(cells[:16]),
        "15 cells": ":".join(cells[:15]),
        "no number": line.replace(cells[5], "x"),
        "notes": "# a\n# b\n",
        "qacct": block(JOBS[0]),
        "qacct without an owner": block(JOBS[0]).replace("owner", "other"),
        "qacct below 79 lines": "x\n" * 52 + block(JOBS[0]),
        "qacct below 80 lines": "x\n" * 80 + block(JOBS[0]),
        "objects": json.dumps(JOBS[0]),
        "a list of objects": json.dumps(JOBS[:1]),
        "objects without an owner": json.dumps(
            {key: text for key, text in JOBS[0].items() if key != "owner"}
        ),
    }
    for name, head in heads.items():
        yield f"sure of {name}", partial(grid_engine.sniff, head)
    of_lines: Mapping[str, str] = {
        "notes": f"# a\n{line}\n# b\n\n",
        "too few cells": ":".join(cells[:39]),
        "cells enough": ":".join(cells[:40]),
        "more cells": f"{line}:x:gpu=n=(0)",
    }
    for name, text in of_lines.items():
        yield (
            f"lines: {name}",
            lambda text=text: _kept(grid_engine_forms.accounting_entries(text.splitlines())),
        )
    for digits in (10, 11, 12, 13, 14, 15, 16):
        said = {"start_time": "1" * digits, "end_time": "soon", "x": "gpu=n=(0)"}
        yield f"{digits} digits", partial(grid_engine_forms.json_entries, said)
    yield "no object", partial(grid_engine_forms.json_entries, 7)
    of_blocks: Mapping[str, str] = {
        "a rule of ten": "==========\nqname q\njobnumber 1\nx gpu=n=(0)\n==========\nqname r\n",
        "a rule of nine": "=========\nqname q\njobnumber 1\n",
        "no rules": "qname q\njobnumber 1\nqname r\njobnumber 2\n",
        "totals": "==========\nTotal System Usage\n  WALLCLOCK\n",
        "times": "qname q\njobnumber 1\nqsub_time 03/21/2011 14:53:46.123\nstart_time Mon Mar 21 14:53:46 2011\n"
        "end_time 2011-03-21 15:00:00\n",
        "no value": "qname q\njobnumber 1\nproject\n",
        "500 lines": "qname q\njobnumber 1\n" + "x y\n" * 497 + "owner a\n",
        "501 lines": "qname q\njobnumber 1\n" + "x y\n" * 498 + "owner a\n",
    }
    for name, text in of_blocks.items():
        yield f"blocks: {name}", lambda text=text: _kept(grid_engine_forms.qacct_entries(text.splitlines()))


def _kept(entries: Iterator[tuple[int, Mapping[str, str]]]) -> str:
    """Return the entries by line, without the long lists of what a job used."""
    return "; ".join(
        f"{row}: {_filled({key: text for key, text in said.items() if not key.startswith('ru_')})}"
        for row, said in entries
    )


# --- Tools ---------------------------------------------------------------------------------------


def _ray() -> Calls:
    job = {"submission_id": "s", "status": "SUCCEEDED", "start_time": 1, "end_time": 2}
    jobs: Sequence[object] = (
        job,
        {**job, "submission_id": None, "job_id": "j", "status": "stopped", "start_time": 0, "end_time": 0.0},
        {
            **job,
            "status": "PENDING",
            "metadata": {"gpus": "2", "name": "n", "team": "t", "username": "u", "queue": "q"},
        },
        {**job, "entrypoint_num_gpus": 0, "metadata": {"num_gpus": "2", "ngpus": "3"}},
        {**job, "entrypoint_num_gpus": 0.0, "metadata": {"total_gpus": "2"}},
        {**job, "entrypoint_num_gpus": 0, "metadata": {}},
        {**job, "entrypoint_num_gpus": 4, "metadata": {"num_gpus": "2"}},
        {**job, "entrypoint_resources": {"x": 1, "accelerator_type:A100": 1, "accelerator_type:H100": 1}},
        {**job, "entrypoint_resources": {"accelerator_type:A100": 1}, "metadata": {"gpu_type": "L40S"}},
        {**job, "entrypoint": "python -m x /app/train.py --a run.sh"},
        {**job, "entrypoint": "/bin/tool now"},
        {**job, "entrypoint": " "},
        "a text",
    )
    for value in jobs:
        yield f"Ray {json.dumps(value)[:110]}", lambda value=value: _filled(ray.ray_job_texts(value))
    keys = {"entrypoint": "x", "status": "y", "submission_id": "s", "start_time": 1}
    yield from _sniffed("Ray", ray.sniff_ray, keys, ("", "jobs", "result", "data.result.result", "other"))


def _sniffed(
    tool: str, sniff: Callable[[str], float], keys: Mapping[str, Any], containers: Sequence[str]
) -> Calls:
    """Yield how sure it is of an object with these keys, in each container, and without each of them."""
    for container in containers:
        value: object = [keys]
        for key in reversed(container.split(".") if container else []):
            value = {key: value}
        yield f"sure of {tool} in {container or 'a list'}", partial(sniff, json.dumps(value))
    yield f"sure of {tool}, one object", partial(sniff, json.dumps(keys))
    for left in keys:
        less = {key: value for key, value in keys.items() if key != left}
        yield f"sure of {tool} without {left}", partial(sniff, json.dumps([less]))
        yield f"sure of {tool} with {left}", partial(sniff, json.dumps([{left: keys[left]}]))


def _condor() -> Calls:
    keys = {"ClusterId": 1, "ProcId": 0, "JobStatus": 4, "Owner": "a"}
    yield from _sniffed("HTCondor", condor.sniff_condor, keys, ("", "jobs"))
    for names in (
        ("ClusterId", "ProcId", "JobStatus"),
        ("clusterid", "PROCID", "JobStatus"),
        ("ClusterId", "ProcId"),
    ):
        text = "".join(f"{name} = 1\n" for name in names)
        yield f"sure of lines {names}", partial(condor.sniff_condor, text)
    for asked in (
        (("Resource_List.hpus", "8"),),
        (("hpu", "0"),),
        (("tpu", "x"),),
        (("ncpus", "1"), ("npu", "4")),
        (),
    ):
        yield f"other devices of {asked}", partial(other_accelerators.first_other, asked)


def _clearml() -> Calls:
    workers = (
        "dgx1:gpu0,1",
        "dgx1:gpu0,gpu1,gpu2",
        "dgx1:dgpu3",
        "dgx1:gpu0_1",
        "dgx1:gpuall",
        "gpu0",
        "h:GPU12 ",
        "",
    )
    for worker in workers:
        yield f"worker {worker!r}", partial(clearml.gpus_of_worker, worker)
    keys = {"id": "1", "status": "completed", "started": "x", "completed": "y", "last_worker": "w"}
    yield from _sniffed("ClearML", clearml.sniff_clearml, keys, ("", "data.tasks", "tasks"))
    runtime = {"id": "1", "status": "x", "started": "x", "last_update": "y", "runtime": {"gpu_count": 2}}
    yield "sure of ClearML by its runtime", partial(clearml.sniff_clearml, json.dumps([runtime]))
    named = {**runtime, "runtime": {}, "runtime.gpu_count": 2}
    yield "sure of ClearML by a name", partial(clearml.sniff_clearml, json.dumps([named]))


RUN_HEADINGS: Final = (
    "ID",
    "Name",
    "State",
    "Created",
    "Runtime",
    "GPU Count",
    "GPU Type",
    "Sweep",
    "User",
    "Tags",
)


def _wandb() -> Calls:
    def table(headings: Sequence[str]) -> str:
        return ",".join(headings) + "\n"

    yield "sure of a table of runs", partial(wandb.sniff_wandb, table(RUN_HEADINGS))
    for left in RUN_HEADINGS:
        headings = [heading for heading in RUN_HEADINGS if heading != left]
        yield f"sure of it without {left}", partial(wandb.sniff_wandb, table(headings))
    run = {
        "name": "a",
        "state": "finished",
        "createdAt": "x",
        "heartbeatAt": "y",
        "runInfo": {"gpuCount": 2},
        "sweepName": "",
    }
    yield from _sniffed("runs", wandb.sniff_wandb, run, ("", "runs", "data.runs", "edges"))


# --- Bills ---------------------------------------------------------------------------------------

DATES: Final = (
    *("4/1/25", "12/12/2025", "13/12/2025", "12/13/2025", "4.1.2025", "4-1-2025", "4/1-2025", "0/1/2025"),
    *("1/1/00", "1/1/99", "1/1/100", "9/2/2023 12:30 AM", "9/2/2023 12:30 PM", "9/2/2023 0:30 PM"),
    *(
        "9/2/2023 1:00 pm",
        "9/2/2023 13:00 PM",
        "9/2/2023, 23:59:59.9 UTC",
        "9/2/2023 24:00",
        "9/2/2023 10:00 Z",
    ),
    *(
        "2026-01-05T10:00Z",
        "2026-01-05",
        "2026-01-05T10:00:00+02:00",
        "2026-01-05 10:00 Europe/Berlin",
        "soon",
        "",
    ),
    *("1899-12-31", "1969-12-31", "1970-01-01", "2199-12-31", "2200-01-01", "9999-12-31", "20260105"),
)
ORDERS: Final = (
    ("12/12/2025",),
    ("12/12/2025", "13/1/2025"),
    ("12/12/2025", "1/13/2025"),
    ("1/2/2025", "4.1.2025"),
    ("2025-01-02",),
    ("soon", "1/2/2025"),
    ("13/1/2025", "1/13/2025"),
    (),
)
UNITS: Final = (
    *(
        "Hours",
        "10 Hours",
        "0 Hours",
        "00001 Hrs",
        "123456 Hours",
        "1/Hour",
        "Minutes",
        "5 mins",
        "sec",
        "MS | INSTANCE",
    ),
    *(
        "GB-Hours",
        "GPU Per Hour",
        "OCPU Hours",
        "1 NONE HOURS INSTANCE",
        "milliseconds",
        "3 ms",
        "",
        "Units/Hour",
    ),
)
USAGES: Final = (
    *("3.5 x 3600 s x 8 GPUs / 86400 s", "-1 x 3600 s x 8 GPUs / 3600 s", "0 x 3600 s x 8 GPUs / 3600 s"),
    *(
        "1 x 1 s x 1 GPUs / 2000 s",
        "1 x 1 s x 1 GPUs / 2001 s",
        "1 x 3 s x 1 GPUs / 2000 s",
        "1 x 1 s x 1/7 GPUs / 1 s",
    ),
    *("1 x 1/1000 s x 1 GPUs / 1 s", "1 x 1 s x 1 GPUs / 0 s", "x x 1 s x 1 GPUs / 1 s", "1 of p9", ""),
)
HEADINGS: Final = (
    "ChargePeriodStart,BilledCost,ChargePeriodEnd",
    "Charge_Period_Start;Billed Cost",
    "ChargePeriodStart,BilledCost,Never",
    "BilledCost",
    "Datum (Date),Zähler (MeterId),Menge (Quantity),Kosten (Cost)",
    "Datum (Date),Zähler (MeterId),Quantity,Cost",
    "Datum (Date),MeterId,Quantity,Cost",
    "Datum (Date),Zähler (MeterId),Menge (Quantity)",
)


def _bills() -> Calls:
    for text in DATES:
        yield f"{text!r}, month first", partial(bill_times.read_bill_time, text, DateOrder())
        yield f"{text!r}, day first", partial(bill_times.read_bill_time, text, DateOrder(is_day_first=True))
    for texts in ORDERS:
        yield f"order of {texts}", partial(bill_times.date_order, texts)
    for unit in UNITS:
        yield f"seconds of {unit!r}", partial(bill_rows.read_time_unit, unit)
        yield f"{unit!r} counts GPUs", partial(bill_rows.counts_gpus, unit)
    for text in USAGES:
        yield f"usage {text!r}", partial(bill_rows.read_usage, text)
    for head in HEADINGS:
        wanted, usual = (("ChargePeriodStart",), ("BilledCost", "Cost")), ("ChargePeriodEnd", "BilledCost")
        yield f"columns of {head!r}", partial(bill_forms.bill_header, head, ("MeterId", "BilledCost"))
        yield f"likeness of {head!r}", partial(bill_forms.likeness, head, wanted, usual, never=("never",))
    yield "likeness without usual headings", partial(bill_forms.likeness, "a,b", (("a",),), ())


SUBJECTS: Final[Mapping[str, Callable[[], Calls]]] = {
    "LSF": _lsf,
    "records of LSF": _acct,
    "PBS": _pbs,
    "Grid Engine": _sge,
    "forms of Grid Engine": _sge_forms,
    "Ray": _ray,
    "HTCondor": _condor,
    "ClearML": _clearml,
    "Weights & Biases": _wandb,
    "bills": _bills,
}
