"""The table of recognisers: every dialect of job log that is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs import (
    kubernetes_pods,
    kueue,
    lsf,
    openb,
    opencost,
    own_csv,
    pbs,
    philly,
    ray,
    sacct,
)
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.source import Source


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of log: its format name, how sure it is of a beginning (0..1), and how its rows are read.

    kind: jobs, or billing where it is a bill whose usage stands in for a log. facts: what else the file says of
    itself, for `check`; it may read the file again.
    """

    format: str
    title: str
    sniff: Callable[[str], float]
    rows: Callable[[Source, Engine, str], JobTable]
    kind: str = "jobs"
    facts: Callable[[Source], Facts] | None = None


DIALECTS: Final = (
    Dialect(own_csv.FORMAT, "job log", own_csv.sniff, own_csv.rows),
    Dialect(sacct.FORMAT, "Slurm sacct export", sacct.sniff, sacct.rows),
    Dialect(kubernetes_pods.FORMAT, "list of Kubernetes pods", kubernetes_pods.sniff, kubernetes_pods.rows),
    Dialect(opencost.FORMAT, "Kubecost or OpenCost allocation", opencost.sniff, opencost.rows),
    Dialect(openb.FORMAT, "list of openb's pods", openb.sniff, openb.rows, facts=openb.facts),
    Dialect(philly.FORMAT, "trace of a deep-learning cluster", philly.sniff, philly.rows),
    Dialect(lsf.FORMAT, "LSF accounting log", lsf.sniff, lsf.rows),
    Dialect(pbs.FORMAT, "PBS accounting log", pbs.sniff, pbs.rows),
    Dialect(ray.FORMAT, "list of Ray jobs", ray.sniff, ray.rows),
    Dialect(kueue.FORMAT, "list of Kueue workloads", kueue.sniff, kueue.rows),
)
