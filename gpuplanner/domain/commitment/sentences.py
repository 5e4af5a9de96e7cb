"""The advice in sentences: layers, terms, orders, verdicts, horizons and net present value."""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final

from gpuplanner.domain.commitment.asked_rows import AskedRow, renewed_rows, runs_of
from gpuplanner.domain.commitment.demand.volatility import source_words
from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.plan.totals import is_priced_layer
from gpuplanner.domain.commitment.result import Advice, Layer, Order, PoolPlan, Totals, Verdict
from gpuplanner.domain.figures.plan import telling_share
from gpuplanner.domain.figures.typed import amount, day, decimals, percent, significant, whole, worded_whole
from gpuplanner.domain.message import Message, Part, Text, capital, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract, term_words, terms_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.renewal import decided_by_s
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import replace

# --- Names of terms among the layers of a pool: 12 months, 90 days --------------------------------


def term_name(plan: PoolPlan, months: int) -> Message:
    """Return the name of a term in a pool: from its new layers, otherwise from the best offer of the term.

    months: of the term, which identifies its layers; a term in days has the months that it touches.
    """
    new = (layer for layer in plan.layers if layer.is_new and layer.gpus)
    bought = [(layer.term_months or 0, layer.term_days) for layer in new]
    offered = [(term.term_months, term.term_days) for term in plan.break_even]
    for terms in (bought, offered):
        if sold := [term for term in terms if term[0] == months]:
            return terms_words(sold)
    return terms_words([(months, None)])


def row_term_words(orders: Sequence[Order], *, has_end: bool = True) -> Message:
    """Return the duration of orders shown as one: 12 months; or monthly, until 22 Oct 2027, if they renew.

    orders: of one row, by start. has_end: include the last day.
    """
    first, last_s = orders[0], orders[-1].end_s - 1
    term = term_words(first.term_months, first.term_days)
    if len(orders) == 1 and not first.renews:
        return term
    often = {(1, None): worded("monthly"), (1, 7): worded("weekly"), (1, 1): worded("daily")}
    how = often.get((first.term_months, first.term_days), worded("{term} at a time", term=term))
    return worded("{how}, until {day}", how=how, day=day(last_s)) if has_end else how


# --- The advice in sentences: layers, coverage and net present value, with their figures ----------


def layer_sentences(plan: PoolPlan) -> tuple[Message, ...]:
    """Return one sentence per layer, from the bottom up; on-demand layers without a price are left out.

    Rates are of the offer's own model, $ per GPU-hour.
    """
    bound = {term.term_months: term.break_even for term in plan.break_even}
    return tuple(
        _sentence(plan, layer, bound.get(layer.term_months or 0))
        for layer in plan.layers
        if layer.term_months or is_priced_layer(layer)
    )


def volatility_sentence(plan: PoolPlan) -> Message:
    """Return the assumed monthly volatility of demand, in percent, with its source."""
    return worded(
        "Assumed demand volatility: {sigma} per month ({source}).",
        sigma=percent(plan.demand.volatility.sigma, 1),
        source=source_words(plan.demand.volatility),
    )


def coverage_sentences(coverage: Coverage) -> tuple[Message, ...]:
    """Return the committed share of GPU-hours in month 0, and the cost of the user's target."""
    if coverage.now is None:
        return (worded("No demand to cover."),)
    if coverage.plan is None:
        return (worded("Coverage unknown: a price is missing."),)
    first = worded(
        "Commitments serve {plan} of first-month GPU-hours, existing contracts alone {now}.",
        plan=percent(coverage.plan, 1),
        now=percent(coverage.now, 1),
    )
    is_held = coverage.now > coverage.target and coverage.now >= coverage.plan
    return (first, _target_words(coverage, is_held))


