"""FOCUS 1.3 Contract Commitment rows of what the plan proposes to buy, as values and as a CSV file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpuplanner.domain.commitment.plan.orders import as_they_fall_due, signed_for
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency, currency_from
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.window import DAY_S, iso_utc, months_after
from gpuplanner.files.system.output_file import write_output
from gpuplanner.files.tables.harmless_cells import csv_text

STATUS: Final = "Proposed"
UNIT: Final = "GPU-Hours"
RESERVATION: Final = "GPU reservation"

COLUMNS: Final = (
    "BillingCurrency",
    "ContractCommitmentCategory",
    "ContractCommitmentCost",
    "ContractCommitmentDescription",
    "ContractCommitmentDurationType",
    "ContractCommitmentFulfillmentInterval",
    "ContractCommitmentId",
    "ContractCommitmentLifecycleStatus",
    "ContractCommitmentPeriodEnd",
    "ContractCommitmentPeriodStart",
    "ContractCommitmentQuantity",
    "ContractCommitmentType",
    "ContractCommitmentUnit",
    "ContractId",
    "ContractPeriodEnd",
    "ContractPeriodStart",
    "PricingCurrency",
    "PricingCurrencyContractCommitmentCost",
    "ServiceProviderName",
    "x_BareMetal",
    "x_EgressUsdPerGb",
    "x_GpuMemoryGb",
    "x_GpuModel",
    "x_Gpus",
    "x_Interconnect",
    "x_MinTermMonths",
    "x_OfferId",
    "x_OrderBy",
    "x_Pool",
    "x_RateUsdPerGpuHour",
    "x_Reason",
    "x_Region",
    "x_TermMonths",
)
"""Column ids of FOCUS 1.3 in its order, by name; the lifecycle status, the duration type and the fulfilment interval
are of the specification's next version; x_ columns are ours, and our reader of commitments knows them."""

Cell = str | float | None


@dataclass(frozen=True, slots=True)
class ProposedCommitment:
    """One order as a commitment: period in epoch seconds and ISO text, its hours, and the offer's rate."""

    order: Order
    offer: Offer
    name: str
    start: str
    end: str
    hours: float

    @property
    def gpus(self) -> float:
        """GPUs of the offer's own model."""
        return self.order.bought_gpus

    @property
    def quantity(self) -> float:
        """GPU-hours of the whole period."""
        return self.gpus * self.hours

    @property
    def cost_usd(self) -> float | None:
        """What it costs over its period, what is paid upfront in it; None where a quote is needed."""
        given = {
            "bought_gpus": self.gpus,
            "term_hours": self.hours,
            "rate": self.order.rate,
            "upfront_per_gpu": self.order.upfront_per_gpu,
        }
        return ORDER.row(given, ["liability"])["liability"]


def proposed_commitments(advice: Advice, offers: tuple[Offer, ...]) -> tuple[ProposedCommitment, ...]:
    """The orders of the next twelve months as commitments, what must be ordered first coming first.

    GPUs that are bought are none: FOCUS knows a contract commitment as an obligation towards a provider, and a purchase
    as a charge (ChargeCategory Purchase of its cost and usage rows) once it is invoiced.
    """
    by_id = {offer.offer_id: offer for offer in offers}
    orders = as_they_fall_due(order for order in signed_for(advice.orders) if order.offer_id in by_id)
    return tuple(
        _proposed(order, by_id[order.offer_id], f"proposed-{number}-{order.offer_id}")
        for number, order in enumerate(orders, 1)
    )


def _proposed(order: Order, offer: Offer, name: str) -> ProposedCommitment:
    """An order as a commitment with its dates in ISO and its hours from start to end.

    A term in days goes before one in months.
    """
    from gpuplanner.files.values.times import utc_seconds

    start = iso_utc(order.start_s)
    end = months_after(start, order.term_months) or start
    if order.term_days:
        end = iso_utc(order.start_s + order.term_days * DAY_S)
    end_s = utc_seconds(end)
    hours = 0.0 if end_s is None else (end_s - order.start_s) / 3600
    return ProposedCommitment(order, offer, name, start, end, hours)


