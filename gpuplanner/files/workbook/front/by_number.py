"""Orders, decisions, contracts and providers as people name them: one row each, which the front pages refer to."""

from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from typing import Final

from gpuplanner.domain.audit.utilization.paid_contracts import held_contracts
from gpuplanner.domain.brief.approval import Approval, approval_on
from gpuplanner.domain.commitment.listed_order import ListedOrder, place_of
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import decision_number, order_number
from gpuplanner.domain.commitment.order_days import ShownOrder, orders_as_read
from gpuplanner.domain.commitment.payments import owed_rows
from gpuplanner.domain.commitment.result import vendors
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.provider_names import names_once
from gpuplanner.files.workbook.answers.advice_sheet import AdviceCells
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Content, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.checks import Check, as_in_app
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    added,
    call,
    formula,
    known,
    known_sum_where,
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.looks import Watch
from gpuplanner.files.workbook.kit.sheets import CALC_ORDERS as SHEET
from gpuplanner.files.workbook.plan.order_rows import Orders
from gpuplanner.lazy_dataclass import dataclass

NOT_STATED: Final = "Not stated"
GROUP: Final = "Front page as in the app"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByNumber:
    """One row for each order that is certain, decision, contract and provider, with what they were written from.

    orders: by number of the order. is_now: of an order, whether it is to be approved now. checks: of all, against the
    app.
    """

    approval: Approval
    orders: Table
    listed: tuple[ShownOrder, ...]
    decisions: Table
    decided: tuple[NextDecision, ...]
    contracts: Table
    held: tuple[Contract, ...]
    providers: Table
    checks: Sequence[Check]

    def is_now(self, row: ShownOrder) -> bool:
        """Return whether an order is to be approved now: one of those that renew it suffices."""
        return any(order in self.approval.now for order in row.listed.orders)

    def order_place(self, number: int) -> int:
        """Return the row of an order."""
        return next(place for place, row in enumerate(self.listed) if row.listed.number == number)


def write_by_number(named: Named, orders: Orders, contracts: Table, advice: AdviceCells) -> ByNumber:
    """Write the tables below the advice. contracts: the list of contracts; advice: with the orders over their terms."""
    inputs = named.inputs
    approval = approval_on(inputs.evaluation.advised, inputs.project, inputs.generated_at_s)
    shown = [row for row in _shown(inputs) if row.order.is_certain]
    held = held_contracts(inputs.evaluation.project)
    names = _provider_names(shown, held)
    of_orders = _orders(named, orders, shown, names, advice, approval)
    decided = inputs.outlook.open_decisions
    of_decisions = _decisions(named, decided, of_orders)
    of_contracts = _contracts(named, held, contracts, names, of_decisions.end_row + 1)
    of_providers = _providers(named, names, of_orders, of_contracts)
    return ByNumber(
        approval=approval,
        orders=of_orders,
        listed=tuple(shown),
        decisions=of_decisions,
        decided=decided,
        contracts=of_contracts,
        held=held,
        providers=of_providers,
        checks=[
            *_checks_of_orders(shown, of_orders, approval),
            *_checks_of_decisions(decided, of_decisions, approval),
            *_checks_of_contracts(inputs, held, of_contracts),
        ],
    )


def _shown(inputs: Inputs) -> list[ShownOrder]:
    """Return the orders of the plan by their first day in time, then by number."""
    rows = orders_as_read(inputs.evaluation.advised, inputs.evaluation.listed_orders)
    return sorted(rows, key=lambda row: (row.order.last_day_s, row.listed.number))


def _provider_names(shown: Iterable[ShownOrder], held: Iterable[Contract]) -> dict[str, str]:
    """Return the name of each provider by the name as written: those of orders, then those of contracts alone."""
    of_orders = [str(vendors((row.order,))) for row in shown]
    return names_once((*of_orders, *(contract.provider or NOT_STATED for contract in held)))


def _number_of(names: Mapping[str, str], written: str) -> int:
    """Return the number of a provider, from 1, by its name as written. names: as of `_provider_names`."""
    return list(dict.fromkeys(names.values())).index(names[written]) + 1


def _orders(
    named: Named,
    orders: Orders,
    shown: Sequence[ShownOrder],
    names: Mapping[str, str],
    advice: AdviceCells,
    approval: Approval,
) -> Table:
    """Write a row for each order, over the list of orders and over their terms."""
    table = Table(
        book=named.book,
        sheet=SHEET,
        row=named.book.title(SHEET, "The front sheets refer to these tables.", title="By number"),
        size=len(shown),
        fields=fields_of("by_number.order"),
        watch=Watch(title="Orders by number", values=True),
        section="Orders by number, those that renew each other as one",
    )
    for place, row in enumerate(shown):
        number = row.listed.number
        table.fill(place, number=order_number(number), decision_no=row.listed.decision or 0)
        table.put("order_no", place, number)
        table.put("provider_no", place, _number_of(names, str(vendors((row.order,)))))
        if row.order.is_dollars:
            _put_dollars(table, place, row.listed, approval)
        else:
            _put_order(table, place, row.listed, orders, advice.orders)
    return table


