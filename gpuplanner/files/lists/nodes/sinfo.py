"""Listings of Slurm's sinfo: with a header, or told by their columns."""

import csv
from operator import le
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.lists.nodes.node import LINES_LOOKED_AT
from gpuplanner.files.lists.nodes.slurm_nodes import slurm_node
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.values.slurm_resources import read_gres
from gpuplanner.lazy_re import lazy_re

_SINFO_NAMES: Final = ("nodelist", "hostnames", "node", "hostname", "nodehost")


def _sinfo_columns(head: str) -> tuple[str | None, list[str], bool]:
    """(what stands between columns, None for blanks; the columns in small letters; whether a header says so).

    With commas only where a header has GRES, for lists of hosts have commas too.

    Without a header they are told by what stands in every line: none where these are no lines of sinfo.
    """
    lines = [text for text in head.splitlines() if text.strip() and not _OF_CLUSTER.match(text)]
    first = lines[0].casefold() if lines else ""
    sign = None
    if "|" in first:
        sign = "|"
    elif "gres" in first.split(","):
        sign = ","
    table = [_cells(line, sign) for line in lines[:LINES_LOOKED_AT]]
    names = [name.casefold() for name in table[0]] if table else []
    if "gres" in names:
        return sign, names, True
    if not head.endswith("\n") and len(table) > 1:
        del table[-1]  # may be cut off
    if not table or len({len(cells) for cells in table}) != 1:
        return sign, [], False
    columns = list(zip(*table, strict=True))
    gres = [at for at, texts in enumerate(columns) if all(map(_GRES_CELL.match, texts))]
    gres = [at for at in gres if any("gpu" in text for text in columns[at])]
    used = [at for at in gres if any("(IDX:" in text for text in columns[at])]
    if len(gres) == 2 and not used:  # no node uses more than it has
        held = [[read_gres(text).milli_gpus for text in columns[at]] for at in gres]
        used = [gres[first] for first in (0, 1) if all(map(le, held[first], held[1 - first]))][-1:]
    states = [at for at, texts in enumerate(columns) if all(map(_NODE_STATE.match, texts))]
    hosts = [at for at, texts in enumerate(columns) if at not in gres and all(map(_HOSTS.match, texts))]
    is_short = len(columns) <= 3  # names and GPUs alone, and nothing of jobs
    if not hosts or not (states or is_short) or not 1 <= len(gres) - len(used) <= 1:
        return sign, [], False
    names = [""] * len(columns)
    for name, at in (
        ("gres_used", used[:1]),
        ("gres", [at for at in gres if at not in used]),
        ("state", states),
    ):
        for place in at[:1]:
            names[place] = name
    names[max(hosts, key=lambda at: len(set(columns[at])))] = "nodelist"
    return sign, names, False


def _cells(line: str, sign: str | None) -> list[str]:
    """The cells of a line; sign: see `_sinfo_columns`."""
    cells = next(csv.reader([line]), []) if sign == "," else line.split(sign)
    return [cell.strip() for cell in cells]


_OF_CLUSTER: Final = lazy_re(r"^\s*CLUSTER:\s*(\S+)\s*$")
"""The line above the nodes of each cluster, as `sinfo -M` writes it; their header comes again below it."""
_GRES_CELL: Final = lazy_re(r"(?i)^(?:gpu(?::\S+)?|\(null\)|)$")
_NODE_STATE: Final = WORDS["node_state"]
_HOSTS: Final = WORDS["hosts"]


def sniff_sinfo(head: str) -> float:
    """How sure it is that this is a listing of sinfo, by its header or its lines; a queue of jobs has a user too."""
    _, columns, _ = _sinfo_columns(head)
    names = set(columns)
    is_list = "gres" in names and names & set(_SINFO_NAMES) and not names & {"jobid", "user"}
    return 0.95 if is_list else 0.0


def sinfo_rows(source: Source, *_: object) -> small_table.Rows:
    """Each line of sinfo but its header, with its line number.

    GPUs come from GRES, as it lists no trackable resources.
    """
    sign, names, is_header = _sinfo_columns(source.head)
    of_name = next(name for name in _SINFO_NAMES if name in names)
    above = ""
    with source.text_lines() as lines:
        for number, line in enumerate(lines, 1):
            if (match := _OF_CLUSTER.match(line)) is not None:
                above = match[1]
                continue
            cells = _cells(line.rstrip("\r\n"), sign)
            if not line.strip() or (is_header and [cell.casefold() for cell in cells] == names):
                continue
            said = dict(zip(names, cells, strict=False))
            name, gres, state, cluster = (said.get(key, "") for key in (of_name, "gres", "state", "cluster"))
            texts = slurm_node(name, "", gres, state, cluster or above)
            if len(cells) < len(names):
                texts = {"fault": str(_CUT_OFF), "remedy": str(_TO_WIDEN)}
            yield number, small_table.Row(texts=texts).of_width(cells, names, source), line.strip()


_CUT_OFF: Final = worded("columns are cut off")
_TO_WIDEN: Final = worded(
    "make them wider, such as {command}", command="sinfo -N -O NodeHost:40,Gres:80,StateLong:20"
)
