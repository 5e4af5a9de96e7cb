"""Lists of nodes with their GPUs: what a cluster has, as capacity whose rate nobody tells yet."""

import csv
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import zip_longest
from operator import le
from pathlib import PurePath
from typing import Any, Final

from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.book.contract import UNDATED_S, Contract
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.activity import sonar_samples
from gpuplanner.files.job_logs.dialects.kubernetes_pods import model_of_labels, node_gpus
from gpuplanner.files.job_logs.judging.column_names import name_readings
from gpuplanner.files.sources import json_values
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.column_mapping import GPUS_PER_NODE, NODES, RATE, is_rate
from gpuplanner.files.tables.delimited import has_columns, header_columns
from gpuplanner.files.tables.fields import FIELDS, WORDS
from gpuplanner.files.tables.headings import meanings, plain_words
from gpuplanner.files.tables.mapped_cells import count_of, starts_as_total
from gpuplanner.files.values.gpu_names import find_instance, from_number, gpus_of_slices
from gpuplanner.files.values.numbers import read_decimal, words
from gpuplanner.files.values.scheduler_words import expand_hosts, read_gres, read_tres
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

KIND: Final = "nodes"


@dataclass(frozen=True, slots=True)
class Node:
    """A machine, or its GPUs of one model; milli_gpus: thousandths of a GPU, 0 of one without.

    cluster, gpu_model: empty where nobody says.
    """

    name: str
    cluster: str
    gpu_model: str
    milli_gpus: int


def read_node_contracts(source: Source, kind: small_table.TableKind[Node]) -> small_table.TableRead[Contract]:
    """What the nodes hold as contracts without a rate and without dates, one of each cluster and GPU model."""
    read = kind.read(source)
    held: dict[tuple[str, str], tuple[int, int]] = {}
    for node, row in zip(read.values, read.rows, strict=True):
        if node.milli_gpus:
            before, first = held.get((node.cluster, node.gpu_model), (0, row))
            held[node.cluster, node.gpu_model] = (before + node.milli_gpus, first)
    stem = _stem(source.path)
    contracts = tuple(
        Contract(
            contract_id=" ".join(filter(None, (stem, cluster, model))),
            cluster=cluster,
            gpu_model=model or None,
            milli_gpus=milli_gpus,
            rate_usd_per_gpu_hour=None,
            start_s=UNDATED_S,
        )
        for (cluster, model), (milli_gpus, _) in sorted(held.items())
    )
    rows = tuple(first for _, (_, first) in sorted(held.items()))
    return small_table.TableRead(contracts, replace(read.intake, kind="contracts"), rows)


def _stem(path: str) -> str:
    """What the ids of a list's contracts begin with."""
    return PurePath(path.replace("\\", "/")).stem


def contracts_of_list(path: str, contracts: Iterable[Contract]) -> list[Contract]:
    """Those that a list of nodes made, by their ids. path: of the list."""
    stem = _stem(path)
    return [contract for contract in contracts if f"{contract.contract_id} ".startswith(f"{stem} ")]


def node_kind(head: str) -> small_table.TableKind[Node] | None:
    """The kind of list that a text begins; None where it begins none."""
    best = max(NODE_KINDS, key=lambda kind: kind.sniff(head))
    return best if best.sniff(head) else None


def held_words(source: Source, kind: small_table.TableKind[Node]) -> Message:
    """What a list holds, in words: 1,523 nodes with 6,212 GPUs (G2 4,392, T4 842). Errors: as TableKind.read."""
    return _held(kind.why, kind.read(source).values)


def _held(why: Message, nodes: Sequence[Node]) -> Message:
    """What some nodes hold, behind why they are told."""
    by_model = sorted(_by_model(nodes).items(), key=lambda row: (-row[1], row[0]))
    models = joined((joined((model, significant(gpus)), " ") for model, gpus in by_model), ", ")
    return worded(
        "{why}: {nodes} nodes with {gpus} GPUs{models}",
        why=why,
        nodes=whole(len(_milli_by_node(nodes))),
        gpus=significant(sum(gpus for _, gpus in by_model)),
        models=joined((" (", models, ")")) if by_model else "",
    )


