"""Lists of nodes: the same machines in every form; what they hold is capacity without a rate, since the log began."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.cli.file_results import asked_lines
from gpuplanner.domain import edits
from gpuplanner.domain.model.book.contract import UNDATED_S, Contract, since_log
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.times import WindowRequest
from tests.files.job_logs.cluster_damage import check_read_or_refused, damaged_text

SCONTROL = """NodeName=g1 Arch=x86_64 CoresPerSocket=32
   Gres=gpu:h100:8(S:0,1)
   State=MIXED+DRAIN ThreadsPerCore=1
   CfgTRES=cpu=64,mem=512000M,billing=64,gres/gpu=8,gres/gpu:h100=8

NodeName=g2 Arch=x86_64
   Gres=gpu:h100:8(S:0-1)
   State=DOWN
   CfgTRES=cpu=64,mem=512000M

NodeName=c1 Arch=x86_64
   CPUTot=64
   Gres=(null)
   State=IDLE
"""
SINFO = """NODELIST PARTITION GRES STATE
g[1-2] gpu* gpu:h100:8(S:0-1) mixed
c1 cpu (null) idle
g1 debug gpu:h100:8(S:0-1) mixed
"""
SINFO_BARS = "HOSTNAMES|GRES\ng1|gpu:h100:8\ng2|gpu:h100:8\nc1|\n"
SLURM_JSON = json.dumps(
    {
        "nodes": [
            {"name": "g1", "gres": "gpu:h100:8(S:0-1)", "tres": "cpu=64,gres/gpu=8", "state": ["IDLE"]},
            {"name": "g2", "gres": "gpu:h100:8(S:0-1)", "tres": "", "state": "DOWN"},
            {"name": "c1", "gres": "", "tres": "cpu=64", "state": ["IDLE"]},
        ]
    }
)


def node(name: str, gpus: int) -> dict[str, object]:
    capacity = {"cpu": "64", **({"nvidia.com/gpu": str(gpus)} if gpus else {})}
    labels = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"} if gpus else {}
    return {
        "kind": "Node",
        "apiVersion": "v1",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": capacity},
    }


KUBERNETES = json.dumps({"kind": "List", "items": [node("g1", 8), node("g2", 8), node("c1", 0)]}, indent=1)
OPENB = "sn,cpu_milli,memory_mib,gpu,model\ng1,1,1,8,H100\ng2,1,1,8,H100\nc1,1,1,0,\n"
LISTS = {
    "slurm_nodes": SCONTROL,
    "sinfo": SINFO,
    "sinfo with bars": SINFO_BARS,
    "slurm_nodes_json": SLURM_JSON,
    "kubernetes_nodes": KUBERNETES,
    "openb": OPENB,
}


@pytest.mark.parametrize("name", LISTS)
def test_every_form_tells_the_same_nodes(tmp_path: Path, name: str) -> None:
    path = tmp_path / "nodes"
    path.write_text(LISTS[name])
    (file,) = check_file(str(path))
    assert (file.kind, file.format, file.rows_rejected) == ("nodes", name.split(" ", maxsplit=1)[0], 0)
    facts = dict(file.facts)
    assert (facts["nodes"], facts["gpu_nodes"], facts["cpu_nodes"], facts["gpus"]) == (3, 2, 1, 16)
    read = import_contracts([str(path)])
    (contract,) = read.contracts
    model = gpu_families().read(contract.gpu_model or "")
    assert model is not None
    assert (contract.milli_gpus, model.family) == (16_000, "H100")
    assert (contract.rate_usd_per_gpu_hour, contract.start_s) == (None, UNDATED_S)
    assert [issue.code for issue in read.intake[0].issues] == ["quote_needed"]
    assert (read.intake[0].kind, read.intake[0].rows_read) == ("contracts", file.rows_read)


def test_capacity_is_there_since_the_log_began_on_its_only_cluster(tmp_path: Path) -> None:
    nodes, jobs = tmp_path / "nodes", tmp_path / "jobs.csv"
    nodes.write_text(SCONTROL)
    jobs.write_text(
        "job_id,cluster,gpus,gpu_model,start,end\n1,fox,8,H100,2026-01-05T10:00:00Z,2026-01-05T12:00:00Z\n"
    )
    read = read_inputs([str(jobs)], [str(nodes)], window_request=WindowRequest(whole_log=True))
    (contract,) = read.project().contracts
    assert read.window is not None
    assert (contract.cluster, contract.start_s, contract.end_s) == ("fox", read.window.start_s, None)


def test_nodes_that_join_a_project_begin_with_its_window() -> None:
    project = Project(
        window=Window(3600, 24),
        cube=empty_cube(24),
        workloads=(Workload(key="a/b/c", name="c", cluster="a", owner="b"),),
    )
    nodes = Contract(
        contract_id="nodes",
        cluster="",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=None,
        start_s=UNDATED_S,
    )
    (contract,) = edits.inputs.import_inputs(project, contracts=(nodes,)).contracts
    assert (contract.cluster, contract.start_s) == ("a", 3600)
    assert since_log((nodes,), 3600, ("a", "b"))[0].cluster == ""
    dated = Contract(
        contract_id="other",
        cluster="",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=None,
        start_s=7200,
    )
    assert since_log((dated,), 3600, ("a",)) == (dated,)


def test_nodes_before_pods_are_a_list_of_pods(tmp_path: Path) -> None:
    pod = {
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": []},
        "status": {"phase": "Running"},
    }
    path = tmp_path / "all.json"
    path.write_text(json.dumps({"kind": "List", "items": [node("g1", 8), pod]}, indent=1))
    (file,) = check_file(str(path))
    assert (file.kind, file.format) == ("jobs", "kubernetes_pods")


def test_nodes_given_as_a_log_say_what_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "nodes"
    path.write_text(SCONTROL)
    (fault,) = read_inputs([str(path)]).refused
    assert "3 nodes with 16 GPUs (h100 16)" in str(fault.what)
    assert "--contracts" in str(fault.remedy)


@given(st.integers(0, 2**32), st.sampled_from(sorted(LISTS)))
def test_whatever_happened_to_a_list_every_row_is_counted(
    tmp_path_factory: pytest.TempPathFactory, seed: int, name: str
) -> None:
    path = tmp_path_factory.mktemp("nodes") / "nodes"
    path.write_bytes(damaged_text(LISTS[name], random.Random(seed)).encode("utf-8", "replace"))
    check_read_or_refused(lambda: check_file(str(path))[0])


# --- sinfo as it is pasted: columns in any order, with what is used, without a header, two models in one node

USED_FIRST = """HOSTNAMES GRES_USED GRES STATE
gn01 gpu:h100:3(IDX:0-2) gpu:h100:8 mixed
gn02 gpu:h100:0(IDX:N/A) gpu:h100:8 idle
c1 (null) (null) idle
"""


def _capacity(tmp_path: Path, text: str) -> dict[str | None, float]:
    path = tmp_path / "inventory.txt"
    path.write_text(text, encoding="utf-8")
    return {one.gpu_model: one.gpus for one in import_contracts([str(path)]).contracts}


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (USED_FIRST, {"h100": 16}),
        (USED_FIRST.partition("\n")[2], {"h100": 16}),
        # 4 x 8 and 2 x 4; the used ones come last and are none of what there is
        (
            "gn[01-04] gpu:h100:8(S:0-1) gpu:h100:3(IDX:0-2) mix\ngn05,gn06 gpu:a100:4 gpu:a100:0(IDX:N/A) idle\n",
            None,
        ),
        ("gn01|gpu:h100:8|idle*\ngn02|gpu:h100:8|alloc\n", {"h100": 16}),
        ("NODELIST GRES\ngn01 gpu:a100:4,gpu:v100:2\ngn02 gpu:a100:4\n", {"a100": 8, "v100": 2}),
        ("NODELIST GRES\ngn01,gn02 gpu:a100:4\n", {"a100": 8}),
    ],
)
def test_sinfo_in_any_order(tmp_path: Path, text: str, held: dict[str | None, float] | None) -> None:
    assert _capacity(tmp_path, text) == (held or {"h100": 32, "a100": 8})


def test_a_column_of_clusters_is_theirs(tmp_path: Path) -> None:
    path = tmp_path / "nodes.txt"
    path.write_text(
        "CLUSTER PARTITION NODELIST GRES\nhydra h100 hyd-n[01-02] gpu:h100:8\nlerna a100 ler-n01 gpu:a100:8\n"
    )
    held = {one.cluster: one.gpus for one in import_contracts([str(path)]).contracts}
    assert held == {"hydra": 16, "lerna": 8}


def test_two_models_of_one_node_are_two_lines_and_one_node(tmp_path: Path) -> None:
    text = "NodeName=g1\n   Gres=gpu:a100:4,gpu:v100:2\n   CfgTRES=cpu=64,gres/gpu=6,gres/gpu:a100=4,gres/gpu:v100=2\n"
    assert _capacity(tmp_path, text) == {"a100": 4, "v100": 2}
    (file,) = check_file(str(tmp_path / "inventory.txt"))
    facts = dict(file.facts)
    assert (facts["nodes"], facts["gpus"], facts["nodes_by_gpus"]) == (1, 6, {"6": 1})


def test_a_type_that_no_table_knows_keeps_its_name_and_is_asked_about(tmp_path: Path) -> None:
    assert _capacity(tmp_path, "NODELIST GRES\ngn01 gpu:zorro:4\n") == {"zorro": 4}
    (file,) = check_file(str(tmp_path / "inventory.txt"))
    (said,) = (str(issue.message) for issue in file.issues if issue.code == "undecided")
    assert "--same model:zorro=zorro" in said


def test_columns_that_were_cut_off_say_how_to_print_them(tmp_path: Path) -> None:
    text = "HOSTNAMES           GRES                STATE\ngn01                gpu:nvidia_h100_80g5idle\n"
    assert _capacity(tmp_path, text) == {}
    (file,) = check_file(str(tmp_path / "inventory.txt"))
    assert "Gres:80" in str(next(issue.message for issue in file.issues if issue.code == "missing_column"))


def test_a_queue_of_jobs_is_no_list_of_nodes(tmp_path: Path) -> None:
    path = tmp_path / "queue.txt"
    path.write_text("101 gpu:8 ann RUNNING gn01\n102 gpu:1 bob RUNNING gn02\n", encoding="utf-8")
    (file,) = check_file(str(path))
    assert file.kind != "nodes"


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
    assert _capacity(tmp_path, text) == {"H100": 8, "A100": 8}  # of boreas; those of atlas stand before them
    (file,) = check_file(str(next(tmp_path.iterdir())))
    facts = dict(file.facts)
    assert (facts["nodes"], facts["gpus_by_model"]) == (19, {"A100": 8, "H100": 136})
    assert (file.rows_accepted, file.rows_rejected) == (3, 1)


@pytest.mark.parametrize("status", ["spare", "in inventory", "inventory", "in storage", "staged", "failed"])
def test_nodes_that_are_there_count_whatever_they_do(tmp_path: Path, status: str) -> None:
    text = f"hostname,status,gpu model,gpus\nn1,in use,H100,8\nn2,{status},H100,8\n"
    assert _capacity(tmp_path, text) == {"H100": 16}


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


def test_sinfo_saved_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "sinfo.csv"
    path.write_text(
        'NODELIST,GRES,STATE\ngpu[01-02],gpu:h100:8(S:0-1),idle\ng3,"gpu:a100:4,gpu:v100:2",down*\n'
    )
    (file,) = check_file(str(path))
    facts = dict(file.facts)
    assert (file.format, facts["nodes"], facts["gpus_by_model"]) == (
        "sinfo",
        3,
        {"a100": 4, "h100": 16, "v100": 2},
    )


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


def test_a_list_serves_the_cluster_that_is_said_and_is_no_table_of_contracts(tmp_path: Path) -> None:
    path = tmp_path / "nodes.csv"
    path.write_text("hostname,gpu model,gpus\nn1,H100,8\n", encoding="utf-8")
    read = import_contracts([str(path)], {str(path): "+cluster==atlas"})
    assert [(one.cluster, one.gpus) for one in read.contracts] == [("atlas", 8)]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("NAME  STATUS  GPU-COUNT  GPU-PRODUCT\nn1    Ready   8          NVIDIA-H100-80GB-HBM3\n", "H100"),
        ("node,labels,allocatable_gpu,instance_type\nip-1,a=b,8,p5.48xlarge\n", "H100"),
    ],
)
def test_models_of_labels_and_instance_types_are_read(tmp_path: Path, text: str, held: str) -> None:
    ((model, gpus),) = _capacity(tmp_path, text).items()
    assert held in (model or "")
    assert gpus == 8


def test_of_two_columns_of_gres_the_smaller_is_what_is_used(tmp_path: Path) -> None:
    lines = ("mix|100|g1|b*|gpu:a100:8|gpu:a100:3", "idle|100|g2|b*|gpu:a100:8|gpu:a100:0", "idle|9|c1|b*||")
    swapped = ["|".join((*line.split("|")[:4], *line.split("|")[:3:-1])) for line in lines]
    for text in ("\n".join(lines), "\n".join(swapped)):
        assert _capacity(tmp_path, f"{text}\n") == {"a100": 16}


def test_slices_count_as_parts_where_the_trackable_resources_count_them_whole(tmp_path: Path) -> None:
    text = (
        "NodeName=m1 Gres=gpu:1g.33gb:4,gpu:1g.16gb:3 State=IDLE CfgTRES=cpu=64,gres/gpu=7\n"
        "NodeName=n1 Gres=gpu:h200:2 State=IDLE CfgTRES=cpu=64,gres/gpu=2\n"
    )
    assert _capacity(tmp_path, text) == {None: 1, "h200": 2}


def test_sinfo_as_json_counts_each_node_of_a_line_once(tmp_path: Path) -> None:
    line = {"node": {"state": ["MIXED"]}, "nodes": {"nodes": ["g1", "g2"]}, "cluster": ""}
    lines = [
        {**line, "gres": {"total": "gpu:h100:8(S:0-1)", "used": "gpu:h100:3"}, "partition": {"name": name}}
        for name in ("a", "b")
    ]
    assert _capacity(tmp_path, json.dumps({"meta": {}, "sinfo": lines})) == {"h100": 16}


def test_a_table_of_nodes_in_a_trace_s_own_words(tmp_path: Path) -> None:
    text = "gpu_model,gpu_capacity_num,cpu_num,node_name\nH800,8,192,27\nA10,1,128,2\n"
    assert _capacity(tmp_path, text) == {"H800": 8, "A10": 1}


def _gpus_by_model(tmp_path: Path, text: str) -> dict[str, float]:
    path = tmp_path / "nodes"
    path.write_text(text, encoding="utf-8")
    (file,) = check_file(str(path))
    assert file.kind == "nodes"
    held: dict[str, float] = dict(file.facts)["gpus_by_model"]
    return held


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
    assert _gpus_by_model(tmp_path, _kubernetes(capacity, **labels)) == {A100: 8}


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
    assert _gpus_by_model(tmp_path, text) == {"h100": 2, "h200": 4}


def test_slices_of_slurm_are_of_whole_gpus(tmp_path: Path) -> None:
    gres = "gpu:a100:2,gpu:a100_3g.20gb:4,gpu:a100_1g.5gb:7"
    text = f"NodeName=g1 CPUTot=8\n   Gres={gres}\n   CfgTRES=cpu=96,gres/gpu=13\n"
    assert _gpus_by_model(tmp_path, text) == {"a100": 5}
