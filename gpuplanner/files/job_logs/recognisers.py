"""The table of recognisers: every dialect of job log that is read."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
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
from gpuplanner.files.job_logs.judging.dialect import Dialect
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

DIALECTS: Final[tuple[Dialect, ...]] = (
    own_csv.DIALECT,
    sacct.DIALECT,
    sacct_json.DIALECT,
    sonar_kv.DIALECT,
    sonar_json.DIALECT,
    slurm2sql.DIALECT,
    slurm_database.DIALECT,
    xdmod.DIALECT,
    focus_bill.DIALECT,
    aws_cur.DIALECT,
    azure_cost.DIALECT,
    oci_cost.DIALECT,
    kubernetes_pods.DIALECT,
    opencost.DIALECT,
    openb.DIALECT,
    philly.DIALECT,
    pai.DIALECT,
    lsf.DIALECT,
    pbs.DIALECT,
    condor.DIALECT,
    ray.DIALECT,
    kueue.DIALECT,
    sge.DIALECT,
    runai.DIALECT,
    volcano.DIALECT,
    clearml.DIALECT,
    wandb.DIALECT,
    swf.DIALECT,
)
"""Of two that are as sure of a file and accept as many of its first rows, the first."""


def dialect_named(name: str, mapped: str) -> Dialect:
    """The dialect with this id. mapped: what else may be said where there is none. Errors: PlannerError usage."""
    for dialect in DIALECTS:
        if dialect.format == name:
            return dialect
    known = ", ".join(dialect.format for dialect in DIALECTS)
    remedy = worded("use one of {known}, or {mapped}", known=known, mapped=mapped)
    raise PlannerError(repr(name), "usage", worded("no such format of job log"), remedy)