TO_COUNT: Final = worded("use it with --contracts: capacity without a rate")
"""What to do with a list of nodes."""


def _nodes(row: small_table.Row) -> Sequence[Node]:
    """The nodes of a row: texts name (or a list of hosts), cluster, gpu_model and gpus (of each node).

    Of several models, both have one word each, with `;` between.
    A text `fault` says why a record is no node. Errors: RowError; RowLeftOutError for what is none to be.
    """
    if row.text("fault"):
        raise small_table.RowError(
            "missing_column", joined((row.text("fault") or "",)), joined((row.text("remedy") or "",))
        )
    if row.text("is_none"):
        raise small_table.RowLeftOutError("unknown_value")
    name, held = row.required("name"), []
    models = (row.text("gpu_model") or "").split(";")
    for text, model in zip_longest((row.text("gpus") or "0").split(";"), models, fillvalue=""):
        number = read_decimal(text)
        if number is None or not 0 <= number <= _GPUS_AT_MOST:
            raise small_table.RowError(
                "bad_number", worded("{column} is {text}", column="gpus", text=repr(text))
            )
        held.append((model if number else "", from_number(number * 1000).milli_gpus))
        if number:
            row.notes.append("quote_needed")
        if number and model and gpu_families().read(model) is None:
            row.say(
                "undecided",
                worded(
                    "unknown GPU model {model}: kept as {own}; to map it, use --same",
                    model=model,
                    own="--same " + shlex.quote(f"model:{model}={model}"),
                ),
            )
    names = expand_hosts(name) if "[" in name or "," in name else (name,)
    if not names:
        raise small_table.RowError("unknown_value", worded("{name} is not a list of hosts", name=repr(name)))
    return tuple(
        Node(node_name, row.text("cluster") or "", *of_model) for node_name in names for of_model in held
    )


_GPUS_AT_MOST: Final = 1_000_000


def _by_model(nodes: Sequence[Node]) -> dict[str, float]:
    """GPUs by model in the order of names; those of nodes that name none are `unknown`."""
    held: Counter[str] = Counter()
    for node in nodes:
        if node.milli_gpus:
            held[node.gpu_model or "unknown"] += node.milli_gpus
    return {model: _whole(milli / 1000) for model, milli in sorted(held.items())}


def _milli_by_node(nodes: Sequence[Node]) -> Counter[tuple[str, str]]:
    """Thousandths of a GPU of each machine, whatever models they are of."""
    held: Counter[tuple[str, str]] = Counter()
    for node in nodes:
        held[node.cluster, node.name] += node.milli_gpus
    return held


def _whole(number: float) -> float:
    """A whole number as int, so that JSON writes 8 and not 8.0."""
    return int(number) if number == int(number) else number


def _facts(nodes: Sequence[Node]) -> Facts:
    """Nodes, and GPUs by model and by node."""
    by_model = _by_model(nodes)
    of_node = _milli_by_node(nodes)
    with_gpus = Counter(_whole(milli / 1000) for milli in of_node.values() if milli)
    return (
        ("nodes", len(of_node)),
        ("gpu_nodes", sum(with_gpus.values())),
        ("cpu_nodes", len(of_node) - sum(with_gpus.values())),
        ("gpus", _whole(sum(by_model.values()))),
        ("gpus_by_model", by_model),
        ("nodes_by_gpus", {f"{gpus:g}": count for gpus, count in sorted(with_gpus.items())}),
    )


# ---------------------------------------------------------------- openb


_OPENB: Final = ("sn", "cpu_milli", "memory_mib", "gpu", "model")


