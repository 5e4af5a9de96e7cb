"""What is written for other programs: FOCUS rows, cube, price book, decisions, documents as tables."""

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from gpuplanner.domain.audit.chargeback import ChargePart
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.brief.approval import Approval, approval_on
from gpuplanner.domain.commitment.plan.orders import as_they_fall_due, signed_for
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import Evaluation, charges_of
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.dollars import IN_DOLLARS
from gpuplanner.domain.model.book.exchange import DOLLARS, USD, Currency, currency_from, english_in
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import CALLED_NOBODY, Cube, Workload
from gpuplanner.domain.model.plan_inputs import Decision, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window, iso_utc, months_after
from gpuplanner.files.system.output_file import (
    OTHER_PLACE,
    output_file,
    output_folder,
    output_text,
    place_of,
    unreadable,
    write_output,
    write_table,
)
from gpuplanner.files.tables.delimited import csv_text, write_rows
from gpuplanner.files.values.numbers import phrases
from gpuplanner.lazy_dataclass import dataclass, fields, replace

if TYPE_CHECKING:
    import pandas as pd


# --- FOCUS 1.3 rows, as values and as CSV files: what the plan proposes to buy, what each team is charged

STATUS: Final = "Proposed"
UNIT: Final = "GPU-Hours"
RESERVATION: Final = "GPU reservation"

FOCUS_COLUMNS: Final = phrases(
    "BillingCurrency|ContractCommitmentCategory|ContractCommitmentCost|ContractCommitmentDescription"
    "|ContractCommitmentId|ContractCommitmentPeriodEnd|ContractCommitmentPeriodStart|ContractCommitmentQuantity"
    "|ContractCommitmentType|ContractCommitmentUnit|ContractId|ContractPeriodEnd|ContractPeriodStart"
    "|x_BareMetal|x_ContractCommitmentDurationType|x_ContractCommitmentFulfillmentInterval"
    "|x_ContractCommitmentLifecycleStatus|x_EgressUsdPerGb|x_GpuMemoryGb|x_GpuModel|x_Gpus|x_Interconnect"
    "|x_MinTermMonths|x_OfferId|x_OrderBy|x_PlanCost|x_Pool|x_PricingCurrency|x_PricingCurrencyContractCommitmentCost"
    "|x_RateUsdPerGpuHour|x_Reason|x_Region|x_ServiceProviderName|x_TermMonths|x_ToSign"
)
"""Column ids of FOCUS 1.3 in its order, by name: the 13 that its contract commitments have. x_ columns are ours, among
them six of the specification's next version; our reader of commitments knows all."""

Cell = str | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCommitment:
    """One order as a commitment: its period in ISO text, its hours, its offer, whether it is to be signed now, and the
    period of its contract: of all commitments of the provider.
    """

    order: Order
    offer: Offer
    name: str
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


def proposed_commitments(approval: Approval, project: Project) -> tuple[ProposedCommitment, ...]:
    """The certain orders of the next twelve months as commitments, what must be ordered first coming first.

    Those, and those of them to be signed now, that the brief of the same day has: none that is over.
    GPUs that are bought are none: FOCUS knows a contract commitment as an obligation towards a provider, and a purchase
    as a charge (ChargeCategory Purchase of its cost and usage rows) once it is invoiced.
    """
    by_id = {offer.offer_id: offer for offer in project.offers}
    orders = as_they_fall_due(order for order in signed_for(approval.left) if order.offer_id in by_id)
    commitments = [
        _proposed(order, by_id[order.offer_id], f"proposed-{number}-{order.offer_id}", order in approval.now)
        for number, order in enumerate(orders, 1)
    ]
    periods: dict[str | None, tuple[str, str]] = {}
    for offer_row in commitments:  # texts of one length: the earlier is the lesser
        start, end = periods.get(offer_row.offer.provider, (offer_row.start, offer_row.end))
        periods[offer_row.offer.provider] = min(start, offer_row.start), max(end, offer_row.end)
    return tuple(
        replace(offer_row, contract_period=periods[offer_row.offer.provider]) for offer_row in commitments
    )


