"""Unit costs, variance, chargeback and energy in a thread: worked out when looked at, and kept while they hold."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Threaded
from gpuplanner.app.questions.newest_question import Itself, are_same
from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance
from gpuplanner.domain.audit.costs.business import BusinessCost, spend_by_hour
from gpuplanner.domain.audit.costs.charge_rows import Charges, charges
from gpuplanner.domain.audit.costs.charge_words import ChargeBy
from gpuplanner.domain.audit.costs.chargeback import Charged, charged
from gpuplanner.domain.audit.costs.retraining import Retraining, retraining_of
from gpuplanner.domain.audit.costs.unit_costs import past_of, unit_costs
from gpuplanner.domain.audit.costs.variance import variance
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use.energy_rows import WindowEnergy
from gpuplanner.domain.commitment.result import PlanEnergy
from gpuplanner.domain.model.project import Project

Periods = tuple[Period, Period]


@dataclass(frozen=True, slots=True, eq=False)
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
    usd_by_hour: Floats | None
    retraining: tuple[Retraining, ...]
    business: tuple[BusinessCost, ...] = ()
    plan_energy: PlanEnergy | None = None  # of the plan beside which it is shown


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
    found = charged(past, audit)
    unit = unit or unit_costs(past)
    return Costs(
        parts,
        periods,
        past,
        unit,
        variance(past, *periods),
        found,
        {by: charges(project, found, by) for by in ChargeBy},
        audit.energy,
        spend_by_hour(past),
        retraining_of(unit.runs, project.window),
    )