def _target_words(coverage: Coverage, is_held: bool) -> Message:
    """Return the cost of the target in words. is_held: existing contracts alone exceed it."""
    target, extra, usd = percent(coverage.target), coverage.extra_gpus, coverage.extra_usd_per_month
    if coverage.reached is None:
        return worded("No offered commitments reach the {target} target.", target=target)
    if not extra and is_held:
        return worded("No first-month commitment to drop for the {target} target.", target=target)
    if not extra:
        return worded("This is the {target} target, as near as whole GPUs allow.", target=target)
    gpus = worded_whole(abs(extra), "{count} GPU", "{count} GPUs")
    how = (
        worded("Committing {gpus} more", gpus=gpus)
        if extra > 0
        else worded("Moving {gpus} to on demand", gpus=gpus)
    )
    if usd is None:
        return worded("{how} would reach {target}. Cost unknown: a rate is missing.", how=how, target=target)
    far = whole(abs(usd))
    cost = worded("${usd} per month more", usd=far) if usd >= 0 else worded("${usd} per month less", usd=far)
    reached = percent(coverage.reached, 1)
    return worded(
        "{how} would reach {reached} (target: {target}): {cost}.",
        how=how,
        reached=reached,
        target=target,
        cost=cost,
    )


def npv_sentence(npv_usd: float | None, horizon_months: int) -> Message:
    """Return the net present value of the advice in words. npv_usd: $ of today; None: unknown."""
    if npv_usd is None:
        return worded("Net present value unknown: a rate is missing, or you set levels.")
    given: dict[str, Part] = {"usd": whole(abs(npv_usd)), "months": whole(horizon_months)}
    if npv_usd < 0:
        return worded(
            "The orders cost ${usd} more than on demand over {months} months (present value).", **given
        )
    return worded("The orders save ${usd} against on demand over {months} months (present value).", **given)


MATERIAL_SHARE: Final = 0.05
"""Smallest share of spend from which on-demand GPUs are mentioned."""


def by_the_hour(advice: Advice, offers: Iterable[Offer]) -> Message | None:
    """Return the on-demand GPUs of a plan in twelve months: mean GPUs, $, share of spend and providers.

    None if the share is below MATERIAL_SHARE, or unknown.
    """
    months = advice.comparison
    usd, plan = known_sum(month.use_usd for month in months), known_sum(month.plan_usd for month in months)
    if not usd or not plan or usd < MATERIAL_SHARE * plan:
        return None
    ways = sorted((use for month in months for use in month.use_hours), key=lambda use: -use[2])
    names = {offer.offer_id: offer.provider or offer.offer_id for offer in offers}
    mean = sum(hours for *_, hours in ways) / len(months) / HOURS_PER_MONTH
    count = whole(mean) if mean >= 1 else significant(mean, 2)  # a small number is never shown as 0
    providers = dict.fromkeys(names.get(offer_id, offer_id) for _, offered, _ in ways for offer_id in offered)
    gpus = worded_count(mean, "{count} GPU", "{count} GPUs", count=count)
    cost = worded(
        "{usd} in {months} months ({share} of spend), {providers}.",
        usd=amount(usd),
        months=whole(len(months)),
        share=percent(usd / plan),
        providers=joined(providers, ", "),
    )
    return worded("{name}, {cost}", name=worded("On demand: {gpus} on average", gpus=gpus), cost=cost)


HYPOTHETICAL: Final = worded("Hypothetical: as if nothing were under contract.")
"""For a plan from scratch, whose savings are not achievable."""


def all_on_demand(totals: Totals) -> Message | None:
    """Return that everything on demand would cost less than today, and that commitments are paid anyway.

    None if it would not, if unknown, or without demand.
    """
    usd, today = totals.on_demand_equivalent, totals.today
    if not usd or today is None or round(usd) >= round(today):
        return None
    total = worded(
        "All on demand would cost {usd} per month, {less} less than today",
        usd=amount(usd),
        less=amount(today - usd),
    )
    return worded("{name}; {cost}", name=total, cost=worded("commitments are paid to their end."))


