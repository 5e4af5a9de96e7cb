"""Why the figures of the paths of prices are what they are: by pool and model, and against knowing the path."""

from typing import Final

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.commitment.outlook_result import PathCost
from gpuplanner.domain.commitment.words.path_words import PATH_NAMES, PATH_WHERE, WAYS, worst_regret
from gpuplanner.domain.figures.plan import PATH
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.pool import POOL_TITLES

DOLLARS: Final = (TraceColumn(worded("$ in all"), "usd"),)


def path_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What a way to sign costs on a path. scope: the path; subject: the way, a field of PathCost."""
    cost = _path(evidence, scope)
    rows = [TraceRow(worded("Existing contracts, paid whatever is signed"), (cost.contracts_usd,))]
    rows += [
        TraceRow(
            worded(
                "{pool}, {gpu_model}",
                pool=POOL_TITLES[row.pool],
                gpu_model=row.gpu_model or worded("unknown model"),
            ),
            (getattr(row, subject),),
        )
        for row in cost.rows
    ]
    return summed(
        figure("path_usd", subject, scope),
        worded("{way}, prices: {path}", way=WAYS[subject], path=PATH_NAMES[scope]),
        getattr(cost, subject),
        "usd",
        worded(
            "Expected $ = contracts + of each pool what is signed now for its term, and after it the policy that knows "
            "prices, {where}",
            where=PATH_WHERE[scope],
        ),
        rows,
        said_as=PATH["expected"].unit.per,
        columns=DOLLARS,
    )


def path_wrong(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """How wrong a way to sign is at worst. subject: the way, a field of PathCost."""
    paths = evidence.outlook.price_paths if evidence.outlook is not None else ()
    worst = worst_regret(paths, subject)
    if worst is None:
        raise KeyError(subject)
    _, path = worst
    cost = _path(evidence, path)
    row = Inputs(
        {"expected": getattr(cost, subject), "least_expected": cost.best_usd},
        subject,
        worded("{way}, prices: {path}", way=WAYS[subject], path=PATH_NAMES[path]),
        opens={"expected": figure("path_usd", subject, path)},
    )
    return explained(PATH, "regret", row, worded("Of all paths it is the one that is worst for it."))


def _path(evidence: PlanEvidence, name: str) -> PathCost:
    """Errors: StopIteration where the paths are not worked out."""
    paths = evidence.outlook.price_paths if evidence.outlook is not None else ()
    return next(one for one in paths if one.path == name)
