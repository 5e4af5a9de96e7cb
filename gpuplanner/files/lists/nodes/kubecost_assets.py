"""Nodes among the assets of Kubecost and OpenCost: the JSON of the assets API, and CSV exports."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from gpuplanner.files.sources import json_values
from gpuplanner.files.sources.json_values import object_at, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.delimited import bare, header_columns
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.lazy_re import lazy_re

_TYPE: Final = lazy_re(
    r'"type"\s*:\s*"(?:Node|Disk|ClusterManagement|LoadBalancer|Network|Cloud|SharedAsset|Attached)'
)
_COSTS: Final = {"totalcost", "cpucost", "gpucost", "adjustment"}
_TYPES: Final = ("type", "assettype")
_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name", "nodename", "node", "providerid"),
    "cluster": ("cluster", "clusterid", "propertiescluster"),
    "instance": ("nodetype", "instancetype", "machinetype"),
    "gpus": ("gpucount", "gpus"),
    "gpu_hours": ("gpucorehours", "gpuhours"),
    "minutes": ("minutes",),
    "start": ("start", "windowstart"),
    "end": ("end", "windowend"),
}
"""Our key -> what the tools call it, without case and signs, the best first."""


def sniff_assets(head: str) -> float:
    """How sure it is that these are assets: things with a type and costs, of which nodes are one."""
    if json_values.begins_json(head):
        names = {bare(path.rpartition(".")[2]) for path in json_values.json_paths(head)}
        is_one = _TYPE.search(head) and "properties" in {*names, *_parents(head)} and names & _COSTS
        return 0.96 if is_one else 0.0
    lines = head.splitlines()
    names = {bare(name) for name in header_columns(head).columns}
    is_asset = names & {*_TYPES} and names & _COSTS and names & {*_KEYS["gpus"], *_KEYS["gpu_hours"]}
    has_node = any(lazy_re(r"(?i)(?:^|[\W_])node(?:$|[\W_])").search(line) for line in lines[1:])
    return 0.96 if is_asset and has_node and not names & {"namespace", "pod", "container", "jobid"} else 0.0


def _parents(head: str) -> set[str]:
    """The keys that hold objects."""
    return {bare(part) for path in json_values.json_paths(head) for part in path.split(".")[:-1]}


def assets_rows(source: Source, *_: object) -> small_table.Rows:
    """Each node, numbered from 1; assets of other types are marked as none."""
    records = _json_assets(source) if json_values.begins_json(source.head) else _table_assets(source)
    for number, (key, cells) in records:
        kind = next((cells[name] for name in _TYPES if cells.get(name)), "Node")
        if kind.casefold() != "node":
            yield number, small_table.Row(texts={"is_none": "1"}), key
            continue
        fields = {
            field: next((cells[name] for name in names if cells.get(name)), "")
            for field, names in _KEYS.items()
        }
        machine = find_instance(fields["instance"])
        texts = {
            "name": fields["name"] or key,
            "cluster": fields["cluster"],
            "gpus": _gpus(fields),
            "gpu_model": "" if machine is None else machine.gpu_model or "",
        }
        yield number, small_table.Row(texts=texts), key


def _gpus(fields: Mapping[str, str]) -> str:
    """The GPUs of a node: their number, else their hours over the time of the row."""
    hours = read_decimal(fields["gpu_hours"])
    if read_decimal(fields["gpus"]) or hours is None:
        return fields["gpus"] or "0"
    first, last = utc_seconds(fields["start"]), utc_seconds(fields["end"])
    minutes = read_decimal(fields["minutes"])
    seconds = (
        Fraction(last - first) if first is not None and last is not None else Fraction(minutes or 0) * 60
    )
    return f"{float(Fraction(hours) * 3600 / seconds):g}" if seconds > 0 else fields["gpus"] or "0"


Records = Iterator[tuple[int, tuple[str, Mapping[str, str]]]]
"""Each asset with its row: its key, and its texts by name without case and signs."""


def _json_assets(source: Source) -> Records:
    """Of sets of assets by name, of one such set, or of assets in an array."""
    number = 0
    for document in json_values.json_values(source, json_values.outer_path(source.head)):
        data = document.get("data", document) if isinstance(document, dict) else document
        for group in data if isinstance(data, list) else [data]:
            is_asset = isinstance(group, dict) and isinstance(group.get("type"), str)
            for key, value in [("", group)] if is_asset else object_at(group).items():
                if isinstance(value, dict):
                    number += 1
                    yield number, (key or text_of(value.get("name")), _texts(value))


def _texts(asset: Mapping[str, Any]) -> dict[str, str]:
    """The texts of an asset; what stands in its properties counts where it has none of its own."""
    own = {bare(key): text_of(value) for key, value in asset.items() if not isinstance(value, dict | list)}
    inside = {bare(key): text_of(value) for key, value in object_at(asset, "properties").items()}
    return {**inside, **{key: text for key, text in own.items() if text}}


def _table_assets(source: Source) -> Records:
    """Of each row of a table below its headings, by line."""
    columns = [bare(name) for name in header_columns(source.head).columns]
    for line, row, _ in small_table.rows_below(source, columns):
        yield line, (row.text("name") or "", {name: row.text(name) or "" for name in columns})
