"""Nodes of Kubernetes, as `kubectl get nodes -o json` writes them."""

from typing import Final

from gpuplanner.files.job_logs.dialects.kubernetes.kubernetes_pods import model_of_labels, node_gpus
from gpuplanner.files.sources import json_values
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.lazy_re import lazy_re


def sniff_kubernetes(head: str) -> float:
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


def kubernetes_rows(source: Source, *_: object) -> small_table.Rows:
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
