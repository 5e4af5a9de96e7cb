"""Inventories of nodes by sonar: which cards each node has. Known, and neither a job log nor activity."""

import json
import re
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.files.activity.sonar_samples import error_report
from gpuplanner.files.sources.json_objects import json_objects
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.row_ends import RowEnds

FORMAT: Final = "sonar_sysinfo"
WHY: Final = worded(
    "it is an inventory of nodes by sonar: it has no jobs, and says nothing of when GPUs were used"
)

_TYPE: Final = re.compile(r'"data"\s*:\s*\{\s*"type"\s*:\s*"sysinfo"')


def sniff(head: str) -> float:
    """How surely a beginning is such an inventory."""
    return 0.97 if _TYPE.search(head) else 0.0


def describe(source: Source) -> FileIntake:
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
        ("what", WHY),
        ("objects", ends.read),
        ("nodes", len(nodes)),
        ("gpu_nodes", sum(bool(of_node) for of_node in nodes.values())),
        ("gpus", len(cards)),
        ("gpus_by_host", {node: len(of_node) for node, of_node in sorted(nodes.items())}),
        ("gpu_models", sorted({str(card.get("model", "")) for card in cards} - {""})),
        ("memory_kib_by_model", {str(card.get("model", "")): card.get("memory") for card in cards}),
        ("error_records", ends.rejected),
    )
    return ends.intake(source, "nodes", FORMAT, facts)
