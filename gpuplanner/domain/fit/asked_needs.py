"""What the workloads of a row of the plan need of hardware that is asked for: no more than one of them needs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.fit.needs import Needs, needs_of, number_of, several_nodes
from gpuplanner.domain.fit.rules import INTERCONNECT_RANK, TRAINING_MEMORY_LEAST_GB
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.needs import NOTHING_SET
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project

AskedOf = tuple[Pool, str | None]
"""(pool, name that its demand is planned under: a GPU model, or one with who alone may serve it; None: unknown)."""


@dataclass(frozen=True, slots=True)
class AskedNeeds:
    """What is asked of hardware. interconnect: of INTERCONNECTS; None, False: any will do. Units: GB of one GPU."""

    interconnect: str | None = None
    bare_metal: bool = False
    memory_gb: float | None = None

    def beside(self, other: "AskedNeeds") -> "AskedNeeds":
        """What serves both: of each need the greater."""
        faster = max(
            self.interconnect, other.interconnect, key=lambda name: INTERCONNECT_RANK.get(name or "", -1)
        )
        memory = max(self.memory_gb or 0.0, other.memory_gb or 0.0)
        return AskedNeeds(faster, self.bare_metal or other.bare_metal, memory or None)


NOTHING_ASKED: Final = AskedNeeds()


def is_quoted_with(offer: Offer, needs: AskedNeeds) -> bool:
    """Whether an offer is no less than some needs, or no quote: that states what it was asked for, and is not counted
    on for more.

    Source: docs/formulas.md, Quotes.
    """
    if answered_row(offer) is None:
        return True
    has, asked = (INTERCONNECT_RANK.get(one.interconnect or "", -1) for one in (offer, needs))
    return (
        has >= asked
        and (offer.bare_metal is True or not needs.bare_metal)
        and (offer.gpu_memory_gb or 0.0) >= (needs.memory_gb or 0.0)
    )


def has_sla_asked(offer: Offer) -> bool:
    """Whether an offer is of the SLA that its request asked for; true of what states none, and of what is no quote."""
    answered, has = answered_row(offer), offer.sla_percent
    return answered is None or has is None or has >= answered.sla_percent


def asked_needs(
    project: Project, users: Mapping[AskedOf, Floats], rows: Collection[AskedOf]
) -> dict[AskedOf, AskedNeeds]:
    """Of each row what its workloads need together; a row without workloads asks for nothing.

    users: GPU time of each row by workload of the project, (workloads,); who has none in it does not count.
    Source: docs/formulas.md, Requests for quote.
    """
    memory_of = _memory_of_offers(project)
    return {row: _together(project, row, users.get(row), memory_of) for row in rows}


def _together(
    project: Project, row: AskedOf, gpu_time: Floats | None, memory_of: Mapping[str, float]
) -> AskedNeeds:
    """What the workloads of one row need. memory_of: the most GB that each GPU model is sold with."""
    sold_gb, asked = memory_of.get(gpu_model_of(row[1]) or "", 0.0), NOTHING_ASKED
    for at in () if gpu_time is None else np.flatnonzero(gpu_time > 0).tolist():
        workload = project.workloads[at]
        needs = needs_of(workload, row[0], 0.0, project.needs.get(workload.key, NOTHING_SET))
        asked = asked.beside(_asked_by(row[0], needs, sold_gb))
    return asked


def _memory_of_offers(project: Project) -> dict[str, float]:
    """The most memory that offers of a GPU model have, GB."""
    most: dict[str, float] = {}
    for offer in project.offers:
        most[offer.gpu_model] = max(most.get(offer.gpu_model, 0.0), offer.gpu_memory_gb or 0.0)
    return most


def _asked_by(pool: Pool, needs: Needs, sold_gb: float) -> AskedNeeds:
    """What one workload needs. sold_gb: the most memory that its model is sold with.

    A network and bare metal only for jobs of several nodes, as a check would object to less; 80 GB for training where
    GPUs of the model have as much.
    """
    wants = needs["interconnect"].value if "interconnect" in needs else None
    is_fast = isinstance(wants, str) and INTERCONNECT_RANK[wants] > 0
    if pool is not Pool.TRAINING:
        return AskedNeeds(str(wants) if is_fast else None)
    is_spread = several_nodes(needs)
    is_own = needs["memory_gb_per_gpu"].source == "planner"
    memory = number_of(needs, "memory_gb_per_gpu") if is_own else float(TRAINING_MEMORY_LEAST_GB)
    return AskedNeeds(
        str(wants) if is_fast and is_spread else None,
        is_spread and needs["bare_metal"].value is True,
        memory if is_own or sold_gb >= TRAINING_MEMORY_LEAST_GB else None,
    )
