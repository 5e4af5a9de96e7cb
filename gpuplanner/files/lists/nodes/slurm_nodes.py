"""Nodes of Slurm: `scontrol show node`, and the JSON of scontrol and sinfo."""

from collections import Counter
from fractions import Fraction
from typing import Final

from gpuplanner.files.sources import json_values
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.values.gpu_counts import gpus_of_slices
from gpuplanner.files.values.slurm_resources import read_gres, read_tres
from gpuplanner.lazy_re import lazy_re

_NODE_NAME: Final = lazy_re(r"^\s*NodeName=(\S+)")
_PAIR: Final = lazy_re(r"(?:^|\s)(\w+)=(\S*)")
_BRACES: Final = lazy_re(r"\([^)]*\)")
_SLICES: Final = lazy_re(r"(?i)gpu:[^:,]*?(\d)g[._]?\d+gb[^:,]*:(\d+)")
_FUTURE: Final = "FUTURE"
"""The state of a node that is not there yet."""


def sniff_scontrol(head: str) -> float:
    """How sure it is that this is `scontrol show node`."""
    lines = [line for line in head.splitlines() if _NODE_NAME.match(line)]
    return 0.95 if lines and lazy_re(r"\b(?:CfgTRES|Gres|CPUTot|CPUAlloc)=").search(head) else 0.0


def slurm_node(name: str, tres: str, gres: str, state: str, cluster: str = "") -> dict[str, str]:
    """What a node of Slurm has: by what is configured to be counted, else by its generic resources."""
    if state.upper().startswith(_FUTURE):
        return {"is_none": "1"}
    plain = _BRACES.sub("", gres)
    reading = read_tres(tres)
    if not reading.milli_gpus and not reading.fault:
        reading = read_gres(plain)
    model = reading.gpu_model or read_gres(plain).gpu_model or ""
    gpus = tres if reading.fault else f"{reading.milli_gpus / 1000:g}"
    typed = [entry for entry in map(read_tres, tres.split(",")) if entry.gpu_model]
    held: Counter[str] = Counter()
    for entry in typed or map(read_gres, plain.split(",")):
        held[entry.gpu_model or ""] += entry.milli_gpus
    del held[""]
    if slices := _SLICES.findall(plain):
        whole_milli = sum(entry.milli_gpus for entry in map(read_gres, _SLICES.sub("", plain).split(",")))
        of_slices = gpus_of_slices((int(size), Fraction(count)) for size, count in slices)
        gpus = f"{whole_milli / 1000 + of_slices:g}"
    elif len(held) > 1 and sum(held.values()) == reading.milli_gpus:
        model, gpus = ";".join(held), ";".join(f"{milli / 1000:g}" for milli in held.values())
    return {"name": name, "cluster": cluster, "gpus": gpus, "gpu_model": model}


def scontrol_rows(source: Source, *_: object) -> small_table.Rows:
    """Blocks of `scontrol show node`, at the line of their beginning; prompts above them are no rows."""
    begun, fields, first = 0, dict[str, str](), ""

    def done() -> small_table.Rows:
        """The node that ends here, with the line it began on; none before the first."""
        if begun:
            texts = slurm_node(*(fields.get(key, "") for key in ("NodeName", "CfgTRES", "Gres", "State")))
            yield begun, small_table.Row(texts=texts), first

    with source.text_lines() as lines:
        for number, line in enumerate(lines, 1):
            if _NODE_NAME.match(line):
                yield from done()
                begun, fields, first = number, {}, line.strip()
            if begun:
                for key, value in _PAIR.findall(line):
                    fields.setdefault(key, value)
        yield from done()


def sniff_slurm_json(head: str) -> float:
    """How sure it is that this is `scontrol show nodes --json` or `sinfo --json`."""
    paths = json_values.json_paths(head)
    has_node = "nodes.item.name" in paths or "nodes.item.hostname" in paths
    return 0.95 if (has_node and "nodes.item.gres" in paths) or "sinfo.item.gres.total" in paths else 0.0


def slurm_json_rows(source: Source, *_: object) -> small_table.Rows:
    """Each node of Slurm's JSON, numbered from 1; of several states the first counts."""
    for number, value in enumerate(json_values.json_objects(source, "nodes.item"), 1):
        state = value.get("state")
        first = state[0] if isinstance(state, list) and state else state
        name = json_values.text_of(value.get("name")) or json_values.text_of(value.get("hostname"))
        tres, gres = json_values.text_of(value.get("tres")), json_values.text_of(value.get("gres"))
        cluster = json_values.text_of(value.get("cluster_name"))
        yield (
            number,
            small_table.Row(texts=slurm_node(name, tres, gres, json_values.text_of(first), cluster)),
            name,
        )
    for number, value in enumerate(json_values.json_objects(source, "sinfo.item"), 1):  # nodes that are alike
        names = json_values.object_at(value, "nodes").get("nodes") or []
        gres, cluster = (
            json_values.text_of(each)
            for each in (json_values.object_at(value, "gres").get("total"), value.get("cluster"))
        )
        state = json_values.object_at(value, "node").get("state") or [""]
        for name in names:
            yield (
                number,
                small_table.Row(texts=slurm_node(str(name), "", gres, str(state[0]), cluster)),
                str(name),
            )
