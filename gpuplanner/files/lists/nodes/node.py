"""A node of a list: its GPUs, and what several nodes hold together."""

import shlex
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables import small_table
from gpuplanner.files.values.gpu_counts import from_number
from gpuplanner.files.values.host_lists import expand_hosts
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import dataclass

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


def held_in_words(why: Message, nodes: Sequence[Node]) -> Message:
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


def nodes_of_row(row: small_table.Row) -> Sequence[Node]:
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


def facts_of_nodes(nodes: Sequence[Node]) -> Facts:
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


LINES_LOOKED_AT: Final = 50
