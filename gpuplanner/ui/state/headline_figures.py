"""The five figures of the headline, for a plan and for today: value, unit and second line."""

from itertools import chain
from typing import Final

from gpuplanner.charts.kit.translation import sentence, speak, spoken, tr
from gpuplanner.domain.commitment.outlook_result import NO_RANGE, Uncertainty, trusted_band
from gpuplanner.domain.commitment.plan.comparison import Horizon, horizon_row, months_in, saved_share
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.totals import asked_words, cost_sum, plan_sum, unused_today
from gpuplanner.domain.commitment.plan.twelve_months import LEAST_GPU_HOURS
from gpuplanner.domain.commitment.words.assumed import churn_words
from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL
from gpuplanner.domain.commitment.words.savings import by_itself, no_savings_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model import amounts
from gpuplanner.domain.model.book.contract import terms_words
from gpuplanner.domain.model.book.extras import EXTRA_TITLES
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.queue.sentences import OF_ITS_MONTHS
from gpuplanner.domain.reports.clusters import in_force_now
from gpuplanner.domain.serving.placement import current_placement
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.state.month_words import case_words, month_lines, month_sentence, run_lines
from gpuplanner.ui.state.plan_notice import NONE_RAN
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import contract_use, glossary, lanes, numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineFigure:
    """One figure. `second` and `aside` give the same text at several lengths, longest first, so nothing is cut.

    figure_id: of Today the kind of the figure of the audit that explains it.
    """

    figure_id: str
    title: str
    unit: str
    plan: str
    now: str = ""
    is_good: bool = False
    aside: tuple[str, ...] = ()
    second: tuple[Text, ...] = ()
    is_settling: bool = False
    is_calculating: bool = False  # of the plan nothing is known yet: `plan` says so
    tip: str = ""
    shares: tuple[tuple[lanes.Lane, float], ...] = ()
    icon: str = ""  # a status before the second line, in amber
    is_bad: bool = False  # the second line is a warning: in red, with its icon
    links: tuple[Text, ...] = ()  # what the second line may end with that opens Waiting
    is_asked: bool = False  # what stands before the arrow is the plan before a question, not today

    def __post_init__(self) -> None:
        speak(self, "title", "unit", "tip")


def figures_of(shown: ViewState, waits: tuple[Text, ...] = ()) -> tuple[HeadlineFigure, ...]:
    """The headline of what is shown.

    Today's are of the audit alone; a plan's stand beside today's. waits: how long jobs wait today and on the plan's
    GPUs, at several lengths: they stand under what is unused.
    """
    figures = _today(shown) if shown.is_today else _plan(shown)
    if shown.month:
        return _in_month(figures, shown)
    *first, unused = figures[: 2 + (not shown.is_today)]
    # without contracts why nothing is known goes before; with them the wait is said at length before what is beside it
    has_contracts = bool(shown.evaluation.audit.contracts)
    forms = ((joined((*unused.second[:1], wait), " \u00b7 "), *((wait,) * has_contracts)) for wait in waits)
    second = (*chain.from_iterable(forms), *unused.second)
    tip = "\n".join((unused.tip, *([tr(OF_ITS_MONTHS)] if waits and not shown.is_today else ())))
    waiting = replace(unused, second=second, links=waits, tip=tip)
    return (*first, waiting, *figures[len(first) + 1 :])


def is_awaited(shown: ViewState) -> bool:
    """Whether the plan's savings and 12 months will be known; false where a log or a rate is missing."""
    return shown.is_calculating and (shown.advice is None or shown.advice.totals.plan is not None)


def calculating(figure: HeadlineFigure, *second: Text) -> HeadlineFigure:
    """Return a figure that isn't known yet. second: its second line, which doesn't wait for the plan."""
    plan = tr("Calculating…")
    return replace(
        figure, plan=plan, is_calculating=True, is_good=False, is_bad=False, aside=(), second=second
    )


