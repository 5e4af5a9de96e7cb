"""The tables of answers: what answers "Why this number?" of the audit, and of what single things cost."""

from typing import Final

from gpuplanner.domain.audit.evidence import leaks, money, places, unit_costs, use, who_pays, workloads
from gpuplanner.domain.audit.evidence.answering import Answers
from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.unit_costs import CostEvidence

ANSWERS: Final = Answers[Evidence](use.WHY | money.WHY | workloads.WHY | leaks.WHY | places.WHY)
OF_COSTS: Final = Answers[CostEvidence](unit_costs.WHY | who_pays.WHY)
answer = ANSWERS.answer
