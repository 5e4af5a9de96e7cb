"""The table of all answers about costs."""

from typing import Final

from gpuplanner.domain.evidence.answering import Answers
from gpuplanner.domain.evidence.costs import (
    business,
    chargeback,
    endpoints,
    experiments,
    models,
    retraining,
    runs,
    variance,
)
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence

WHY: Final = Answers[CostEvidence](
    runs.WHY
    | models.WHY
    | endpoints.WHY
    | experiments.WHY
    | chargeback.WHY
    | business.WHY
    | retraining.WHY
    | variance.WHY
)