def _proposed(order: Order, offer: Offer, name: str, is_now: bool) -> ProposedCommitment:
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
    return ProposedCommitment(
        order=order, offer=offer, name=name, start=start, end=end, hours=hours, is_now=is_now
    )


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
        "x_OrderBy": iso_utc(order.order_by_s),
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
    write_output(path, focus_csv(proposed_commitments(approval, project), approval.left, billed).encode())
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


# Who pays as FOCUS cost rows: what each team is charged for each of its workloads in the window

STATEMENT_COLUMNS: Final = phrases(
    "AllocatedMethodId|BilledCost|BillingCurrency|BillingPeriodEnd|BillingPeriodStart|ChargeCategory"
    "|ChargeDescription|ChargePeriodEnd|ChargePeriodStart|EffectiveCost|ResourceId|ServiceCategory"
    "|SubAccountId|SubAccountName|x_Charge|x_Cluster|x_GpuHours"
)
"""Column ids of FOCUS 1.3 cost and usage rows in its order, by name; x_ columns are ours. A team is a sub account."""

_CHARGES: Final = (
    ("direct", "direct_in_window", "GPU time that contracts served"),
    ("idle", "idle_in_window", "Share of GPUs that nobody used"),
    ("overflow", "overflow_in_window", "GPU time that no contract had room for"),
)
"""What is charged of a workload: x_Charge, its field, and words for it."""


def statement_csv(project: Project, parts: Iterator[ChargePart]) -> str:
    """Rows as CSV text, up to three of a workload; what is unknown is an empty cell. Text in it begins no formula."""
    rows = ([written_cell(cells[column]) for column in STATEMENT_COLUMNS] for cells in _rows(project, parts))
    return csv_text((STATEMENT_COLUMNS, *rows))


def write_statement(evaluation: Evaluation, path: Path) -> None:
    """Write who pays for the window of an evaluation. Law: the rows add up to what is paid and what overflowed.

    Amounts are in the money of the project. Errors: PlannerError file_unreadable.
    """
    parts = (part for row in charges_of(evaluation, ChargeBy.WORKLOAD).rows for part in row.parts)
    write_output(path, statement_csv(evaluation.project, parts).encode())


def _rows(project: Project, parts: Iterator[ChargePart]) -> Iterator[dict[str, Cell]]:
    """The rows of the parts, by column; what costs nothing has none."""
    window = project.window
    begin, end = iso_utc(window.start_s), iso_utc(window.end_s)
    for part in parts:
        team = part.team or CALLED_NOBODY
        for kind, field, words in _CHARGES:
            cost: float | None = getattr(part, field)
            if cost == 0:
                continue
            yield {
                "AllocatedMethodId": project.assumptions.idle_shared_by if kind == "idle" else None,
                "BilledCost": cost,
                "BillingCurrency": project.currency,
                "BillingPeriodEnd": end,
                "BillingPeriodStart": begin,
                "ChargeCategory": "Usage",
                "ChargeDescription": words,
                "ChargePeriodEnd": end,
                "ChargePeriodStart": begin,
                "EffectiveCost": cost,
                "ResourceId": part.key or None,
                "ServiceCategory": "Compute",
                "SubAccountId": team,
                "SubAccountName": team,
                "x_Charge": kind,
                "x_Cluster": part.cluster,
                "x_GpuHours": part.gpu_hours if kind == "direct" else None,
            }


# --- A project's own data as CSV files: demand cube, price book and logs of decisions --------------
# The cube: a row per workload, GPU model and hour, and the hash of all of them.

CUBE_NAME = "cube.csv"
HEADER = ("workload", "gpu_model", "hour", "milli_gpu_seconds")


def write_cube(project: Project, folder: Path) -> tuple[Path, ...]:
    """Write the cube into a folder, made where missing; an unknown GPU model is an empty cell.

    No half of the file is ever seen. Errors: PlannerError file_unreadable.
    """
    path = output_folder(folder) / CUBE_NAME
    with output_text(path) as file:
        write_rows(file, cube_rows(project))
    return (path,)


