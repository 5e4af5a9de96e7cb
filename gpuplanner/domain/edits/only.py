"""Who alone may serve a workload, as the planner says it."""

from collections.abc import Collection
from dataclasses import replace

from gpuplanner.domain.edits.find import plan_named, planned_keys, require_workloads, with_plan
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, Only, check_only
from gpuplanner.domain.model.project import Project


def limit_workloads(project: Project, scenario: str, keys: Collection[str], only: Only) -> Project:
    """Workloads of a plan, or work planned in it, that only some may serve; ANYBODY takes the limit back.

    The names are kept as offers and contracts spell them. Errors: PlannerError for Today, an unknown plan or workload,
    or a name that is none.
    """
    plan = plan_named(project, scenario)
    planned = planned_keys(project, plan)
    require_workloads(project, (key for key in keys if key not in planned))
    limits = dict(plan.only)
    for key in keys:
        spelled = check_only(key, _spelled(project, only))
        if spelled == ANYBODY:
            limits.pop(key, None)
        else:
            limits[key] = spelled
    return with_plan(project, plan, replace(plan, only=limits))


def providers_and_regions(project: Project) -> tuple[list[str], list[str]]:
    """What offers and contracts name, each once, sorted.

    As they are written, without blanks around them; empty ones left out.
    """
    both: tuple[Offer | Contract, ...] = (*project.offers, *project.contracts)
    providers = {one.provider.strip() for one in both if one.provider and one.provider.strip()}
    regions = {one.region.strip() for one in both if one.region and one.region.strip()}
    return sorted(providers), sorted(regions)


def _spelled(project: Project, only: Only) -> Only:
    """The limit in the spelling of offers and contracts; a name that none of them has as it is."""

    def of(name: str, known: list[str]) -> str:
        wanted = name.strip().casefold()
        return next((one for one in known if one.casefold() == wanted), name.strip())

    providers, regions = providers_and_regions(project)
    return Only(of(only.provider, providers), of(only.region, regions))
