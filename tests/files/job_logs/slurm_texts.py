"""Writing what Slurm writes: its fixed-width table, and jobs in the JSON of several versions."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any


def fixed_width(columns: Sequence[tuple[str, int]], rows: Sequence[Sequence[str]]) -> str:
    """sacct's table. columns: name and width; job ids stand left, all else right, and what is too long is cut."""

    def line(cells: Sequence[str]) -> str:
        texts = []
        for (name, width), cell in zip(columns, cells, strict=True):
            data = cell.encode()
            cut = data[: width - 1] + b"+" if len(data) > width else data
            texts.append(cut.ljust(width) if name == "JobID" else cut.rjust(width))
        return b" ".join(texts).decode("utf-8", "replace") + " \n"

    dashes = " ".join("-" * width for _, width in columns) + " \n"
    return line([name for name, _ in columns]) + dashes + "".join(map(line, rows))


def jobstats_comment(nodes: Mapping[str, Any]) -> str:
    """An AdminComment as jobstats leaves it."""
    summary = {"nodes": nodes, "total_time": 60, "gpus": 1}
    return "JS1:" + base64.b64encode(gzip.compress(json.dumps(summary).encode(), mtime=0)).decode()


def set_number(value: int | None) -> dict[str, Any]:
    """A number as newer versions write it; None: not set."""
    return {"set": value is not None, "infinite": False, "number": value or 0}


def json_job(job_id: int, gpus: Mapping[str, int], *, version: int = 2505, **changes: Any) -> dict[str, Any]:
    """A job of an hour from 2026-01-05T10:00Z as `sacct --json` of a version (2108, 2302, 2311, 2505) writes it.

    gpus: by the name of the resource. changes: of time, or of the job itself.
    """
    is_new = version >= 2302
    blank = "" if is_new else None
    entries = [{"type": "cpu", "name": blank, "id": 1, "count": 8}]
    entries += [{"type": "energy", "name": blank, "id": 3, "count": -2 if version < 2311 else 2**64 - 2}]
    entries += [{"type": "node", "name": blank, "id": 4, "count": 1}]
    entries += [{"type": "gres", "name": name, "id": 1001, "count": count} for name, count in gpus.items()]
    state = changes.pop("state", "COMPLETED")
    time = {"start": 1767607200, "end": 1767610800, "elapsed": 3600, "suspended": 0, "submission": 1767607000}
    time |= {key: changes.pop(key) for key in list(changes) if key in time}
    none = set_number(None) if is_new else None
    job: dict[str, Any] = {
        "account": "ml",
        "allocation_nodes": 1,
        "array": {"job_id": 0, "task_id": none, "task": "" if is_new else None},
        "association": {"account": "ml", "cluster": "fox", "partition": None, "user": "ann"},
        "cluster": "fox",
        "comment": {"administrator": "", "job": None, "system": None},
        "het": {"job_id": 0, "job_offset": none},
        "job_id": job_id,
        "name": "train",
        "nodes": "gpu-01",
        "partition": "gpu",
        "state": {"current": [state] if version >= 2311 else state, "reason": "None"},
        "steps": [{"step": {"id": f"{job_id}.batch"}, "tres": {"allocated": entries}}],
        "time": time,
        "tres": {"allocated": entries, "requested": []},
        "user": "ann",
    }
    return {**job, **changes}


def json_document(*jobs: Mapping[str, Any]) -> str:
    """What `sacct --json` prints."""
    meta = {"plugin": {"data_parser": "data_parser/v0.0.43"}, "slurm": {"release": "25.05.2"}}
    return json.dumps({"jobs": jobs, "meta": meta, "errors": [], "warnings": []})
