"""Lists of nodes with their GPUs: what a cluster has, as capacity whose rate nobody tells yet."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.contract import UNDATED_S, Contract
from gpuplanner.files.activity import sonar_samples
from gpuplanner.files.lists.nodes.inventories import rows_in_force
from gpuplanner.files.lists.nodes.inventory_json import machines_at
from gpuplanner.files.lists.nodes.inventory_tables import inventory_columns
from gpuplanner.files.lists.nodes.kubecost_assets import assets_rows, sniff_assets
from gpuplanner.files.lists.nodes.kubernetes_nodes import kubernetes_rows, sniff_kubernetes
from gpuplanner.files.lists.nodes.node import KIND, Node, facts_of_nodes, held_in_words, nodes_of_row
from gpuplanner.files.lists.nodes.openb_nodes import openb_rows, sniff_openb
from gpuplanner.files.lists.nodes.sinfo import sinfo_rows, sniff_sinfo
from gpuplanner.files.lists.nodes.slurm_nodes import (
    scontrol_rows,
    slurm_json_rows,
    sniff_scontrol,
    sniff_slurm_json,
)
from gpuplanner.files.lists.nodes.sonar_nodes import sonar_rows
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.lazy_dataclass import replace


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
    return held_in_words(kind.why, kind.read(source).values)


TO_COUNT: Final = worded("use it with --contracts: capacity without a rate")
"""What to do with a list of nodes."""


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
        reader=lambda: nodes_of_row,
        key=lambda node: f"{node.cluster}/{node.name}/{node.gpu_model}",
        why=why,
        rows=rows,
        told_by=told_by,
        facts=facts_of_nodes,
    )


_OF_SLURM: Final = worded("Slurm nodes with GPUs, without jobs")

NODE_KINDS: Final = (
    _kind("openb", worded("nodes with GPUs, without jobs"), sniff_openb, openb_rows),
    _kind("slurm_nodes", _OF_SLURM, sniff_scontrol, scontrol_rows),
    _kind("slurm_nodes_json", _OF_SLURM, sniff_slurm_json, slurm_json_rows),
    _kind("sinfo", _OF_SLURM, sniff_sinfo, sinfo_rows),
    _kind(
        "kubernetes_nodes",
        worded("Kubernetes nodes with GPUs, without jobs"),
        sniff_kubernetes,
        kubernetes_rows,
    ),
    _kind(
        "kubecost_assets", worded("Kubecost assets: nodes with GPUs, without jobs"), sniff_assets, assets_rows
    ),
    _kind(
        "inventory",
        worded("nodes with GPUs, without jobs"),
        lambda head: 0.72 if machines_at(head) is not None or inventory_columns(head)[1] else 0.0,
        rows_in_force,
    ),
    _kind(
        sonar_samples.INVENTORY_FORMAT, sonar_samples.WHY_INVENTORY, sonar_samples.sniff_inventory, sonar_rows
    ),
)
"""The kinds of lists."""
