"""The table of recognisers: every dialect of job log that is read."""

from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.job_logs import (
    aws_cur,
    azure_cost,
    clearml,
    condor,
    focus,
    kubernetes_pods,
    kueue,
    lsf,
    oci_cost,
    openb,
    opencost,
    own_csv,
    pai,
    pbs,
    philly,
    ray,
    runai,
    sacct,
    sacct_json,
    sge,
    slurm2sql,
    slurm_database,
    sonar_json,
    sonar_kv,
    swf,
    volcano,
    wandb,
    xdmod,
)
from gpuplanner.files.job_logs.judging.dialect import Dialect

DIALECTS: Final[tuple[Dialect, ...]] = (
    own_csv.DIALECT,
    sacct.DIALECT,
    sacct_json.DIALECT,
    sonar_kv.DIALECT,
    sonar_json.DIALECT,
    slurm2sql.DIALECT,
    slurm_database.DIALECT,
    xdmod.DIALECT,
    focus.DIALECT,
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
