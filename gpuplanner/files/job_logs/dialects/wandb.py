"""Runs of Weights & Biases: the CSV of a runs table, or what its API says of runs."""

import re
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.judging.dialect import Dialect
from gpuplanner.files.job_logs.judging.job_texts import JobTexts
from gpuplanner.files.job_logs.judging.named_rows import NamedLog, Told

_HEADINGS: Final = {
    "id": ("id", "runid"),
    "name": ("name", "displayname", "runname"),
    "group": ("group", "groupname", "sweep", "sweepname", "jobtype"),
    "project": ("project", "projectname"),
    "user": ("user", "userusername", "username", "runinfousername", "metadatausername"),
    "state": ("state",),
    "created": ("created", "createdat", "starttime", "metadatastartedat", "runinfostartedat"),
    "runtime": (
        *("runtime", "duration", "computeseconds", "summarymetricswandbruntime", "summarymetricsruntime"),
        *("summarywandbruntime", "summaryruntime"),
    ),
    "seen": ("heartbeatat", "heartbeat"),
    "gpus": ("gpucount", "runinfogpucount", "metadatagpucount"),
    "gpu_model": ("gputype", "gpu", "runinfogpu", "metadatagpu"),
    "host": ("hostname", "host", "runinfohost", "metadatahost"),
    "marks": (
        *("tags", "notes", "sweep", "heartbeatat", "runinfogpucount", "metadatagpucount", "commit"),
        *("summarymetricswandbruntime", "gputype"),
    ),
}
_STATES: Final = {
    "finished": "COMPLETED",
    "crashed": "FAILED",
    "killed": "CANCELLED",
    "preempting": "RUNNING",
}
_MADE_UP: Final = re.compile(r"^[a-z]+-[a-z]+-\d+$")
"""How runs that nobody named are called: crisp-sun-12."""


def _texts(told: Told) -> JobTexts:
    """A run as texts of a job: named by its group, else by a name that somebody gave it, else by its project."""
    name, state = told.get("name", ""), told.get("state", "")
    named = "" if _MADE_UP.match(name) else name
    read_as = _STATES.get(state.casefold(), state)
    # One without a runtime lasted until it was last heard of, unless it runs on.
    end = "" if told.get("runtime") or read_as.casefold() == "running" else told.get("seen", "")
    return {
        "job_id": told.get("id", ""),
        "name": told.get("group") or named or told.get("project") or name,
        "account": told.get("project", ""),
        "user": told.get("user", ""),
        "gpu_model": told.get("gpu_model", ""),
        "gpus": told.get("gpus", ""),
        "start": told.get("created", ""),
        "elapsed": told.get("runtime", ""),
        "end": end,
        "state": read_as,
        "hosts": told.get("host", ""),
    }


_LOG: Final = NamedLog(
    (
        *("job_id", "name", "account", "user", "gpu_model", "gpus", "start", "elapsed", "end", "state"),
        "hosts",
    ),
    _HEADINGS,
    _texts,
    ("runs", "data.runs", "edges"),
    ((("gpus",), "GPU Count"), (("created",), "Created"), (("runtime", "seen"), "Runtime or heartbeatAt")),
    worded(
        "show the columns Created, Runtime, State, GPU Count and GPU Type in the table of runs and export it again"
    ),
    True,
    worded(
        "GPU Count is what the machine of a run has, where it is not told what the run was given, and of one machine: "
        "look at runs of several machines or of a part of one"
    ),
    lambda told: told.get("gpus", "0") not in ("", "0"),
)


_EITHER: Final = (frozenset(("runtime", "seen")), frozenset(("name", "id")))


def sniff(head: str) -> float:
    """How sure it is that a text begins a table or list of runs, 0..1.

    0.6 where GPUs lack: it is a table of runs then, and refused by what it lacks.
    """
    keys = _LOG.keys(head)
    is_run = {"created", "state", "marks"} <= keys and all(keys & either for either in _EITHER)
    is_of_the_api = {"created", "state"} <= keys and '"runInfo"' in head  # may lack what is asked for then
    return 0.96 if is_run and "gpus" in keys else 0.6 if is_run or is_of_the_api else 0.0


DIALECT: Final = Dialect("wandb", worded("list of Weights & Biases runs"), sniff, _LOG.rows)