def _in_month(figures: tuple[HeadlineFigure, ...], shown: ViewState) -> tuple[HeadlineFigure, ...]:
    """The headline of a later month: nobody drew a range of it, and beside it stands what doing nothing costs then."""
    spend, savings, unused, utilization, lock_in = figures
    unit = tr("$ in month {month}", month=shown.month + 1)
    nothing = shown.advice.totals.do_nothing if shown.advice else None
    hours = shown.advice.comparison[shown.month].unserved_gpu_hours if shown.advice else 0.0
    beside = tr("Do nothing: {usd}", usd=numbers.dollars(nothing))
    if hours >= LEAST_GPU_HOURS:
        beside = tr("Unserved: {gpu_hours} GPU-h", gpu_hours=numbers.whole(hours))
    return (
        replace(spend, unit=unit, second=(beside,)),
        replace(savings, unit=unit),
        replace(unused, unit=unit),
        replace(utilization, second=()),
        replace(lock_in, second=(tr("Of the plan's first month."), *lock_in.second)),
    )


def _plan(shown: ViewState) -> tuple[HeadlineFigure, ...]:
    """The five figures of a plan, today's beside them; unknown ones say what is missing."""
    totals = shown.advice.totals if shown.advice else None
    audit, settling = shown.evaluation.audit, shown.is_settling
    planned = plan_sum(shown.advice) if shown.advice else amounts.NO_PARTS
    lacks = _lacks(shown) or _waits_for_rate(planned)
    used = sum(pool.gpu_hours_per_month for pool in shown.evaluation.figures.pools.values())
    if shown.advice is not None and shown.advice.inputs.used_gpus is not None:
        # those served next month: no run of a later one, and nothing that is left to nobody
        used = shown.advice.inputs.used_gpus * HOURS_PER_MONTH
    savings = totals.savings_vs_do_nothing if totals else None
    share = saved_share(savings, totals.do_nothing) if totals else None
    missing = "" if shown.advice is None or totals is None or totals.plan is not None else _why_unknown(shown)
    spend, saved, unused, utilization, lock_in = (
        HeadlineFigure(
            figure_id="spend",
            title=tr(titles.SPEND),
            unit=tr("$ per month"),
            plan=numbers.sum_of(planned) if shown.advice else numbers.UNKNOWN,
            now=numbers.sum_of(audit.spend_parts),
            second=unserved_words(shown, Horizon.NEXT_MONTH)
            or run_lines(shown)
            or month_lines(shown)
            or describe_missing_prices(planned)
            or band_words(shown),
            is_bad=bool(unserved_words(shown, Horizon.NEXT_MONTH)),
            is_settling=settling,
            tip=missing or _spend_tip(shown),
        ),
        HeadlineFigure(
            figure_id="savings",
            title=spoken(PLAN["savings_vs_do_nothing"].short),
            unit=tr("$ per month"),
            plan=numbers.dollars(savings),
            is_good=savings is not None and round(savings) > 0 and not hypothetical(shown),
            aside=() if share is None else share_below(share),
            second=(savings is None and lacks) or hypothetical(shown) or _beside_today(shown),
            is_settling=settling,
            tip=spoken(no_savings_words(shown.advice)) or tr(long_text("savings_tip")),
        ),
        HeadlineFigure(
            figure_id="unused_per_month",
            title=tr(glossary.UNUSED),
            unit=tr("$ per month"),
            plan=numbers.sum_of(cost_sum(shown.advice, "unused_plan")) if shown.advice else numbers.UNKNOWN,
            now=numbers.sum_of(unused_today(audit, shown.advice))
            if contract_use.is_paid(audit)
            else numbers.UNKNOWN,
            second=_of_no_contracts(shown) or _weighs_recent(shown),
            is_settling=settling,
            tip=glossary.meaning(glossary.UNUSED) + tr(glossary.AGES),
        ),
        HeadlineFigure(
            figure_id="utilization",
            title=spoken(PLAN["effective_utilization_plan"].title),
            unit=tr("% of GPU-h paid"),
            plan=numbers.percent(totals.effective_utilization_plan if totals else None),
            now=numbers.percent(audit.effective_utilization),
            second=_asked_for(used) if shown.evaluation.project.has_log else NEEDS_LOG,
            is_settling=settling,
            tip=tr("GPU-hours allocated to jobs ÷ paid GPU-hours.") + tr(glossary.AGES),
        ),
        HeadlineFigure(
            figure_id="lock_in",
            title=spoken(PLAN["lock_in_months"].title),
            unit=tr("$-weighted months"),
            plan=numbers.one_decimal(totals.lock_in_months if totals else None),
            now=numbers.one_decimal(audit.lock_in_now_months),
            second=lacks or _longest(shown),
            is_settling=settling,
            tip=tr("Months of commitment left, weighted by $."),
        ),
    )
    if not is_awaited(shown):
        return spend, saved, unused, utilization, lock_in
    if shown.advice is not None:
        return spend, calculating(saved), unused, utilization, lock_in
    return (
        calculating(spend),
        calculating(saved),
        calculating(unused, *unused.second),
        calculating(utilization, *utilization.second),
        calculating(lock_in),
    )


