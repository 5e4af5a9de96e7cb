"""A plan's money as steps and rows: from today's spend to the plan's, savings, and layers by term."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from gpuplanner.charts.kit.plain_text import speak, spoken, tr
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.plan.layers import as_one, layer_dollars, mean_paid_gpus, mean_rate
from gpuplanner.domain.commitment.plan.totals import is_priced, is_priced_layer
from gpuplanner.domain.commitment.plan.twelve_months import LEAST_GPU_HOURS
from gpuplanner.domain.commitment.savings import SavingsStory, StoryRow, savings_story
from gpuplanner.domain.commitment.sentences import term_name
from gpuplanner.domain.evidence.layers import BY_USE, EXISTING
from gpuplanner.domain.evidence.trace import figure, less
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import (
    NOTHING_KNOWN,
    PartSum,
    grouped,
    known_sum,
    largest_remainder,
    part_sum,
    whole_dollars,
)
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.system.resources import long_text, rows_of, words_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import Step, StepKind


# --- Amounts of a bridge as the steps of a waterfall: whole dollars that add up, and cents in the tool tips


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """One bar before it is written: two lines of a name, $ (None: unknown), its kind, and what it says on hover.

    known: its parts, of which some may be known where it is not.
    """

    name: Text
    note: Text
    usd: float | None
    kind: "StepKind"
    tip: Text = ""
    figure_id: str = ""
    known: PartSum = NOTHING_KNOWN

    def __post_init__(self) -> None:
        speak(self, "name", "note", "tip")


def steps_of(amounts: Sequence[Amount], of_what: Message = worded("per month")) -> "tuple[Step, ...]":
    """Steps whose written dollars add up from each start or result to the next one.

    Between two bars that stand on zero the changes are rounded by largest remainder to the difference of the
    two as they are written. An unknown amount is written as a dash.
    """
    from gpuplanner.charts.plots.waterfall import Step  # charts are imported when the first one is shown

    return tuple(
        Step(
            name=amount.name,
            note=amount.note,
            amount=amount.usd,
            kind=amount.kind,
            label=_label(amount, usd),
            tip=_tip(amount, of_what),
            figure_id=amount.figure_id,
        )
        for amount, usd in zip(amounts, whole_amounts(amounts), strict=True)
    )


def whole_amounts(amounts: Sequence[Amount]) -> list[int | None]:
    """The dollars as they are written; None is unknown.

    Law: where a result is the bar before it plus the steps between, it is so as they are written.
    """
    whole: list[int | None] = [None] * len(amounts)
    begin: int | None = None  # the last bar on zero, as it is written
    between: list[int] = []
    for at, amount in enumerate(amounts):
        if amount.kind not in ("start", "result"):
            between.append(at)
            continue
        end = None if amount.usd is None else round(amount.usd)
        whole[at] = end
        _round(whole, amounts, between, None if begin is None or end is None else end - begin)
        begin, between = end, []
    _round(whole, amounts, between, None)
    return whole


def _round(whole: list[int | None], amounts: Sequence[Amount], places: list[int], total: int | None) -> None:
    """Rounds some of the amounts so that they add up to a total, if they do so before rounding."""
    values = [amounts[at].usd for at in places]
    known = [value for value in values if value is not None]
    adds_up = total is not None and None not in values and abs(sum(known) - total) <= 1
    rounded = largest_remainder(values, float(total) if adds_up and total is not None else None)
    for at, value in zip(places, rounded, strict=True):
        whole[at] = value


def _label(amount: Amount, usd: int | None) -> str:
    """A total as it is, or what it is at least; a step with its sign."""
    if amount.known.is_at_least:
        return numbers.sum_of(amount.known, numbers.whole)
    return numbers.whole(usd) if amount.kind in ("start", "result") else numbers.change(usd)


def _tip(amount: Amount, of_what: Message) -> str:
    """An amount to the cent, or that it is unknown."""
    name = f"{amount.name} {amount.note}".strip()
    if amount.usd is None:
        return tr("{name}: unknown. {tip}", name=name, tip=amount.tip).strip()
    money = numbers.cents(amount.usd)
    sign = "+" if amount.kind in ("step", "scaled") and amount.usd > 0 else ""
    return tr("{name}: {sign}{money} {of_what}", name=name, sign=sign, money=money, of_what=of_what) + (
        f"\n{amount.tip}" if amount.tip else ""
    )


# --- From today's spend to the plan's: the steps of the bridge, and what each of twelve months costs either way

STEPS: Final = tuple(
    (row["part"], worded(row["name"]), worded(row["note"]), worded(row["tip"]))
    for row in rows_of("plan_steps.csv")
)
"""Part of the plan's spend, two lines of its name, and what it is."""


