"""Unit costs, variance, chargeback and energy in a thread, kept while their project and audit are the same."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Itself, Threaded, are_same
from gpuplanner.domain.audit.chargeback import Charged, Charges, charged, charges
from gpuplanner.domain.audit.cost_result import ChargeBy, Period, UnitCosts, Variance
from gpuplanner.domain.audit.energy import WindowEnergy
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.unit_costs import unit_costs
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost, Spend, spend_by_hour
from gpuplanner.domain.audit.unit_costs.retraining import Retraining, retraining_of
from gpuplanner.domain.audit.variance import variance
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import dataclass

Periods = tuple[Period, Period]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Costs:
    """What was worked out, and of what: the answer to any project whose parts are the very same objects.

    usd_by_hour: what is spent in each hour of the window (None: unknown); business: that beside the business figures
    and the plan that are shown, which whoever shows them puts in.
    """

    parts: tuple[object, ...]
    periods: Periods
    past: Past
    unit: UnitCosts
    variance: Variance
    charged: Charged
    charges: Mapping[ChargeBy, Charges]
    energy: WindowEnergy
    usd_by_hour: Spend
    retraining: tuple[Retraining, ...]
    business: tuple[BusinessCost, ...] = ()
    plan: Evaluation | None = None  # the plan beside which it is shown, with its advice
    by_month: Evaluation | None = None  # with the months of the log, once they are worked out
    today: Evaluation | None = None  # of whose past it is


class Costing(Threaded):
    """The newest question is answered; one asked again is answered at once."""

    answered = Signal(object)  # Costs

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: Costs | None = None
        self._asked: tuple[object, ...] = ()

    def ask(self, project: Project, audit: Audit, periods: Periods) -> None:
        """Work out the costs of a project's past; `answered` tells.

        periods: the two that are compared. Where only they moved, unit costs are taken over. `answered` is
        emitted before it returns where all is known.
        """
        # an audit is of one past, and made again where an assumption moved
        parts = (Itself(audit), Itself(project.traffic), Itself(project.serving), Itself(project.budgets))
        known = self._known
        if known is not None and are_same(known.parts, parts) and known.periods == periods:
            self._background.cancel()
            self.answered.emit(known)
            return
        question = (*parts, *periods)
        if self.is_busy and are_same(self._asked, question):
            return
        self._asked = question
        unit = known.unit if known is not None and are_same(known.parts, parts) else None
        self._background.run(lambda: _work_out(project, audit, periods, parts, unit), self._take)

    def _take(self, costs: Costs) -> None:
        """Kept, and told."""
        self._known = costs
        self.answered.emit(costs)


def _work_out(
    project: Project, audit: Audit, periods: Periods, parts: tuple[object, ...], unit: UnitCosts | None
) -> Costs:
    """In the thread. unit: what is known already; None: to be worked out."""
    past = past_of(project, audit)
    charged_to = charged(past, audit)
    unit = unit or unit_costs.unit_costs(past)
    return Costs(
        parts=parts,
        periods=periods,
        past=past,
        unit=unit,
        variance=variance(past, *periods),
        charged=charged_to,
        charges={by: charges(project, charged_to, by) for by in ChargeBy},
        energy=audit.energy,
        usd_by_hour=spend_by_hour(past),
        retraining=retraining_of(unit.runs, project.window),
    )