def _sniff_openb(head: str) -> float:
    """How sure it is that this is the node list of Alibaba's trace openb, by its columns."""
    return 0.95 if has_columns(head, *_OPENB) else 0.0


def _openb_rows(source: Source, *_: object) -> small_table.Rows:
    """Each node of openb with its line; the model is a name, not a count."""
    for line, row, text in small_table.rows_below(source, header_columns(source.head)[1]):
        texts = {
            "name": row.text("sn") or "",
            "gpus": row.text("gpu") or "",
            "gpu_model": row.text("model") or "",
        }
        yield line, replace(row, texts=texts), text


# ---------------------------------------------------------------- Slurm


_NODE_NAME: Final = lazy_re(r"^\s*NodeName=(\S+)")
_PAIR: Final = lazy_re(r"(?:^|\s)(\w+)=(\S*)")
_BRACES: Final = lazy_re(r"\([^)]*\)")
_SLICES: Final = lazy_re(r"(?i)gpu:[^:,]*?(\d)g[._]?\d+gb[^:,]*:(\d+)")
_SINFO_NAMES: Final = ("nodelist", "hostnames", "node", "hostname", "nodehost")
_FUTURE: Final = "FUTURE"
"""The state of a node that is not there yet."""


def _sniff_scontrol(head: str) -> float:
    """How sure it is that this is `scontrol show node`."""
    lines = [line for line in head.splitlines() if _NODE_NAME.match(line)]
    return 0.95 if lines and lazy_re(r"\b(?:CfgTRES|Gres|CPUTot|CPUAlloc)=").search(head) else 0.0


def _of_slurm(name: str, tres: str, gres: str, state: str, cluster: str = "") -> dict[str, str]:
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


def _scontrol_rows(source: Source, *_: object) -> small_table.Rows:
    """Blocks of `scontrol show node`, at the line of their beginning; prompts above them are no rows."""
    begun, fields, first = 0, dict[str, str](), ""

    def done() -> small_table.Rows:
        """The node that ends here, with the line it began on; none before the first."""
        if begun:
            texts = _of_slurm(*(fields.get(key, "") for key in ("NodeName", "CfgTRES", "Gres", "State")))
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


def _sniff_slurm_json(head: str) -> float:
    """How sure it is that this is `scontrol show nodes --json` or `sinfo --json`."""
    paths = json_values.json_paths(head)
    has_node = "nodes.item.name" in paths or "nodes.item.hostname" in paths
    return 0.95 if (has_node and "nodes.item.gres" in paths) or "sinfo.item.gres.total" in paths else 0.0


def _slurm_json_rows(source: Source, *_: object) -> small_table.Rows:
    """Each node of Slurm's JSON, numbered from 1; of several states the first counts."""
    for number, value in enumerate(json_values.json_objects(source, "nodes.item"), 1):
        state = value.get("state")
        first = state[0] if isinstance(state, list) and state else state
        name = json_values.text_of(value.get("name")) or json_values.text_of(value.get("hostname"))
        tres, gres = json_values.text_of(value.get("tres")), json_values.text_of(value.get("gres"))
        cluster = json_values.text_of(value.get("cluster_name"))
        yield (
            number,
            small_table.Row(texts=_of_slurm(name, tres, gres, json_values.text_of(first), cluster)),
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
                small_table.Row(texts=_of_slurm(str(name), "", gres, str(state[0]), cluster)),
                str(name),
            )


def _sinfo_columns(head: str) -> tuple[str | None, list[str], bool]:
    """(what stands between columns, None for blanks; the columns in small letters; whether a header says so).

    With commas only where a header has GRES, for lists of hosts have commas too.

    Without a header they are told by what stands in every line: none where these are no lines of sinfo.
    """
    lines = [text for text in head.splitlines() if text.strip() and not _OF_CLUSTER.match(text)]
    first = lines[0].casefold() if lines else ""
    sign = "|" if "|" in first else "," if "gres" in first.split(",") else None
    table = [_cells(line, sign) for line in lines[:_LINES_LOOKED_AT]]
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