def cube_rows(project: Project) -> Iterator[tuple[object, ...]]:
    """The rows of the file, its header first."""
    yield HEADER
    cube, start_s = project.cube, project.window.start_s
    for row in range(len(cube.workload_index)):
        key = project.workloads[int(cube.workload_index[row])].key
        model = cube.gpu_models[cube.model_index[row]] if cube.model_index[row] >= 0 else ""
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        for hour, amount in zip(cube.hour[span].tolist(), cube.milli_gpu_seconds[span].tolist(), strict=True):
            yield key, model, iso_utc(start_s + hour * HOUR_S), amount


def cube_sha256(cube: Cube, workloads: Sequence[Workload], window: Window) -> str:
    """SHA-256 of the lines `key TAB hour TAB milli-GPU-seconds LF`, UTF-8, sorted by key then hour, zeros left out.

    Amounts are summed over GPU models. Source: docs/json.md, Documents.
    """
    hours = [iso_utc(window.start_s + hour * HOUR_S) for hour in range(cube.hours)]
    digest = hashlib.sha256()
    first_row = np.searchsorted(cube.workload_index, np.arange(len(workloads) + 1))
    for index in sorted(range(len(workloads)), key=lambda position: workloads[position].key):
        begin, end = cube.offsets[first_row[index]], cube.offsets[first_row[index + 1]]
        hour, place = np.unique(cube.hour[begin:end], return_inverse=True)
        amount = np.zeros(len(hour), dtype=np.int64)
        np.add.at(amount, place, cube.milli_gpu_seconds[begin:end])
        key = workloads[index].key
        digest.update(
            "".join(
                f"{key}\t{hours[h]}\t{a}\n" for h, a in zip(hour.tolist(), amount.tolist(), strict=True)
            ).encode()
        )
    return digest.hexdigest()


# The price book: in our own columns, to be edited elsewhere and read again.

PRICE_COLUMNS: Final = phrases(
    "offer_id|provider|gpu_model|pricing_category|term_months|rate_usd_per_gpu_hour|rate_low|rate_high"
    "|max_gpus|min_gpus|unit_gpus|upfront_usd|sla_percent|lead_time_hours|min_term_months|term_days"
    "|starts|ends|valid_until|gpu_memory_gb|bare_metal|interconnect|nic_gbps|rdma|egress_usd_per_gb|country|region|source|as_of"
)
"""Every field of an offer, in the order of a price file; its GPU model is as its list wrote it."""

OWNED_COLUMNS: Final = phrases(
    "capex_usd_per_gpu|life_months|residual_share|kw_per_gpu|pue|usd_per_kwh|space_usd_per_kw_month"
)
"""Columns more where an offer states what owned GPUs cost."""
EXTRA_COLUMNS: Final = phrases(
    "staff_usd_per_gpu_month|storage_usd_per_gpu_month|network_usd_per_gpu_month|support_percent|setup_usd"
    "|lead_time_high_hours|tokens_per_minute_per_unit|commitment_usd_per_hour|discount_percent"
)
"""Likewise where one states what is paid beside its rate, or how long it takes at most."""
CURRENCY: Final = "currency"
"""A column more where an offer is quoted in another currency than US dollars."""

assert {
    *PRICE_COLUMNS,
    *OWNED_COLUMNS,
    *EXTRA_COLUMNS,
    CURRENCY,
    "exchange",
    "gpu_model_written",
    "sent_gb",
} == {each.name for each in fields(Offer)}


def prices_text(offers: Iterable[Offer]) -> str:
    """Offers as CSV. Law: reading it gives the same offers (a text without spaces at its ends)."""
    written = [replace(offer, gpu_model=offer.gpu_model_written or offer.gpu_model) for offer in offers]
    columns = PRICE_COLUMNS
    for more in (OWNED_COLUMNS, EXTRA_COLUMNS):
        columns += more if any(getattr(offer, name) is not None for offer in written for name in more) else ()
    columns = (*columns, CURRENCY) if any(offer.currency != USD for offer in written) else columns
    return csv_text((columns, *([_cell(getattr(offer, name)) for name in columns] for offer in written)))


