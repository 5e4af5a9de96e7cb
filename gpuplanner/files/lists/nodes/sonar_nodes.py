"""Nodes of sonar's system information."""

from collections import Counter
from typing import Any

from gpuplanner.files.activity import sonar_samples
from gpuplanner.files.sources import json_values
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table


def sonar_rows(source: Source, *_: object) -> small_table.Rows:
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