_LINES_LOOKED_AT: Final = 50
_OF_CLUSTER: Final = lazy_re(r"^\s*CLUSTER:\s*(\S+)\s*$")
"""The line above the nodes of each cluster, as `sinfo -M` writes it; their header comes again below it."""
_GRES_CELL: Final = lazy_re(r"(?i)^(?:gpu(?::\S+)?|\(null\)|)$")
_NODE_STATE: Final = WORDS["node_state"]
_HOSTS: Final = WORDS["hosts"]


def _sniff_sinfo(head: str) -> float:
    """How sure it is that this is a listing of sinfo, by its header or its lines; a queue of jobs has a user too."""
    names = set(_sinfo_columns(head)[1])
    is_list = "gres" in names and names & set(_SINFO_NAMES) and not names & {"jobid", "user"}
    return 0.95 if is_list else 0.0


def _sinfo_rows(source: Source, *_: object) -> small_table.Rows:
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
            texts = _of_slurm(name, "", gres, state, cluster or above)
            if len(cells) < len(names):
                texts = {"fault": str(_CUT_OFF), "remedy": str(_TO_WIDEN)}
            yield number, small_table.Row(texts=texts).of_width(cells, names, source), line.strip()


_CUT_OFF: Final = worded("columns are cut off")
_TO_WIDEN: Final = worded(
    "make them wider, such as {command}", command="sinfo -N -O NodeHost:40,Gres:80,StateLong:20"
)


# ---------------------------------------------------------------- Kubernetes


def _sniff_kubernetes(head: str) -> float:
    """How sure it is that this is `kubectl get nodes -o json`: nodes, and no pods first."""
    paths = json_values.json_paths(head)
    for prefix in ("items.item.", "item.", ""):
        if paths.get(f"{prefix}kind") == "Node" and "Pod" not in (
            paths.get(f"{prefix}kind"),
            paths.get("kind"),
        ):
            return 0.95
    return 0.95 if paths.get("kind") == "NodeList" and "items.item" in paths else 0.0


_POD: Final = lazy_re(r'"kind"\s*:\s*"Pod"')


def has_pods(source: Source) -> bool:
    """Whether there are pods behind the nodes: then it is a list of pods."""
    with source.text_lines() as lines:
        return any(_POD.search(line) for line in lines)


_OF_PARTS: Final = lazy_re(r"(?i)(?:-mig-\dg\.\d+gb\S*)?(?:-shared)?$")
"""What a plug-in writes behind the name of a board that it hands out in slices or shares."""


def _kubernetes_rows(source: Source, *_: object) -> small_table.Rows:
    """Each node by its capacity, not by what is free; objects of other kinds are marked as none."""
    for number, value in json_values.json_records(source, "items"):
        metadata = json_values.object_at(value, "metadata")
        if json_values.text_of(json_values.object_at(value).get("kind")) not in ("", "Node"):
            yield number, small_table.Row(texts={"is_none": "1"}), ""
            continue
        labels = json_values.object_at(metadata, "labels")
        gpus = node_gpus(json_values.object_at(value))
        name = json_values.text_of(metadata.get("name"))
        model = _OF_PARTS.sub("", model_of_labels(labels))
        yield number, small_table.Row(texts={"name": name, "gpus": gpus, "gpu_model": model}), name


# ---------------------------------------------------------------- inventories that people keep, and kubectl's columns


