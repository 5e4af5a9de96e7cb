"""Samples of processes by sonar, and its inventories of nodes."""

import json
from collections.abc import Iterator
from typing import Any, Final

from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.intake import Facts, FileIntake
from gpuplanner.files.activity.reading import ActivityDialect, Reading, Sample, no_share
from gpuplanner.files.activity.sample_times import Clock
from gpuplanner.files.sources.issue_texts import gpus_are
from gpuplanner.files.sources.json_values import json_objects
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowEnds, RowError
from gpuplanner.lazy_re import lazy_re

# --- Samples of processes by sonar: `key=value` lines of its old form, one JSON object a node and instant of its new

_OLD_LINE: Final = lazy_re(r"(?s)^\"?v=[^,]*,(?:.*,)?\"?time=[^,]+,.*\bhost=")
_NEW_TYPE: Final = lazy_re(r'"data"\s*:\s*\{\s*"type"\s*:\s*"sample"')
_GPUS: Final = lazy_re(r"^\d+(?:,\d+)*$")
_PERCENT_AT_MOST: Final = 102.0  # of one GPU: sonar rounds sums of samples


def sniff_lines(head: str) -> float:
    """How surely a beginning is the old form.

    0 to 1: over half of the first hundred lines must be such.
    """
    lines = [line for line in head.splitlines()[:100] if line.strip()]
    if not lines:
        return 0.0
    fitting = sum(bool(_OLD_LINE.match(line)) and ",cmd=" in line for line in lines)
    return 0.97 if fitting > 0.5 * len(lines) else 0.0


def sniff_objects(head: str) -> float:
    """How surely a beginning is the new form."""
    return 0.97 if head.lstrip("\ufeff \t\r\n")[:1] == "{" and _NEW_TYPE.search(head) else 0.0


def line_readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every line: accepted with `gpus=`, ignored where its process used none."""
    clock = Clock(timezone)
    with source.rows(",") as rows:
        for row, cells in rows:
            yield _line(row, cells, clock)


def _line(row: int, cells: list[str], clock: Clock) -> Reading:
    """One line of the old form, `key=value` with commas between: the share of a process on all of its cards."""
    fields = dict(cell.split("=", 1) for cell in cells if "=" in cell)
    text = ",".join(f'"{cell}"' if "," in cell else cell for cell in cells)
    if "error" in fields:
        problem = worded("error report: {error}", error=fields["error"])
        return Reading(row=row, fault=RowError("missing_column", problem, _LOOK), text=text)
    at_s, is_naive = clock.read(fields.get("time", ""))
    host, gpus = fields.get("host", "").casefold(), fields.get("gpus", "none")
    if at_s is None or not host:
        fault = RowError("bad_time", worded("no time or host in the line"), worded("leave it out"))
        return Reading(row=row, fault=fault, text=text)
    if gpus in ("none", "unknown", ""):
        return Reading(row=row, looked_at=(host, at_s))
    if not _GPUS.match(gpus):
        fault = RowError("bad_number", gpus_are(gpus), worded("correct it"))
        return Reading(row=row, fault=fault, text=text)
    value = _sum_of_shares(fields.get("gpu%", "0"), len(set(gpus.split(","))))
    if value is None:
        return Reading(row=row, fault=no_share(fields["gpu%"]), text=text)
    job_id = fields.get("job", "")
    sample = Sample(
        at_s=at_s,
        host=host,
        gpu=gpus,
        milli_percent=value,
        metric="gpu%",
        job_id="" if job_id == "0" else job_id,
        is_process=True,
        is_naive=is_naive,
    )
    return Reading(row=row, samples=(sample,), looked_at=(host, at_s))


def _sum_of_shares(text: str, cards: int) -> int | None:
    """Thousandths of a percent from the sum over several cards, at most 100 for each.

    None where it is no such sum.
    """
    try:
        value = float(text)
    except ValueError:
        return None
    if not 0 <= value <= cards * _PERCENT_AT_MOST:
        return None
    return int(min(value, cards * 100.0) * 1000 + 0.5)


def object_readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every object: accepted where its node has GPUs. Errors: PlannerError truncated_file."""
    clock = Clock(timezone)
    for row, item in enumerate(json_objects(source), 1):
        yield _object(row, item, clock)


