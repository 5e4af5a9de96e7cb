"""Slurm's jobs as key=value: sonar's lines with commas, and those of jobcomp and `scontrol show job` with blanks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.slurm.jobstats import activity_text
from gpuplanner.files.job_logs.slurm.slurm_fields import ASK_SLURM, RECORD_COLUMNS, slurm_table
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.records import records as delimited
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.states import PENDING, RUNNING, read_state
from gpuplanner.files.values.tres import read_gres

_LIMIT_IN_MINUTES: Final = "timelimitraw"

_NAMES: Final = {
    "JobID": ("jobid", "jobidraw"),
    "Cluster": ("cluster",),
    "JobName": ("jobname", "name"),
    "Account": ("account",),
    "User": ("user", "userid"),
    "Partition": ("partition",),
    "State": ("state", "jobstate"),
    "Start": ("start", "starttime"),
    "End": ("end", "endtime"),
    "ElapsedRaw": ("elapsedraw", "elapsed", "runtime"),
    "NodeList": ("nodelist", "nodes"),
    "NNodes": ("nnodes", "allocnodes", "numnodes", "nodecnt", "reqnodes"),
    "AllocTRES": ("alloctres", "tres", "reqtres"),
    "Submit": ("submit", "submittime"),
    "Eligible": ("eligible", "eligibletime"),
    "Timelimit": ("timelimit", _LIMIT_IN_MINUTES),
    "Priority": ("priority",),
}
_OF_EACH_NODE: Final = ("trespernode", "gres")
"""Where the controller tells GPUs on sites that do not account them."""

"""What each column is called, in small letters, the best first."""

_KEY: Final = re.compile(r"^[A-Za-z_][\w%/.:]{0,40}=")
_LIST: Final = re.compile(r"^\w*TRES=", re.I)
_RESOURCE: Final = re.compile(r"^(billing|cpu|energy|mem|node|pages|vmem|(bb|fs|gres|ic|license)/[^=]+)=")
_BLANK_KEY: Final = re.compile(r"(?:^|(?<=\s))([A-Z][A-Za-z/:_]{1,40})=")
_BLANK_START: Final = re.compile(r"^\s*JobI[dD]=\d")
_UID: Final = re.compile(r"\(\d+\)$")
_SAMPLE: Final = 200
_ENOUGH: Final = 0.8
_LINES_IN_A_BLOCK: Final = 200


def sniff(head: str) -> float:
    """How sure it is that a text begins jobs of Slurm as key=value, 0..1."""
    if _is_blank_parted(head):
        return 0.95
    sample = _sample(head)
    jobs = sum("jobid" in found for found in sample)
    others = sum("error" in found for found in sample)
    return 0.95 if jobs and jobs + others >= _ENOUGH * len(sample) else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of an export. A line that is an error sonar met is a row too, which is rejected.

    Errors: PlannerError missing_column where no job of the first lines tells a time or GPUs; not_a_job_log.
    """
    if source.kind != TEXT:
        raise PlannerError(source.path, "not_a_job_log", worded("it is no text"), ASK_SLURM)
    is_blank_parted = _is_blank_parted(source.head)
    _check_keys(source, is_blank_parted)
    with source.text_lines() as lines:
        found = blocks(lines) if is_blank_parted else comma_lines(lines)
        records = ((line, record(values, from_controller=is_blank_parted)) for line, values in found)
        raw = load_records(engine, source, table, RECORD_COLUMNS, records, delimiter="|")
    return slurm_table(engine, raw)


