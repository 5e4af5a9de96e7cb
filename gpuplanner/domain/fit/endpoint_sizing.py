"""What is sized for one endpoint of a project: its model, its load, every row with its $, and the row that is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpuplanner.domain.fit.serving_costs import ServingCost, best_row, cost_rows
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.served_model import NOTHING_CHOSEN, ServedModel, ServingChoice
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.serving.gpus import serving_gpus
from gpuplanner.domain.serving.load import Load, load_of
from gpuplanner.domain.serving.sizing import ServingTerms, replicas_by_hour, size_rows, terms_of


@dataclass(frozen=True, slots=True)
class EndpointSizing:
    """One endpoint (an empty key: none of the log). costs: every GPU model, precision and tensor parallelism.

    terms: what was assumed. best: the row of least cost; None where no row has a price.
    Source: docs/formulas.md, Inference sizing.
    """

    key: str
    choice: ServingChoice
    model: ServedModel
    load: Load
    terms: ServingTerms
    costs: tuple[ServingCost, ...]
    best: ServingCost | None

    @property
    def drawn(self) -> ServingCost | None:
        """The row that the planner chose; else that of least cost; else of fewest GPUs; None where nothing fits.

        Rows whose prefill is not known (is_bound) are not drawn for their few GPUs: they may need more.
        """
        choice = self.choice
        wanted = self.row(choice.gpu_model, choice.precision, choice.tensor_parallel)
        if wanted is not None or self.best is not None:
            return wanted or self.best
        fitting = [cost for cost in self.costs if cost.gpus_peak is not None and not cost.row.is_bound]
        return min(fitting, key=lambda cost: (cost.gpus_peak or 0, cost.row.row_id), default=None)

    def row(self, gpu_model: str, precision: str, tensor_parallel: int) -> ServingCost | None:
        """One row; None where there is none of that name.

        The GPU model is found whatever its case; precision and GPUs of a replica must be the same.
        """
        wanted = (gpu_model.casefold(), precision, tensor_parallel)
        for cost in self.costs:
            row = cost.row
            if (row.gpu_model.casefold(), row.precision, row.tensor_parallel) == wanted:
                return cost
        return None

    def replicas_by_hour(self, cost: ServingCost) -> tuple[int, ...] | None:
        """What a perfect autoscaler holds of a row in each hour of the load; None where its size is not known.

        One number for each of load.hours, at the headroom of the terms.
        """
        mu = cost.row.requests_per_s
        return None if mu is None else replicas_by_hour(self.load, mu, self.terms.headroom)


def load_of_endpoint(project: Project, key: str, assumptions: Assumptions) -> Load | None:
    """The requests of an endpoint: those of a week where one was read, else its traffic; None without either.

    key: of the workload; an empty key is the endpoint that stands beside the log.
    Tokens of a request are as assumed where the file does not say. None, too, where the traffic says no
    number of requests.
    """
    week = project.serving.get(key, NOTHING_CHOSEN).week
    read = week if week is not None else project.traffic.get(key)
    return None if read is None else load_of(read, assumptions)


def size_endpoint(
    project: Project,
    key: str,
    assumptions: Assumptions,
    offers: Sequence[Offer],
    gpu_models: Sequence[GpuModel],
) -> EndpointSizing | None:
    """The sizing of an endpoint; None where its model or its requests are not known.

    key: as in `load_of_endpoint`. offers: those of the price book in force, which price the rows and may name
    further GPU models.
    Source: docs/formulas.md, Inference sizing.
    """
    choice = project.serving.get(key, NOTHING_CHOSEN)
    load = load_of_endpoint(project, key, assumptions)
    if choice.model is None or load is None:
        return None
    terms = terms_of(assumptions)
    rows = size_rows(choice.model, load, serving_gpus(gpu_models, offers), terms)
    costs = cost_rows(rows, load, offers)
    return EndpointSizing(key, choice, choice.model, load, terms, costs, best_row(costs))
