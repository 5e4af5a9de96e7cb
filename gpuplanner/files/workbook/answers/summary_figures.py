"""The figures of the Summary: what each is called, and its formula over the other sheets."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text
from gpuplanner.domain.reports.plan_layers import at_least_entry
from gpuplanner.files.workbook.demand.audit_sheet import AuditCells
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.expressions import DASH, UNKNOWN, Expr, known, when
from gpuplanner.files.workbook.kit.figure_cells import Cell, maybe, surely
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One line of the Summary. key: its name in the JSON and as a name in the book; style: of its number, which says
    its unit where that is of $ or months."""

    key: str
    title: Text
    style: str
    how: str
    own_unit: str = ""

    @property
    def unit(self) -> str:
        """Of what it is."""
        return self.own_unit or ("months" if self.style == "months" else "$ per month")


_LINES: Final = """
current_usd_per_month|Spend today|usd|Paid in the window and its overflow on demand, as a month
do_nothing_usd_per_month|Next month, with nothing signed|usd|Contracts that run on, and what they leave over on demand
plan_usd_per_month|Plan|usd|All layers and the existing contracts that stand idle
savings_vs_do_nothing_usd_per_month|=savings_vs_do_nothing|change|The first month with its orders, as assumed below
savings_usd_per_month|=savings|change|What fell away by itself is in it, and no saving
savings_percent|=savings_percent|percent|Today less plan over spend today|% of spend
on_demand_equivalent_usd_per_month|All demand on demand|usd|At the cheapest eligible on-demand rates, never spot
effective_savings_rate|=effective_savings_rate|ratio|1 less plan over all of it on demand|of on demand
effective_utilization_now|Effective utilization today|ratio|Used over capacity GPU-hours of the window|of GPU-hours
effective_utilization_plan|Effective utilization, plan|ratio|Mean GPUs served over GPUs paid|of GPUs
unused_now_usd_per_month|Unused today|usd|Paid and not allocated in the window, as a month
unused_plan_usd_per_month|Unused, plan|usd|New commitments not busy, and existing contracts that stand idle
lock_in_now_months|Lock-in today|months|Months left, weighted by $
lock_in_months|Lock-in, plan|months|Months bound, weighted by $; paid by use counts 0
cost_of_separation_usd_per_month|=cost_of_separation|change|As exported: beside all workloads of a model in one pool
"""
"""Key, title, style, what it is, and its unit where the style does not say it; = begins a figure of the plan, which has
the title."""


def _line(cells: list[str]) -> SummaryLine:
    """A line of the table."""
    key, title, *others = cells
    return SummaryLine(key, PLAN[title[1:]].title if title.startswith("=") else title, *others)


SUMMARY_FIGURES = tuple(_line(line.split("|")) for line in _LINES.strip().splitlines())


def at_least_words(advice: Advice) -> dict[str, str]:
    """Of figures that are a dash for want of a rate, by their names, what of each is known, and whose rate is not."""
    entry = at_least_entry(advice) or {"missing": []}
    names = ", ".join(entry["missing"])[:150].replace('"', "'")
    known_usd = {key: usd for key, usd in entry.items() if key != "missing" and usd is not None}
    return {key: f"At least ${usd:,.0f}: no rate is known of {names}" for key, usd in known_usd.items()}


@dataclass(frozen=True, slots=True)
class Sources:
    """What the figures are made of: sums of Audit and Commitment, the Pools table, and the figures above."""

    named: Named
    audit: AuditCells
    pools: Table
    commitment: Commitment
    months: Table
    above: dict[str, Expr]
    serves_less: bool = False
    """Whether the plan leaves unserved what doing nothing would serve."""
    is_asked: bool = False
    """Whether nobody knows yet which jobs some contracts serve."""

    def whole(self, key: str) -> Expr:
        """A sum of the Audit sheet."""
        return self.audit.total(key)

    def plan(self, key: str) -> Expr:
        """A sum of the Commitment sheet."""
        return self.commitment.total(key)


def _current(of: Sources) -> Expr:
    """Spend a month: what is paid and what overflowed, over the months of the window."""
    paid, overflow = of.whole("paid"), of.whole("overflow")
    return known([paid, overflow], (paid + overflow) / of.named.window_months)