_HOST_WORDS: Final = words(
    "node|node name|nodename|host|hostname|host name|server|server name|machine|fqdn|ci name|knoten|rechner|rechnername"
    "|serveur|nœud"
)
_DEVICE_WORDS: Final = words(
    "rack|rack unit|u position|device type|device role|role|serial|serial number|serial no|asset tag|manufacturer"
    "|primary ip|ip address|mac address|bmc|hersteller|seriennummer"
)
"""Columns beside which a name is that of a machine."""
_GPU_WORDS: Final = {
    field.name: frozenset(field.words.split("|"))
    for field in FIELDS["contracts"]
    if field.name in ("gpus", "gpu_model", "cluster", "instance")
}
_STATUS_WORDS: Final = words("status|state|lifecycle|life cycle|zustand|statut")
_GONE: Final = words(
    "retired|decommissioned|decommissioning|disposed|scrapped|sold|returned|rma|missing|ausgemustert|verschrottet"
    "|verkauft|planned|ordered|on order|geplant|bestellt"
)
"""Of nodes that are no longer there, or not yet; spare ones and those in a store cost money, and can be used."""
_IF_THERE: Final = worded("skipped; if usable, write active or another status")
_OF_WHAT_RAN: Final = frozenset(("start", "end", "duration", "submit", "job_id", "user"))
_BLANKS: Final = lazy_re(r"\s{2,}|\t")


def _inventory_columns(head: str) -> tuple[str | None, dict[str, int]]:
    """(what stands between columns, None for blanks; where the name, GPUs, model and cluster of a node stand).

    None of them where it is no table of nodes: a count of GPUs beside the name of a machine, and nothing that ran.
    """
    lines = [line for line in head.splitlines()[: _LINES_LOOKED_AT + 1] if line.strip()]
    sign: str | None = header_columns(head)[0]
    table = [*csv.reader(lines, delimiter=sign or ",")]
    if table and len(table[0]) == 1:
        sign, table = None, [_BLANKS.split(line.strip()) for line in lines]
    names, body = table[0] if table else [], table[1:]
    written = [plain_words(name) for name in names]
    plain = [name.removeprefix("cf ") for name in written]  # fields of one's own in NetBox
    is_of_devices = sign is None or plain != written or not _DEVICE_WORDS.isdisjoint(plain)
    hosts = _HOST_WORDS | {"name"} if is_of_devices else _HOST_WORDS
    cells = [[row[at].strip() for row in body if at < len(row)] for at in range(len(names))]
    counts = [
        at
        for at, name in enumerate(plain)
        if name in _GPU_WORDS["gpus"] and all(map(_GPU_COUNT.match, cells[at]))
    ] or [
        at
        for at, name in enumerate(plain)
        if "gpu" in name.split() and any(cells[at]) and all(map(_SET_OF_GPUS.match, cells[at]))
    ]
    places = {
        "name": [at for at, name in enumerate(plain) if name in hosts],
        "gpus": counts,
        "status": [at for at, name in enumerate(plain) if name in _STATUS_WORDS],
    } | {
        field: [at for at, name in enumerate(plain) if name in _GPU_WORDS[field] and at not in counts]
        for field in ("gpu_model", "cluster", "instance")
    }
    places["gpu_model"].sort(key=lambda at: "gpu" not in plain[at])  # before the type of the machine
    if not places["name"] and (of_sets := _sets_of_nodes(names)):
        places, counts = places | of_sets, of_sets["gpus"]
    is_of_nodes = len(places["name"]) == 1 or "nodes" in places
    is_one = bool(body) and is_of_nodes and len(counts) == 1 and "namespace" not in plain
    is_one = is_one and not any(_OF_WHAT_RAN & set(name_readings(name)) for name in names)
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


def _rows_in_force(source: Source, *_: object) -> small_table.Rows:
    """The rows of an inventory; those of nodes that are gone are left out: each says how many all are, and why."""
    read = _json_rows if json_values.begins_json(source.head) else _inventory_rows
    rows, gone = [*read(source)], dict[str, list[Node]]()
    why = small_table.RowLeftOutError("left_out", remedy=_IF_THERE)
    for _line, row, cells in rows:
        if starts_as_total(cells.strip()):
            row.left_out = small_table.RowLeftOutError("not_a_row", joined((f"“{cells.strip()[:40]}”",)))
        elif (status := (row.text("status") or "").lower()) in _GONE:
            row.left_out = why
            with suppress(small_table.RowError):
                gone.setdefault(status, []).extend(_nodes(row))
    why.what = joined((_held(joined((status,)), nodes) for status, nodes in gone.items()), ", ")
    yield from rows


