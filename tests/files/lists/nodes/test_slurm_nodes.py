"""Nodes of Slurm: slices of GPUs, and several models in one node."""

import json
from pathlib import Path

import pytest

from tests.files.lists.test_node_lists import capacity_by_model, gpus_by_model


def test_slices_count_as_parts_where_the_trackable_resources_count_them_whole(tmp_path: Path) -> None:
    text = (
        "NodeName=m1 Gres=gpu:1g.33gb:4,gpu:1g.16gb:3 State=IDLE CfgTRES=cpu=64,gres/gpu=7\n"
        "NodeName=n1 Gres=gpu:h200:2 State=IDLE CfgTRES=cpu=64,gres/gpu=2\n"
    )
    assert capacity_by_model(tmp_path, text) == {None: 1, "h200": 2}


def test_sinfo_as_json_counts_each_node_of_a_line_once(tmp_path: Path) -> None:
    line = {"node": {"state": ["MIXED"]}, "nodes": {"nodes": ["g1", "g2"]}, "cluster": ""}
    lines = [
        {**line, "gres": {"total": "gpu:h100:8(S:0-1)", "used": "gpu:h100:3"}, "partition": {"name": name}}
        for name in ("a", "b")
    ]
    assert capacity_by_model(tmp_path, json.dumps({"meta": {}, "sinfo": lines})) == {"h100": 16}


@pytest.mark.parametrize(
    "text",
    [
        "NodeName=g1 CPUTot=8\n   Gres=gpu:h100:2(S:0),gpu:h200:4(S:1)\n   CfgTRES=cpu=96,mem=1M,billing=96\n",
        "NodeName=g1 CPUTot=8\n   Gres=gpu:h100:2,gpu:h200:4\n   CfgTRES=cpu=96,gres/gpu=6\n",
        json.dumps(
            {"nodes": [{"name": "g1", "gres": "gpu:h100:2,gpu:h200:4", "tres": "cpu=96", "state": ["IDLE"]}]}
        ),
        "NODELIST GRES STATE\ng1 gpu:h100:2,gpu:h200:4 idle\n",
        'hostname,rack,GPUs\ng1,r1,"2x h100, 4x h200"\n',
        "hostname,rack,GPUs\ng1,r1,2x h100 + 4x h200\n",
    ],
)
def test_a_node_of_two_models_has_both(tmp_path: Path, text: str) -> None:
    assert gpus_by_model(tmp_path, text) == {"h100": 2, "h200": 4}


def test_slices_of_slurm_are_of_whole_gpus(tmp_path: Path) -> None:
    gres = "gpu:a100:2,gpu:a100_3g.20gb:4,gpu:a100_1g.5gb:7"
    text = f"NodeName=g1 CPUTot=8\n   Gres={gres}\n   CfgTRES=cpu=96,gres/gpu=13\n"
    assert gpus_by_model(tmp_path, text) == {"a100": 5}