def plan_amounts(shown: ViewState) -> tuple[Amount, ...]:
    """Six bars in whole dollars: today, what ends, overflow no more, what is signed, what is paid by use, the plan.

    Law: today and the four steps are the plan, wherever all of them are known. What is signed and paid by use are the
    dollars of the layers as every panel writes them; what ends takes what is rounded away.
    """
    advice = shown.advice
    totals = advice.totals if advice else None
    today = whole_dollars(totals.today if totals else None)
    overflow = whole_dollars(
        known_sum(less(row.overflow_per_month) for row in shown.evaluation.audit.clusters)
    )
    plan = whole_dollars(totals.plan if totals else None)
    is_known = advice is not None and bool(advice.pools) and is_priced(advice.pools)
    signed, by_use = (
        (_layers(advice, True), _layers(advice, False)) if advice is not None and is_known else (None, None)
    )
    others = (today, overflow, signed, by_use)
    rest = None if plan is None or None in others else plan - sum(usd for usd in others if usd is not None)
    known = {"contracts": rest, "overflow": overflow, "signed": signed, "by_use": by_use}
    return (
        Amount(
            name=tr("Today"),
            note="",
            usd=today,
            kind="start",
            tip=tr("Contracts and on-demand overflow"),
            figure_id="spend::",
        ),
        *(
            Amount(name=name, note=note, usd=known[part], kind="step", tip=tip, figure_id=f"plan_{part}::")
            for part, name, note, tip in STEPS
        ),
        Amount(
            name=tr("Plan"),
            note="",
            usd=plan,
            kind="result",
            tip=tr("The plan's first-month cost"),
            figure_id="plan_usd::",
        ),
    )


def _layers(advice: result.Advice, is_signed: bool) -> int | None:
    """Whole dollars of new commitments, or of what is paid by use."""
    whole = [
        usd
        for (_, _, is_existing, _, term_months, _), usd in layer_dollars(advice).items()
        if not is_existing and bool(term_months) == is_signed
    ]
    return None if None in whole else sum(usd for usd in whole if usd is not None)


# --- Where the savings of the shown plan come from, as the bars of a waterfall -------------------

_BELOW: Final = words_table("bar_below")
BARS: Final = {key: (words, _BELOW.get(key, "")) for key, words in words_table("bar").items()}
"""Two short lines under each bar, which is narrow; its tip has the whole name."""
TOTALS: Final = {"savings_vs_do_nothing": figure("plan_below_nothing"), "savings": figure("plan_saved")}


def story_of_plan(shown: ViewState, advice: result.Advice) -> SavingsStory:
    """The story of the plan that is shown. advice: its own, which is there."""
    has_today = bool(shown.evaluation.project.contracts)
    return savings_story(advice, shown.outlook, shown.evaluation.audit, has_today)


def story_amounts(story: SavingsStory) -> tuple[Amount, ...]:
    """Its bars, up is less to pay: what saves, what that comes to, what came or fell away, today less plan."""
    return tuple(map(_amount, (*story.steps, story.total)))


def _amount(row: StoryRow) -> Amount:
    name, note = BARS[row.key]
    opens = TOTALS[row.key] if row.is_total else figure("savings_step", row.key)
    tip = f"{spoken(row.called)}. {spoken(row.meaning)}"
    kind: StepKind = "result" if row.is_total else "step"
    return Amount(
        name=name,
        note=note,
        usd=row.saved_per_month,
        kind=kind,
        tip=tip,
        figure_id="" if row.exact is None else opens,
    )


# --- The layers of one pool and model as rows of a table and bands of a chart; no figure is worked out anew

USAGE_NAMES = {
    PricingCategory.STANDARD: titles.ON_DEMAND,
    PricingCategory.DYNAMIC: worded("Spot"),
    PricingCategory.MIXED: worded("On demand, spot"),
}