def comma_lines(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Every line that is not blank as (its number, values by key in small letters)."""
    for line, cells in delimited(lines, ","):
        yield line, _values(cells)


def _values(cells: Sequence[str]) -> dict[str, str]:
    """A cell without a key belongs to the value before it: it held a comma. So does a resource after a list of them."""
    whole: list[str] = []
    for cell in cells:
        is_listed = whole and _LIST.match(whole[-1]) and _RESOURCE.match(cell)
        if not whole or (_KEY.match(cell) and not is_listed):
            whole.append(cell)
        else:
            whole[-1] += f",{cell}"
    return {key.strip().lower(): value for key, _, value in (cell.partition("=") for cell in whole)}


def blocks(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Every job of a text with blanks between its values, on one line or several, as (its first line, values)."""
    begun = 0
    held: list[str] = []
    for number, line in enumerate(lines, 1):
        starts = bool(_BLANK_START.match(line))
        if held and (starts or not line.strip() or len(held) >= _LINES_IN_A_BLOCK):
            yield begun, _spaced(" ".join(held))
            held = []
        if line.strip():
            begun = begun if held else number
            held.append(line.strip())
    if held:
        yield begun, _spaced(" ".join(held))


def _spaced(text: str) -> dict[str, str]:
    """Keys and values parted by blanks: a value reaches up to the next key, so it may hold blanks itself."""
    found = list(_BLANK_KEY.finditer(text))
    values: dict[str, str] = {}
    for place, match in enumerate(found):
        end = found[place + 1].start() if place + 1 < len(found) else len(text)
        values.setdefault(match[1].lower(), text[match.end() : end].strip())
    return values


def record(values: Mapping[str, str], *, from_controller: bool = False) -> tuple[str, ...]:
    """A job's texts in the order of RECORD_COLUMNS.

    from_controller: the end of a running job is then only what its time limit allows, so there is none.
    """
    found = {
        column: next((values[name] for name in names if values.get(name)), "")
        for column, names in _NAMES.items()
    }
    if not found["JobID"] and values.get("error"):
        found["Start"] = f"error={values['error']}"
    if from_controller:
        found["User"] = _UID.sub("", found["User"])
        found = {column: "" if text == "(null)" else text for column, text in found.items()}
        if read_state(found["State"]) == RUNNING and "runtime" in values:
            found["End"] = ""
        found["AllocTRES"] = _with_gpus_of_nodes(found["AllocTRES"], found["NNodes"], values)
        if values.get("arrayjobid") and values.get("arraytaskid"):
            found["JobID"] = f"{values['arrayjobid']}_{values['arraytaskid']}"
    if not values.get("timelimit") and found["Timelimit"].isdecimal():
        found["Timelimit"] = f"{found['Timelimit']}:00"
    found["GPUActivity"] = activity_text(values.get("admincomment"))
    return tuple(found[column] for column in RECORD_COLUMNS)


def _with_gpus_of_nodes(listed: str, nodes: str, values: Mapping[str, str]) -> str:
    """The list of resources with the GPUs that each node gives, where it tells none."""
    if "gres/gpu" in listed.lower():
        return listed
    asked = next((values[name] for name in _OF_EACH_NODE if "gpu" in values.get(name, "").lower()), "")
    count = int(nodes) if nodes.isdecimal() and len(nodes) < 7 else 1
    reading = read_gres(asked.replace("gres:", "").replace("gres/", ""), max(1, count))
    if reading.fault is not None or not reading.milli_gpus:
        return listed
    name = f"gres/gpu:{reading.gpu_model}" if reading.gpu_model else "gres/gpu"
    return ",".join(filter(None, (listed, f"{name}={reading.milli_gpus / 1000:g}")))


def _is_blank_parted(head: str) -> bool:
    """Whether the first line is of jobcomp or `scontrol show job`."""
    first = next((line for line in head.splitlines() if line.strip()), "")
    return bool(_BLANK_START.match(first)) and bool(re.search(r"\sJobState=|\sUserI[dD]=|\sJobName=", head))


def _sample(head: str) -> list[dict[str, str]]:
    """The first lines as values by key, for those parted by commas."""
    lines = [line for line in head.splitlines() if line.strip()][:_SAMPLE]
    return [_values(cells) for _, cells in delimited(lines, ",")]


def _check_keys(source: Source, is_blank_parted: bool) -> None:
    """PlannerError `missing_column` if no job that ran has a start, an end or its allocated resources."""
    sample = (
        [values for _, values in blocks(source.head.splitlines())]
        if is_blank_parted
        else _sample(source.head)
    )
    ran = [
        values
        for values in sample
        if values.get("jobid") and read_state(values.get("state", values.get("jobstate", ""))) != PENDING
    ]
    there = {key for values in ran for key in values}
    needed = {"Start": ("Start",), "End": ("End", "ElapsedRaw"), "AllocTRES": ("AllocTRES",)}
    missing = [
        name
        for name, columns in needed.items()
        if ran and not any(there & set(_NAMES[column]) for column in columns)
    ]
    if missing:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            worded(
                "it is a list of Slurm's jobs as key=value: there is no key {names}", names=", ".join(missing)
            ),
            ASK_SLURM,
        )


DIALECT: Final = Dialect("sonar_kv", worded("Slurm export of key=value"), sniff, rows)
