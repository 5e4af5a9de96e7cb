"""FOCUS 1.3 rows of the orders that the plan proposes, as values and as a CSV file."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from gpuplanner.domain.brief.approval import Approval, approval_on
from gpuplanner.domain.commitment.listed_order import ListedOrder, in_list, place_of
from gpuplanner.domain.commitment.numbers import order_number
from gpuplanner.domain.commitment.plan.orders import as_they_fall_due, signed_for
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.dollars import IN_DOLLARS
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency, currency_from
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, iso_utc, months_after
from gpuplanner.files.system.output_file import write_output
from gpuplanner.files.tables.delimited import csv_text
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, replace

STATUS: Final = "Proposed"
UNIT: Final = "GPU-Hours"
RESERVATION: Final = "GPU reservation"

FOCUS_COLUMNS: Final = phrases(
    "BillingCurrency|ContractCommitmentCategory|ContractCommitmentCost|ContractCommitmentDescription"
    "|ContractCommitmentId|ContractCommitmentPeriodEnd|ContractCommitmentPeriodStart|ContractCommitmentQuantity"
    "|ContractCommitmentType|ContractCommitmentUnit|ContractId|ContractPeriodEnd|ContractPeriodStart"
    "|x_BareMetal|x_ContractCommitmentDurationType|x_ContractCommitmentFulfillmentInterval"
    "|x_ContractCommitmentLifecycleStatus|x_EgressUsdPerGb|x_GpuMemoryGb|x_GpuModel|x_Gpus|x_Interconnect"
    "|x_MinTermMonths|x_OfferId|x_OrderBy|x_OrderNumber|x_PlanCost|x_Pool|x_PricingCurrency|x_PricingCurrencyContractCommitmentCost"
    "|x_RateUsdPerGpuHour|x_Reason|x_Region|x_ServiceProviderName|x_TermMonths|x_ToSign"
)
"""Column ids of FOCUS 1.3 in its order, by name: the 13 that its contract commitments have. x_ columns are ours, among
them six of the specification's next version; our reader of commitments knows all."""

Cell = str | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCommitment:
    """One order as a commitment: its period in ISO text, its hours, its offer, whether it is to be signed now, and the
    period of its contract: of all commitments of the provider.

    number: of the order in the plan's list, O1; None before the orders have numbers.
    """

    order: Order
    offer: Offer
    name: str
    number: str | None = None
    start: str
    end: str
    hours: float
    is_now: bool = False
    contract_period: tuple[str, str] = ("", "")

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