def _object(row: int, item: dict[str, Any], clock: Clock) -> Reading:
    """One JSON record of a node and an instant.

    A sample for each card, and one for each process of a scheduler's job.
    """
    attributes = _dict(_dict(item.get("data")).get("attributes"))
    if not attributes:
        return Reading(row=row, fault=error_report(item), text=json.dumps(item)[:500])
    at_s, is_naive = clock.read(str(attributes.get("time", "")))
    host = str(attributes.get("node", "")).casefold()
    if at_s is None or not host:
        fault = RowError("bad_time", worded("no time or node in the record"), worded("leave it out"))
        return Reading(row=row, fault=fault, text=json.dumps(item)[:500])
    samples: list[Sample] = []
    for at, card in enumerate(_list(_dict(attributes.get("system")).get("gpus"))):
        known = _dict(card)
        value = _sum_of_shares(str(known.get("ce_util", 0)), 1)  # what is 0 is left out
        gpu = str(known.get("uuid") or known.get("index", at))
        if value is not None:
            samples.append(
                Sample(
                    at_s=at_s, host=host, gpu=gpu, milli_percent=value, metric="ce_util", is_naive=is_naive
                )
            )
    for job in map(_dict, _list(attributes.get("jobs"))):
        if job.get("epoch"):
            continue  # a group of processes, no job of a scheduler: the cards tell all there is
        for process in map(_dict, _list(job.get("processes"))):
            for use in map(_dict, _list(process.get("gpus"))):
                value = _sum_of_shares(str(use.get("gpu_util", 0)), 1)
                gpu = str(use.get("uuid") or use.get("index", 0))
                if value is not None:
                    samples.append(
                        Sample(
                            at_s=at_s,
                            host=host,
                            gpu=gpu,
                            milli_percent=value,
                            metric="gpu%",
                            job_id=str(job.get("job", "")),
                            is_process=True,
                            is_naive=is_naive,
                        )
                    )
    return Reading(row=row, samples=tuple(samples), looked_at=(host, at_s))


def error_text(item: dict[str, Any]) -> Message:
    """What an error record says."""
    details = [str(_dict(error).get("detail", "")) for error in _list(item.get("errors"))]
    return joined(filter(None, details), ", ") if any(details) else worded("no reason given")


def error_report(item: dict[str, Any]) -> RowError:
    """What is wrong with an error record."""
    problem = worded("error report: {error}", error=error_text(item))
    return RowError("missing_column", problem, _LOOK)


_LOOK: Final = worded("check that node")


def line_facts(source: Source) -> Facts:
    """How many lines are of a process on GPUs."""
    with source.rows(",") as rows:
        return (("lines_with_gpus", sum(any(c.startswith("gpus=") for c in cells) for _, cells in rows)),)


def object_facts(source: Source) -> Facts:
    """Jobs, or groups of processes, that had a process on a GPU.

    Each is told by node, job and epoch.
    """
    facts = set()
    for item in json_objects(source):
        attributes = _dict(_dict(item.get("data")).get("attributes"))
        for job in map(_dict, _list(attributes.get("jobs"))):
            if any(_dict(process).get("gpus") for process in _list(job.get("processes"))):
                facts.add(
                    tuple(str(name) for name in (attributes.get("node"), job.get("job"), job.get("epoch")))
                )
    return (("jobs_with_gpu_process", len(facts)),)


def _dict(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one: a record may lack any part."""
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


LINES: Final = ActivityDialect(
    format="sonar_samples",
    why=worded("looks like output of {name}", name="sonar (key=value)"),
    sniff=sniff_lines,
    readings=line_readings,
    more_facts=line_facts,
)
OBJECTS: Final = ActivityDialect(
    format="sonar_samples",
    why=worded("looks like output of {name}", name="sonar (JSON)"),
    sniff=sniff_objects,
    readings=object_readings,
    record_name="objects",
    more_facts=object_facts,
)


# --- Inventories of nodes by sonar: which cards each node has. Known, and neither a job log nor activity

INVENTORY_FORMAT: Final = "sonar_sysinfo"
WHY_INVENTORY: Final = worded("sonar node inventory without jobs or GPU use over time")

_TYPE: Final = lazy_re(r'"data"\s*:\s*\{\s*"type"\s*:\s*"sysinfo"')


def sniff_inventory(head: str) -> float:
    """How surely a beginning is such an inventory."""
    return 0.97 if _TYPE.search(head) else 0.0


def describe_inventory(source: Source) -> FileIntake:
    """Every object counted; error records are rejected and said. Errors: PlannerError truncated_file."""
    nodes: dict[str, list[dict[str, Any]]] = {}
    ends = RowEnds()
    for row, item in enumerate(json_objects(source), 1):
        ends.read = row
        data = item.get("data")
        attributes = data.get("attributes") if isinstance(data, dict) else None
        if isinstance(attributes, dict) and attributes.get("node"):
            cards = attributes.get("cards")
            nodes[str(attributes["node"])] = [
                card for card in (cards if isinstance(cards, list) else ()) if isinstance(card, dict)
            ]
            continue
        ends.reject(row, error_report(item), json.dumps(item)[:500])
    cards = [card for all_of_node in nodes.values() for card in all_of_node]
    facts = (
        ("what", WHY_INVENTORY),
        ("objects", ends.read),
        ("nodes", len(nodes)),
        ("gpu_nodes", sum(bool(of_node) for of_node in nodes.values())),
        ("gpus", len(cards)),
        ("gpus_by_host", {node: len(of_node) for node, of_node in sorted(nodes.items())}),
        ("gpu_models", sorted({str(card.get("model", "")) for card in cards} - {""})),
        ("memory_kib_by_model", {str(card.get("model", "")): card.get("memory") for card in cards}),
        ("error_records", ends.rejected),
    )
    return ends.intake(source, "nodes", INVENTORY_FORMAT, facts)