def _spend_tip(shown: ViewState) -> str:
    """What the figure of spend means, and of which month it is."""
    audit, of_month = shown.evaluation.audit, month_sentence(shown)
    today = "" if contract_use.is_paid(audit) else tr(NONE_RAN_TIP)
    both = tr(long_text("spend_range"))
    band = band_words(shown)[0] if of_month else ""  # its line says something else then
    words = " ".join(filter(None, (today, both)))
    more = (_in_force(shown), _extra_words(shown))
    return "\n".join(filter(None, (of_month, words, spoken(band), *more)))


def _extra_words(shown: ViewState) -> str:
    """What is in the plan beside its rates, named; "" without any."""
    found = () if shown.advice is None or shown.is_today else shown.advice.totals.extras
    named = [f"{spoken(EXTRA_TITLES[name])} {numbers.dollars(usd)}" for name, usd in found]
    return tr("In addition to rates, per month: {extras}.", extras=", ".join(named)) if named else ""


NO_CONTRACTS: Final = (worded("Today unknown without contracts"), worded("No contracts yet"))
NEEDS_LOG: Final = (worded("Unknown without a job log"), worded("Needs a job log"))
NEEDS_PRICES: Final = (worded("Unknown without prices"), worded("Needs prices"))
NEEDS_NAMES: Final = (worded("Unknown until names are matched"), worded("Match the names first"))


def _lacks(shown: ViewState) -> tuple[Message, ...]:
    """What a plan lacks before anything can be said of it, in a few words; empty where it lacks nothing."""
    project = shown.evaluation.project
    is_known = shown.advice is None or shown.advice.totals.plan is not None
    if not project.has_log:
        return NEEDS_LOG
    if not is_known and shown.advice is not None and shown.advice.asked_models:
        return NEEDS_NAMES
    return () if project.offers or is_known else NEEDS_PRICES


def _of_no_contracts(shown: ViewState) -> tuple[Message, ...]:
    """Why nothing is known of what stands idle today; empty where it is."""
    audit = shown.evaluation.audit
    if not audit.contracts:
        return () if contract_use.is_paid(audit) else NO_CONTRACTS
    if not shown.evaluation.project.has_log:
        return NEEDS_LOG
    if not contract_use.ran_count(audit):
        return NONE_RAN_WORDS
    if audit.asked_contracts:
        return NEEDS_NAMES
    return (contract_use.no_job_of(audit.unlogged),) if audit.unlogged else ()


def _weighs_recent(shown: ViewState) -> tuple[Message, ...]:
    """Why a plan that changes nothing has other figures than today; empty where all hours weigh alike in both."""
    project = shown.evaluation.project
    half_life = project.assumptions_in(project.scenario(shown.evaluation.scenario)).recency_half_life_days
    return () if half_life is None else (worded("Recent hours weigh more"),)


def _asked_for(gpu_hours: float, beyond: float = 0.0) -> tuple[str, ...]:
    """GPU-hours a month, the longer form first. beyond: what ran beside them on no contract."""
    used, every = numbers.whole(gpu_hours), numbers.whole(gpu_hours + beyond)
    both = tr("{used} of {every} GPU-h on contracts", used=used, every=every)
    return (
        *((both,) if beyond >= LEAST_GPU_HOURS else ()),
        tr("{used} GPU-h used per month", used=used),
        tr("{hours} GPU-h per month", hours=used),
        tr("{hours} GPU-h/month", hours=used),
    )


def _beyond_sentence(beyond: float, asked_for: float) -> str:
    """Why the cards have more GPU-hours a month than contracts served; "" where they have not."""
    if beyond < LEAST_GPU_HOURS:
        return ""
    return tr(long_text("contract_hours", all=numbers.whole(asked_for), more=numbers.whole(beyond)))


