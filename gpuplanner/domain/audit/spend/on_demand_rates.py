"""On-demand rates: the cheapest eligible offer of each class and GPU model."""

from collections.abc import Iterable, Sequence

from gpuplanner.domain.audit.utilization.cluster_hours import model_of_cluster
from gpuplanner.domain.fit.rules import Need, cheapest, eligible_offers, steady_offers
from gpuplanner.domain.fit.volume_tiers import within_tiers
from gpuplanner.domain.model import amounts
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, at_ratio, ratio_for
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.lazy_dataclass import dataclass


def stand_in_models(project: Project) -> dict[str, str | None]:
    """Return `model_of_cluster` of every cluster that has contracts.

    Clusters without contracts are left out: their untyped demand has no model.
    """
    contracts = amounts.grouped((contract.cluster, contract) for contract in project.contracts)
    return {cluster: model_of_cluster(of_cluster) for cluster, of_cluster in contracts.items()}


def on_demand_rate_of_model(
    offers: Iterable[Offer],
    gpu_model: str | None,
    mappings: Sequence[ModelMapping] = (),
    pool: Pool | None = None,
) -> float | None:
    """Return $ per GPU-hour of the cheapest on-demand offer of a model (of any model, if unknown), or None.

    A mapped model has its rate for the work of one GPU of the model, as in the plan. pool: as in `ratio_for`.
    """
    ratios = ((offer, ratio_for(mappings, gpu_model, offer.gpu_model, pool)) for offer in offers)
    of_model = (at_ratio(offer, ratio) for offer, ratio in ratios if ratio is not None)
    offer = cheapest(of_model, PricingCategory.STANDARD)
    return None if offer is None else offer.rate


@dataclass(frozen=True, slots=True)
class EligibleRates:
    """On-demand rates by class and model. Hardware that is red for the class and model is left out.

    several_nodes: the (class, model) pairs in which some workload runs on more than one node.
    """

    offers: tuple[Offer, ...]
    several_nodes: frozenset[tuple[Pool, str | None]]
    mappings: tuple[ModelMapping, ...] = ()

    def on_demand_offer(self, pool: Pool, gpu_model: str | None) -> Offer | None:
        """Return the cheapest eligible on-demand offer, at its rate for the work of one such GPU, or None.

        pool: class of the workload. gpu_model None: unknown, so every model is eligible.
        """
        return cheapest(self._eligible(pool, gpu_model), PricingCategory.STANDARD)

    def on_demand(self, pool: Pool, gpu_model: str | None) -> float | None:
        """Return $ per GPU-hour of the offer that `on_demand_offer` returns.

        None if there is no such offer.
        """
        offer = self.on_demand_offer(pool, gpu_model)
        return None if offer is None else offer.rate

    def steady(self, pool: Pool, gpu_model: str | None) -> tuple[Offer, ...]:
        """Return the eligible offers with a rate that the provider can't take back, cheapest first.

        On demand or committed. Terms below the minimum are left out. The order spreads upfront payments over the term.
        """
        return steady_offers(self._eligible(pool, gpu_model))

    def _eligible(self, pool: Pool, gpu_model: str | None) -> tuple[Offer, ...]:
        need = Need(pool, gpu_model, (pool, gpu_model) in self.several_nodes)
        return eligible_offers(self.offers, need, self.mappings)


def eligible_rates(project: Project, classes: Sequence[Pool]) -> EligibleRates:
    """Return the project's offers with the needs of each class. Untyped demand counts with its cluster's model.

    classes: of the project's workloads, in their order.
    """
    stand_in = stand_in_models(project)
    pairs = set()
    for index, model in project.cube.pairs:
        workload = project.workloads[index]
        if (workload.max_nodes or 1) > 1:
            pairs.add((classes[index], stand_in.get(workload.cluster) if model is None else model))
    return EligibleRates(within_tiers(project).offers, frozenset(pairs), project.mappings)
