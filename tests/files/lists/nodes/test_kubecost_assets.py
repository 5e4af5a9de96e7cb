"""Assets of Kubecost and OpenCost: nodes are capacity, never jobs."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.files.importing.recognise import recognise_source
from gpuplanner.files.lists.node_lists import node_kind
from gpuplanner.files.sources.source import survey

DAY = {"start": "2026-03-01T00:00:00Z", "end": "2026-03-02T00:00:00Z", "minutes": 1440, "totalCost": 9}


def node(name: str, **told: Any) -> dict[str, Any]:
    """A node of a day."""
    of = {"cluster": "c1", "providerID": f"i-{name}", "name": name}
    return {"type": "Node", "properties": of, "nodeType": "p4d.24xlarge", "gpuCost": 5, **DAY, **told}


DISK = {"type": "Disk", "properties": {"cluster": "c1", "providerID": "d"}, "byteHours": 1, **DAY}
SET = {"d": DISK, "c1/n1": node("n1", gpuCount=8), "c1/n2": node("n2", gpuCoreHours=96), "c1/n3": node("n3")}
TABLE = (
    "Type,Name,Cluster,Provider ID,Node Type,Start,End,GPU Count,Total Cost\n"
    "Disk,d,c1,d,,2026-03-01,2026-03-02,,9\n"
    "Node,n1,c1,i-1,p4d.24xlarge,2026-03-01,2026-03-02,8,9\n"
    "Node,n2,c1,i-2,p4d.24xlarge,2026-03-01,2026-03-02,4,9\n"
    "Node,n3,c1,i-3,m5.large,2026-03-01,2026-03-02,0,9\n"
)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"code": 200, "data": [SET, SET]}),
        json.dumps({"code": 200, "data": SET}),
        json.dumps([*SET.values()]),
        TABLE,
    ],
    ids=["two days", "one set", "an array", "a table"],
)
def test_nodes_are_capacity_and_each_counts_once(tmp_path: Path, text: str) -> None:
    at = tmp_path / "assets"
    at.write_text(text)
    source = survey(str(at))
    assert recognise_source(source).kind == "nodes"
    kind = node_kind(source.head)
    assert kind is not None
    read = kind.read(source)
    held = {one.name: (one.cluster, one.gpu_model, one.milli_gpus) for one in read.values}
    model = "A100 40GB"
    assert held.pop("n3")[2] == 0
    assert held == {"n1": ("c1", model, 8000), "n2": ("c1", model, 4000)}
    assert len(read.values) == 3