def describe_missing_prices(of: amounts.PartSum) -> tuple[str, ...]:
    """Return how many parts of a sum have no price, longest text first; empty if no part or every part has one."""
    if not of.is_at_least:
        return ()
    words = spoken(amounts.missing_words(of))
    named = (tr("{title}: {value}", title=words, value=of.missing[0]),) if len(of.missing) == 1 else ()
    missing, parts = numbers.whole(len(of.missing)), numbers.whole(of.parts)
    return (*named, words, tr("{missing} of {parts} unpriced", missing=missing, parts=parts))


def _waits_for_rate(of: amounts.PartSum) -> tuple[str, ...]:
    """Whose rate a figure waits for; empty where nothing of its costs is known, or all."""
    if not of.is_at_least:
        return ()
    if len(of.missing) > 1:
        return describe_missing_prices(of)
    name = spoken(of.missing[0])
    return (
        tr("Unknown until {name} has a rate", name=name),
        tr("{name} has no rate", name=name),
        tr("A rate is missing"),
    )


NONE_RAN_WORDS: Final = (NONE_RAN, worded("No contract ran then"))
NONE_RAN_TIP: Final = worded(
    "No contract overlaps the log. “Today” is the log's GPU-hours at on-demand rates."
)


UNSERVED_WHEN: Final = {
    Horizon.NEXT_MONTH: worded("next month"),
    Horizon.MONTH_12: worded("in month 12"),
    Horizon.TWELVE_MONTHS: worded("in 12 months"),
}


def unserved_words(shown: ViewState, horizon: Horizon) -> tuple[str, ...]:
    """What the plan leaves to nobody in a horizon, in two lengths; empty where it leaves nothing in twelve months.

    Such a plan costs less because it does less: that is no good news, and no savings are known of it.
    """
    if shown.advice is None:
        return ()
    months = shown.advice.comparison
    hours = sum(month.unserved_gpu_hours for month in months_in(horizon, months))
    if hours < LEAST_GPU_HOURS:  # not in this time, but in another: no savings are known in it either
        horizon = Horizon.TWELVE_MONTHS
        hours = sum(month.unserved_gpu_hours for month in months)
    if hours < LEAST_GPU_HOURS:
        return ()
    values = {"gpu_hours": numbers.whole(hours), "when": UNSERVED_WHEN[horizon]}
    return (tr("Unserved {when}: {gpu_hours} GPU-h", **values), tr("Unserved: {gpu_hours} GPU-h", **values))


def hypothetical(shown: ViewState) -> tuple[Text, ...]:
    """That a plan is from scratch, in two lengths: its savings are no good news; empty of another."""
    return (HYPOTHETICAL, worded("Hypothetical")) if shown.evaluation.is_hypothetical else ()


def share_below(share: float) -> tuple[str, ...]:
    """5.2% below doing nothing, or above it, in three lengths. share: saved, of what doing nothing costs."""
    size = numbers.percent(abs(share))
    if round(share, 4) >= 0:
        return (tr("{share} below doing nothing", share=size), tr("{share} below", share=size), size)
    return (tr("{share} above doing nothing", share=size), tr("{share} above", share=size), size)


def band_words(shown: ViewState, *, of_year: bool = False) -> tuple[Text, ...]:
    """The range from P10 to P90 of next month, or of the mean of twelve, in several lengths, or why there is none."""
    if shown.outlook is None or shown.is_outlook_settling:  # one of before says nothing of a figure of now
        return (tr("P10–P90: calculating") if shown.advice else tr("Calculating"),)
    band = shown.outlook.uncertainty
    if band.p10_usd_per_month is None and shown.advice and shown.advice.totals.plan is None:
        if not shown.evaluation.project.has_log:
            return NEEDS_LOG
        if not shown.evaluation.project.offers:
            return NEEDS_PRICES
        if shown.advice.asked_models:
            return NEEDS_NAMES
        return (tr("No P10\u2013P90: a rate is missing"), tr("A rate is missing"))
    found = range_of(shown)
    if found.p10_usd_per_month is None:
        return (tr(NO_RANGE), tr("No P10\u2013P90 yet"))
    month, year = (found.p10_usd_per_month, found.p90_usd_per_month), (found.year_p10_usd, found.year_p90_usd)
    per_month = [None if usd is None else usd / COMPARED_MONTHS for usd in year]
    low, high = map(numbers.whole, per_month if of_year else month)
    if name := case_words(shown):
        return (
            f"{name}, P10\u2013P90: {low} \u2013 {high}",
            tr("{name}: {low} \u2013 {high}", name=name, low=low, high=high),
            name,
        )
    return (
        tr("Plan P10\u2013P90: {low} \u2013 {high}", low=low, high=high),
        f"P10\u2013P90: {low} \u2013 {high}",
        f"{low} \u2013 {high}",
    )