def savings_rate_sentence(totals: Totals) -> Message:
    """Return the effective savings rate in words: how far the plan is below everything on demand.

    Negative if the plan costs more; without a rate if everything on demand costs next to nothing.
    """
    rate, on_demand = totals.effective_savings_rate, totals.on_demand_equivalent
    if rate is None or on_demand is None:
        return worded("The effective savings rate is unknown: an on-demand rate or a plan price is missing.")
    given: dict[str, Part] = {"rate": percent(rate, 1), "usd": whole(on_demand)}
    if telling_share(rate) is None:
        return worded("This plan costs over twice all on demand, ${usd} per month.", **given)
    return worded("Effective savings rate {rate} against all on demand (${usd} per month).", **given)


def _sentence(plan: PoolPlan, layer: Layer, break_even: float | None) -> Message:
    """Return the sentence of a layer. break_even: utilization from which the term pays; None: unknown."""
    model = plan.gpu_model or worded("GPUs of unknown model")
    if layer.existing:
        at = decimals(layer.rate or 0.0, 2)
        rate = worded(" at ${rate} on average", rate=at)
        return worded(
            "Existing contracts serve {gpus} {model} of {pool}{rate}.",
            gpus=decimals(layer.gpus),
            model=model,
            pool=plan.pool,
            rate="" if layer.rate is None else rate,
        )
    if not layer.term_months:
        return _by_use(plan, layer, model)
    begin = worded(
        "Commit {plan} for {pool} for {term}",
        plan=_bought(plan, layer, model),
        pool=plan.pool,
        term=term_words(layer.term_months, layer.term_days),
    )
    if layer.rate is None:
        return worded("{begin}: the term is not offered, so its price is unknown.", begin=begin)
    own_rate = layer.offer_rate or layer.rate
    clauses = [
        worded(
            "{begin} at ${own_rate}: used {utilization} of the time",
            begin=begin,
            own_rate=decimals(own_rate, 2),
            utilization=percent(layer.utilization or 0.0, 1),
        )
    ]
    if break_even is not None:
        clauses.append(worded("cheaper above {break_even}", break_even=percent(break_even, 1)))
    if layer.value_per_month is not None:
        value = layer.value_per_month
        clauses.append(
            worded("saves ${value} per month against on demand", value=whole(abs(value)))
            if value >= 0
            else worded("costs ${value} per month more than on demand", value=whole(abs(value)))
        )
    return joined((joined(clauses, ", "), "."))


def _bought(plan: PoolPlan, layer: Layer, model: Text) -> Message:
    """Return the GPUs to commit; for a mapped model with the GPUs that they replace."""
    own = worded("{gpus} {model}", gpus=whole(layer.gpus), model=model)
    if layer.offer_id not in plan.supply.ratios or layer.offer_gpus is None:
        return own
    return worded(
        "{offer_gpus} {offer_gpu_model} instead of {own},",
        offer_gpus=whole(layer.offer_gpus),
        offer_gpu_model=layer.offer_gpu_model or "",
        own=own,
    )


BY_USE_NAMES: Final = {
    PricingCategory.STANDARD: worded("on demand"),
    PricingCategory.DYNAMIC: worded("spot"),
    PricingCategory.MIXED: worded("on demand and spot"),
}
"""Ways of paying on demand."""


def _by_use(plan: PoolPlan, layer: Layer, model: Text) -> Message:
    """Return mean and largest GPUs on demand, their rate and utilization; for a mapped model in its own GPUs."""
    mean = layer.busy_gpus
    if layer.offer_id in plan.supply.ratios and layer.offer_gpus is not None and layer.offer_rate:
        model = worded(
            "{offer_gpu_model} instead of {model},", offer_gpu_model=layer.offer_gpu_model or "", model=model
        )
        mean *= layer.offer_gpus / layer.gpus
        layer = replace(layer, gpus=ceil(layer.offer_gpus), rate=layer.offer_rate)
    rate = worded(" at ${rate}", rate=decimals(layer.rate or 0.0, 2))
    return worded(
        "On demand for {pool}: {mean} {model} on average, {how}{rate}. At most {gpus} at a time, each used "
        "{utilization} of the time.",
        mean=decimals(mean),
        model=model,
        pool=plan.pool,
        how=BY_USE_NAMES.get(layer.pricing_category, BY_USE_NAMES[PricingCategory.MIXED]),
        rate="" if layer.rate is None else rate,
        gpus=whole(layer.gpus),
        utilization=percent(layer.utilization or 0.0, 1),
    )


