"""What schedulers on Kubernetes and tools of costs export, and what their functions say of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.files.job_logs.dialects.kubernetes import (
    kubernetes_pods,
    kueue,
    opencost,
    runai,
    volcano,
    workload_parts,
)
from tests.files.job_logs.dialects.kubernetes.pod_cases import GPU, MEMORY, condition, pod
from tests.files.job_logs.job_tables import Rows, call_lines

Object = Mapping[str, Any]

# --- Kueue ---------------------------------------------------------------------------------------


def _pod_set(gpus: str = "2", name: str = "main", model: str = "", **more: Any) -> dict[str, Any]:
    template = pod({GPU: gpus} if gpus else {"habana.ai/gaudi": "1"})
    if model:
        template = pod({GPU: gpus}, nodeSelector={"accelerator": model})
    return {"name": name, "template": template, **more}


def _assigned(usage: Object | None = None, name: str = "main", **more: Any) -> dict[str, Any]:
    return {"name": name, "resourceUsage": usage or {}, **more}


def _workload(
    *conditions: Object, sets: Sequence[Object] = (), given: Sequence[Object] = (), **status: Any
) -> dict[str, Any]:
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta1",
        "kind": "Workload",
        "metadata": {"name": "w", "namespace": "ml", "uid": "u", "creationTimestamp": "T0"},
        "spec": {
            "queueName": "q",
            "priority": 3,
            "maximumExecutionTimeSeconds": 60,
            "podSets": list(sets or (_pod_set(),)),
        },
        "status": {
            "conditions": list(conditions),
            **({"admission": {"podSetAssignments": list(given)}} if given else {}),
            **status,
        },
    }


_ADMITTED, _RESERVED = condition("Admitted", "T2"), condition("QuotaReserved", "T1")
_FINISHED: Final = condition("Finished", "T5", reason="Succeeded", message="Job finished successfully")


def _finished(reason: str, message: str = "") -> dict[str, str]:
    return condition("Finished", "T5", reason=reason, message=message)


COURSES: Final[Mapping[str, Object]] = {
    "nothing": _workload(),
    "quota reserved": _workload(_RESERVED),
    "admitted": _workload(_RESERVED, _ADMITTED),
    "no longer admitted": _workload(condition("Admitted", "T2", "False"), condition("Evicted", "T3")),
    "finished": _workload(_ADMITTED, _FINISHED),
    "finished without admission": _workload(_FINISHED),
    "finished is false": _workload(_ADMITTED, condition("Finished", "T5", "False")),
    **{
        f"finished: {text}": _workload(_ADMITTED, _finished(*text.split("/")))
        for text in ("JobFailed", "x/Error in step", "x/deadline EXCEEDED", "x/fine")
    },
    "evicted": _workload(_ADMITTED, condition("Evicted", "T3")),
    "preempted": _workload(_ADMITTED, condition("Preempted", "T4"), condition("Evicted", "T3")),
    "evicted as it was admitted": _workload(_ADMITTED, condition("Evicted", "T2")),
    "evicted before it was admitted": _workload(_ADMITTED, condition("Evicted", "T1")),
    "evicted before it was finished": _workload(_ADMITTED, condition("Evicted", "T4"), _FINISHED),
    "evicted as it was finished": _workload(_ADMITTED, condition("Evicted", "T5"), _FINISHED),
    "evicted after it was finished": _workload(_ADMITTED, condition("Evicted", "T6"), _FINISHED),
    "evicted at no time": _workload(_ADMITTED, condition("Evicted", "")),
    "evicted and never admitted": _workload(condition("Evicted", "T3")),
}
ASKED: Final[Mapping[str, Any]] = {
    "text": "x",
    "another kind": {"kind": "Pod"},
    "a count": _workload(sets=[_pod_set(count=3)]),
    "a count of none": _workload(sets=[_pod_set(count=0)]),
    "two sets": _workload(sets=[_pod_set(count=2, model="A100"), _pod_set("", name="b", count=9)]),
    "no GPUs": _workload(sets=[_pod_set("", count=4)]),
    "admitted": _workload(sets=[_pod_set(count=2)], given=[_assigned({GPU: "8"}, count=2)]),
    "fewer admitted": _workload(sets=[_pod_set(count=4)], given=[_assigned({GPU: "4"}, count=2)]),
    "admitted without usage": _workload(sets=[_pod_set(count=4)], given=[_assigned(count=2)]),
    "admitted to another": _workload(sets=[_pod_set(count=4)], given=[_assigned({GPU: "4"}, "b", count=2)]),
    "admitted, not asked for": {
        **_workload(given=[_assigned({GPU: "8"}, count=2, flavors={GPU: "a100-pool"})]),
        "spec": {"queueName": "q"},
    },
    "flavour": _workload(given=[_assigned({GPU: "2"}, count=1, flavors={"cpu": "h100", GPU: "a100-pool"})]),
    "flavour of nothing": _workload(
        sets=[_pod_set("", count=1)], given=[_assigned({"cpu": "2"}, count=1, flavors={GPU: "a100"})]
    ),
    "flavour of the processor": _workload(given=[_assigned({GPU: "2"}, count=1, flavors={"cpu": "h100"})]),
    "flavour and model": _workload(
        sets=[_pod_set(model="T4")], given=[_assigned({GPU: "2"}, count=1, flavors={GPU: "a100"})]
    ),
    "a bad usage": _workload(given=[_assigned({GPU: "x"}, count=1)]),
    "a negative usage": _workload(given=[_assigned({GPU: "-2"}, count=1)]),
    "a bad amount": _workload(sets=[_pod_set("many")]),
    "shared": _workload(given=[_assigned({"nvidia.com/gpu.shared": "2"}, count=2)]),
}
_FROM: Final = "2026-01-05T10:00:00Z"
_UNTIL: Final = "2026-01-05T12:00:00Z"
_AGAIN: Final = "2026-01-05T13:00:00Z"
_EVICTED, _READMITTED = condition("Evicted", _UNTIL, "False"), condition("Admitted", _AGAIN)


def _kueue_log(*workloads: Any) -> str:
    return json.dumps({"kind": "WorkloadList", "items": list(workloads)})


KUEUE_LOGS: Final = {
    "a run": _kueue_log(_workload(condition("Admitted", _FROM), condition("Finished", _UNTIL))),
    "evicted, length unknown": _kueue_log(_workload(_EVICTED, _READMITTED)),
    "evicted, length known": _kueue_log(
        _workload(_EVICTED, _READMITTED, accumulatedPastExecutionTimeSeconds=3600), 7
    ),
    "evicted, misspelt length": _kueue_log(
        _workload(_EVICTED, _READMITTED, accumulatedPastExexcutionTimeSeconds=600)
    ),
    "evicted, length a text": _kueue_log(
        _workload(_EVICTED, _READMITTED, accumulatedPastExecutionTimeSeconds="1h")
    ),
    "evicted twice": _kueue_log(
        _workload(
            _EVICTED,
            condition("Preempted", _FROM, "False"),
            _READMITTED,
            accumulatedPastExecutionTimeSeconds=60,
        )
    ),
    "evicted without GPUs": _kueue_log(
        _workload(_EVICTED, _READMITTED, sets=[{"name": "main", "template": pod({"cpu": "1"})}])
    ),
    "evicted as it was admitted again": _kueue_log(
        _workload(condition("Evicted", _AGAIN, "False"), _READMITTED)
    ),
    "evicted and not admitted again": _kueue_log(
        _workload(_EVICTED, accumulatedPastExecutionTimeSeconds=3600)
    ),
    "two evicted": _kueue_log(
        _workload(), _workload(_EVICTED, _READMITTED), _workload(_EVICTED, _READMITTED)
    ),
}
_WORKLOAD_HEAD: Final = '{"apiVersion": "kueue.x-k8s.io/v1", "kind": "Workload", "spec": {"podSets": [{}]}}'
KUEUE_HEADS: Final = {
    "nothing": "",
    "a workload": _WORKLOAD_HEAD,
    "workloads": f"[{_WORKLOAD_HEAD}]",
    "a list": f'{{"kind": "List", "items": [{_WORKLOAD_HEAD}]}}',
    "of another group": _WORKLOAD_HEAD.replace("kueue", "x"),
    "without pods": _WORKLOAD_HEAD.replace("podSets", "x"),
    "without both": _WORKLOAD_HEAD.replace("podSets", "x").replace("kueue", "x"),
    "without group": _WORKLOAD_HEAD.replace("apiVersion", "x").replace("podSets", "x"),
    "another kind": _WORKLOAD_HEAD.replace("Workload", "Queue"),
    "an empty list": '{"kind": "WorkloadList", "items": []}',
}

# --- Volcano -------------------------------------------------------------------------------------


def _volcano(
    phase: str = "Completed", *began: str, sets: Sequence[Object] = (), **status: Any
) -> dict[str, Any]:
    tasks = sets or ({"replicas": 2, "template": pod({GPU: "4"}, nodeSelector=MEMORY)},)
    conditions = [{"status": "Pending", "lastTransitionTime": "2026-01-05T09:00:00Z"}]
    conditions += [{"status": "Running", "lastTransitionTime": at} for at in began]
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "j", "namespace": "ml", "uid": "u", "creationTimestamp": "T0"},
        "spec": {"queue": "gpu", "tasks": list(tasks)},
        "status": {
            "state": {"phase": phase, "lastTransitionTime": _UNTIL},
            "conditions": conditions,
            **status,
        },
    }


def _volcano_log(*jobs: Object) -> str:
    return json.dumps({"kind": "List", "items": list(jobs)})


VOLCANO_LOGS: Final = {
    **{
        f"phases{', began' * bool(began)}": _volcano_log(
            *(
                _volcano(phase, *began)
                for phase in ("Completed", "Failed", "Running", "Restarting", "Pending", "", "Aborted", "Odd")
            )
        )
        for began in ((), (_FROM, _AGAIN))
    },
    "lengths": _volcano_log(
        *(_volcano(runningDuration=length) for length in ("1h0m0s", "x", "0s")),
        _volcano("Aborted", runningDuration="30m"),
        _volcano("Running", runningDuration="1h"),
    ),
    "length and no change": _volcano_log(
        _volcano(runningDuration="1h", state={"phase": "Completed", "lastTransitionTime": "x"})
    ),
    "two from their creation": _volcano_log(_volcano(runningDuration="1h"), _volcano(runningDuration="1h")),
    "other devices and kinds": _volcano_log(
        _volcano(sets=[{"replicas": 3, "template": pod({"habana.ai/gaudi": "8"})}]),
        {"kind": "Pod"},
        _volcano(sets=[{"template": pod({"nvidia.com/gpu.shared": "1"})}, {"replicas": 2}]),
    ),
}
_VOLCANO_HEAD: Final = '{"apiVersion": "batch.volcano.sh/v1", "kind": "Job"}'
VOLCANO_HEADS: Final = {
    "nothing": "",
    "a job": _VOLCANO_HEAD,
    "jobs": f"[{_VOLCANO_HEAD}]",
    "a list": f'{{"kind": "List", "items": [{_VOLCANO_HEAD}]}}',
    "of another group": _VOLCANO_HEAD.replace("volcano", "x"),
    "without group": _VOLCANO_HEAD.replace("apiVersion", "x"),
    "another kind": _VOLCANO_HEAD.replace("Job", "Queue"),
    "no kind": _VOLCANO_HEAD.replace("kind", "x"),
}

# --- Run:ai --------------------------------------------------------------------------------------

_RUNAI: Final = "ID,Workload,Type,Project,Department,Created by,Status,Creation time,"
_TIMES: Final = "Started at,Completion time,Phase updated at,Total runtime,Running time,"
_RUNAI_GPUS: Final = "GPU compute request,GPU compute allocation,GPU memory request"


def _runai(*rows: str, heading: str = f"{_RUNAI}{_TIMES}{_RUNAI_GPUS}") -> str:
    begun = "w1,train,Training,ml,research,ann,"
    return "\n".join((heading, *(begun + row for row in rows))) + "\n"


_COURSES: Final = (
    ",,,,",
    f"{_UNTIL},{_AGAIN},,,",
    f",{_AGAIN},,,",
    f",{_AGAIN},,3600,",
    f",{_AGAIN},,,1h",
    f",,,,{_UNTIL}",
    ",,,3600,",
    f",,{_AGAIN},,",
    f",x,{_AGAIN},60,",
)
_COUNTS: Final = ("2,1,", "2,0,", "2,-,", "2,0.00,8", ",,", ",,8", "0,0,0", "N/A,,4Gi", "2 GPUs,,", "1 GPU,,")
RUNAI_LOGS: Final = {
    **{
        state: _runai(*(f"{state},{_FROM},{times},2,1," for times in _COURSES))
        for state in ("Completed", "Running", "Pending", "Odd")
    },
    "GPUs": _runai(*(f"Completed,{_FROM},{_UNTIL},{_AGAIN},,,,{gpus}" for gpus in _COUNTS)),
    "two from their creation": _runai(f"Completed,{_FROM},,,,,,2,,", f"Failed,{_FROM},,,,,,2,,", ",,,,,,,,,"),
    "without GPUs": _runai(f"Completed,{_FROM}", heading=_RUNAI),
    "conditions": json.dumps(
        [
            {
                "id": "w",
                "name": "train",
                "type": "Training",
                "projectName": "ml",
                "phase": "Completed",
                "createdAt": _FROM,
                "completedAt": _AGAIN,
                "allocatedResources": {"gpu": 2},
                "conditions": [
                    *[{"type": "Pending", "lastTransitionTime": _FROM}] * before,
                    {"type": "Running", "lastTransitionTime": _UNTIL},
                ],
            }
            for before in (0, 1, 11, 12)
        ]
    ),
}
RUNAI_HEADS: Final = {
    "nothing": "",
    "all": _runai(),
    **{
        f"without {name}": _runai().replace(name, "x")
        for name in ("Workload", "Type", "Project", "Status", "Creation time", "Department")
    },
    "started, not created": f"Workload,Type,Project,Department,Status,Started at,{_RUNAI_GPUS}",
    "without GPUs": f"{_RUNAI}{_TIMES}x",
    **{
        f"with {more}": f"Workload,Type,Project,Status,Creation time,{more}"
        for more in (
            "GPU compute request",
            "GPU compute allocation",
            "GPU compute request,GPU compute allocation",
            "GPU compute request,Department",
            "GPU compute request,Node pool",
            "GPU compute request,Requested pods number",
            "GPU compute request,Running time",
            "Department",
        )
    },
    "of the API, asked for": '[{"name": "a", "type": "b", "projectName": "c", "phase": "d", "createdAt": "e", '
    '"workloadRequestedResources": {"gpuRequest": 1, "gpu": {"request": 1}}}]',
    "of the API, no GPUs": '[{"name": "a", "type": "b", "projectName": "c", "phase": "d", "createdAt": "e"}]',
    "of the API, other project": '[{"name": "a", "type": "b", "project": "c", "phase": "d", "createdAt": "e"}]',
    "of the API, no type": '[{"name": "a", "projectName": "c", "phase": "d", "createdAt": "e"}]',
}

# --- OpenCost ------------------------------------------------------------------------------------

ALLOCATIONS: Final[Mapping[str, Any]] = {
    "empty": ("a", {}),
    "text": ("", "x"),
    "a named text": ("a", 5),
    "by window": ("a", {"window": {"start": "S", "end": "E"}, "gpuCount": 2, "minutes": 60}),
    "times of its own": (
        "a",
        {"start": "S1", "end": "E1", "window": {"start": "S", "end": "E"}, "name": "b"},
    ),
    "hours": ("c/n/p", {"start": "2026-01-05T10:00:00Z", "minutes": 120, "gpuHours": 4, "gpuCount": 9}),
    "requested": ("a", {"gpuRequestAverage": 1.5}),
    "costs alone": ("a", {"gpuCost": 3.5}),
    "no costs": ("a", {"gpuCost": 0}),
    "costs and count": ("a", {"gpuCost": 3.5, "gpuCount": 1}),
    "costs and hours": ("a", {"gpuCost": 3.5, "gpuHours": 1}),
    "properties": (
        "a",
        {
            "properties": {
                **{key: key for key in ("cluster", "namespace", "controller", "pod", "node", "container")},
                "controllerKind": "deployment",
            }
        },
    ),
    **{
        f"activity {share}": ("a", {"gpuAllocation": {"gpuUsageAverage": share}})
        for share in (0, 0.5, 1, 1.1, -0.1)
    },
    "model": ("a", {"gpuAllocation": {"gpuModel": "A100", "gpuDevice": "x"}}),
    "device": ("a", {"gpuAllocation": {"gpuDevice": "nvidia0"}}),
}
_ROW: Final = {"key": "k", "name": "n/p", "start": "2026-01-05T10:00:00Z", "gpus": "2"}
TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    "empty": {},
    "start alone": _ROW,
    "a date": {**_ROW, "start": "2026-01-05"},
    "a date and minutes": {**_ROW, "start": "2026-01-05", "minutes": "60"},
    "a date and an end": {**_ROW, "start": "2026-01-05", "end": "2026-01-07"},
    "midnight": {**_ROW, "start": "2026-01-05T00:00:00Z", "minutes": "30"},
    **{
        f"start {start}": {**_ROW, "start": start, "minutes": "30"}
        for start in (
            "2026-01-05 10:00",
            "2026-01-05T10:00:30.5",
            "2026-01-05T10:00:00+02:00",
            "x",
            "5/1/2026",
        )
    },
    **{
        f"minutes {minutes}": {**_ROW, "minutes": minutes, "gpu_hours": "3"}
        for minutes in ("60", "0", "-5", "x", "0.5", "99999999", "100000000", "")
    },
    **{
        f"until {end}": {**_ROW, "end": end, "minutes": "60", "gpu_hours": "3"}
        for end in ("2026-01-05T13:00:00Z", "2026-01-05T10:00:00Z", "2026-01-05T09:00:00Z", "x")
    },
    "hours unknown": {**_ROW, "minutes": "60", "gpu_hours": "x"},
    "hours unknown alone": {"start": _ROW["start"], "minutes": "60", "gpu_hours": "x"},
    "no hours": {**_ROW, "minutes": "60", "gpu_hours": "0"},
    "a set": {**_ROW, "controller": "chat-6d5f7b9c8d", "controller_kind": "ReplicaSet"},
    "a deployment": {**_ROW, "controller": "chat-6d5f7b9c8d", "controller_kind": "deployment", "pod": "p"},
    "a controller": {**_ROW, "controller": "chat-6d5f7b9c8d"},
    "a pod": {**_ROW, "pod": "chat-x7k2p", "namespace": "ml", "cluster": "c", "node": "n1", "activity": "5"},
    "a name": {**_ROW, "name": "c/n/chat-x7k2p"},
    "idle": {**_ROW, "name": "__idle__"},
    "idle pods": {**_ROW, "pod": "__idle__"},
    "unmounted": {**_ROW, "namespace": "__unmounted__"},
    "container unmounted": {**_ROW, "container": "a__unmounted__"},
    **{
        f"a line of {name}": {"name": name, "gpus": "2"}
        for name in ("Total", "totals:", " SUM ", "Grand Total", "to")
    },
    "a workload called total": {**_ROW, "name": "total"},
}
_ALLOCATION: Final = "namespace,pod,container,start,end,gpuCount,gpuHours,gpuCost"
OPENCOST_HEADS: Final = {
    "nothing": "",
    "all": _ALLOCATION,
    "window start": _ALLOCATION.replace("start", "Window Start"),
    **{
        f"without {name}": _ALLOCATION.replace(name, "x") for name in ("namespace", "pod", "start", "gpuCost")
    },
    "without places": _ALLOCATION.replace("namespace", "x").replace("pod", "y"),
    "by name and minutes": "name,minutes,start,cpuCost",
    "by name": "name,start,cpuCost",
    "without costs": "namespace,pod,start,end,gpuCount",
    "of jobs": f"{_ALLOCATION},jobId",
    "of contracts": f"{_ALLOCATION},Contract ID",
    **{
        f"JSON with {names}": json.dumps([dict.fromkeys(names.split(), 1)])
        for names in (
            "gpuHours start",
            "gpuHours end",
            "gpuCost cpuCost minutes",
            "gpuCost cpuCost",
            "gpuCost cpuCost allocations",
            "start",
        )
    },
}
_ONE: Final = {"name": "a", "start": "2026-01-05T10:00:00Z", "minutes": 60, "gpuCount": 2, "gpuHours": 2}
_NAMELESS: Final = {key: value for key, value in _ONE.items() if key != "name"}
OPENCOST_LOGS: Final = {
    "table": f"{_ALLOCATION}\nml,p,c,2026-01-05,,,48,1\nml,p,c,2026-01-06,,2,,1\n,,,,,,,\n"
    "ml,__idle__,,2026-01-06,,2,,1\n",
    "table without containers": f"{_ALLOCATION.replace('container', 'x')}\nml,p,c,2026-01-05,,,48,1\n",
    "table without pods": f"{_ALLOCATION.replace('pod', 'x')}\nml,p,c,2026-01-05,,,48,1\n",
    "an empty pod": f"{_ALLOCATION}\nml,,c,2026-01-05,,,48,1\n",
    "semicolons": f"{_ALLOCATION}\nml,p,c,2026-01-05,,,48,1\nml\n".replace(",", ";"),
    "without GPUs": _ALLOCATION.replace("gpuCount", "x").replace("gpuHours", "y"),
    "without hours": _ALLOCATION.replace("gpuHours", "y"),
    "without start": _ALLOCATION.replace("start", "x"),
    "without both": "namespace,pod,gpuCost",
    "of the API": json.dumps({"code": 200, "data": [{"a": _ONE, "b": _NAMELESS}, {"c": 5}]}),
    "no sets": json.dumps({"data": []}),
    "sets": json.dumps({"data": {"sets": [{"allocations": {"a": _ONE, "d": _NAMELESS}}]}}),
    "sets alone": json.dumps([{"a": _ONE}, {"b": _NAMELESS}]),
    "allocations": json.dumps([_ONE, _NAMELESS]),
    "lines": f"{json.dumps(_ONE)}\n{json.dumps(_NAMELESS)}\n",
}

# --- Parts and tables ----------------------------------------------------------------------------

KINDS: Final[Mapping[str, Any]] = {
    "none": ([], "count"),
    "a count": ([{"template": "t", "count": 3}], "count"),
    "no count": ([{"template": "t"}], "count"),
    "a bad count": ([{"count": "x"}, {"count": None}, {"replicas": 2}], "replicas"),
}
LATER: Final[Mapping[str, Any]] = {
    "an hour later": (_FROM, 3600),
    "an hour earlier": (_FROM, -3600),
    "at once": (_FROM, 0),
    "unknown": (_FROM, None),
    "no time": ("", 5),
    "no time, unknown": ("x", None),
    "too late": (_FROM, 10**12),
}
FUNCTIONS: Final[Mapping[str, Callable[[str], str]]] = {
    "courses of Kueue": lambda _: call_lines(kueue.workload_texts, COURSES),
    "workloads of Kueue": lambda _: call_lines(kueue.workload_texts, ASKED),
    "heads of Kueue": lambda _: call_lines(kueue.sniff_kueue, KUEUE_HEADS),
    "heads of Volcano": lambda _: call_lines(volcano.sniff_volcano, VOLCANO_HEADS),
    "heads of Run:ai": lambda _: call_lines(runai.sniff_runai, RUNAI_HEADS),
    "heads of OpenCost": lambda _: call_lines(opencost.sniff_opencost, OPENCOST_HEADS),
    "allocations": lambda _: call_lines(lambda case: opencost.read_json_job(*case), ALLOCATIONS),
    "texts of allocations": lambda _: call_lines(opencost.allocation_texts, TEXTS),
    "kinds of pods": lambda _: call_lines(lambda case: workload_parts.pods_of(*case), KINDS),
    "times that are later": lambda _: call_lines(lambda case: workload_parts.later_by(*case), LATER),
}
_LISTED: Final = {"kind": "Pod", "metadata": {"name": "a"}, **pod({GPU: "2"}, nodeName="n"), "status": {}}
_LISTED_NODE: Final = {"kind": "Node", "metadata": {"name": "n", "labels": {"accelerator": "T4"}}}
POD_LOGS: Final = {
    "pods": json.dumps({"kind": "List", "items": [_LISTED, _LISTED]}),
    "pods and nodes": json.dumps({"kind": "List", "items": [_LISTED, _LISTED_NODE]}, indent=1),
    "nodes first": json.dumps([_LISTED_NODE, _LISTED], separators=(",", ":")),
    "a node": json.dumps({"kind": "List", "items": [_LISTED_NODE, 5]}),
    "two nodes": json.dumps(
        {"kind": "List", "items": [_LISTED_NODE, {"kind": "Node", "metadata": {"name": "m"}}]}
    ),
    "nodes alone": json.dumps({"kind": "List", "items": [_LISTED_NODE]}),
    "events": "\n".join(json.dumps({"type": "ADDED", "object": each}) for each in (_LISTED_NODE, _LISTED)),
}
LOGS: Final[Mapping[str, tuple[Rows, Mapping[str, str]]]] = {
    "pods": (kubernetes_pods.rows, POD_LOGS),
    "Kueue": (kueue.kueue_rows, KUEUE_LOGS),
    "Volcano": (volcano.volcano_rows, VOLCANO_LOGS),
    "Run:ai": (runai.RUNAI.rows, RUNAI_LOGS),
    "OpenCost": (opencost.opencost_rows, OPENCOST_LOGS),
}
