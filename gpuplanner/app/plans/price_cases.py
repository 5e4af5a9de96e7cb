"""Price sensitivity in a thread: worked out when it is viewed, kept while its inputs are the same."""

from collections.abc import Callable

from gpuplanner.app.background import Answering, Itself
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan, price_sensitivity
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.lazy_dataclass import replace

Cases = tuple[CasePlan, ...]


class PriceCases(Answering):
    """The plan at other rates; answers with `Cases`."""

    def ask(self, evaluation: Evaluation) -> None:
        """Work out the shown plan at low, mid and high rates; `answered` tells.

        Told at once where it stands on the very same parts as
        last time.
        """
        plan, pools = evaluation.figures.basis.plan, evaluation.figures.workload_pools
        planned = evaluation.in_parts

        def work(on_progress: Callable[[float, Text], None], is_cancelled: Callable[[], bool]) -> Cases:
            return price_sensitivity(planned.project, plan, pools, planned.audit, is_cancelled=is_cancelled)

        self._newest.ask(_question(evaluation), work)

    def _tell(self, answer: Cases) -> None:
        """Nothing is told of an answer that was cancelled."""
        if answer:
            self.answered.emit(answer)


def _question(evaluation: Evaluation) -> tuple[object, ...]:
    """The audit is of all inputs; of the plan everything but the case that it counts with, and what follows from it."""
    plan = replace(evaluation.figures.basis.plan, price_case=PriceCase.MID, whole_decisions=None)
    return Itself(evaluation.audit), plan