def _put_order(table: Table, place: int, listed: ListedOrder, orders: Orders, terms: Table) -> None:
    """Write what an order is and what it commits. terms: orders over their terms."""
    on_sheet = {place_of(order): order for order in orders.places}
    first, last = (on_sheet[place_of(order)] for order in (listed.orders[0], listed.orders[-1]))
    copies = {
        "gpus": "bought_gpus",
        "rate": "rate",
        "all_in": "spread_rate",
        "usd_per_month": "cost_per_month",
    }
    for key, source_key in copies.items():
        cell = orders.cell(source_key, first)
        table.put(key, place, cell if key == "gpus" else known([cell], cell))
    for key, source_key, less, order in (
        ("order_by", "order_by", 0, first),
        ("starts", "start", 0, first),
        ("last_day", "end", 1, last),
    ):
        day = formula(f"INT(ROUND({{at}}*86400,0)/86400-{less}/86400)", at=orders.cell(source_key, order))
        table.put(key, place, day)
    of_order = (terms.range("order_no"), table.cell("order_no", place))
    due = terms.has("due_at_once")
    table.put("cash", place, known_sum_where(terms.range("due_at_once"), of_order) if due else 0)
    for key, is_now in (("now_usd", 1), ("later_usd", 0)):
        usd = known_sum_where(terms.range("liability"), of_order, (terms.range("is_now"), is_now))
        table.put(key, place, usd)


def _put_dollars(table: Table, place: int, listed: ListedOrder, approval: Approval) -> None:
    """Write an order in dollars, which the list of orders has not: the app's figures."""
    first, last = listed.orders[0], listed.orders[-1]
    for key in ("gpus", "rate", "all_in"):
        table.put(key, place, None)
    table.put("order_by", place, float(int(day_number(first.last_day_s))))
    table.put("starts", place, float(int(day_number(first.start_s))))
    table.put("last_day", place, float(int(day_number(last.end_s - 1))))
    table.put("usd_per_month", place, first.cost_per_month)
    table.put("cash", place, known_sum(order.due_at_once for order in listed.orders))
    now = [order for order in listed.orders if order in approval.now]
    later = [order for order in listed.orders if order not in approval.now]
    table.put("now_usd", place, known_sum(order.liability for order in now))
    table.put("later_usd", place, known_sum(order.liability for order in later))


def _decisions(named: Named, decided: Sequence[NextDecision], orders: Table) -> Table:
    """Write a row for each decision: the app's savings, and what its orders commit."""
    table = Table(
        book=named.book,
        sheet=SHEET,
        row=orders.end_row + 1,
        size=len(decided),
        fields=fields_of("by_number.decision"),
        watch=Watch(title="Decisions by number", values=True),
        section="Decisions by number",
    )
    for place, decision in enumerate(decided):
        table.put("number", place, decision_number(decision.number))
        number = table.put("decision_no", place, decision.number)
        table.put("saves", place, decision.usd_12_months)
        of_decision = (orders.range("decision_no"), number)
        for key in ("now_usd", "later_usd", "cash"):
            table.put(key, place, known_sum_where(orders.range(key), of_decision))
    return table


def _contracts(
    named: Named, held: Sequence[Contract], contracts: Table, names: Mapping[str, str], row: int
) -> Table:
    """Write a row for each contract, over the list of contracts where that has it as it is."""
    inputs = named.inputs
    places = {contract.contract_id: place for place, contract in enumerate(inputs.contracts)}
    table = Table(
        book=named.book,
        sheet=SHEET,
        row=row,
        size=len(held),
        fields=fields_of("by_number.contract"),
        watch=Watch(title="Contracts by name", values=True),
        section="Existing contracts by name",
    )
    owed = grouped(
        (owed_row.key, owed_row.figures["owed"])
        for owed_row in owed_rows(inputs.evaluation.project, inputs.evaluation.plan)
    )
    used = {audited.contract_id: audited for audited in inputs.evaluation.audit.contracts}
    for place, contract in enumerate(held):
        name = contract.contract_id
        table.fill(place, contract_id=name, provider_no=_number_of(names, contract.provider or NOT_STATED))
        listed_place = places.get(name)
        cells = (
            {} if listed_place is None or contract.is_dollars else _cells_of(named, contracts, listed_place)
        )
        usage = used.get(name)
        app: dict[str, float | None] = {
            "gpus": contract.gpus,
            "last_day": None if contract.end_s is None else float(int(day_number(contract.end_s - 1))),
            "usd_per_month": contract.cost_per_month,
            "owed": known_sum(owed.get(name, ())),
            "used": None if usage is None else usage.utilization,
            "idle_usd": None if usage is None else usage.unused_per_month,
        }
        for key, value in app.items():
            table.put(key, place, _live(cells.get(key), value))
    return table


