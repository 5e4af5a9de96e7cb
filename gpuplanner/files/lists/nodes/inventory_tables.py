"""Inventories of nodes that people keep as tables, and kubectl's columns."""

import csv
from collections.abc import Sequence
from typing import Final

from gpuplanner.files.job_logs.judging.column_names import name_readings
from gpuplanner.files.lists.nodes.node import LINES_LOOKED_AT
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.column_mapping import GPUS_PER_NODE, NODES, RATE, is_rate
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.fields import FIELDS
from gpuplanner.files.tables.headings import meanings, plain_words
from gpuplanner.files.tables.mapped_cells import count_of
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.files.values.word_lists import words
from gpuplanner.lazy_re import lazy_re

HOST_WORDS: Final = words(
    "node|node name|nodename|host|hostname|host name|server|server name|machine|fqdn|ci name|knoten|rechner|rechnername"
    "|serveur|nœud"
)
_DEVICE_WORDS: Final = words(
    "rack|rack unit|u position|device type|device role|role|serial|serial number|serial no|asset tag|manufacturer"
    "|primary ip|ip address|mac address|bmc|hersteller|seriennummer"
)
"""Columns beside which a name is that of a machine."""
GPU_WORDS: Final = {
    field.name: frozenset(field.words.split("|"))
    for field in FIELDS["contracts"]
    if field.name in ("gpus", "gpu_model", "cluster", "instance")
}
STATUS_WORDS: Final = words("status|state|lifecycle|life cycle|zustand|statut")
OF_WHAT_RAN: Final = frozenset(("start", "end", "duration", "submit", "job_id", "user"))
_BLANKS: Final = lazy_re(r"\s{2,}|\t")


def inventory_columns(head: str) -> tuple[str | None, dict[str, int]]:
    """(what stands between columns, None for blanks; where the name, GPUs, model and cluster of a node stand).

    None of them where it is no table of nodes: a count of GPUs beside the name of a machine, and nothing that ran.
    """
    lines = [line for line in head.splitlines()[: LINES_LOOKED_AT + 1] if line.strip()]
    sign: str | None = header_columns(head).delimiter
    table = [*csv.reader(lines, delimiter=sign or ",")]
    if table and len(table[0]) == 1:
        sign, table = None, [_BLANKS.split(line.strip()) for line in lines]
    names, body = table[0] if table else [], table[1:]
    written = [plain_words(name) for name in names]
    plain = [name.removeprefix("cf ") for name in written]  # fields of one's own in NetBox
    is_of_devices = sign is None or plain != written or not _DEVICE_WORDS.isdisjoint(plain)
    hosts = HOST_WORDS | {"name"} if is_of_devices else HOST_WORDS
    cells = [[row[at].strip() for row in body if at < len(row)] for at in range(len(names))]
    counts = [
        at
        for at, name in enumerate(plain)
        if name in GPU_WORDS["gpus"] and all(map(_GPU_COUNT.match, cells[at]))
    ] or [
        at
        for at, name in enumerate(plain)
        if "gpu" in name.split() and any(cells[at]) and all(map(_SET_OF_GPUS.match, cells[at]))
    ]
    places = {
        "name": [at for at, name in enumerate(plain) if name in hosts],
        "gpus": counts,
        "status": [at for at, name in enumerate(plain) if name in STATUS_WORDS],
    } | {
        field: [at for at, name in enumerate(plain) if name in GPU_WORDS[field] and at not in counts]
        for field in ("gpu_model", "cluster", "instance")
    }
    places["gpu_model"].sort(key=lambda at: "gpu" not in plain[at])  # before the type of the machine
    if not places["name"] and (of_sets := _sets_of_nodes(names)):
        places, counts = places | of_sets, of_sets["gpus"]
    is_of_nodes = len(places["name"]) == 1 or "nodes" in places
    is_one = bool(body) and is_of_nodes and len(counts) == 1 and "namespace" not in plain
    is_one = is_one and not any(OF_WHAT_RAN & set(name_readings(name)) for name in names)
    return sign, {field: at[0] for field, at in places.items() if at} if is_one else {}


def _sets_of_nodes(names: Sequence[str]) -> dict[str, list[int]]:
    """Where in lines of nodes that are alike their number and the GPUs of each stand; empty beside what is bought."""
    counts: dict[str, list[int]] = {field: [] for field in (NODES, GPUS_PER_NODE, *_OF_WHAT_IS_BOUGHT)}
    for at, name in enumerate(names):
        for field in {
            RATE if is_rate(meaning.field) else meaning.field for meaning in meanings(name, "contracts")
        }:
            counts.get(field, []).append(at)
    is_one = [len(counts[field]) for field in counts] == [1, 1] + [0] * len(_OF_WHAT_IS_BOUGHT)
    return {NODES: counts[NODES], "gpus": counts[GPUS_PER_NODE]} if is_one else {}


_OF_WHAT_IS_BOUGHT: Final = ("start", "end", "term_months", RATE)
_SET_OF_GPUS: Final = lazy_re(r"^(?:|<none>|-|\d{1,2} ?[x×] ?\S.*)$")
_NEXT_SET: Final = lazy_re(r"\s*(?:[,;+/&]|\band\b|\bund\b|\bet\b)\s*(?=\d{1,2} ?[x×] ?\S)")
_GPU_COUNT: Final = lazy_re(r"^(?:\d{0,4}|<none>|-|\d{1,2} ?[x×] ?\S.*)$")


def inventory_rows(source: Source) -> small_table.Rows:
    """Each row below the headings; a count may have the model with it, as in 8x H100."""
    sign, places = inventory_columns(source.head)
    is_header = True
    with source.rows(sign or "\n") as rows:
        for line, cells in rows:
            if not is_header:
                texts = _BLANKS.split(cells[0].strip()) if sign is None else cells
                fields = {field: texts[at].strip() for field, at in places.items() if at < len(texts)}
                cell = fields.get("gpus", "").replace("<none>", "-")
                of_each = [count_of(part, "") for part in _NEXT_SET.split(cell)]  # one of each model
                count, model = (";".join(texts) for texts in zip(*of_each, strict=True))
                machine = find_instance(fields.get("instance", ""))
                model = model or fields.get("gpu_model", "") or (machine.gpu_model or "" if machine else "")
                fields |= {"gpus": count} | ({"gpu_model": model} if model else {})
                if (nodes := fields.get(NODES)) is not None:
                    is_known = nodes.isdecimal()
                    fields["name"] = f"row{line}-[1-{nodes}]" if is_known else f"row{line}"
                    fields["gpus"] = (
                        count if is_known else f"{nodes} x {count}"
                    )  # no number: the row is rejected
                yield line, small_table.Row(texts=fields), " ".join(cells)
            is_header = False
