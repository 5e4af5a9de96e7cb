"""Listings that are known and lack what jobs need: what they are, and what to export in their place."""

import re
from typing import Final

_LETTERS_LOOKED_AT: Final = 4000

_SLURM: Final = "export the jobs with sacct -P"
_LSF: Final = "export the jobs with bacct -l and LSB_DISPLAY_YEAR=Y, or give lsb.acct"

_LISTINGS: Final = tuple(
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
            r"^NAME +REGION +END_TIMESTAMP +STATUS",
            "it is a listing of commitments without what they hold: export them with gcloud compute commitments "
            "list --format=json",
        ),
    )
)
"""How each begins, and what is said of it."""


def known_listing(head: str) -> str | None:
    """What a text is that no reader takes, and what to give instead; None where nobody knows it."""
    beginning = head[:_LETTERS_LOOKED_AT]
    return next((why for pattern, why in _LISTINGS if pattern.search(beginning)), None)
