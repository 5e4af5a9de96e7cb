"""Rates: what overflow would cost on demand, and what a contract's break-even is measured against."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpuplanner.domain.fit.eligibility import Need, cheapest, eligible_offers, steady_offers
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.model_mapping import ModelMapping, at_ratio, ratio_for
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.project import Project


def model_of_cluster(contracts: Iterable[Contract]) -> str | None:
    """The model that a cluster's untyped demand counts with: of its contract with most GPUs, then lowest id.

    None without contracts, and where the largest names no model.
    """
    largest = min(contracts, key=lambda contract: (-contract.milli_gpus, contract.contract_id), default=None)
    return None if largest is None else largest.gpu_model


def stand_in_models(project: Project) -> dict[str, str | None]:
    """`model_of_cluster` of every cluster that has contracts.

    Clusters without contracts are left out: their untyped demand has no model.
    """
    contracts: dict[str, list[Contract]] = {}
    for contract in project.contracts:
        contracts.setdefault(contract.cluster, []).append(contract)
    return {cluster: model_of_cluster(of_cluster) for cluster, of_cluster in contracts.items()}


def on_demand_rate_of_model(
    offers: Iterable[Offer], gpu_model: str | None, mappings: Sequence[ModelMapping] = ()
) -> float | None:
    """$ per GPU-hour of the cheapest on-demand offer of a model (of any, for an unknown one); None without one.

    A mapped model is at its rate for the work of one GPU of the model, as in the plan.
    """
    ratios = ((offer, ratio_for(mappings, gpu_model, offer.gpu_model)) for offer in offers)
    of_model = (at_ratio(offer, ratio) for offer, ratio in ratios if ratio is not None)
    offer = cheapest(of_model, PricingCategory.STANDARD)
    return None if offer is None else offer.rate


@dataclass(frozen=True, slots=True)
class EligibleRates:
    """On-demand rates by class and model, hardware that is red for them left out.

    several_nodes: the (class, model) pairs in which some workload runs on more than one node.
    """

    offers: tuple[Offer, ...]
    several_nodes: frozenset[tuple[Pool, str | None]]
    mappings: tuple[ModelMapping, ...] = ()

    def on_demand_offer(self, pool: Pool, gpu_model: str | None) -> Offer | None:
        """The cheapest eligible on-demand offer, at its rate for the work of one such GPU; None without one.

        pool: class of the workload; gpu_model None: unknown, every model is open to it.
        """
        need = Need(pool, gpu_model, (pool, gpu_model) in self.several_nodes)
        return cheapest(eligible_offers(self.offers, need, self.mappings), PricingCategory.STANDARD)

    def on_demand(self, pool: Pool, gpu_model: str | None) -> float | None:
        """$ per GPU-hour of that offer; None where nobody offers one.

        As `on_demand_offer` finds it.
        """
        offer = self.on_demand_offer(pool, gpu_model)
        return None if offer is None else offer.rate

    def steady(self, pool: Pool, gpu_model: str | None) -> tuple[Offer, ...]:
        """The eligible offers with a rate that nobody takes back, on demand or committed; cheapest first.

        A term below its minimum is left out; cheapest with what is paid upfront spread over the term.
        """
        need = Need(pool, gpu_model, (pool, gpu_model) in self.several_nodes)
        return steady_offers(eligible_offers(self.offers, need, self.mappings))


def eligible_rates(project: Project, classes: Sequence[Pool]) -> EligibleRates:
    """The project's offers, with what each class asks of them; untyped demand counts with its cluster's model.

    classes: of the project's workloads, in their order.
    """
    stand_in = stand_in_models(project)
    cube = project.cube
    pairs = set()
    for index, model in zip(cube.workload_index.tolist(), cube.model_index.tolist(), strict=True):
        workload = project.workloads[index]
        if (workload.max_nodes or 1) > 1:
            name = stand_in.get(workload.cluster) if model < 0 else cube.gpu_models[model]
            pairs.add((classes[index], name))
    return EligibleRates(project.offers, frozenset(pairs), project.mappings)