def range_of(shown: ViewState) -> Uncertainty:
    """The range of the plan that is shown; one of which nothing is known where it settles, or is not to be shown."""
    if shown.outlook is None or shown.advice is None or shown.is_outlook_settling:
        return Uncertainty()
    hours = shown.evaluation.project.window.hours
    return trusted_band(shown.outlook.uncertainty, shown.advice.totals.plan, hours)


def _beside_today(shown: ViewState) -> tuple[str, ...]:
    """How far the plan is from today, with the demand step apart; savings are never shown without an assumption."""
    project, totals = shown.evaluation.project, shown.advice.totals if shown.advice else None
    names = [scenario for scenario in project.scenarios if scenario.name == shown.evaluation.scenario]
    values = project.assumptions_in(names[0]) if names else project.assumptions
    whole, churn = (
        tr("attrition {value}", value=churn_words(values, is_short=is_short)) for is_short in (False, True)
    )
    usd = totals.savings if totals else None
    if totals is None:
        return (tr("Calculating"),)
    if no_savings_words(shown.advice):
        if shown.advice is not None and not shown.advice.unserved:
            return (tr("Unknown: some demand is unserved"), tr("Do nothing: some demand is unserved"))
        return (tr("Unknown: some demand is unserved"), tr("Unserved demand"))
    if usd is None:
        return (tr("With {churn}", churn=whole), churn)
    before = tr("today") if contract_use.is_paid(shown.evaluation.audit) else tr("all on demand")
    side = tr("below") if round(usd) >= 0 else tr("above")
    far = tr("{money} {side} {before}", money=numbers.dollars(abs(usd)), side=side, before=before)
    is_known = shown.outlook is not None and not shown.is_outlook_settling
    what, came = by_itself(shown.evaluation.project, shown.outlook if is_known else None)
    both = far
    if came and round(came):
        both = tr("{far}, {what} alone {usd}", far=far, what=what, usd=numbers.change(came))
    return (
        tr("{first} · {second}", first=both, second=whole),
        tr("{first} · {second}", first=both, second=churn),
        tr("{first} · {second}", first=far, second=churn),
        tr("With {churn}", churn=whole),
        churn,
    )


def _longest(shown: ViewState) -> tuple[str, ...]:
    """The longest new commitment, the longer form first."""
    if shown.advice is None:
        return (tr("Calculating"),)
    layers = [layer for pool in shown.advice.pools for layer in pool.layers]
    terms = [(layer.term_months or 0, layer.term_days) for layer in layers if layer.is_new and layer.gpus]
    if not terms:
        return (tr("No new commitment"),)
    longest = max(months for months, _ in terms)
    term = spoken(terms_words(one for one in terms if one[0] == longest))
    return (tr("Longest commitment: {term}", term=term), tr("Longest: {term}", term=term))


def _why_unknown(shown: ViewState) -> str:
    """Why the plan's cost is unknown, and what to add: the first thing that lacks."""
    notes = [plan.note for plan in shown.advice.pools if plan.note] if shown.advice else []
    if not shown.evaluation.project.has_log:
        return tr("Unknown without a job log. Import one.")
    of = plan_sum(shown.advice) if shown.advice else amounts.NO_PARTS
    if shown.advice is not None and shown.advice.asked_models:
        return spoken(asked_words(shown.advice)) + "."
    if of.is_at_least:
        return spoken(amounts.lacking_sentences(of))
    if not shown.evaluation.project.offers:
        return tr("Unknown without prices. Import some or use public prices.")
    lacking = [row.contract_id for row in shown.evaluation.project.contracts if row.cost_per_month is None]
    if lacking:
        names = ", ".join(lacking[:4])
        if lacking[4:]:
            return tr("Unknown: no rate for {lacking} and others.", lacking=names)
        return tr("Unknown: no rate for {lacking}.", lacking=names)
    sentences = (sentence(joined((note, "."))) for note in dict.fromkeys(notes))
    return " ".join((tr("Unknown: a rate is missing."), *sentences))


