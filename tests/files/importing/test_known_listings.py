"""Listings without what jobs need are refused by what they are, with what to export instead."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from tests.some_of import one_in

LISTINGS = {
    "Grafana dashboard": '{"dashboard": {"panels": [{"id": 1, "targets": [{"expr": "up"}]}]}}',
    "Terraform state": '{"version": 4, "terraform_version": "1.5.0", "resources": []}',
    "kubectl get events": '{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Event", "reason": "Scheduled"}]}',
    "It contains a script": "#!/bin/bash\n#SBATCH --gpus=8\nsrun python train.py\n",
    "output of sacctmgr": "   Account      Descr      Org\n---------- ---------- ----------\n   ml   ml team   acme\n",
    "reserved nodes": "reservation,nodes,start,end,users,state\nmaint,gpu[01-04],2026-11-01,2026-11-02,root,ACTIVE\n",
    "list of node states": "node,state,time,gpus\ngpu01,idle,2026-01-05T10:00:00,8\ngpu01,down,2026-01-05T12:00:00,8\n",
    "GPU sums by time": "date,cluster,gpus_total,gpus_used\n2026-01-01,a,64,50\n2026-01-02,a,64,52\n",
    "by user or team": "user,gpu_hours,jobs\nana,1000,12\nbob,500,7\n",
    "bacct": "\nAccounting information about jobs that are: \n  - submitted by all users.\n"
    "SUMMARY:      ( time unit: second ) \n Total number of done jobs:      60\n",
    "LSF": "JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME\n"
    "101     ann     RUN   gpu        login1      gpu01       train      Mar  1 10:00\n",
    "squeue": "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
    "            123456       gpu    train      ann  R    2:03:04      1 gpu-01\n",
    "snapshot of squeue": "JOBID    ACCOUNT    START_TIME             TRES_ALLOC\n"
    "5        ml         2026-01-05T10:00:00    cpu=4,gres/gpu=2\n",
    "qstat": "Job id            Name             User              Time Use S Queue\n"
    "----------------  ---------------- ----------------  -------- - -----\n"
    "1.server          train            ann               00:00:01 R gpu\n",
    "error message of sacct": "sacct: error: Problem talking to the database: Connection refused\n",
    "YAML": "jobs:\n- account: ml\n  job_id: 1\n  time:\n    start: 1709287200\n",
    "dmon -s u -o DT": "# gpu    sm   mem   enc   dec\n# Idx     %     %\n    0    95    40     0     0\n",
    "output of nvidia-smi dmon without": (
        "#Time        gpu    sm   mem\n#HH:MM:SS    Idx     %     %\n 10:00:00      0    95    40\n"
    ),
    "pmon": "#Date       Time        gpu        pid  type    sm   mem   command\n"
    "#YYYYMMDD   HH:MM:SS    Idx          #   C/G     %     %   name\n"
    " 20260105   10:00:00      0       1234     C    95    40   python\n",
    "sreport": f"{'-' * 80}\nCluster/Account/User Utilization 2026-01-01T00:00:00 - 2026-01-31T23:59:59"
    " (2678400 secs)\n"
    "Usage reported in TRES Hours\n  Cluster         Account     Login      TRES Name     Used\n",
    "condor_history": " ID     OWNER          SUBMITTED   RUN_TIME     ST COMPLETED   CMD\n"
    "   1.0   ann             1/5  09:59   0+02:00:00 C   1/5  12:00 /bin/x\n",
    "Flux": "       JOBID USER     NAME       ST NTASKS NNODES     TIME INFO\n"
    "   f2AB ann      train      CD      8      1   2h g1\n",
    "SageMaker": '{"TrainingJobSummaries": [{"TrainingJobName": "j1", "CreationTime": "2026-01-05T10:00:00+00:00"}]}',
    "output of SageMaker without": '{"TrainingJobName": "j1", "ResourceConfig": {"InstanceType": "ml.p4d.24xlarge"}}\n',
    "Azure ML": '[{"name": "b", "compute": "azureml:gpu", "resources": {"instance_count": 1}}]',
    "Vertex": '[{"displayName": "t", "jobSpec": {"workerPoolSpecs": [{"replicaCount": "2"}]}}]',
    "AWS Batch": '{"jobs": [{"jobId": "u1", "container": {"resourceRequirements": [{"value": "4", "t'
    'ype": "GPU"}]}}]}',
    "a Google Cloud bill": "billing_account_id,sku.description,usage_start_time,usage.amount\n01A,H100,2026,1\n",
    "gcloud": "NAME      REGION       END_TIMESTAMP                  STATUS\n"
    "a3-cud    us-central1  2028-01-01T00:00:00.000-08:00  ACTIVE\n",
    "seff": "Job ID: 12\nCluster: c1\nState: COMPLETED (exit code 0)\nNodes: 1\nCPU Utilized: 01:00:00\n",
    "reportseff": "     JobID    State       Elapsed  TimeEff   CPUEff   MemEff\n  24418435    RUNNING    1-20:59:"
    "12    2.7%   ---   ---\n",
    "sinfo": "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\ngpu*         up 2-00:00:00      4    mix gpu"
    "[01-04]\n",
    "without node names": "98 gpu:0\n3 gpu:2\n1 gpu:1\n",
    "Slurm partitions, which share nodes": "PartitionName=gpu AllowGroups=ALL Nodes=g[2-3] TRES=node=2,gres/gpu=8\n",
    "GPUs of jobs without times": "gpu:1\ngpu:2\n\ngpu:a100:1\n",
    "Cobalt": '"JOB_NAME","COBALT_JOBID","START_TIMESTAMP","END_TIMESTAMP","NODES_USED"\n"j","1","2022-01-01 0'
    '1:00:00","2022-01-01 02:00:00","1.0"\n',
    "qstat -f": "Job Id: 12.pbs01\n    Job_Name = train\n    job_state = F\n    Resource_List.ngpus = 8\n",
    "OAR": '{"12": {"Job_Id": 12, "startTime": 1711929913, "stopTime": 1711933513, "resources": [{"h'
    'ost": "c1"}], "proper'
    'ties": "gpu"}}',
    "pai_task_table": "job_name,inst_id,user,status,start_time,end_time\nab,i,u,Terminated,494618.0,497485.0\n",
    "GPU use of Philly's machines": "time,machineId,gpu0_util,gpu1_util\n2017-10-03 00:00:00 PDT,m1,31.6,NA\n",
    "list of Philly's machines": "machineId, number of GPUs, single GPU mem\nm0,2,12GB\n",
    "kubectl get jobs": '{"kind": "List", "items": [{"apiVersion": "batch/v1", "kind": "Job"'
    ', "status": {"startTime": "2'
    '026-01-05T10:00:00Z"}}]}',
    "list of Kubernetes controllers": '{"kind": "List", "items": [{"apiVersion": "kubeflow.org/v1", "kind": "PyTorc'
    'hJob", "spec": {"re'
    'plicas": 4}}]}',
    "output of kubectl describe": (
        "Name:               gpu-1\nRoles:              <none>\nCapacity:\n  nvidia.com/gpu:  8\n"
    ),
    "Kubecost costs": "Name,CPU,GPU,RAM,PV,Network,LB,Shared,Total cost,Efficiency\nml,$1"
    "0.00,$100.00,$4.00,$0,$0,$0,$"
    "0,$114.00,45%\n",
    "output of nvidia-smi -L": "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-1)\n"
    "  MIG 3g.40gb     Device  0: (UUID: MIG-1)\n",
    "a snapshot of nvidia-smi": (
        '<?xml version="1.0" ?>\n<nvidia_smi_log>\n<timestamp>x</timestamp>\n</nvidia_smi_log>\n'
    ),
    "rocm-smi": "device,GPU use (%),GPU memory use (%)\ncard0,50,10\n",
    "gpustat": '{"hostname": "n1", "query_time": "2026-01-05T10:00:00", "gpus": [{"index": 0, "utilization.gpu"'
    ": 50}]}",
    "Cost and Usage Report as a job log": "Subscription ID,Instance type,Number of instances,To"
    "tal asset hours,Used hours\n1,p4d.24xlarge,"
    "2,1488,818\n",
    "capacity reservations": '{"CapacityReservations": [{"InstanceType": "p5.48xlarge", "TotalInstanceCount": 4}]}',
    "reservation usage report": "ReservationOrderId,ReservationId,SkuName"
    ",ReservedHours,UsageDate,UsedHours\no,r,Standard_ND96as"
    "r_v4,24,2026-01-05,20\n",
    "its FOCUS view": "Billing account name,Billing account ID,SKU description,Usage start date,Usage amount,Cost ($)"
    "\nx,01,A100 GPU,2026-01-05,744,2000\n",
    "Google Cloud bill. Export": '{"billing_account_id": "01", "sku": {"id": "X"}, "usage_start_'
    'time": "2026-01-05 00:00:00 UTC"}'
    "\n",
    "Cost Explorer": "Instance Type,p4d.24xlarge($),Total costs($)\nInstance Type total,100,100\n",
    "AWS Cost Explorer sums": (
        '"Service","EC2-Instances($)","S3($)","Total costs($)"\n"Service total","1","2","3"\n'
    ),
    "AWS offer file": '"FormatVersion","v1.0"\n"OfferCode","AmazonEC2"\n"SKU","OfferTermCode",'
    '"PricePerUnit"\n"S","J",'
    '"98.3"\n',
    "terms in other columns": '{"formatVersion": "v1.0", "offerCode": "'
    'AmazonEC2", "terms": {"OnDemand": {"A": '
    '{"A.J": {"priceDimensions": {"A.J.6": {"pricePerUnit": {"USD": "98.3"}}}}}}}}',
    "Google Cloud SKU catalog": '{"skus": [{"skuId": "1", "description": "H100 running", "pricingInfo": [{}]}]}',
    "a GPU cloud's offers": '{"machines": [{"card": "H100", "dph_total": 2.99}]}',
    "database client's framed table": (
        "+--------+------+\n| job_id | gpus |\n+--------+------+\n| 1      |    8 |\n+--------+------+\n"
    ),
    "SkyPilot": "ID  NAME  SUBMITTED  STARTED  DURATION  RESOURCES  STATUS\n1   t     1 day ago  1 day    2h    "
    "    1x[A100:8] SUCCEEDED\n",
    "list of quotas": '{"quotas": [{"name": "gpu-h100", "gpus": {"limit": 64, "used": 16}}]}',
    "list of quotas, not of existing": '{"value": [{"currentValue": 96, "limit": 192, "name": {"value": "NDH100"}}]}',
    "list of reservations": "ReservationName=maint StartTime=2026-12-01T00:00:00 Duration=1-00:00:00\n",
    "reservations. Give it as": '{"reservations": [{"name": "m", "node_list": "g1"}]}',
    "It contains a list of reservations": "Resv ID         Queue         User     State\nR12.pbs  R12  ann  CO\n",
    "Slurm partitions": '{"partitions": [{"name": "gpu", "nodes": {"total": 4}}], "meta": {}}',
    "which share nodes": "PartitionName=gpu\n   AllowGroups=ALL\n   TRES=cpu=384,gres/gpu=32\n",
    "output of kubectl get nodes": "NAME    STATUS   ROLES    AGE   VERSION\ngpu-1   Ready    <none>   10d   v1.29.3\n",
    "output of kubectl top without": (
        "NAME    CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%\ngpu-1   250m   1%   1800Mi   9%\n"
    ),
    "output of kubectl get without": "NAME   COMPLETIONS   DURATION   AGE\ntrain  1/1   5m   3d\n",
    "output of sprio": "        JOBID PARTITION   PRIORITY       SITE\n          101 gpu             1000          0\n",
    "output of sshare": "Account|User|RawShares|NormShares\nml|ann|1|0.5\n",
    "output of sacctmgr without jobs": "Cluster|Account|User|Share|GrpTRES|QOS\nc1|ml|ann|1|gres/gpu=8|normal\n",
    "bjobs -A": "JOBID    ARRAY_SPEC  OWNER   NJOBS PEND DONE\n101      arr[1-9]   ann   9    0   9\n",
    "output of pbsnodes": "n1\n     Mom = n1\n     ntype = PBS\n     resources_available.ngpus = 8\n",
    "output of condor_q": "\n-- Schedd: s@h : <1.2.3.4:9618>\nOWNER BATCH_NAME    SUBMITTED   DONE\n",
    "output of nvidia-smi without times": "index, name, uuid, memory.total [MiB]\n0, NVIDIA A100, GPU-1, 81920 MiB\n",
    "an invoice": "INVOICE\nVela Cloud Inc.\nInvoice No: INV-1\nTotal: $102,316.80\n",
    "list of people": "Employee ID,Name,Department,Hire Date,Salary\n1,Ann,ML,2020-01-01,100000\n",
    "AWS instances": '{"Reservations": [{"Instances": [{"InstanceType": "p5.48xlarge"}]}]}',
    "nvidia-smi": "+---------+\n| NVIDIA-SMI 550.54.15   Driver Version: 550.54.15   CUDA Version: 12.4 |\n+---+\n",
}


@pytest.mark.parametrize("word", one_in(20, LISTINGS))
def test_a_listing_is_refused_by_its_name(tmp_path: Path, word: str) -> None:
    path = tmp_path / "listing.txt"
    path.write_text(LISTINGS[word])
    (refused,) = read_inputs([str(path)]).refused
    assert (refused.code, word in str(refused.what)) == ("not_a_job_log", True)
    assert "no known format" not in str(refused.what)


@pytest.mark.long
def test_a_table_of_many_sums_is_looked_at_in_no_time() -> None:
    """Patterns that can part a line in many ways took minutes for 20 columns."""
    script = (
        "from gpuplanner.files.importing.recognise import known_listing\n"
        "head = 'Service,' + ','.join(f'S{at}($)' for at in range(40)) + ',Total\\n2026-01-01,1\\n'\n"
        "assert known_listing(head) is None"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=20)


BILLS = (
    "Date,Service,Amount\n2026-01-31,H100 SXM compute,185000\n",
    "Invoice,Invoice date,Description,Quantity,Unit price,Amount\nI-1,2026-02-01,H100 GPU hours,84120,2.19,184222.8\n",
    "Date,Description,Hours,Rate,Amount\n2026-01-31,H100 SXM,46720,2.19,102316.80\n",
    "Period,Provider,Service,Usage,Unit,Charge (USD)\n2026-10,Vela,H100,46720,GPU-hours,102316.80\n",
    "Rechnungsdatum;Rechnungsnummer;Leistung;Betrag netto\n31.01.2026;R-1;GPU-Server H100;185.000,00\n",
)


@pytest.mark.parametrize("text", BILLS)
def test_a_bill_in_sums_is_no_price_list_and_says_what_to_give(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bill.csv"
    path.write_text(text)
    (file,) = check_file(str(path))
    assert file.kind == "unknown"
    assert "this bill has no GPUs and hours" in str(file.issues[0].message)


@pytest.mark.parametrize(
    "text",
    [
        "date,provider,gpu,quantity,price\n2026-01-01,Vela,H100,8,24\n2026-01-01,Vela,A100,8,12\n",
        "observed_at,provider,gpu,num_gpus,total_hourly,billing\n2026-01-01,Vela,H100,8,20.72,spot\n",
    ],
)
def test_a_dated_price_list_is_no_bill(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(text)
    assert check_file(str(path))[0].kind == "prices"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "it is empty"),
        ("\ufeff\n  \n", "it is empty"),
        ("[]\n", "it is empty"),
        ('{"items": []}', "list items is empty"),
    ],
)
def test_a_file_without_anything_is_empty(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "none.csv"
    path.write_text(text, encoding="utf-8")
    (file,) = check_file(str(path))
    assert str(file.issues[0].message) == f"{what}; export it again"


def test_a_project_is_one(demo_path: Path, tmp_path: Path) -> None:
    (file,) = check_file(str(demo_path))
    assert (file.kind, file.issues) == ("project", ())
    database = tmp_path / "other.db"
    with sqlite3.connect(database) as connection:
        connection.execute("create table jobs (id int)")
    (file,) = check_file(str(database))
    assert (file.kind, str(file.issues[0].message)) == ("unknown", "it is a database")


STATES = ("COMPLETED", "FAILED", "CANCELLED by 1001", "TIMEOUT")
ROWS = [
    f"2026-01-0{1 + n % 5}T0{n % 9}:00:00Z,2026-01-0{1 + n % 5}T1{n % 9}:00:00Z,{1 + n % 4}"
    for n in range(40)
]


def test_a_proposed_mapping_was_tried_on_the_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    ids = "".join(f"{STATES[n % 4]},{row}\n" for n, row in enumerate(ROWS))
    path.write_text(
        "jobid,begin,finish,gpu\n" + ids
    )  # states are no ids: few rows would be left of a large log
    (file,) = check_file(str(path))
    assert dict(file.facts)["mapping"] == "gpus=gpu,start=begin,end=finish"
    (read,) = check_file(str(path), ReadOptions(mapping=str(dict(file.facts)["mapping"])))
    assert (read.rows_accepted, read.rows_duplicate) == (40, 0)


def test_a_mapping_that_does_not_work_is_not_proposed(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("finish,begin,gpu\n" + "\n".join(ROWS))  # what is called an end lies before each start
    for file in check_file(str(path)):
        assert "mapping" not in dict(file.facts)
        assert "gpus=" not in str(file.issues[0].message).replace("gpus==1", "")


def test_a_list_of_people_is_nearest_to_no_table(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(
        "badge,start,end,status\n" + "".join(f"{n},2026-01-01,2026-05-01,active\n" for n in range(9))
    )
    assert "nearest to" not in str(check_file(str(path))[0].issues[0].message)


def test_a_known_listing_is_named_to_whom_gives_it_as_contracts(tmp_path: Path) -> None:
    path = tmp_path / "listing.txt"
    path.write_text(LISTINGS["output of kubectl get nodes"])
    (file,) = import_contracts([str(path)]).intake
    assert "output of kubectl get nodes" in str(file.issues[0].message)
