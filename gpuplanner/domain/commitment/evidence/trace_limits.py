"""Why a limit of the planner costs what it does: the plan, and the plan without it."""

from collections.abc import Callable

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, figure
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.figures.plan import LIMIT
from gpuplanner.domain.message import joined


def of_limit(key: str) -> Callable[[PlanEvidence, str, str], Trace]:
    """The answer for what a limit costs, a month or in twelve; subject: the limit in words, in either case."""

    def answer(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
        """Errors: StopIteration where no such limit is set, or what it costs is not worked out yet."""
        limits = evidence.outlook.limits if evidence.outlook is not None else ()
        one = next(row for row in limits if str(row.limit.words).casefold() == subject.casefold())
        row = Inputs(one.inputs, subject, one.limit.words, opens={"plan": figure("plan_usd")})
        note = joined(filter(None, (one.why, LIMIT[key].note)), ". ") if one.why else LIMIT[key].note
        return explained(LIMIT, key, row, note)

    return answer