def focus_cells(one: ProposedCommitment, billed: Currency = DOLLARS) -> dict[str, Cell]:
    """The row of one commitment by column; None is null. billed: what the project is in; it is priced in US dollars."""
    order, offer = one.order, one.offer
    egress = offer.egress
    term = term_words(order.term_months, order.term_days)
    return {
        "BillingCurrency": billed.code,
        "ContractCommitmentCategory": "Usage",
        "ContractCommitmentCost": one.cost_usd,
        "ContractCommitmentDescription": f"{one.gpus:g} {offer.gpu_model} for {term}, {order.pool} pool",
        "ContractCommitmentDurationType": str(
            term_words(order.term_months)
        ),  # readers know months and years alone
        "ContractCommitmentFulfillmentInterval": "Total Term",
        "ContractCommitmentId": one.name,
        "ContractCommitmentLifecycleStatus": STATUS,
        "ContractCommitmentPeriodEnd": one.end,
        "ContractCommitmentPeriodStart": one.start,
        "ContractCommitmentQuantity": one.quantity,
        "ContractCommitmentType": RESERVATION,
        "ContractCommitmentUnit": UNIT,
        "ContractId": f"proposed-{offer.provider or 'provider'}",
        "ContractPeriodEnd": one.end,
        "ContractPeriodStart": one.start,
        "PricingCurrency": "USD",
        "PricingCurrencyContractCommitmentCost": _in_dollars(one.cost_usd, billed),
        "ServiceProviderName": offer.provider,
        "x_BareMetal": None if offer.bare_metal is None else str(offer.bare_metal).lower(),
        "x_EgressUsdPerGb": _in_dollars(egress, billed),
        "x_GpuMemoryGb": offer.gpu_memory_gb,
        "x_GpuModel": offer.gpu_model,
        "x_Gpus": one.gpus,
        "x_Interconnect": offer.interconnect,
        "x_MinTermMonths": offer.min_term_months or None,
        "x_OfferId": offer.offer_id,
        "x_OrderBy": iso_utc(order.order_by_s),
        "x_Pool": str(order.pool),
        "x_RateUsdPerGpuHour": _in_dollars(order.rate, billed),
        "x_Reason": order.reason,
        "x_Region": offer.region,
        "x_TermMonths": order.term_months,
    }


def _in_dollars(amount: float | None, billed: Currency) -> float | None:
    """An amount billed in another currency in dollars, at the project's rate.

    None if it or the rate is unknown.
    """
    if amount is None or billed.usd_rate is None:
        return None
    return amount if billed == DOLLARS else amount * float(billed.usd_rate)


def focus_csv(commitments: tuple[ProposedCommitment, ...], billed: Currency = DOLLARS) -> str:
    """The rows as CSV text; null is an empty cell. Text in it begins no formula."""
    rows = (focus_cells(one, billed) for one in commitments)
    return csv_text((COLUMNS, *([written_cell(cells[column]) for column in COLUMNS] for cells in rows)))


def write_focus(evaluation: Evaluation, path: Path) -> int:
    """Write the proposed commitments of an evaluation with its advice; how many there are.

    Errors: PlannerError file_unreadable; ValueError where the evaluation has no advice yet.
    """
    if evaluation.advice is None:
        raise ValueError("FOCUS rows: the evaluation has no advice; advise first")
    commitments = proposed_commitments(evaluation.advice, evaluation.project.offers)
    billed = currency_from(evaluation.project.currency, evaluation.project.exchange)
    write_output(path, focus_csv(commitments, billed).encode())
    return len(commitments)


def written_cell(cell: Cell) -> str:
    """A cell as it stands in the file.

    Empty for None, text without control characters, numbers to six decimals.
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return "".join(letter for letter in cell if letter.isprintable())
    return repr(round(cell, 6)).removesuffix(".0")