def _inventory_rows(source: Source) -> small_table.Rows:
    """Each row below the headings; a count may have the model with it, as in 8x H100."""
    sign, places = _inventory_columns(source.head)
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


# ---------------------------------------------------------------- the same in JSON: machines with their GPUs


_HELD: Final = words("gpus|gpu|cards|accelerators|gpudevices")
_MODEL_KEYS: Final = ("gpumodel", "gputype", "model", "productname", "product", "name", "type")
_COUNT_KEYS: Final = ("count", "gpucount", "gpus", "quantity", "qty", "total", "capacity")
_JSON_KEYS: Final = {
    "name": (*(word.replace(" ", "") for word in _HOST_WORDS), "name"),
    "cluster": tuple(word.replace(" ", "") for word in _GPU_WORDS["cluster"]),
    "gpu_model": _MODEL_KEYS[:2],
    "status": tuple(word.replace(" ", "") for word in _STATUS_WORDS),
}
_UUID: Final = lazy_re(r"(?i)GPU-[0-9a-f]{8}-")
_OF_MACHINES: Final = ("nodes", "hosts", "servers", "machines", "inventory")
_OF_OTHERS: Final = WORDS["of_other_lists"]


def _key(name: str) -> str:
    """A key in small letters, with nothing between its words."""
    return plain_words(name).replace(" ", "")


def _machines_at(head: str) -> str | None:
    """Where in JSON the records of machines stand that hold GPUs; None where there are none.

    A mere number of GPUs may be of anything: then it is under a word for machines, or beside more than a name. 0 under
    `gpu` is which of them: what is measured of each is no list of machines.
    """
    records: dict[str, dict[str, str | None]] = {}
    for path, value in json_values.json_paths(head).items():
        at, _, name = path.rpartition(".")
        records.setdefault(at, {})[_key(name)] = value
    for at, own in records.items():
        hosts, held = own.keys() & set(_JSON_KEYS["name"]), [own[key] for key in own if key in _HELD]
        is_machine = hosts - {"name"} or at.split(".")[0] in _OF_MACHINES or None in held
        counts = [path for path in records if path.startswith(f"{at}.") and _key(path[len(at) :]) in _HELD]
        inside = {key for path in counts for key in records[path]}  # others have a limit, too: of power
        is_other = any(_OF_OTHERS.search(one) or _OF_WHAT_RAN & set(name_readings(one)) for one in own)
        is_other |= not inside.isdisjoint(("limit", "quota"))  # how many may be ordered
        measured = [path for path in records if path.startswith(at) and path.endswith(".utilization")]
        is_other |= bool(measured)  # by gpustat, at one moment
        if hosts and held and is_machine and not is_other and own.get("gpu") != "0":
            return at
    return None


def _json_rows(source: Source) -> small_table.Rows:
    """Each machine of JSON, its GPUs by model; a cluster that stands above all of them is theirs."""
    at, above = _machines_at(source.head), json_values.json_paths(source.head).get("cluster") or ""
    for number, record in enumerate(json_values.json_objects(source, at), 1):
        own = {_key(name): value for name, value in record.items()}
        fields = {field: _first(own, keys) for field, keys in _JSON_KEYS.items()}
        held = defaultdict[str, Decimal](Decimal)
        for count, model in _cards(next((own[key] for key in own if key in _HELD), None)):
            gpus = read_decimal(count)
            held[model or fields["gpu_model"]] += Decimal("NaN") if gpus is None else gpus
        fields["cluster"] = fields["cluster"] or above
        texts = {"gpus": ";".join(f"{count:f}" for count in held.values()), "gpu_model": ";".join(held)}
        yield number, small_table.Row(texts=fields | (texts if held else {"gpus": "0"})), fields["name"]