def write_price_file(offers: Iterable[Offer], path: Path) -> None:
    """Write offers to a file: all of it or nothing. Errors: PlannerError file_unreadable."""
    write_table(path, prices_text(offers))


def _cell(value: object) -> str:
    """A value as our own reader takes it again.

    Empty for None, numbers without exponent, true and false in small letters.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else f"{Decimal(repr(value)):f}"
    return str(value)


# The logs of decisions of a project's plans: also as plain text.

DECISION_COLUMNS: Final = ("plan", "at", "decision", "reason")


def decisions_csv(plans: Iterable[Scenario], currency: str) -> str:
    """Every line of every plan's log: plan, time (ISO 8601 UTC), what, why (empty: nobody said).

    currency: the code of the money of the project that the plans are of.
    """
    lines = (
        (plan.name, iso_utc(decision.at_s), english_in(decision.what, currency), decision.reason)
        for plan in plans
        for decision in plan.decisions
    )
    return csv_text((DECISION_COLUMNS, *lines))


def decisions_text(plans: Iterable[Scenario], currency: str) -> str:
    """The same for people: a heading for each plan, a line for each decision, its reason under it."""
    parts = [
        "\n".join((plan.name, "", *(_lines(decision, currency) for decision in plan.decisions)))
        for plan in plans
        if plan.decisions
    ]
    return "\n\n".join(parts) + "\n"


def _lines(decision: Decision, currency: str) -> str:
    """One decision as text: time and what was decided, the reason indented below it if there is one."""
    head = f"{iso_utc(decision.at_s)}  {english_in(decision.what, currency)}"
    return f"{head}\n    Why: {decision.reason}" if decision.reason else head


def write_decisions(plans: Iterable[Scenario], path: Path, currency: str) -> None:
    """Write the logs to a file, as text where its name ends in .txt or .md, else as CSV: all of it or nothing.

    Errors: PlannerError file_unreadable.
    """
    kept = tuple(plans)
    is_text = path.suffix.lower() in (".txt", ".md")
    write_table(path, decisions_text(kept, currency) if is_text else decisions_csv(kept, currency))


# --- A document as tables -------------------------------------------------------------------------

Frame: TypeAlias = "pd.DataFrame"
Row = dict[str, object]
LISTED: Final = "gpuplanner-tables.json"
"""The file of a folder that says which of its tables are ours: {"tables": {file: SHA-256 of its bytes}}."""


def frame_of(name: str, values: Sequence[Any]) -> Frame:
    """A list of a document as a frame: a column a field, `a.b` where objects are nested, lists as they are.

    name: the column's where the list has plain values; lists in it have their places as columns. Null is None or NaN.
    """
    import pandas as pd

    if all(isinstance(value, dict) for value in values):
        return pd.json_normalize(list(values))
    is_grid = any(isinstance(value, list) for value in values)
    return pd.DataFrame(list(values)) if is_grid else pd.DataFrame({name: list(values)})


def tables_of(document: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Every list of a document as rows, by its dotted name; one row of all else is called as the command.

    Objects within a row are columns `a.b`, plain lists JSON text. A list of objects within a row is a table of its own,
    whose first column has the name of the row's table and says the row's place there, from 0.

    >>> found = tables_of({"command": "x", "total": {"usd": 2}, "rows": [{"a": {"b": 1}, "of": [{"c": 3}]}]})
    >>> found["x"], found["rows"], found["rows.of"]
    ([{'command': 'x', 'total.usd': 2}], [{'a.b': 1}], [{'rows': 0, 'c': 3}])
    """
    alone: Row = {}
    tables = {str(document["command"]): [alone]}
    _part(document, "", "", alone, tables)
    return tables


