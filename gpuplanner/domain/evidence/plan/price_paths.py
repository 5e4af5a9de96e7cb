"""Answers about paths of prices: cost and regret of each policy of signing."""

from typing import Final

from gpuplanner.domain.commitment.outlook_result import PathCost
from gpuplanner.domain.commitment.words.price_paths import PATH_NAMES, PATH_WHERE, WAYS, worst_regret
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.figures.plan import PATH
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import POOL_TITLES

WHY: Final = Answers[PlanEvidence]()


@WHY.gives("path_usd")
def path_usd(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """What a way to sign costs on a path. scope: the path; subject: the way, a field of PathCost."""
    cost = _path(evidence, scope)
    rows = [trace.TraceRow(worded("Existing contracts, paid in any case"), (cost.contracts_usd,))]
    for row in cost.rows:
        model = row.gpu_model or worded("unknown model")
        name = worded("{pool}, {model}", pool=POOL_TITLES[row.pool], model=model)
        rows.append(trace.TraceRow(name, (getattr(row, subject),)))
    return trace.summed(
        worded("{way}, prices: {path}", way=WAYS[subject], path=PATH_NAMES[scope]),
        getattr(cost, subject),
        "usd",
        worded(
            (
                "Expected $ = contracts + each pool's current orders, then the policy with known prices, "
                "{where}"
            ),
            where=PATH_WHERE[scope],
        ),
        rows,
        (trace.TraceColumn(worded("$ in all"), "usd"),),
        said_as=PATH["expected"].unit.per,
    )


@WHY.explains(PATH, "regret")
def path_wrong(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """How wrong a way to sign is at worst. subject: the way, a field of PathCost."""
    worst = worst_regret(evidence.outlook.price_paths, subject)
    if worst is None:
        raise KeyError(subject)
    cost = _path(evidence, worst.path)
    return Inputs(
        values={"expected": getattr(cost, subject), "least_expected": cost.best_usd},
        name=subject,
        title=worded("{way}, prices: {path}", way=WAYS[subject], path=PATH_NAMES[worst.path]),
        opens={"expected": trace.figure("path_usd", subject, worst.path)},
        note=worded("Its worst path."),
    )


def _path(evidence: PlanEvidence, name: str) -> PathCost:
    """Errors: StopIteration where the paths are not worked out."""
    return next(path for path in evidence.outlook.price_paths if path.path == name)