def _first(own: dict[str, Any], keys: Iterable[str]) -> str:
    """The text under the first of some keys that has one."""
    return next((text for key in keys if (text := json_values.text_of(own.get(key)))), "")


def _cards(value: object) -> Iterable[tuple[str, str]]:
    """(how many, of which model) of a number, an object, or a list of models, objects or places: [0, 1]."""
    if isinstance(value, dict):
        own = {_key(name): card for name, card in value.items()}
        count, model = _first(own, _COUNT_KEYS), _first(own, _MODEL_KEYS)
        by_model = [(json_values.text_of(one), name) for name, one in value.items()]
        return [(count or "1", model)] if count or model else by_model
    if isinstance(value, list):
        return [
            one for each in value for one in (_cards(each) if isinstance(each, dict | str) else [("1", "")])
        ]
    count, model = count_of(json_values.text_of(value), "")
    if not count:
        return []
    return [(count, model) if count.isdecimal() else ("1", "" if _UUID.match(count) else count)]


# ---------------------------------------------------------------- sonar


def _sonar_rows(source: Source, *_: object) -> small_table.Rows:
    """Each node of sonar's system information: its cards counted, the model that of the first that has one."""
    for number, item in enumerate(json_values.json_objects(source), 1):
        attributes: dict[str, Any] = json_values.object_at(item, "data", "attributes")
        name = json_values.text_of(attributes.get("node"))
        if not name:
            yield number, small_table.Row(texts={"fault": str(sonar_samples.error_text(item))}), ""
            continue
        cards = json_values.objects_in(attributes, "cards")
        held = Counter(json_values.text_of(card.get("model")) for card in cards)
        texts = {
            "name": name,
            "cluster": json_values.text_of(attributes.get("cluster")),
            "gpus": ";".join(map(str, held.values())),
            "gpu_model": ";".join(held),
        }
        yield number, small_table.Row(texts=texts), name


def _kind(
    name: str,
    why: Message,
    told_by: Callable[[str], float],
    rows: Callable[[Source, Sequence[str], str | None], small_table.Rows],
) -> small_table.TableKind[Node]:
    """A kind of node list from its test and its rows; a node is known by cluster, name and GPU model."""
    return small_table.TableKind(
        kind=KIND,
        format=name,
        columns=(),
        needed=(),
        reader=lambda: _nodes,
        key=lambda node: f"{node.cluster}/{node.name}/{node.gpu_model}",
        why=why,
        rows=rows,
        told_by=told_by,
        facts=_facts,
    )


_OF_SLURM: Final = worded("Slurm nodes with GPUs, without jobs")

NODE_KINDS: Final = (
    _kind("openb", worded("nodes with GPUs, without jobs"), _sniff_openb, _openb_rows),
    _kind("slurm_nodes", _OF_SLURM, _sniff_scontrol, _scontrol_rows),
    _kind("slurm_nodes_json", _OF_SLURM, _sniff_slurm_json, _slurm_json_rows),
    _kind("sinfo", _OF_SLURM, _sniff_sinfo, _sinfo_rows),
    _kind(
        "kubernetes_nodes",
        worded("Kubernetes nodes with GPUs, without jobs"),
        _sniff_kubernetes,
        _kubernetes_rows,
    ),
    _kind(
        "inventory",
        worded("nodes with GPUs, without jobs"),
        lambda head: 0.72 if _machines_at(head) is not None or _inventory_columns(head)[1] else 0.0,
        _rows_in_force,
    ),
    _kind(
        sonar_samples.INVENTORY_FORMAT,
        sonar_samples.WHY_INVENTORY,
        sonar_samples.sniff_inventory,
        _sonar_rows,
    ),
)
"""The kinds of lists."""