# --- The successor of an existing contract in words: GPUs and terms before and after --------------

VERDICTS: Final = {
    "keep": worded("keep"),
    "renew": worded("renew"),
    "end": worded("end (give notice)"),
    "replace": worded("replace"),
    "shorten": worded("shorten"),
    "let_expire": worded("let expire"),
}
"""Words for a verdict of the JSON, where the contract ends without notice."""
STOP: Final = worded("end it")
ANEW: Final = worded("end (give notice) and replace")
"""For a contract that would renew unchanged, whatever the plan orders in its place."""
_GPUS: Final = worded("GPUs")


def follows(verdict: Verdict) -> bool:
    """Return whether orders follow the contract; False if it is kept as it is."""
    return bool(verdict.gpus and verdict.then_term_months)


def change_words(verdict: Verdict, contract: Contract | None, unit: Text = _GPUS) -> Text:
    """Return the change in words: 64 → 10 GPUs, 36 → mostly 12 months, 4 more if it lasts; "" without following orders.

    unit: of the GPUs, such as H100. contract: None if unknown; only the following orders are then described.
    """
    parts = []
    if follows(verdict):
        before, term = (None, None) if contract is None else (contract.gpus, contract.term_months)
        parts = [_gpus_before_and_after(before, verdict.gpus, unit), _term(term, verdict)]
    if verdict.if_it_lasts_gpus:
        parts.append(worded("{gpus} more if it lasts", gpus=significant(verdict.if_it_lasts_gpus)))
    return joined(parts, ", ")


def is_to_stop(verdict: Verdict, contract: Contract) -> bool:
    """Return whether the user has to stop a contract for the plan: it is on demand, or has no end."""
    return verdict.verdict == "let_expire" and (not contract.is_committed or contract.end_s is None)


def decide_by_s(verdict: Verdict, contract: Contract | None) -> int | None:
    """Return the last day to order the successor of a contract or to give notice, epoch seconds; None without one.

    `Verdict.order_by_s` in documents is the instant of the deadline. If that is set by the notice, or by the end
    without any order, the last day is the day before; following orders have their own deadlines, but not after that
    end. contract: None if unknown.
    """
    if verdict.continued_by is not None:
        return None
    if verdict.verdict == "end" and verdict.order_by_s is not None:
        return verdict.order_by_s - 1
    if contract is None or verdict.order_by_s is None or contract.end_s is None:
        return verdict.order_by_s
    return min(verdict.last_day_s or verdict.order_by_s, decided_by_s(contract, contract.end_s))


IS_LATER: Final = worded("what follows is not yet planned")


def step_words(verdict: Verdict, contract: Contract | None) -> Text:
    """Return the action for a contract: keep, renew, end (give notice), replace, shorten, let expire. contract: None if
    unknown.
    """
    if verdict.continued_by is not None:
        return worded("goes on as {contract}", contract=verdict.continued_by)
    if verdict.is_later and verdict.verdict != "end":
        return IS_LATER
    if contract is None or not is_to_stop(verdict, contract):
        step = VERDICTS.get(verdict.verdict, verdict.verdict)
        if verdict.verdict == "end" and follows(verdict):
            step = ANEW
        return step
    notice = contract.notice
    if not notice:
        return STOP
    return worded_count(
        notice, "end it ({days} day's notice)", "end it ({days} days' notice)", days=whole(notice)
    )


def verdict_words(verdict: Verdict, contract: Contract | None) -> Text:
    """Return action and change in words: shorten (64 → 10 GPUs, 36 → 12 months); renew."""
    words, change = step_words(verdict, contract), change_words(verdict, contract)
    return worded("{verdict} ({change})", verdict=words, change=change) if change else words


def _gpus_before_and_after(before: float | None, after: float, unit: Text) -> Message:
    """Return the GPUs before and after; one number if equal."""
    if before is None or before == after:
        return worded("{gpus} {unit}", gpus=significant(after, 10), unit=unit)
    return worded(
        "{before} → {gpus} {unit}", before=significant(before, 10), gpus=significant(after, 10), unit=unit
    )


