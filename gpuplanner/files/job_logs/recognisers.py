"""The table of recognisers: every dialect of job log that is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.log.intake import Facts
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.files.job_logs.bills import (
    aws_cur,
    azure_cost,
    focus_bill,
    oci_cost,
)
from gpuplanner.files.job_logs.dialects import (
    clearml,
    condor,
    lsf,
    openb,
    own_csv,
    pai,
    pbs,
    philly,
    ray,
    sge,
    swf,
    wandb,
)
from gpuplanner.files.job_logs.judging.job_table import JobTable
from gpuplanner.files.job_logs.kubernetes import (
    kubernetes_pods,
    kueue,
    opencost,
    runai,
    volcano,
)
from gpuplanner.files.job_logs.slurm import (
    sacct,
    sacct_json,
    slurm2sql,
    slurm_database,
    sonar_json,
    sonar_kv,
    xdmod,
)
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of log: its format name, how sure it is of a beginning (0..1), and how its rows are read.

    kind: jobs, or billing where it is a bill whose usage stands in for a log. facts: what else the file says of
    itself, for `check`; it may read the file again.
    """

    format: str
    title: Worded
    sniff: Callable[[str], float]
    rows: Callable[[Source, Engine, str], JobTable]
    kind: str = "jobs"
    facts: Callable[[Source], Facts] | None = None


DIALECTS: Final = (
    Dialect(own_csv.FORMAT, worded("job log"), own_csv.sniff, own_csv.rows),
    Dialect(sacct.FORMAT, worded("Slurm sacct export"), sacct.sniff, sacct.rows),
    Dialect(sacct_json.FORMAT, worded("Slurm export in JSON"), sacct_json.sniff, sacct_json.rows),
    Dialect(sonar_kv.FORMAT, worded("Slurm export of key=value"), sonar_kv.sniff, sonar_kv.rows),
    Dialect(sonar_json.FORMAT, worded("list of Slurm jobs by sonar"), sonar_json.sniff, sonar_json.rows),
    Dialect(slurm2sql.FORMAT, worded("export of slurm2sql"), slurm2sql.sniff, slurm2sql.rows),
    Dialect(
        slurm_database.FORMAT,
        worded("table of jobs of Slurm's database"),
        slurm_database.sniff,
        slurm_database.rows,
    ),
    Dialect(xdmod.FORMAT, worded("shredder file of Open XDMoD"), xdmod.sniff, xdmod.rows),
    Dialect(
        focus_bill.FORMAT,
        focus_bill.FORM.title,
        focus_bill.sniff,
        focus_bill.rows,
        "billing",
        focus_bill.facts,
    ),
    Dialect(aws_cur.FORMAT, aws_cur.FORM.title, aws_cur.sniff, aws_cur.rows, "billing", aws_cur.facts),
    Dialect(
        azure_cost.FORMAT,
        azure_cost.FORM.title,
        azure_cost.sniff,
        azure_cost.rows,
        "billing",
        azure_cost.facts,
    ),
    Dialect(oci_cost.FORMAT, oci_cost.FORM.title, oci_cost.sniff, oci_cost.rows, "billing", oci_cost.facts),
    Dialect(
        kubernetes_pods.FORMAT, worded("list of Kubernetes pods"), kubernetes_pods.sniff, kubernetes_pods.rows
    ),
    Dialect(opencost.FORMAT, worded("Kubecost or OpenCost allocation"), opencost.sniff, opencost.rows),
    Dialect(openb.FORMAT, worded("list of openb's pods"), openb.sniff, openb.rows, facts=openb.facts),
    Dialect(philly.FORMAT, worded("trace of a deep-learning cluster"), philly.sniff, philly.rows),
    Dialect(pai.FORMAT, worded("task table of the PAI trace"), pai.sniff, pai.rows),
    Dialect(lsf.FORMAT, worded("LSF accounting log"), lsf.sniff, lsf.rows),
    Dialect(pbs.FORMAT, worded("PBS accounting log"), pbs.sniff, pbs.rows),
    Dialect(condor.FORMAT, worded("list of HTCondor's jobs"), condor.sniff, condor.rows),
    Dialect(ray.FORMAT, worded("list of Ray jobs"), ray.sniff, ray.rows),
    Dialect(kueue.FORMAT, worded("list of Kueue workloads"), kueue.sniff, kueue.rows),
    Dialect(sge.FORMAT, worded("Grid Engine accounting log"), sge.sniff, sge.rows),
    Dialect(runai.FORMAT, worded("list of Run:ai workloads"), runai.sniff, runai.rows),
    Dialect(volcano.FORMAT, worded("list of Volcano's jobs"), volcano.sniff, volcano.rows),
    Dialect(clearml.FORMAT, worded("list of ClearML tasks"), clearml.sniff, clearml.rows),
    Dialect(wandb.FORMAT, worded("list of Weights & Biases runs"), wandb.sniff, wandb.rows),
    Dialect(swf.FORMAT, worded("log in the Standard Workload Format"), swf.sniff, swf.rows),
)