def _unused(of: Sources) -> Expr:
    """What is paid and not used, a month."""
    return of.whole("unused_in_window") / of.named.window_months


def _of_new(of: Sources) -> list[Expr]:
    """What has to be known before anybody knows what the plan signs."""
    return [of.plan("committed_usd"), of.plan("usage_usd")]


def _utilization_of_plan(of: Sources) -> Expr:
    """Mean demand over the GPUs that the plan pays for; unknown where nobody knows what it signs or what serves."""
    if of.is_asked:
        return UNKNOWN
    paid = of.plan("existing_gpus") + of.plan("committed_gpus") + of.plan("usage_busy")
    served = of.plan("existing_busy") + of.plan("committed_busy") + of.plan("usage_busy")
    given = {"used_gpus": surely(served), "paid_gpus": surely(paid)}
    return known(_of_new(of), _figure("effective_utilization_plan", given))


def _lock_in(of: Sources) -> Expr:
    """Months of lock-in: what is bound by term, over the plan's spend a month."""
    bound = maybe(of.plan("lock")) + maybe(of.plan("existing_lock"))
    return _figure("lock_in_months", {"bound": bound, "plan": maybe(of.above["plan_usd_per_month"])})


def _figure(key: str, operands: dict[str, Cell]) -> Expr:
    """A figure of the plan over cells: its own formula."""
    cell: Cell = PLAN.value(key, operands)
    return cell.live


def _saved(of: Sources, key: str, less: str, figure: str) -> Expr:
    """What the plan saves against another figure; unknown where it serves less."""
    if of.serves_less:
        return UNKNOWN
    return _figure(key, {less: maybe(of.above[figure]), "plan": maybe(of.above["plan_usd_per_month"])})


OF_SAVINGS: Final = frozenset(
    (
        "savings_vs_do_nothing_usd_per_month",
        "savings_usd_per_month",
        "savings_percent",
        "effective_savings_rate",
    )
)
"""Figures that such a plan does not have."""
FORMULAS: Final[dict[str, Callable[[Sources], Expr]]] = {
    "current_usd_per_month": _current,
    "do_nothing_usd_per_month": lambda of: of.months.cell("nothing", 0),
    "plan_usd_per_month": lambda of: of.months.cell("plan", 0),
    "savings_usd_per_month": lambda of: _saved(of, "savings", "today", "current_usd_per_month"),
    "savings_percent": lambda of: _figure(
        "savings_percent",
        {
            "savings": maybe(of.above["savings_usd_per_month"]),
            "today": maybe(of.above["current_usd_per_month"]),
        },
    ),
    "savings_vs_do_nothing_usd_per_month": lambda of: _saved(
        of, "savings_vs_do_nothing", "do_nothing", "do_nothing_usd_per_month"
    ),
    "on_demand_equivalent_usd_per_month": lambda of: of.pools.range("on_demand_usd").known_sum(),
    "effective_savings_rate": lambda of: known(  # unknown use: nobody knows what is saved
        [of.whole("used")],
        _saved(of, "effective_savings_rate", "on_demand_equivalent", "on_demand_equivalent_usd_per_month"),
    ),
    "effective_utilization_now": lambda of: _ratio(of.whole("used"), of.whole("capacity")),
    "effective_utilization_plan": _utilization_of_plan,
    "unused_now_usd_per_month": lambda of: known(
        [of.whole("unused_in_window")],
        when(of.whole("capacity") > 0, _unused(of), known([of.above["current_usd_per_month"]], _unused(of))),
    ),
    "unused_plan_usd_per_month": lambda of: known(
        [*_of_new(of), of.plan("unused_usd"), of.plan("idle_usd")],
        of.plan("unused_usd") + of.plan("idle_usd"),
    ),
    "lock_in_now_months": lambda of: _ratio(of.whole("existing_lock"), of.whole("existing")),
    "lock_in_months": _lock_in,
}
"""The formula of each figure but what separation costs, which is as exported. Source: docs/formulas.md, Totals."""


def _ratio(part: Expr, whole: Expr) -> Expr:
    """part / whole, the dash where either is unknown or there is no whole. Both are cells."""
    return known([part, whole], when(whole > 0, part / whole, DASH))