def _term(before: int | None, verdict: Verdict) -> Message:
    """Return the terms before and after; mostly, if several follow."""
    term = terms_words(verdict.then_terms)
    if len(verdict.shares) > 1:
        term = worded("mostly {term}", term=term)
    if before is None or before == verdict.then_term_months:
        return term
    is_of_days = any(days for _, days in verdict.then_terms)  # otherwise 36 → 12 months, with one noun
    return worded("{before} → {term}", before=term_words(before) if is_of_days else whole(before), term=term)


# --- Number of listed orders and their kinds: media list different ones, and explain it in these words


def committed_orders_words(listed: int, orders: Sequence[Order]) -> Message:
    """Return the number of listed and of all orders in twelve months, and that purchases are not among the listed.

    listed: number from `signed_for`. orders: all that are not over.
    """
    of_all = sum(order.is_certain for order in orders)
    if not of_all:
        return worded("no order in twelve months")
    bought = sum(order.bought_gpus for order in orders if order.is_certain and order.is_bought)
    counts: dict[str, Part] = {"listed": whole(listed), "count": whole(of_all)}
    if bought:
        return worded(
            "{listed} of {count} orders in 12 months; {gpus} GPUs to buy are not contracts",
            **counts,
            gpus=significant(bought),
        )
    return worded_count(
        of_all, "the {count} order of twelve months", "all {count} orders of twelve months", **counts
    )


def asked_rows_words(rows: Sequence[AskedRow]) -> Message:
    """Return the numbers of RFQ rows and orders: 13 rows for 29 orders of twelve months; 11 of them renew or follow
    another
    order; identical orders share a row.
    """
    clauses: list[Text] = []
    if firm := [row for row in rows if not row.is_option]:
        orders = [order for row in firm for order in row.orders]
        lines = len(runs_of(firm))
        clauses.append(
            worded(
                "{rows} for {orders} of twelve months",
                rows=worded_whole(lines, "{count} row", "{count} rows"),
                orders=worded_whole(len(orders), "{count} order", "{count} orders"),
            )
        )
        if follow := len(orders) - len(asked_for(orders)):
            clauses.append(worded("{count} renew or follow another order", count=whole(follow)))
        if len(firm) < len(orders):
            clauses.append(worded("identical orders share a row"))
        if renewed_rows(firm):
            clauses.append(worded("terms that renew each other share a row"))
    if options := len(runs_of(row for row in rows if row.is_option)):
        clauses.append(worded_whole(options, "{count} row is an option", "{count} rows are options"))
    return joined(clauses, "; ")


# --- Prices of later orders in words: expected at signing, compared with today's list -------------


def expected_price_words(orders: Sequence[Order], listed_orders: Sequence[Order]) -> Message | None:
    """Return the cost of orders with one start at expected and at list rates, $ per month; None if equal or unknown.

    listed_orders: the same orders at today's rates, from `orders.at_list`.
    """
    expected, listed = (known_sum(o.cost_per_month for o in priced) for priced in (orders, listed_orders))
    if not orders or expected is None or listed is None or round(expected) == round(listed):
        return None
    return worded(
        "Expected on {start}: {expected} per month; at today's list price: {listed}",
        start=day(min(order.start_s for order in orders)),
        expected=amount(expected),
        listed=amount(listed),
    )


# --- Names and meanings of horizons ---------------------------------------------------------------

HORIZON_NAMES: Final = {
    Horizon.NEXT_MONTH: capital(worded("next month")),
    Horizon.MONTH_12: worded("Month 12"),
    Horizon.TWELVE_MONTHS: worded("12 months in total"),
}
HORIZON_MEANINGS: Final = {
    Horizon.NEXT_MONTH: worded("First of the twelve months, from plan start"),
    Horizon.MONTH_12: worded("Month 12, at its own demand and prices"),
    Horizon.TWELVE_MONTHS: worded("Sum of 12 months, each at its own demand and prices"),
}
