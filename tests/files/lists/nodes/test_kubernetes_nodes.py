"""Nodes of Kubernetes: how many GPUs one has, in how many parts it hands them out."""

import json
from pathlib import Path

import pytest

from tests.files.lists.test_node_lists import gpus_by_model


def _kubernetes(capacity: dict[str, str], **labels: str) -> str:
    of_plugin = {f"nvidia.com/gpu.{name}": text for name, text in labels.items() if "/" not in name}
    names = of_plugin | {name: text for name, text in labels.items() if "/" in name}
    one = {"kind": "Node", "metadata": {"name": "g1", "labels": names}, "status": {"capacity": capacity}}
    return json.dumps({"kind": "List", "items": [one]})


A100 = "NVIDIA-A100-SXM4-40GB"


@pytest.mark.parametrize(
    ("capacity", "labels"),
    [
        ({"nvidia.com/gpu": "32"}, {"count": "8", "replicas": "4", "product": f"{A100}-SHARED"}),
        ({"nvidia.com/gpu": "32"}, {"replicas": "4", "product": f"{A100}-SHARED"}),
        ({"nvidia.com/gpu.shared": "32"}, {"replicas": "4", "product": A100}),
        ({"nvidia.com/gpu": "80"}, {"count": "8", "product": A100}),
        ({"nvidia.com/gpu": "56"}, {"count": "56", "product": f"{A100}-MIG-1g.5gb"}),
        ({"nvidia.com/gpu": "16"}, {"count": "16", "product": f"{A100}-MIG-3g.20gb"}),
        ({"nvidia.com/mig-3g.20gb": "16"}, {"count": "8", "product": A100}),
        ({"nvidia.com/gpu": "4", "nvidia.com/mig-1g.5gb": "28"}, {"product": A100}),
        ({"nvidia.com/mig-3g.20gb": "8", "nvidia.com/mig-4g.20gb": "8"}, {"product": A100}),
        ({"nvidia.com/gpu": "32"}, {"product": A100, "cloud.google.com/gke-max-shared-clients-per-gpu": "4"}),
        ({"nvidia.com/gpu": "56"}, {"product": A100, "cloud.google.com/gke-gpu-partition-size": "1g.5gb"}),
    ],
)
def test_a_node_has_its_gpus_in_how_many_parts_it_hands_them_out(
    tmp_path: Path, capacity: dict[str, str], labels: dict[str, str]
) -> None:
    assert gpus_by_model(tmp_path, _kubernetes(capacity, **labels)) == {A100: 8}
