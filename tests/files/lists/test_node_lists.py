"""Lists of nodes: the same machines in every form; what they hold is capacity without a rate, since the log began."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.model.book.contract import UNDATED_S, Contract, since_log
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.lookback_period import WindowRequest
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


def capacity_by_model(tmp_path: Path, text: str) -> dict[str | None, float]:
    path = tmp_path / "inventory.txt"
    path.write_text(text, encoding="utf-8")
    return {one.gpu_model: one.gpus for one in import_contracts([str(path)]).contracts}


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
    ((model, gpus),) = capacity_by_model(tmp_path, text).items()
    assert held in (model or "")
    assert gpus == 8


def test_a_table_of_nodes_in_a_trace_s_own_words(tmp_path: Path) -> None:
    text = "gpu_model,gpu_capacity_num,cpu_num,node_name\nH800,8,192,27\nA10,1,128,2\n"
    assert capacity_by_model(tmp_path, text) == {"H800": 8, "A10": 1}


def gpus_by_model(tmp_path: Path, text: str) -> dict[str, float]:
    path = tmp_path / "nodes"
    path.write_text(text, encoding="utf-8")
    (file,) = check_file(str(path))
    assert file.kind == "nodes"
    held: dict[str, float] = dict(file.facts)["gpus_by_model"]
    return held
