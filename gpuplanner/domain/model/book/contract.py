"""A contract: GPUs paid for over a term, used or not."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.figures.use import CONTRACT_MONTH
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH

UNDATED_S: Final = 0
"""The start of capacity whose dates nobody tells, as of a list of nodes: since the log begins."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What exists today.

    Units: milli_gpus thousandths of a GPU (a commitment in GPU-hours need not be whole GPUs); start_s and
    end_s epoch seconds UTC, end exclusive; egress in $ per GB. None means that the file did not say; a
    missing rate is "quote needed", never free. `pool` pins the contract: it then serves that pool only.
    grid_kg_co2_per_kwh: kg of CO2 of a kWh where it runs. owner: the team that answers for what nobody uses of it.
    currency: what its amounts are quoted in (ISO code);
    exchange: units of the money of the project of one unit of it, None where its rate is not stated: what is paid is
    unknown then. gpu_model_written, cluster_written: as its file wrote them,
    where that is something else (spelling.py).
    """

    contract_id: str
    cluster: str
    gpu_model: str | None
    milli_gpus: int
    rate_usd_per_gpu_hour: Decimal | None
    start_s: int
    end_s: int | None = None
    provider: str | None = None
    pricing_category: PricingCategory | None = None
    term_months: int | None = None
    min_term_months: int | None = None
    notice_days: int | None = None
    region: str | None = None
    bare_metal: bool | None = None
    interconnect: str | None = None
    gpu_memory_gb: float | None = None
    egress_usd_per_gb: Decimal | None = None
    pool: Pool | None = None
    sla_percent: float | None = None
    owner: str | None = None
    grid_kg_co2_per_kwh: float | None = None
    gpu_model_written: str | None = None
    cluster_written: str | None = None
    currency: str = "USD"
    exchange: Decimal | None = Decimal(1)

    def __post_init__(self) -> None:
        """Errors: PlannerError bad_number under a thousandth of a GPU, end_before_start where it ends before
        it begins.
        """
        if self.milli_gpus < 1:
            raise PlannerError(
                self.contract_id,
                "bad_number",
                worded("gpus is {milli_gpus}", milli_gpus=significant(self.milli_gpus / 1000)),
                worded("enter more than 0"),
            )
        if self.end_s is not None and self.end_s <= self.start_s:
            raise PlannerError(
                self.contract_id,
                "end_before_start",
                worded("it ends before it starts"),
                worded("correct the two dates"),
            )

    @property
    def gpus(self) -> float:
        """GPUs, in units."""
        return self.milli_gpus / 1000

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour as a float: the quoted rate x exchange. None where either is unknown, or the rate is zero:
        that asks for a quote, it is not a gift.
        """
        return counted_amount(self.rate_usd_per_gpu_hour or None, self.exchange)

    @property
    def cost_per_month(self) -> float | None:
        """What it costs in a month of 730 h, used or not; None where a quote is needed. In the money of the project.

        Source: figures/use.py.
        """
        if self.rate is None:
            return None
        return float(CONTRACT_MONTH.value("cost_per_month", self.figure_inputs))

    @property
    def figure_inputs(self) -> dict[str, float | None]:
        """What its figures of a month are worked out from, by the keys of CONTRACT_MONTH."""
        return {"gpus": self.gpus, "month_hours": HOURS_PER_MONTH, "rate": self.rate}

    def overlaps(self, start_s: int, end_s: int) -> bool:
        """Whether any of it lies between two instants, the second exclusive.

        Epoch seconds. A contract without an end goes on for good.
        """
        return self.start_s < end_s and (self.end_s is None or self.end_s > start_s)

    @property
    def is_committed(self) -> bool:
        """Paid whatever we do: COMMITTED, OWNED, or no category stated. On-demand rows are planned afresh."""
        return self.pricing_category is None or self.pricing_category.is_commitment

    @property
    def binding_hours(self) -> float:
        """How long it binds: its term, else from start to end, else for good (inf); 0 where it is paid by use."""
        if not self.is_committed:
            return 0.0
        if self.term_months:
            return float(self.term_months * HOURS_PER_MONTH)
        return float("inf") if self.end_s is None else (self.end_s - self.start_s) / HOUR_S


def counted_amount(quoted: Decimal | None, exchange: Decimal | None) -> float | None:
    """A quoted amount in the money of the project; None where it or its rate of exchange is unknown, never 0.

    Units: those of the quoted amount; exchange is units of the project's money of one unit of it.

    >>> counted_amount(Decimal("2.50"), Decimal("1.08")), counted_amount(Decimal(2), None)
    (2.7, None)
    """
    if quoted is None or exchange is None:
        return None
    return float(quoted if exchange == 1 else quoted * exchange)


def since_log(contracts: Iterable[Contract], start_s: int, clusters: Iterable[str]) -> tuple[Contract, ...]:
    """The contracts, those without dates from the beginning of a log; without a cluster on its own, where it has one.

    start_s: of the window; clusters: of its workloads.
    """
    names = set(clusters)
    only = names.pop() if len(names) == 1 else ""
    return tuple(
        replace(one, start_s=start_s, cluster=one.cluster or only) if one.start_s == UNDATED_S else one
        for one in contracts
    )
