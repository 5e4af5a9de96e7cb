"""What acting on the audit is worth: the leaks that no plan dismissed, each GPU-hour counted once."""

from dataclasses import dataclass

from gpuplanner.domain.audit.leaks.leak_list import total_of
from gpuplanner.domain.audit.result import Audit, LeakTotal
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import LeakStatus


@dataclass(frozen=True, slots=True)
class Worth:
    """What all leaks count, those that no plan dismissed, and the others. Law: all = open + dismissed."""

    all: LeakTotal
    open: LeakTotal
    dismissed: LeakTotal


def dismissed_leaks(project: Project) -> frozenset[str]:
    """Ids of leaks that some plan dismissed: a reason was given why there is nothing to be had.

    A leak that one plan dismissed and another accepted is among them.
    """
    return frozenset(
        one.leak_id
        for plan in project.scenarios
        for one in plan.leak_decisions
        if one.status is LeakStatus.DISMISSED
    )


def worth_of(project: Project, audit: Audit) -> Worth:
    """What is open and what was dismissed of the list's total. An accepted leak is still to be acted on.

    Units: GPU-hours and $ a month; None where a rate is missing.
    """
    gone, months = dismissed_leaks(project), project.window.months
    return Worth(
        total_of(audit.leaks, months),
        total_of([leak for leak in audit.leaks if leak.leak_id not in gone], months),
        total_of([leak for leak in audit.leaks if leak.leak_id in gone], months),
    )