WHAT_THE_ADVICE_MINIMISES = long_text("advice_minimizes")
"""Said wherever levels set by hand stand beside the advice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermRow:
    """One row: GPUs bought (or their mean, for what is used as it comes), and what stands beside them."""

    name: Text
    term_months: int | None
    gpus: float
    is_set: bool  # whether a planner may set it
    used: float | None
    break_even: float | None
    rate: float | None
    usd: float | None
    category: PricingCategory
    existing: bool = False
    is_unserved: bool = False  # demand that nobody serves, in no $
    tip: str = ""
    later: str = ""  # what is ordered of the term though it has no GPUs yet

    def __post_init__(self) -> None:
        speak(self, "name", "tip")

    @property
    def part(self) -> str:
        """The row of a trace: existing, a term in months, or by use with how it is bought."""
        if self.existing or self.is_unserved:
            return EXISTING if self.existing else "unserved"
        return str(self.term_months) if self.term_months else f"{BY_USE}-{self.category.value}"


def term_rows(plan: result.PoolPlan, offers: Sequence[Offer]) -> list[TermRow]:
    """Existing contracts, every term that can be bought (longest first), then what is priced by use."""
    rates = {offer.offer_id: offer.bare_rate for offer in offers}
    owned = frozenset(offer.offer_id for offer in offers if is_owned(offer))
    bought = _by_term(plan.layers)
    bound = {row.term_months: row for row in plan.break_even if row.term_months}
    rows = [
        TermRow(
            name=tr("Existing"),
            term_months=None,
            gpus=layer.gpus,
            is_set=False,
            used=layer.utilization,
            break_even=None,
            rate=layer.rate,
            usd=layer.cost_per_month,
            category=layer.pricing_category,
            existing=True,
        )
        for layer in plan.layers
        if layer.existing
    ]
    for months in sorted({*bought, *bound}, reverse=True):
        layer = bought.get(months)
        limit = bound.get(months)
        offer_id: str | None = None
        rate: float | None = None
        if layer:
            offer_id, rate = layer.offer_id, layer.rate
        elif limit:
            offer_id, rate = limit.offer_id, rates.get(limit.offer_id)
        rows.append(
            TermRow(
                name=_term_name(spoken(term_name(plan, months)), offer_id, owned),
                term_months=months,
                gpus=layer.gpus if layer else 0.0,
                is_set=True,
                used=layer.utilization if layer else None,
                break_even=limit.break_even if limit else None,
                rate=rate,
                usd=layer.cost_per_month if layer else 0.0,
                category=PricingCategory.COMMITTED,
                tip=held_words(layer) if layer else "",
            )
        )
    rows += [
        TermRow(
            name=USAGE_NAMES.get(layer.pricing_category, tr(titles.ON_DEMAND))
            if is_priced_layer(layer)
            else tr("No price yet"),
            term_months=0,
            gpus=layer.mean_gpus,
            is_set=False,
            used=None,
            break_even=None,
            rate=layer.rate,
            usd=layer.cost_per_month,
            category=layer.pricing_category,
        )
        for layer in plan.layers
        if not layer.existing and not layer.term_months
    ]
    lost = plan.unserved_gpu_hours / HOURS_PER_MONTH
    if lost * HOURS_PER_MONTH > LEAST_GPU_HOURS:
        tip = tr(long_text("unserved_hours", gpu_hours=numbers.whole(plan.unserved_gpu_hours)))
        rows.append(
            TermRow(
                name=tr("Unserved"),
                term_months=0,
                gpus=lost,
                is_set=False,
                used=None,
                break_even=None,
                rate=None,
                usd=0.0,
                category=PricingCategory.STANDARD,
                is_unserved=True,
                tip=tip,
            )
        )
    return rows


def held_words(layer: result.Layer) -> str:
    """For how much of next month a layer is held, where its order starts in it; empty where it is all of it."""
    if layer.paid_hours >= HOURS_PER_MONTH:
        return ""
    return tr(long_text("paid_hours", hours=numbers.whole(layer.paid_hours)))


def _term_name(term: str, offer_id: str | None, owned: Collection[str]) -> str:
    """12 months; 48 months, owned, where GPUs of our own are the only or the cheapest offer of the term."""
    return tr("{term}, owned", term=term) if offer_id in owned else term


def _by_term(layers: Sequence[result.Layer]) -> dict[int, result.Layer]:
    """One layer a term: what several offers make up together, at their mean rate."""
    bought = (layer for layer in layers if not layer.existing)
    alike = grouped((layer.term_months, layer) for layer in bought if layer.term_months)
    return {months: same[0] if len(same) == 1 else as_one(same) for months, same in alike.items()}


def total_row(plan: result.PoolPlan, rows: Sequence[TermRow], name: str) -> TermRow:
    """What the pool and model come to: GPUs paid for as a mean, how much of them is used, the mean rate."""
    rows = [row for row in rows if not row.is_unserved]
    gpus = sum(row.gpus for row in rows)
    has_prices = all(is_priced_layer(layer) for layer in plan.layers)
    paid = mean_paid_gpus(plan.layers)
    used = result.used_share(min(plan.demand.mean_gpus, paid), paid) if has_prices else None
    usd = known_sum(row.usd for row in rows)
    rate = mean_rate(plan.layers)
    return TermRow(
        name=name,
        term_months=None,
        gpus=gpus,
        is_set=False,
        used=used,
        break_even=None,
        rate=rate,
        usd=usd,
        category=PricingCategory.MIXED,
    )


# --- What stands idle today: at least what is known of it, where a rate is missing


def unused_now(shown: ViewState) -> PartSum:
    """What contracts are paid and served nothing today, $ a month; with a rate missing at least what is known."""
    audit = shown.evaluation.audit
    if audit.unused_per_month is None and shown.advice is not None:
        return shown.advice.at_least.get("unused_now", NOTHING_KNOWN)
    if audit.unused_per_month is None:
        return part_sum((contract.contract_id, contract.unused_per_month) for contract in audit.contracts)
    return PartSum(audit.unused_per_month)
