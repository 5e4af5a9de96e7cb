"""Evidence behind the panel Cost: the costs, the charges, and the past that they were calculated from."""

from typing import Final

from gpuplanner.domain.audit import cost_result, leak_claims
from gpuplanner.domain.audit.chargeback import Charged
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.evidence.trace import JOBS, Trace, TraceColumn, figure, read, titled
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.message import Text, worded
from gpuplanner.lazy_dataclass import dataclass

LOG: Final = worded("the job log")
WINDOW_DOLLARS: Final = TraceColumn("$", "usd")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CostEvidence:
    """What the panel Cost stands on: the costs, who is charged what, and the past that they were worked out from."""

    unit: cost_result.UnitCosts
    variance: cost_result.Variance
    past: leak_claims.Past
    charged: Charged
    business: tuple[BusinessCost, ...] = ()

    @property
    def months(self) -> float:
        """Months of 730 h in the window."""
        return self.past.project.window.months

    def place_of(self, key: str) -> int:
        """The place of a workload in the project. Errors: StopIteration."""
        workloads = self.past.project.workloads
        return next(place for place, workload in enumerate(workloads) if workload.key == key)


def of_log(asked: Figure, name: Text, value: float | None, key: str) -> Trace:
    """A figure that is read off the jobs of a workload."""
    opens = figure(JOBS, key)
    return read(titled(asked, name), value, asked.unit.key, LOG, opens=opens)
