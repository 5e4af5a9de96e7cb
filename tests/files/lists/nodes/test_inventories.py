"""Inventories of nodes that people keep: which of their rows are nodes, and which of these are there."""

from pathlib import Path

import pytest

from gpuplanner.cli.file_results import asked_lines
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts
from tests.files.lists.test_node_lists import capacity_by_model

INVENTORIES = {
    "kubectl's own columns": "NAME   GPUS     PRODUCT\nn1     8        H100\nn2     <none>   <none>\n",
    "a register of assets": "Asset tag,Hostname,GPU model,GPU count,Purchase date,Status\n"
    "A1,n1,H100,8,2024-05-01,in use\nA2,n2,,0,2024-05-01,in use\nA3,n3,H100,8,2020-05-01,retired\n",
    "German": "Host;Anzahl GPUs;GPU Typ;Raum\nn1;8;H100;A\nn2;;;A\n",
    "counts with models": "server,gpu,room\nn1,8x H100,A\nn2,-,A\n",
    "a CMDB, beside the type of the machine": "Hostname,Model,GPU Configuration\n"
    "n1,Dell XE9680,8x H100\nn2,Dell R760,\n",
    "names beside racks": "name,rack,gpu_model,gpus\nn1,A1,H100,8\nn2,A2,,0\n",
    "NetBox": "Name,Status,Type,cf_gpu_model,cf_gpu_count\n"
    "n1,Active,DGX,H100,8\nn2,Active,R760,,0\nn3,retired,DGX,H100,8\n",
}


@pytest.mark.parametrize("name", INVENTORIES)
def test_an_inventory_is_a_list_of_nodes(tmp_path: Path, name: str) -> None:
    path = tmp_path / "inventory.txt"
    path.write_text(INVENTORIES[name], encoding="utf-8")
    (file,) = check_file(str(path))
    facts = dict(file.facts)
    assert (file.kind, file.format) == ("nodes", "inventory")
    assert (facts["nodes"], facts["gpus_by_model"]) == (2, {"H100": 8})
    assert file.rows_ignored == ("retired" in INVENTORIES[name])


def test_lines_of_nodes_that_are_alike_are_counted(tmp_path: Path) -> None:
    text = (
        "Cluster,GPU,Nodes,GPUs per node\natlas,H100,16,8\natlas,A100,2,4\nboreas,H100,1,8\nboreas,H100,?,8\n"
    )
    assert capacity_by_model(tmp_path, text) == {
        "H100": 8,
        "A100": 8,
    }  # of boreas; those of atlas stand before them
    (file,) = check_file(str(next(tmp_path.iterdir())))
    facts = dict(file.facts)
    assert (facts["nodes"], facts["gpus_by_model"]) == (19, {"A100": 8, "H100": 136})
    assert (file.rows_accepted, file.rows_rejected) == (3, 1)


@pytest.mark.parametrize("status", ["spare", "in inventory", "inventory", "in storage", "staged", "failed"])
def test_nodes_that_are_there_count_whatever_they_do(tmp_path: Path, status: str) -> None:
    text = f"hostname,status,gpu model,gpus\nn1,in use,H100,8\nn2,{status},H100,8\n"
    assert capacity_by_model(tmp_path, text) == {"H100": 16}


def test_nodes_that_are_gone_or_not_yet_there_are_told_with_their_gpus(tmp_path: Path) -> None:
    rows = [
        "n1,in use,H100,8",
        "n2,Retired,H100,8",
        "n3,planned,H100,4",
        "n4,RMA,,0",
        "n[5-6],retired,H100,8",
    ]
    path = tmp_path / "inventory.txt"
    path.write_text("\n".join(["hostname,status,gpu model,gpus", *rows]))
    for file in (*check_file(str(path)), *import_contracts([str(path)]).intake):
        (said,) = asked_lines([file])
        assert said.startswith(f"{path}:3: left_out: ")
        counted = ("3 nodes with 24 GPUs (H100 24)", "1 nodes with 4 GPUs (H100 4)")
        assert all(part in said for part in (*counted, "retired: ", "planned: ", "rma: "))
        assert (file.rows_accepted, file.rows_ignored, file.rows_rejected) == (1, 4, 0)
        assert " active" in said


@pytest.mark.parametrize(
    "text",
    [
        "hostname,gpus,start,end\nn1,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n",
        "NAMESPACE   NAME   GPU\nml          a      8\n",
        "name,gpus\nteam-a,8\n",
        "host,gpu\nn1,H100\n",
        "cluster,gpu,nodes,gpus per node,rate per GPU-hour\na,H100,16,8,2.10\n",
        "cluster,gpu,nodes,gpus per node,start\na,H100,16,8,2026-01-01\n",
    ],
)
def test_a_table_of_what_ran_or_of_teams_is_no_inventory(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.txt"
    path.write_text(text, encoding="utf-8")
    (file,) = check_file(str(path))
    assert file.kind != "nodes"


def test_a_total_below_an_inventory_is_no_node(tmp_path: Path) -> None:
    path = tmp_path / "racks.csv"
    path.write_text("Hostname,GPU,Count,Location\ng1,H100,8,AMS\ng2,A100 80GB,4,AMS\nTotal,,12,\n")
    read = import_contracts([str(path)])
    assert {one.gpu_model: one.gpus for one in read.contracts} == {"H100": 8, "A100 80GB": 4}
    assert {issue.code: issue.count for issue in read.intake[0].issues}["not_a_row"] == 1
