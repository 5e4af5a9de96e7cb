"""Files that are known and hold no jobs, contracts or prices: what they are, and what to export."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.intake import KIND as INTERRUPTIONS
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.activity import prometheus, sonar_samples
from gpuplanner.files.job_logs.judging import tres_names
from gpuplanner.files.lists import (
    interruptions,
    node_lists,
    place_facts,
    place_tables,
    planner_lists,
    served_models,
    traffic_tables,
)
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.table_kind import TableKind

# --- Listings that are known and lack what jobs need: what they are, and what to export in their place

_LETTERS_LOOKED_AT: Final = 4000

_TABLE: Final = "give a table with job_id, gpus, start and end of each job"
_SLURM: Final = "export the jobs with sacct -P"
_LSF: Final = "export the jobs with bacct -l and LSB_DISPLAY_YEAR=Y, or give lsb.acct"

_CONTRACTS: Final = "give a table with contract_id, gpus, rate_usd_per_gpu_hour, start and end of each"
_PRICES: Final = "give a table with provider, GPU model, GPUs and price per hour of each"

LISTINGS: Final = tuple(
    (re.compile(pattern, re.M | re.I), why)
    for pattern, why in (
        (
            r"^\s*Accounting information about jobs that are\s*:",
            f"it is a summary by bacct, without its jobs: {_LSF}",
        ),
        (
            r"^\s*JOBID +USER +(?:STAT|JOB_NAME|QUEUE) ",
            f"it is a listing of LSF, without GPUs and the times of jobs: {_LSF}",
        ),
        (
            r"^\s*JOBID +.*\bTRES_(?:ALLOC|PER_NODE|PER_JOB)\b",
            f"it is a listing of squeue, of jobs of one moment: {_SLURM}, or squeue --json",
        ),
        (
            r"^\s*JOBID +PARTITION +NAME +USER ",
            f"it is a listing of squeue, without GPUs and the times of jobs: {_SLURM}, or squeue --json",
        ),
        (
            r"^\s*Job id +(?:Name|Username|User) ",
            "it is a listing of qstat, without GPUs and the times of jobs: give the accounting logs of PBS",
        ),
        (
            r"^\s*(?:job-ID|job_id) +prior +name +user ",
            "it is a listing of Grid Engine, without GPUs and ends of jobs: give a table of its accounting",
        ),
        (
            r"^\s*sacct: (?:error|fatal): ",
            f"it is what sacct says where it cannot answer: {_SLURM} again",
        ),
        (
            r"^(?:---\s*\n)?jobs:\s*\n\s*- [\w-]+:",
            "it is Slurm's YAML: export it with --json in place of --yaml",
        ),
        (
            r"^\|\s*NVIDIA-SMI [\d.]+",
            "it is the table of nvidia-smi, of one moment: log it with nvidia-smi "
            "--query-gpu=timestamp,index,utilization.gpu --format=csv -l 60",
        ),
        (
            r"^# *(?:Date,? +)?(?:Time,? +)?gpu,? +pid\b",
            "it is what nvidia-smi pmon prints of processes, whose jobs it does not say: log GPUs with nvidia-smi dmon "
            "-s u -o DT -d 60",
        ),
        (
            r"^# *(?:Date,? +)?(?:Time,? +)?gpu,? +(?:pwr|sm|gtemp|mclk|fb|rxpci)\b",
            "it is what nvidia-smi dmon prints, without its dates or without the monitor sm: log it with "
            "nvidia-smi dmon -s u -o DT -d 60",
        ),
        (
            r"^(?:Cluster|Account|User|Top|Job|Reservation)\b.* Utilization .*\(\d+ secs\)|^Usage reported in ",
            f"it is a report of sreport, of sums without jobs: {_SLURM}",
        ),
        (
            r"^ *ID +OWNER +SUBMITTED +RUN_TIME +ST ",
            "it is a listing of condor_history, without GPUs and the starts of jobs: export it with "
            "condor_history -json",
        ),
        (
            r"^ *JOBID +USER +NAME +ST +NTASKS ",
            "it is a listing of Flux, without GPUs and the times of jobs: export it with flux jobs -a --json",
        ),
        (
            r'"TrainingJobSummaries"\s*:',
            "it is SageMaker's list of training jobs, without their machines: give the bill of the account, or "
            f"describe each job; {_TABLE}",
        ),
        (
            r'"TrainingJobName"\s*:|"ResourceConfig"\s*:\s*\{\s*"InstanceType"',
            "it is SageMaker's description of training jobs, which counts instances and not GPUs: give the bill of the "
            f"account, or {_TABLE}",
        ),
        (
            r'"compute"\s*:\s*"azureml:|"instance_type"\s*:\s*"Standard_N',
            f"it is Azure ML's list of jobs, without when they ran and their GPUs: give the bill, or {_TABLE}",
        ),
        (
            r'"workerPoolSpecs"\s*:',
            "it is Vertex AI's list of jobs, whose GPUs are of each replica of each pool: give the bill in FOCUS, or "
            f"{_TABLE}, with GPUs times replicas",
        ),
        (
            r'"resourceRequirements"\s*:\s*\[',
            "it is AWS Batch's description of jobs, whose GPUs are a text in a list: give the bill of the account, or "
            f"{_TABLE}",
        ),
        (
            r"^(?=.*\bbilling_account_id\b)(?=.*\bsku[._]description\b)(?=.*\busage[._]amount\b)",
            "it is Google Cloud's billing export, which is not read: export its FOCUS view",
        ),
        (
            r"^Job ID: \d+[\s\S]*?^(?:Cluster|State|Nodes): ",
            f"it is what seff prints of one job, without its start and its GPUs: {_SLURM}",
        ),
        (
            r"^\s*JobID +State +Elapsed +(?:TimeEff|CPUEff)",
            f"it is a report of reportseff, without the starts and the GPUs of jobs: {_SLURM}",
        ),
        (
            r"^\s*PARTITION +AVAIL +TIMELIMIT ",
            f"it is a listing of sinfo, of partitions and not of jobs: {_SLURM}",
        ),
        (
            r'^(?=.*"?COBALT_JOBID)(?=.*NODES_USED)',
            "it is a log of Cobalt, which counts nodes and cores and no GPUs: add a column of GPUs, nodes times "
            "those of each, and name the columns with --map",
        ),
        (
            r"^Job Id: \S+\s*\n +Job_Name = |^\s*\{\s*\"timestamp\" *: *\d+ *,\s*\"pbs_version\"",
            "it is what qstat -f says of jobs, whose times are the server's own words: give the accounting logs of PBS",
        ),
        (
            r'"(?:startTime|start_time)" *: *\d+[\s\S]{0,400}"(?:stopTime|stop_time)" *: *\d+[\s\S]{0,400}'
            r'"properties" *:',
            f"it is a list of OAR's jobs, whose GPUs are those of its resources: {_TABLE}",
        ),
        (
            r"^\s*\S*job_name,task_name,inst_name,worker_name,inst_id,status|^\s*\S*job_name,inst_id,user,status,",
            "it is a table of the PAI trace without GPUs, which its tasks have: give pai_task_table",
        ),
        (
            r"^time,machineId,gpu0_util",
            "it is the GPU use of Philly's machines, which names no job and whose clock is not that of the jobs: give "
            "cluster_job_log",
        ),
        (
            r"^machineId, *number of GPUs",
            "it is the list of Philly's machines, and not of jobs: give cluster_job_log",
        ),
        (
            r'"apiVersion" *: *"(?:batch/v1|jobset\.x-k8s\.io/\w+)"',
            "it is Kubernetes' list of jobs, which have GPUs and times from their pods: export those with kubectl "
            "get pods -A -o json",
        ),
        (
            r'\A(?=[\s\S]*"apiVersion")[\s\S]*"kind" *: *"(?:PyTorchJob|TFJob|MPIJob|XGBoostJob|PaddleJob|JAXJob'
            r"|TrainJob|RayCluster|RayJob|RayService|InferenceService|LeaderWorkerSet|Deployment|StatefulSet|DaemonSet|ReplicaSet|Notebook|Service"
            r'|PodGroup|Queue|ClusterQueue|ResourceQuota|Namespace|NodePool)"',
            "it is Kubernetes' list of what makes pods, and not of the pods that ran: export those with kubectl get "
            "pods -A -o json",
        ),
        (
            r"^Name: +\S+\s*\n(?:.*\n){0,40}?(?:Capacity|Allocatable|Containers|Node):",
            "it is what kubectl describes: export the pods with kubectl get pods,nodes -A -o json",
        ),
        (
            r"^\"?Name\"?,(?:\"?[\w /]+\"?,)*\"?GPU\"?,(?:\"?[\w /]+\"?,)*\"?(?:Total cost|Efficiency)\"?",
            "it is Kubecost's table of costs, without GPU-hours and times: export the allocation API's answer, or its "
            "CSV with start, end and gpuHours",
        ),
        (
            r"^GPU \d+: .*\(UUID: GPU-",
            "it is nvidia-smi's list of GPUs, without what they did: log it with nvidia-smi "
            "--query-gpu=timestamp,index,utilization.gpu --format=csv -l 60",
        ),
        (
            r"<nvidia_smi_log>|^=+NVSMI LOG=+",
            "it is the full report of nvidia-smi, of one moment: log it with nvidia-smi "
            "--query-gpu=timestamp,index,utilization.gpu --format=csv -l 60",
        ),
        (
            r"^device,(?:.*,)?GPU use \(%\)|^=+ ROCm System Management Interface =+",
            "it is what rocm-smi says of one moment, without its time: export GPU activity as a range from "
            "Prometheus, or as CSV with time, host, gpu and value",
        ),
        (
            r'"query_time" *: *"[^"]+"[\s\S]*"utilization\.gpu"',
            "it is what gpustat says of one moment: log it with nvidia-smi "
            "--query-gpu=timestamp,index,utilization.gpu --format=csv -l 60",
        ),
        (
            r"^Subscription ID,(?:.*,)?(?:Used hours|Total asset hours)\b",
            "it is AWS's report of how reservations were used: export them with aws ec2 describe-reserved-instances, "
            "and give the Cost and Usage Report as usage",
        ),
        (
            r'"CapacityReservations" *: *\[',
            f"it is AWS's list of capacity reservations, which tells no rates: {_CONTRACTS}",
        ),
        (
            r"^ReservationOrderId,ReservationId,(?:.*,)?UsedHours\b|^(?:.*,)?ReservedHours,(?:.*,)?UsedHours,",
            "it is Azure's report of how reservations were used: export the reservations themselves, and give the cost "
            "details as usage",
        ),
        (
            r"^(?=.*\bBilling account ID\b)(?=.*\bSKU description\b)(?=.*\bUsage amount\b)",
            "it is Google Cloud's cost table, which is not read: export its FOCUS view",
        ),
        (
            r'\A(?=[\s\S]*"billing_account_id" *:)(?=[\s\S]*"sku" *:)(?=[\s\S]*"usage_start_time" *:)',
            "it is Google Cloud's billing export, which is not read: export its FOCUS view",
        ),
        (
            r"^\"?(?:Service|Instance Type|Region|Linked account|Usage type)\"?,(?:[^\n,]*\(\$\)\"?,?)+\s*$",
            "it is a table of AWS's Cost Explorer, of sums without usage: give the Cost and Usage Report",
        ),
        (
            r'^"?FormatVersion"?,"?v[\d.]+"?\s*\n(?:.*\n){0,6}?"?SKU"?,"?OfferTermCode"?',
            f"it is AWS's file of offers, in which a price is of a term that other columns name: {_PRICES}",
        ),
        (
            r'"retailPrice" *: *[\d.]+',
            "it is what Azure's retail prices API answers, in which a reservation is priced for its whole term: "
            f"{_PRICES}",
        ),
        (
            r'"(?:securePrice|communityPrice|lowestPrice|price_cents_per_hour|dph_total)" *: ',
            f"it is what the API of a GPU cloud says of its offers: {_PRICES}",
        ),
        (
            r"^\+[-=+]{5,}\+\s*\n\|",
            "it is a table in a frame, as a client prints it: write it as CSV or, of MySQL, with --batch",
        ),
        (
            r"^timestamp,gpu_index,utilization_gpu_pct",
            "it is the GPU use of one job or node, which its rows do not name: give a table with timestamp, host, gpu "
            "and DCGM_FI_DEV_GPU_UTIL, or of nvidia-smi",
        ),
        (
            r"^ *ID +(?:TASK +)?NAME +(?:RESOURCES +)?SUBMITTED ",
            f"it is a listing of SkyPilot, whose times are words: {_TABLE}",
        ),
        (
            r"^NAME +REGION +END_TIMESTAMP +STATUS",
            "it is a listing of commitments without what they hold: export them with gcloud compute commitments "
            "list --format=json",
        ),
    )
)
"""How each begins, and what is said of it."""


def known_listing(head: str) -> Message | None:
    """What a text is that no reader takes, and what to give instead; None where nobody knows it."""
    beginning = head[:_LETTERS_LOOKED_AT]
    return next((worded(why) for pattern, why in LISTINGS if pattern.search(beginning)), None)


# --- Files that are no log, contract or price list and yet are known: said what they are, not taken for others


@dataclass(frozen=True, slots=True)
class DescribedKind:
    """kind: as in docs/interface.md, "intake.files[]"; format: empty where it has no name; why: words.

    describe: every row counted, and the facts of the file.
    """

    kind: str
    format: str
    why: Message
    sniff: Callable[[str], float]
    describe: Callable[[Source], FileIntake]


def _of_table(kind: TableKind[Any]) -> DescribedKind:
    """A kind of table as a kind of file that is described, with its own test and description."""
    return DescribedKind(kind.kind, kind.format, kind.why, kind.sniff, kind.describe)


DESCRIBED: Final[tuple[DescribedKind, ...]] = (
    *(
        _of_table(kind)
        for kind in node_lists.NODE_KINDS
        if kind.format != sonar_samples.INVENTORY_FORMAT  # which says more of its cards
    ),
    DescribedKind(tres_names.KIND, tres_names.FORMAT, tres_names.WHY, tres_names.sniff, tres_names.describe),
    _of_table(planner_lists.RULES),
    *(
        DescribedKind(
            traffic_tables.KIND,
            form.format,
            form.why,
            partial(traffic_tables.sniff, form=form),
            partial(traffic_tables.describe, form=form),
        )
        for form in traffic_tables.FORMS
    ),
    _of_table(traffic_tables.WEEK),
    DescribedKind(served_models.KIND, "", served_models.WHY, served_models.sniff, served_models.describe),
    *(
        DescribedKind(INTERRUPTIONS, name, interruptions.WHY[name], sniff, interruptions.describe)
        for name, sniff in (
            (interruptions.OWN, interruptions.sniff),
            (interruptions.TRACE, interruptions.sniff_trace),
        )
    ),
    _of_table(planner_lists.PLANNED),
    _of_table(planner_lists.BUDGETS),
    _of_table(planner_lists.BUSINESS),
    *(
        DescribedKind(
            each.kind,
            each.format,
            each.why,
            partial(place_tables.sniff, kind=each),
            partial(place_tables.describe, kind=each),
        )
        for each in place_tables.PLACE_KINDS
    ),
    _of_table(place_facts.REGIONS),
    _of_table(place_facts.COUNTRIES),
    _of_table(place_facts.CARBON),
    DescribedKind(
        node_lists.KIND,
        sonar_samples.INVENTORY_FORMAT,
        sonar_samples.WHY_INVENTORY,
        sonar_samples.sniff_inventory,
        sonar_samples.describe_inventory,
    ),
    DescribedKind(
        "unknown",
        prometheus.METRIC_LIST_FORMAT,
        prometheus.WHY_METRIC_LIST,
        prometheus.sniff_metric_list,
        prometheus.describe_metric_list,
    ),
)
"""The table of them."""
