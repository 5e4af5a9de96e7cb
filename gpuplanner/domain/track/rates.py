"""Rates: what contracts, orders and GPUs paid by use cost, as the plan had them (r0) and as they came (r1)."""

from dataclasses import dataclass
from typing import Protocol

from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.recursion.price_levels import over, times
from gpuplanner.domain.commitment.recursion.rates import dated_use
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.track.came import Came
from gpuplanner.domain.track.holdings import HeldOrder
from gpuplanner.domain.track.saved_plan import SavedPlan
from gpuplanner.domain.track.spans import Span


class Rates(Protocol):
    """$ per GPU-hour; None is unknown."""

    def of_contract(self, contract: Contract, span: Span) -> float | None:
        """Of a contract in a span."""
        ...

    def of_use(self, row: Row, span: Span) -> float | None:
        """Of what a row pays by use in a span."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PlanRates:
    """r0: the rates that the plan counts with. given: prices of today, for what nothing in the plan's book is for."""

    plan: SavedPlan
    came: Came
    given: tuple[Offer, ...] = ()

    def of_contract(self, contract: Contract, span: Span) -> float | None:
        """As the plan has it; of one that it does not know the mean rate, by GPUs, of its orders of the model that
        run then, else its own."""
        known = self.plan.known.get(contract.contract_id)
        if known is not None:
            return known.rate
        alike = [one for one in self.plan.holdings.orders if _is_of_model(one, contract, span)]
        usd = known_sum(one.usd_per_hour for one in alike)
        gpus = sum(one.order.bought_gpus for one in alike)
        return contract.rate if not alike else None if usd is None else usd / gpus

    def of_use(self, row: Row, span: Span) -> float | None:
        """Of the plan's month, price fall in it; of a row that is not planned, by the plan's book, else as given."""
        if row in self.plan.rows:
            return self.plan.rate_by_use(row, span.month)
        if row not in self.came.users:
            return None
        ground = self.plan.ground
        rate = self.came.rate_by_use(row, ground.project.offers, ground.project)
        if rate is None:
            return self.came.rate_by_use(row, self.given, ground.project)
        price = self.came.price(row, ground.project.offers, ground.project)
        dated = dated_use([(price, self.came.users[row])], ground.levels, ground.months)
        path = over(times(ground.levels.path, dated, ground.months), ground.months)
        return rate * float(path[span.month])


@dataclass(frozen=True, slots=True, eq=False)
class LaterRates:
    """r1: rates as they came. planned: r0, for what is paid by use where no prices are given.

    given: prices of today; None where there are none. project: whose mappings of models count.
    """

    planned: PlanRates
    given: tuple[Offer, ...] | None
    project: Project

    def of_contract(self, contract: Contract, span: Span) -> float | None:
        """As it is given; of one of the plan what it has there."""
        return contract.rate

    def of_use(self, row: Row, span: Span) -> float | None:
        """The same in all months: these are the prices that were paid."""
        came = self.planned.came
        if self.given is None or row not in came.users:
            return self.planned.of_use(row, span)
        return came.rate_by_use(row, self.given, self.project)


def _is_of_model(held: HeldOrder, contract: Contract, span: Span) -> bool:
    """Whether an order is of a contract's model and runs in a span."""
    model = held.order.offer_gpu_model or gpu_model_of(held.order.gpu_model)
    return model == contract.gpu_model and span.share_of(held.start_s, held.end_s) > 0
