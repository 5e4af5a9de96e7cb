"""Listings that are known and lack what jobs need: what they are, and what to export in their place."""

import re
from typing import Final

from gpuplanner.domain.model.worded import Worded, worded

_LETTERS_LOOKED_AT: Final = 4000

_TABLE: Final = "give a table with job_id, gpus, start and end of each job"
_SLURM: Final = "export the jobs with sacct -P"
_LSF: Final = "export the jobs with bacct -l and LSB_DISPLAY_YEAR=Y, or give lsb.acct"

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
            r"^qname +\S.*\n(?:.*\n){0,12}?jobnumber +\d",
            "it is Grid Engine's qacct, which does not say whether a GPU asked for is one of the job or of each slot: "
            f"{_TABLE}",
        ),
        (
            r"^(?:#.*\n)*[^:\s]+:[^:\s]+:[^:]*:[^:]*:[^:]*:\d+:[^:]*:-?\d+:\d{9,13}:\d+:\d+:\d+:\d+:",
            "it is Grid Engine's accounting file, which does not say whether a GPU asked for is one of the job or of "
            f"each slot: {_TABLE}",
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
            r'"apiVersion"\s*:\s*"batch\.volcano\.sh/',
            "it is Volcano's list of jobs, without when their pods ran: export those with kubectl get pods -A -o json",
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
            r"^NAME +REGION +END_TIMESTAMP +STATUS",
            "it is a listing of commitments without what they hold: export them with gcloud compute commitments "
            "list --format=json",
        ),
    )
)
"""How each begins, and what is said of it."""


def known_listing(head: str) -> Worded | None:
    """What a text is that no reader takes, and what to give instead; None where nobody knows it."""
    beginning = head[:_LETTERS_LOOKED_AT]
    return next((worded(why) for pattern, why in LISTINGS if pattern.search(beginning)), None)
