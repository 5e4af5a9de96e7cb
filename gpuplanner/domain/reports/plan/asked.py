"""What vendors are asked for on a day: the rows of a request for what an evaluated plan orders."""

from collections.abc import Mapping

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.requests.asked_rows import AskedRow
from gpuplanner.domain.commitment.requests.numbered_rows import asked_in
from gpuplanner.domain.evaluation import Evaluation, scenario_named


def asked_on(evaluation: Evaluation, sold_in: Mapping[str, int], today_s: int) -> tuple[AskedRow, ...]:
    """The rows of an evaluation with its advice; sold_in, today_s: as of `asked_in`.

    Errors: ValueError where there is no advice yet.
    """
    if evaluation.advice is None:
        raise ValueError("request: the evaluation has no advice; advise first")
    project = evaluation.in_parts.project
    scenario = scenario_named(project, evaluation.scenario)
    pools = evaluation.figures.workload_pools
    ground = ground_of(project, scenario, pools, AdviceCache(), evaluation.advice.classes)
    return asked_in(ground, evaluation.advice.orders, sold_in, today_s)