def _at_least_sentence(of: amounts.PartSum) -> str:
    """Which parts a sum lacks, and where they are typed in; empty if it has them all."""
    return spoken(amounts.lacking_sentences(of)) + " " if of.is_at_least else ""


def _paid_today(shown: ViewState) -> amounts.PartSum:
    """What contracts are paid today; where none ran every GPU-hour at the price by use stands for it."""
    audit = shown.evaluation.audit
    return audit.whole_spend.contracts if contract_use.is_paid(audit) else audit.spend_parts


def _overflow_words(shown: ViewState) -> tuple[str, ...]:
    """What ran beyond the contracts, which nobody was billed for, at on-demand rates."""
    paid, overflow = shown.evaluation.audit.whole_spend
    if paid.written is None:
        return (tr("A contract has no rate"),)
    if not shown.evaluation.project.has_log:
        return (tr("Paid for contracts; use unknown"), tr("Paid for contracts"))
    if overflow.written is None:
        return (tr("Overflow has no price"),)
    both = tr("Overflow, not billed: {overflow}", overflow=numbers.sum_of(overflow))
    if shown.evaluation.project.jobs.billed and not overflow.known:
        both = tr("As billed")
    return (numbers.MIDDOT.join(filter(None, (both, _in_force(shown)))), both)


def _savings_found(shown: ViewState) -> HeadlineFigure:
    """What the first plan saves in twelve months against doing nothing; on Today nothing else tells it."""
    project, first_plan = shown.evaluation.project, shown.before
    saved = None if first_plan is None else horizon_row(Horizon.TWELVE_MONTHS, first_plan, None).saved
    plan = project.scenarios[0].name if project.scenarios else ""
    words: tuple[Text, ...] = (tr("{plan} against doing nothing", plan=plan), plan)
    if not project.has_log or not project.offers:
        words = NEEDS_PRICES if project.has_log else NEEDS_LOG
    elif saved is None:
        words = (
            (tr("Calculating"),)
            if first_plan is None and plan
            else (tr("Unknown: see {plan}", plan=plan), plan)
        )
    tip = tr("Do nothing minus the plan, 12 months. Open the plan for sources.")
    return HeadlineFigure(
        figure_id="savings_found",
        title=tr("Savings found"),
        unit=tr("$ in 12 months"),
        plan=numbers.dollars(saved),
        is_good=round(saved or 0.0) > 0,
        second=words,
        tip=tip,
    )


def _in_force(shown: ViewState) -> str:
    """What contracts in force now cost, where that is not what the window's did; else empty."""
    now = in_force_now(shown.evaluation.audit, shown.evaluation.project)
    return "" if now is None else tr("In force now: {now}", now=numbers.dollars(now))


def _transit(shown: ViewState) -> tuple[HeadlineFigure, ...]:
    """The way to the top 80% of users, where users and sites are loaded."""
    places = shown.evaluation.project.places
    if not places.can_be_placed:
        return ()
    current = current_placement(places).current
    mean, both = numbers.way_ms(current.mean_one_way_ms), numbers.way_ms(current.round_trip_ms)
    second: tuple[str, ...] = (
        tr("One way; round trip {both}", both=both),
        tr("Round trip {both}", both=both),
        tr(titles.ONE_WAY),
    )
    if current.service.way_80_ms is not None:
        within = numbers.way_ms(current.service.way_80_ms)
        second = (
            tr("One way; 80% of users within {within}; round trip {both}", within=within, both=both),
            tr("80% of users within {within}", within=within),
            *second,
        )
    if current.mean_one_way_ms is None:
        second = (tr("Some have no allowed site"),) if current.sites else (tr("No current site"),)
    tip = tr("Mean latency from today's sites to the top 80% of users; over 80 ms is flagged.")
    is_far = current.service.is_over_80 or current.service.is_way_80_over
    icon = "triangle" if is_far or current.mean_one_way_ms is None else ""
    transit = tr("Network latency, top 80% of users")
    return (
        HeadlineFigure(
            figure_id="transit", title=transit, unit="ms", plan=mean, second=second, tip=tip, icon=icon
        ),
    )


def _of_spend(idle: amounts.PartSum, paid: amounts.PartSum) -> tuple[str, ...]:
    """What share of the spend is idle; empty where one is unknown."""
    if idle.is_at_least or paid.is_at_least or not paid.known:
        return ()
    return (tr("{share} of spend", share=numbers.percent(idle.known / paid.known)),)