def proposed_commitments(
    approval: Approval, project: Project, listed_orders: Iterable[ListedOrder] = ()
) -> tuple[ProposedCommitment, ...]:
    """The certain orders of the next twelve months as commitments, what must be ordered first coming first.

    Those, and those of them to be signed now, that the brief of the same day has: none that is over.
    GPUs that are bought are none: FOCUS knows a contract commitment as an obligation towards a provider, and a purchase
    as a charge (ChargeCategory Purchase of its cost and usage rows) once it is invoiced.
    listed_orders: of the plan, by number.
    """
    places = in_list(listed_orders)
    by_id = {offer.offer_id: offer for offer in project.offers}
    orders = as_they_fall_due(order for order in signed_for(approval.left) if order.offer_id in by_id)
    commitments = [
        replace(
            _proposed(order, by_id[order.offer_id], f"proposed-{number}-{order.offer_id}"),
            is_now=order in approval.now,
            number=None
            if (place := places.get(place_of(order))) is None
            else order_number(place.listed.number),
        )
        for number, order in enumerate(orders, 1)
    ]
    periods: dict[str | None, tuple[str, str]] = {}
    for offer_row in commitments:  # texts of one length: the earlier is the lesser
        start, end = periods.get(offer_row.offer.provider, (offer_row.start, offer_row.end))
        periods[offer_row.offer.provider] = min(start, offer_row.start), max(end, offer_row.end)
    return tuple(
        replace(offer_row, contract_period=periods[offer_row.offer.provider]) for offer_row in commitments
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
    return ProposedCommitment(order=order, offer=offer, name=name, start=start, end=end, hours=hours)


def focus_cells(commitment: ProposedCommitment, billed: Currency = DOLLARS) -> dict[str, Cell]:
    """The row of one commitment by column; None is null. billed: what the project is in; it is priced in US dollars."""
    order, offer = commitment.order, commitment.offer
    egress = offer.egress
    term = term_words(order.term_months, order.term_days)
    return {
        "BillingCurrency": billed.code,
        "ContractCommitmentCategory": "Usage",
        "ContractCommitmentCost": commitment.cost_usd,
        "ContractCommitmentDescription": f"{commitment.gpus:g} {offer.gpu_model} for {term}, {order.pool} pool",
        # readers know months and years alone
        "x_ContractCommitmentDurationType": str(term_words(order.term_months)),
        "x_ContractCommitmentFulfillmentInterval": "Total Term",
        "ContractCommitmentId": commitment.name,
        "x_ContractCommitmentLifecycleStatus": STATUS,
        "ContractCommitmentPeriodEnd": commitment.end,
        "ContractCommitmentPeriodStart": commitment.start,
        "ContractCommitmentQuantity": commitment.quantity,
        "ContractCommitmentType": RESERVATION,
        "ContractCommitmentUnit": UNIT,
        "ContractId": f"proposed-{offer.provider or 'provider'}",
        "ContractPeriodEnd": commitment.contract_period[1],
        "ContractPeriodStart": commitment.contract_period[0],
        "x_PricingCurrency": "USD",
        "x_PricingCurrencyContractCommitmentCost": _in_dollars(commitment.cost_usd, billed),
        "x_ServiceProviderName": offer.provider,
        "x_BareMetal": None if offer.bare_metal is None else str(offer.bare_metal).lower(),
        "x_EgressUsdPerGb": _in_dollars(egress, billed),
        "x_GpuMemoryGb": offer.gpu_memory_gb,
        "x_GpuModel": offer.gpu_model,
        "x_Gpus": commitment.gpus,
        "x_Interconnect": offer.interconnect,
        "x_MinTermMonths": offer.min_term_months or None,
        "x_OfferId": offer.offer_id,
        "x_OrderBy": iso_utc(order.last_day_s),
        "x_OrderNumber": commitment.number,
        "x_PlanCost": order.liability,
        "x_Pool": str(order.pool),
        "x_RateUsdPerGpuHour": _in_dollars(order.rate, billed),
        "x_Reason": order.reason,
        "x_Region": offer.region,
        "x_TermMonths": order.term_months,
        "x_ToSign": "now" if commitment.is_now else "later",
    } | (_spend_cells(commitment) if order.is_dollars else {})


def _spend_cells(commitment: ProposedCommitment) -> dict[str, Cell]:
    """What differs in a row of dollars per hour, which FOCUS calls spend: its quantity is all its dollars."""
    offer, usd = commitment.offer, commitment.order.rate or 0.0
    return {
        "ContractCommitmentCategory": "Spend",
        "ContractCommitmentDescription": f"${usd:,.2f} per hour of {offer.gpu_model.removeprefix(IN_DOLLARS)}",
        "ContractCommitmentQuantity": commitment.cost_usd,
        "ContractCommitmentType": "Savings plan",
        "ContractCommitmentUnit": "USD",
        "x_GpuModel": offer.gpu_model.removeprefix(IN_DOLLARS),
        **dict.fromkeys(("x_Gpus", "x_RateUsdPerGpuHour")),
    }


TO_THE_PLAN: Final = "proposed-to-the-plan"
"""The id of the last line: what leads from the sum of the rows to the plan's."""
_TO_THE_PLAN: Final = "From calendar days to the plan, whose months have 730 hours"


def plan_line(
    commitments: Sequence[ProposedCommitment], orders: Iterable[Order], billed: Currency = DOLLARS
) -> dict[str, Cell]:
    """The last line by column, which is no commitment: costs add up with it to what the plan counts, of what is known.

    orders: all that are certain and not over; those that are bought are in this line alone.
    """
    bought = sum(order.liability or 0.0 for order in orders if order.is_bought)
    planned = bought + sum(commitment.order.liability or 0.0 for commitment in commitments)
    cost = planned - sum(commitment.cost_usd or 0.0 for commitment in commitments)
    words = f"{_TO_THE_PLAN}; and GPUs that are bought" if bought else _TO_THE_PLAN
    edges = {
        "Start": min((commitment.start for commitment in commitments), default=""),
        "End": max((commitment.end for commitment in commitments), default=""),
    }
    periods = {
        f"{of}Period{edge}": at for of in ("Contract", "ContractCommitment") for edge, at in edges.items()
    }
    return (
        dict.fromkeys(FOCUS_COLUMNS)
        | periods
        | {
            "BillingCurrency": billed.code,
            "ContractCommitmentCategory": "Spend",
            "ContractCommitmentCost": cost,
            "ContractCommitmentDescription": words,
            "ContractCommitmentId": TO_THE_PLAN,
            "ContractCommitmentQuantity": 0.0,
            "ContractCommitmentType": "Adjustment",
            "ContractCommitmentUnit": UNIT,
            "ContractId": TO_THE_PLAN,
            "x_ContractCommitmentLifecycleStatus": STATUS,
            "x_PlanCost": bought,
            "x_PricingCurrency": "USD",
            "x_PricingCurrencyContractCommitmentCost": _in_dollars(cost, billed),
        }
    )


def _in_dollars(amount: float | None, billed: Currency) -> float | None:
    """An amount billed in another currency in dollars, at the project's rate.

    None if it or the rate is unknown.
    """
    if amount is None or billed.usd_rate is None:
        return None
    return amount if billed == DOLLARS else amount * float(billed.usd_rate)


def focus_csv(
    commitments: Sequence[ProposedCommitment], orders: Sequence[Order] = (), billed: Currency = DOLLARS
) -> str:
    """The rows as CSV text, then `plan_line` if an order is certain. Null is an empty cell, text begins no formula."""
    rows = [focus_cells(commitment, billed) for commitment in commitments]
    if orders:
        rows.append(plan_line(commitments, orders, billed))
    return csv_text(
        (FOCUS_COLUMNS, *([written_cell(cells[column]) for column in FOCUS_COLUMNS] for cells in rows))
    )


def write_focus(evaluation: Evaluation, path: Path, at_s: int | None = None) -> Approval:
    """Write the proposed commitments of an evaluation with its advice; what there is to approve on that day.

    at_s: the day of writing, epoch seconds; None: the plan's own first.
    Errors: PlannerError file_unreadable; ValueError where the evaluation has no advice yet.
    """
    project = evaluation.project
    approval = approval_on(evaluation.advised, project, at_s)
    billed = currency_from(project.currency, project.exchange)
    commitments = proposed_commitments(approval, project, evaluation.listed_orders)
    write_output(path, focus_csv(commitments, approval.left, billed).encode())
    return approval


def written_cell(cell: Cell) -> str:
    """A cell as it stands in the file.

    Empty for None, text without control characters, numbers to six decimals.
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return "".join(letter for letter in cell if letter.isprintable())
    return repr(round(cell, 6)).removesuffix(".0")