def _cells_of(named: Named, contracts: Table, place: int) -> dict[str, Expr]:
    """Return what a contract is by formulas over its row of the list of contracts."""
    gpus, rate = contracts.cell("gpus_used", place), contracts.cell("rate_used", place)
    end, until = contracts.cell("end", place), contracts.cell("to_h", place)
    month = known([rate], gpus * rate * named.hours_per_month)
    owed = known([rate], gpus * rate * (until - named.plan_begins_h))
    idle = contracts.cell("unused_in_window", place)
    used = contracts.cell("utilization", place)
    last = formula("INT({end}-1/86400)", end=call("N", end))
    return {
        "gpus": gpus,
        "last_day": when(call("ISNUMBER", end), last, DASH),
        "usd_per_month": month,
        "owed": owed,
        "used": known([used], used),
        "idle_usd": known([idle], idle / named.window_months),
    }


def _live(cell: Expr | None, app: float | None) -> Content:
    """Return a formula where it comes to what the app says, otherwise the app's figure."""
    if cell is None:
        return app
    if app is None:
        return app if cell.is_known else cell
    return cell if cell.is_known and isclose(cell.number, app, rel_tol=1e-9, abs_tol=1e-6) else app


def _providers(named: Named, names: Mapping[str, str], orders: Table, contracts: Table) -> Table:
    """Write a row for each provider: its orders and its contracts."""
    listed = list(dict.fromkeys(names.values()))
    table = Table(
        book=named.book,
        sheet=SHEET,
        row=contracts.end_row + 1,
        size=len(listed),
        fields=fields_of("by_number.provider"),
        watch=Watch(title="Providers", values=True),
        section="Providers",
    )
    whole = [orders.range(key).known_sum() for key in ("now_usd", "later_usd")]
    for place, name in enumerate(listed):
        table.put("name", place, name)
        number = table.put("provider_no", place, place + 1)
        of_orders = (orders.range("provider_no"), number)
        table.put("orders", place, call("COUNTIF", of_orders[0], number))
        new = [
            table.put(key, place, known_sum_where(orders.range(key), of_orders))
            for key in ("now_usd", "later_usd")
        ]
        share = known([*new, *whole], when(added(whole) > 0, added(new) / added(whole), 0))
        table.put("share", place, share)
        of_contracts = (contracts.range("provider_no"), number)
        existing = table.put("existing_usd", place, known_sum_where(contracts.range("owed"), of_contracts))
        table.put("all_usd", place, known([*new, existing], added([*new, existing])))
    return table


def _checks_of_orders(shown: Sequence[ShownOrder], table: Table, approval: Approval) -> Iterable[Check]:
    """Each order as in the app, and their sums."""
    for place, row in enumerate(shown):
        left = [order for order in row.listed.orders if order in approval.left]
        usd = known_sum(order.liability for order in left)
        here = [table.cell(key, place) for key in ("now_usd", "later_usd")]
        yield as_in_app(
            f"{order_number(row.listed.number)}: whole term, $", usd, known(here, added(here)), GROUP
        )
    if approval.usd is not None:  # otherwise a rate is missing somewhere, and the sum is not known
        yield as_in_app(
            "Commitment to approve now, $", approval.usd, table.range("now_usd").known_sum(), GROUP
        )


def _checks_of_decisions(
    decided: Sequence[NextDecision], table: Table, approval: Approval
) -> Iterable[Check]:
    """What each decision commits as in the app, where its month is that of the approval."""
    if approval.seen.days_late:
        return
    for place, decision in enumerate(decided):
        if decision.orders:
            here = table.cell("now_usd", place)
            name = f"{decision_number(decision.number)}: commits now, $"
            yield as_in_app(name, decision.committed_usd, here, GROUP)


def _checks_of_contracts(inputs: Inputs, held: Sequence[Contract], table: Table) -> Iterable[Check]:
    """What each contract costs and owes as in the app."""
    owed = grouped(
        (owed_row.key, owed_row.figures["owed"])
        for owed_row in owed_rows(inputs.evaluation.project, inputs.evaluation.plan)
    )
    for place, contract in enumerate(held):
        name = contract.contract_id
        yield as_in_app(
            f"{name}: $ per month", contract.cost_per_month, table.cell("usd_per_month", place), GROUP
        )
        here = table.cell("owed", place)
        yield as_in_app(f"{name}: still owed, $", known_sum(owed.get(name, ())), here, GROUP)