def _today(shown: ViewState) -> tuple[HeadlineFigure, ...]:
    """The five figures of today, from the audit alone."""
    audit, window = shown.evaluation.audit, shown.evaluation.project.window
    months = window.hours / HOURS_PER_MONTH
    asked_for = sum(share.gpu_hours for share in audit.classes.values()) / months
    served = [cluster.used_gpu_hours for cluster in audit.clusters]
    used = asked_for if audit.effective_utilization is None else (amounts.known_sum(served) or 0.0) / months
    paid = sum(cluster.paid_gpu_hours or 0.0 for cluster in audit.clusters) / months
    beyond = 0.0 if None in served else asked_for - used
    paid_usd, idle = _paid_today(shown), unused_today(audit, shown.advice)
    flagged = [contract for contract in audit.contracts if contract.below_40_percent]
    worst = min(flagged, key=lambda contract: contract.utilization or 0.0, default=None)
    known = (pool for pool in POOLS if pool in audit.classes)
    shares = tuple((lanes.lane_of(pool), audit.classes[pool].share or 0.0) for pool in known)
    if all(share.share is None for share in audit.classes.values()):
        shares = ()
    no_contracts = (
        "" if shown.evaluation.project.has_spend else tr("Unknown without contracts: import them.") + " "
    )
    second_of_spend: tuple[Text, ...] = describe_missing_prices(paid_usd)
    if not second_of_spend:
        if paid:
            second_of_spend = _overflow_words(shown)
        elif not audit.contracts:
            second_of_spend = NO_CONTRACTS
        else:
            second_of_spend = NONE_RAN_WORDS
    second_of_worst: tuple[Text, ...]
    if worst:
        second_of_worst = (
            tr("{first}, {second}", first=worst.contract_id, second=numbers.percent(worst.utilization)),
            worst.contract_id,
        )
    elif audit.contracts and not shown.evaluation.project.has_log:
        second_of_worst = NEEDS_LOG
    else:
        second_of_worst = (contract_use.none_under_40(audit),)
    return (
        HeadlineFigure(
            figure_id="cost" if contract_use.is_paid(audit) else "spend",
            title=tr(titles.SPEND),
            unit=tr("$ per month"),
            plan=numbers.sum_of(paid_usd),
            second=second_of_spend,
            tip=no_contracts
            + _at_least_sentence(paid_usd)
            + tr("Contract cost per month. Overflow is priced on demand, not billed."),
        ),
        HeadlineFigure(
            figure_id=WINDOW["unused_per_month"].why,
            title=tr(glossary.UNUSED),
            unit=tr("$ per month"),
            plan=numbers.sum_of(idle) if contract_use.is_paid(audit) else numbers.UNKNOWN,
            second=_of_no_contracts(shown) or _of_spend(idle, paid_usd),
            tip=no_contracts + glossary.meaning(glossary.UNUSED),
        ),
        _savings_found(shown),
        HeadlineFigure(
            figure_id="utilization",
            title=tr(CLUSTER["utilization"].title),
            unit=tr("% of GPU-h paid"),
            plan=numbers.percent(audit.effective_utilization),
            second=NEEDS_LOG
            if not shown.evaluation.project.has_log
            else (_of_no_contracts(shown) if audit.unlogged else ()) or _asked_for(used, beyond),
            tip=no_contracts
            + tr("GPU-hours allocated to jobs ÷ paid GPU-hours.")
            + f" {_beyond_sentence(beyond, asked_for)}".rstrip(),
        ),
        HeadlineFigure(
            figure_id="below_40",
            title=tr(titles.UNDER_40),
            unit="contracts",
            plan=tr("{shown} of {total}", shown=len(flagged), total=len(audit.contracts))
            if contract_use.ran_count(audit) and (flagged or not audit.asked_contracts)
            else numbers.UNKNOWN,
            second=second_of_worst,
            tip=no_contracts + tr("Contracts with utilization under 40%."),
        ),
        *_transit(shown),
        HeadlineFigure(
            figure_id="classes",
            title=tr("GPU-hours by class"),
            unit="",
            plan="" if shares else numbers.UNKNOWN,
            shares=shares,
            second=() if shares else NEEDS_LOG,
            tip=tr("GPU-hours in the lookback period by class."),
        ),
    )