def _part(value: object, column: str, table: str, row: Row, tables: dict[str, list[Row]]) -> None:
    """Put a value into a row, or the rows of a list into tables. table: the row's own; empty for what is in no list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _part(inner, f"{column}.{key}" if column else key, table, row, tables)
        return
    name = f"{table}.{column}" if table else column
    if not isinstance(value, list):
        row[column] = value
    elif table and name not in tables and not any(isinstance(entry, dict) for entry in value):
        row[column] = json.dumps(value)
    else:
        if name not in tables:
            tables[name] = []
            for earlier in tables.get(table, ()):
                earlier.pop(column, None)  # it was empty there
        rows = tables[name]
        above: Row = {table: len(tables[table]) - 1} if table else {}
        for one in value:
            rows.append({**above})
            cells = dict(enumerate(one)) if isinstance(one, list) else one
            _part(cells, "" if isinstance(cells, dict) else column.rpartition(".")[2], name, rows[-1], tables)


def write_tables(
    document: Mapping[str, Any], folder: Path, suffix: str, given: Iterable[str | Path] = ()
) -> tuple[Path, ...]:
    """Write a document as a table a file into a folder, made where missing; a list without rows is an empty file.

    suffix: .csv or .parquet. given: files that a person gave, never written to. Errors: PlannerError file_unreadable,
    before anything is written, where a file is in the way that no such call wrote, or that was changed since.
    """
    kept, list_path = tuple(given), output_folder(folder) / LISTED
    ours = _listed(list_path)
    contents = {}
    for name, rows in tables_of(document).items():
        path = folder / f"{name}{suffix}"
        held = [_sha256(path.read_bytes())] if place_of(path, kept).before is not None else []
        if not set(held) <= set(ours.get(path.name, ())):
            problem = worded("the existing file is not ours or has changed")
            raise unreadable(path, problem, OTHER_PLACE)
        contents[path] = _csv(rows) if suffix == ".csv" else _parquet(rows)
        ours[path.name] = [*held, _sha256(contents[path])]
    with (
        ExitStack() as files
    ):  # all are written before the first takes its place: a full disk leaves the tables before
        for path, content in contents.items():
            file = files.enter_context(output_file(path, kept))
            file.write(content)
            file.flush()
        # the list comes first and names what is there too: whatever stops in between, either is ours
        write_output(list_path, json.dumps({"tables": ours}, indent=1).encode(), kept)
    return tuple(contents)


def _listed(path: Path) -> dict[str, list[str]]:
    """Which contents of a folder's tables are ours, by name. Errors: PlannerError file_unreadable where the list is
    none of ours."""
    if place_of(path).before is None:
        return {}
    try:
        tables = dict(json.loads(path.read_bytes())["tables"])
        return {name: [table] if isinstance(table, str) else list(table) for name, table in tables.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise unreadable(path, worded("not our list of tables"), OTHER_PLACE) from error


def _sha256(content: bytes) -> str:
    """What tells a content from any other."""
    return hashlib.sha256(content).hexdigest()


def _columns(rows: Sequence[Row]) -> list[str]:
    """All columns of the rows, as they first come."""
    return list(dict.fromkeys(column for row in rows for column in row))


def _csv(rows: Sequence[Row]) -> bytes:
    """Rows as CSV: unknown is empty, yes and no are true and false, no text begins a formula."""
    columns = _columns(rows)
    values = ([row.get(column) for column in columns] for row in rows)
    cells = ([str(one).lower() if isinstance(one, bool) else one for one in row] for row in values)
    return csv_text((columns, *cells)).encode("utf-8-sig") if columns else b""


def _parquet(rows: Sequence[Row]) -> bytes:
    """Rows as Parquet: unknown is null; a column of numbers and texts is of texts."""
    import pandas as pd

    columns = {column: [row.get(column) for row in rows] for column in map(str, _columns(rows))}
    for column, values in columns.items():
        if len({isinstance(value, str) for value in values if value is not None}) > 1:
            columns[column] = [
                value if isinstance(value, str | None) else json.dumps(value) for value in values
            ]
    out = io.BytesIO()
    pd.DataFrame(columns).to_parquet(out, index=False)
    return out.getvalue()
