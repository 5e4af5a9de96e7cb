"""What acting on the audit is worth: the leaks that no plan dismissed, each GPU-hour counted once."""

from dataclasses import dataclass

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import LeakStatus


@dataclass(frozen=True, slots=True)
class Worth:
    """GPU-hours in the window, $ per month (None: unknown), counted once. Law: all = open + dismissed."""

    all_gpu_hours: float
    all_usd_per_month: float | None
    open_gpu_hours: float
    open_usd_per_month: float | None
    dismissed: int
    dismissed_gpu_hours: float
    dismissed_usd_per_month: float | None


def dismissed_leaks(project: Project) -> frozenset[str]:
    """Ids of leaks that some plan dismissed: a reason was given why there is nothing to be had."""
    return frozenset(
        one.leak_id
        for plan in project.scenarios
        for one in plan.leak_decisions
        if one.status is LeakStatus.DISMISSED
    )


def worth_of(project: Project, audit: Audit) -> Worth:
    """What is open and what was dismissed of the list's total. An accepted leak is still to be acted on."""
    gone = dismissed_leaks(project)
    left = [leak for leak in audit.leaks if leak.leak_id not in gone]
    dropped = [leak for leak in audit.leaks if leak.leak_id in gone]
    return Worth(
        all_gpu_hours=sum(leak.counted_gpu_hours for leak in audit.leaks),
        all_usd_per_month=known_sum(leak.counted_usd_per_month for leak in audit.leaks),
        open_gpu_hours=sum(leak.counted_gpu_hours for leak in left),
        open_usd_per_month=known_sum(leak.counted_usd_per_month for leak in left),
        dismissed=len(dropped),
        dismissed_gpu_hours=sum(leak.counted_gpu_hours for leak in dropped),
        dismissed_usd_per_month=known_sum(leak.counted_usd_per_month for leak in dropped),
    )
