"""The tables of answers: what answers "Why this number?" of the audit, and of what single things cost."""

from typing import Final

from gpuplanner.domain.audit.evidence import leaks, money, places, unit_costs, use, workloads
from gpuplanner.domain.audit.evidence.answering import Answers
from gpuplanner.domain.audit.evidence.audit_evidence import Evidence

ANSWERS: Final = Answers[Evidence](use.WHY | money.WHY | workloads.WHY | leaks.WHY | places.WHY)
OF_COSTS: Final = unit_costs.WHY
answer = ANSWERS.answer
