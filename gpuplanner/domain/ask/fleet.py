"""Answers about what is there and when: GPUs and $ of a month, offers, contracts with their decisions, a year's CO2."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from gpuplanner.domain.ask.numbers import MOST, Number, dated
from gpuplanner.domain.audit.series import MonthRow
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.payments import owed_in_all, owed_rows
from gpuplanner.domain.commitment.plan.comparison import step_usd
from gpuplanner.domain.commitment.plan.ground import contracts_in
from gpuplanner.domain.commitment.result import ComparisonMonth
from gpuplanner.domain.commitment.term_mix import ON_DEMAND, SPOT
from gpuplanner.domain.commitment.uncertainty.limit_costs import binds_words
from gpuplanner.domain.evaluation import Evaluation, advise_month
from gpuplanner.domain.figures.cash import OWED
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, capital, joined, worded
from gpuplanner.domain.model.amounts import grouped, in_all, known_sum, part_sum
from gpuplanner.domain.model.book.contract import Contract, runs_at, term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import countries_of
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.calendar_months import MONTHS_OF_YEAR
from gpuplanner.domain.model.tables import CATEGORY_WORDS, POOL_TITLES, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from gpuplanner.domain.queue.ground import IsCancelled
from gpuplanner.domain.reports.cash import CASH_BY_QUARTER
from gpuplanner.domain.reports.plan_layers import MIX
from gpuplanner.domain.reports.series import month_name
from gpuplanner.lazy_dataclass import replace

Values = Mapping[str, Any]


def committed(of: Evaluation) -> tuple[Contract, ...]:
    """Contracts as the plan counts them, also where it counts with none."""
    return contracts_in(of.project, replace(of.figures.basis.plan, greenfield=False)).plan


def _month(of: Evaluation, values: Values) -> ComparisonMonth | None:
    """The month of the plan that has the day asked for, or begins nearest to the calendar's; None beyond the twelve."""
    begins_s, months = of.project.plan_window.end_s, of.advised.comparison
    asked_s = values.get("day", values.get("month", begins_s - MONTH_S // 2) + MONTH_S // 2)
    at = (asked_s - begins_s) // MONTH_S
    return months[at] if at < len(months) else None


def gpus(of: Evaluation, values: Values) -> list[Number]:
    """GPUs committed on a day, those of the plan's orders that run then, and what is needed in its month, all or of a
    model. Without a day: on the plan's first, with what is held without a commitment in place of orders."""
    at_s, month = values.get("day", values.get("month", of.project.plan_window.end_s)), _month(of, values)

    def held(contracts: Iterable[Contract]) -> float | None:
        """Of those that run then and are of the model; unknown where no contract was given."""
        held_gpus = (row.gpus for row in contracts if runs_at(row, at_s) and is_of(row.gpu_model, values))
        return sum(held_gpus) if of.project.contracts else None

    title = worded("Committed on {day}:", day=dated(at_s))
    rows = [Number(title=title, value=held(committed(of)), unit="gpus", name="committed")]
    if values.keys() & {"day", "month"}:
        running = (row for row in of.advised.orders if row.is_certain and row.start_s <= at_s < row.end_s)
        many = sum(row.bought_gpus for row in running if is_of(row.offer_gpu_model or row.gpu_model, values))
        rows += [Number(title=worded("ordered by the plan"), value=many, unit="gpus", name="ordered")]
    else:
        loose = held(contract for contract in of.project.contracts if not contract.is_committed)
        rows += [Number(title=worded("held without a commitment:"), value=loose, unit="gpus", name="held")]
    if month is not None:
        pools = advise_month(of.project, of.figures, of.advised, month.month).pools
        needed = sum(pool.demand.mean_gpus for pool in pools if is_of(pool.gpu_model, values))
        title = worded("needed on average in the month from {day}:", day=dated(month.start_s))
        rows += [Number(title=title, value=needed, unit="gpus", name="needed")]
    return rows


def is_of(model: str | None, values: Values) -> bool:
    """Whether a GPU model is the one that is asked for, if one is, or of its family: `A100` is A100 80GB, too."""
    asked = values.get("model", values.get("offered", model))
    return bool(asked == model) or f"{model}".startswith(f"{asked} ")


_NEAR: Final = {0: ("THIS", "QUARTER"), 1: ("NEXT", "QUARTER")}
"""What quarters are called beside their names, by their place from the day on which plans begin."""


def is_asked(values: Values, name: Text, at: int) -> bool:
    """Whether a quarter, by its name and place, is the one that is asked for, if one is."""
    return set(values.get("quarter", "").upper().split()) <= {*str(name).split(), *_NEAR.get(at, ())}


def of_contracts(name: Text) -> Text:
    """What is paid by use is no part of it."""
    return worded("contracts of {name}", name=name or worded("unknown"))


def by_seller(of: Evaluation, values: Values) -> list[Number]:
    """What contracts are paid a month, by provider, region or country, or of one of them; what has none is unknown."""
    asked = values.get("vendor")
    kind, sellers = asked.kind if asked else values["kind"], dict[str, str]()
    for contract in of.project.contracts:
        sellers[contract.contract_id] = (
            ", ".join(sorted(countries_of(contract))).title()
            if kind == "country"
            else getattr(contract, kind) or ""
        )
    parts = defaultdict[str, list[tuple[Text, float | None]]](list)
    for row in of.audit.use.contracts if of.audit.use else ():
        parts[sellers[str(row.name)]].append((str(row.name), row.cost_per_month))
    numbers = []
    for name in (seller for seller in parts if not asked or asked.name in (seller, *seller.split(", "))):
        title, usd = of_contracts(name), part_sum(parts[name])
        if kind == "country" and ", " in name:
            title = worded("contracts that may run in any of {names}", names=name)
        numbers.append(
            Number(
                title=title, value=usd.total, unit="usd_per_month", name="contracts_usd_per_month", known=usd
            )
        )
    return sorted(numbers, key=lambda by: -by.known.known)


def idle_by_cluster(of: Evaluation, values: Values) -> list[Number]:
    """Idle cost of contracts by cluster, or of one cluster, in $ per month; the largest first."""
    parts = defaultdict[str, list[tuple[Text, float | None]]](list)
    for row in of.audit.contracts:
        if "cluster" not in values or row.cluster == values["cluster"].name:
            parts[row.cluster].append((row.contract_id, row.unused_per_month))
    numbers = []
    for name, usd in ((name, part_sum(parts[name])) for name in parts):
        title = worded("{name}, idle", name=name or worded("unknown"))
        numbers.append(
            Number(title=title, value=usd.total, unit="usd_per_month", name="unused_usd_per_month", known=usd)
        )
    return sorted(numbers, key=lambda by: -by.known.known)


def spot(of: Evaluation, values: Values) -> list[Number]:
    """Workloads on spot in the plan's first month, what they pay for spot, and what the step to spot saves."""
    _, paid = paid_by(of, {"way": PricingCategory.DYNAMIC})
    users = {row.key for row in of.outlook.spot if row.on_spot} if of.outlook and paid.value != 0 else ()
    added = step_usd(of.outlook.savings_steps if of.outlook else (), "spot")
    return [
        Number(
            title=worded("Workloads on spot in the plan"),
            value=float(len(users)),
            unit="count",
            name="workloads",
        ),
        replace(paid, title=worded("they pay for spot")),
        Number(
            title=worded("spot saves"),
            value=added and -added,
            unit="usd_per_month",
            name="saves_usd_per_month",
        ),
    ]


def paid_by(of: Evaluation, values: Values) -> list[Number]:
    """What is paid for spot or by the hour: today, idle contracts without a term too, and in the plan's first month."""
    paid_as = {PricingCategory.DYNAMIC: SPOT, PricingCategory.STANDARD: ON_DEMAND}[values["way"]]
    rows = [row for row in MIX.rows(of) if row.category == paid_as]
    titles = {
        "usd_now": worded("Paid for {category} today", category=CATEGORY_WORDS[values["way"]]),
        "usd_plan": worded("in the plan's first month"),
    }
    return [
        Number(
            title=title,
            value=known_sum(getattr(row, field) for row in rows),
            unit="usd_per_month",
            name=field,
        )
        for field, title in titles.items()
    ]


def limits(of: Evaluation, values: Values) -> list[Number]:
    """What each limit costs in the first month, and what it does: one that is checked alone costs nothing."""
    return [
        Number(
            title=joined((row.limit.words, binds_words(row)), ": "),
            value=row.limit_cost,
            unit="usd_per_month",
            path=f"limits[{at}].costs_usd_per_month",
        )
        for at, row in enumerate(of.outlook.limits if of.outlook else ())
    ]


def spend_in(of: Evaluation, values: Values) -> list[Number]:
    """What a month of the plan costs, and what it costs with nothing signed."""
    if (month := _month(of, values)) is None:
        return []
    title = worded("The plan, month from {day}", day=dated(month.start_s))
    path, nothing, known = f"comparison[{month.month}].", month.do_nothing_usd, month.nothing_sum
    return [
        Number(title=title, value=month.plan_usd, unit="usd", path=f"{path}plan_usd", known=month.plan_sum),
        Number(
            title=worded("without new commitments"),
            value=nothing,
            unit="usd",
            path=f"{path}do_nothing_usd",
            known=known,
        ),
    ]


def by_year(of: Evaluation, values: Values) -> list[Number]:
    """Cash of the plan's twelve months by fiscal year; the first and the last are parts of one."""
    parts = grouped((str(row.name).split()[0], row.known["cash"]) for row in CASH_BY_QUARTER.rows(of))
    return [
        Number(
            title=worded("Of the twelve months, in fiscal year {year}", year=year),
            value=usd.total,
            unit="usd",
            name="usd",
            known=usd,
        )
        for year, usd in ((year, in_all(parts[year])) for year in parts)
    ]


def cheapest(of: Evaluation, values: Values) -> list[Number]:
    """The cheapest offer of a model that can be ordered when the plan begins: on demand, spot, and for a term; or of
    one way or term alone."""
    begins_s, best, numbers = of.project.plan_window.end_s, dict[PricingCategory, Offer](), list[Number]()
    offers = [
        offer for offer in of.project.offers_in(of.figures.basis.plan) if is_of(offer.gpu_model, values)
    ]
    for row in sorted(offers, key=lambda offer: (offer.spread_rate or 0.0, offer.offer_id)):
        is_term = values.get("months", row.term_months) == row.term_months
        is_way = values.get("way", row.pricing_category) == row.pricing_category
        is_term = is_term and row.provider in values.get("party", {row.provider})
        if row.spread_rate and is_term and is_way and row.is_open_on(begins_s):
            best.setdefault(row.pricing_category, row)
    for row in (best[kind] for kind in CATEGORY_WORDS if kind in best):
        category, seller = CATEGORY_WORDS[row.pricing_category], row.provider or worded("an unnamed provider")
        term = term_words(row.term_months, row.term_days) if row.term_months else category
        title = worded("{offer} at {provider}, {term},", offer=row.offer_id, provider=seller, term=term)
        numbers.append(
            Number(title=title, value=row.spread_rate, unit="rate_usd_per_gpu_hour", name="usd_per_gpu_hour")
        )
    return numbers


def of_party(contracts: Iterable[Contract], values: Values) -> list[Contract]:
    """Contracts of an id, a provider in whichever spelling, a cluster or a GPU model (`A100` is A100 80GB, too)."""
    name = getattr(values.get("contract"), "name", values.get("model"))
    asked, parties = values.get("party") or {name} - {None}, list[Contract]()
    for row in contracts:
        model = row.gpu_model or ""
        if not asked or asked & {row.contract_id, row.provider, row.cluster, model, *model.split()}:
            parties.append(row)
    return parties


def held_with(of: Evaluation, values: Values) -> list[Number]:
    """GPUs under contract on the plan's first day, of a contract, a provider or a cluster."""
    begins_s, rows = of.project.plan_window.end_s, of_party(of.project.contracts, values)
    running = [row for row in rows if runs_at(row, begins_s)]
    total = Number(
        title=capital(worded("under contract")),
        value=sum(row.gpus for row in running),
        unit="gpus",
        name="gpus",
    )
    return [
        total,
        *(Number(title=row.contract_id, value=row.gpus, unit="gpus", name="gpus") for row in running),
    ]


def peak(of: Evaluation, values: Values) -> list[Number]:
    """GPUs in the busiest hour of the plan's first month, the day of that hour in the log, and the mean: of all, a pool
    or a GPU model. Of all, first the most GPUs that jobs of the log held at one time."""
    in_pool = [row for row in of.advised.pools if row.pool == values.get("pool", row.pool)]
    rows = [row.demand for row in in_pool if is_of(row.gpu_model, values)]
    if not rows:
        return []
    hourly = np.sum([row.hourly_gpus for row in rows], axis=0)
    most = rows[0].peak_gpus if len(rows) == 1 else float(hourly.max())
    day_s = of.project.window.start_s + int(hourly.argmax()) * HOUR_S
    numbers = [
        Number(
            title=worded("Busiest hour of the plan's first month:"), value=most, unit="gpus", name="peak_gpus"
        ),
        Number(title=worded("based on the log of"), value=float(day_s), unit="date", name="peak_day"),
        Number(
            title=worded("mean demand"),
            value=sum(row.mean_gpus for row in rows),
            unit="gpus",
            name="mean_gpus",
        ),
    ]
    held, title = of.project.jobs.peak_milli_gpus / 1000, worded("Most GPUs at one time in the log:")
    return (
        numbers
        if values or not held
        else [Number(title=title, value=held, unit="gpus", path="jobs.peak_gpus"), *numbers[:2]]
    )


def terms(of: Evaluation, values: Values) -> list[Number]:
    """The rate of a contract with its GPUs, provider and term; its end, and the last day for notice."""
    numbers = list[Number]()
    for row in of_party(of.project.contracts, values):
        kind = row.pricing_category
        category = CATEGORY_WORDS[kind] if kind else worded("unknown")
        term = term_words(row.term_months) if row.term_months else category
        title = worded(
            "{contract}: {gpus} × {model}, {provider}, {term},",
            contract=row.contract_id,
            gpus=whole(row.gpus),
            model=row.gpu_model or worded("unknown"),
            provider=row.provider or worded("an unnamed provider"),
            term=term,
        )
        numbers.append(
            Number(
                title=title, value=row.bare_rate, unit="rate_usd_per_gpu_hour", name="rate_usd_per_gpu_hour"
            )
        )
    party = {"party": frozenset({values["contract"].name})}
    dated = [*expiring(of, party), *notices(of, party)]
    return [*numbers, *(number for number in dated if number.unit == "date")]


def expiring(of: Evaluation, values: Values) -> list[Number]:
    """Ends of contracts that are yet to come, the first first; those in a time, or of who is asked for."""
    begins_s, rows = of.project.plan_window.end_s, list[Number]()
    from_s, to_s = values.get("period", (0, None))
    for contract in of_party(committed(of), values):
        at_s = contract.end_s
        if at_s and at_s > max(begins_s, from_s) and (to_s is None or at_s <= to_s):
            path = f"owed[contract_id={contract.contract_id}].to" if runs_at(contract, begins_s) else ""
            title = worded("{contract} ends", contract=contract.contract_id)
            rows.append(
                Number(title=title, value=float(at_s), unit="date", path=path, name="end", last_s=at_s - 1)
            )
    for contract in of_party(of.project.contracts, values) if not rows and "party" in values else ():
        text = worded("{contract} has no end date", contract=contract.contract_id)
        rows += (
            [] if contract.end_s else [Number(title=text, value=None, unit="date", name="end", sentence=text)]
        )
    return sorted(rows, key=lambda by: by.value or 0.0)


def valid(of: Evaluation, values: Values) -> list[Number]:
    """Until when each provider's offers can be ordered, the first first; or of a provider, or a GPU model."""
    offers = [row for row in of.project.offers_in(of.figures.basis.plan) if row.last_order_s is not None]
    last = {
        (row.last_order_s or 0, row.provider or row.offer_id)
        for row in offers
        if row.provider in values.get("party", {row.provider}) and is_of(row.gpu_model, values)
    }
    return [
        Number(
            title=worded("{provider}: quote valid until", provider=name),
            value=last_s + 1.0,
            unit="date",
            name="valid_until",
            last_s=last_s,
        )
        for last_s, name in sorted(last)
    ]


def co2_year(of: Evaluation, values: Values) -> list[Number]:
    """CO2 and energy of twelve months that are all like the first."""
    kg, kwh = (
        None if monthly is None else MONTHS_OF_YEAR * monthly
        for monthly in (of.advised.energy.kg_co2_per_month, of.advised.energy.kwh_per_month)
    )
    title = worded("CO2 of twelve such months")
    return [
        Number(title=title, value=kg, unit="kg", name="kg"),
        Number(title=worded("Their energy"), value=kwh, unit="kwh", name="kwh"),
    ]


def open_decisions(of: Evaluation) -> Sequence[NextDecision]:
    """Decisions that are open, in the order of the outlook; none without one."""
    return of.outlook.open_decisions if of.outlook else ()


def as_told(row: NextDecision) -> Number:
    """A decision as all other places tell it."""
    path = f"next_decisions[id={row.decision_id}].usd_12_months"
    return Number(
        title=row.numbered_title, value=row.usd_12_months, unit="usd", path=path, sentence=row.numbered_text
    )


def decisions_of(of: Evaluation, values: Values) -> list[Number]:
    """Open decisions about a contract, or about those of a provider or a cluster; none where none is asked for."""
    asked = {row.contract_id for row in of_party(of.project.contracts, values) if values}
    return [as_told(row) for row in open_decisions(of) if row.contract_id in asked]


def owed_of(of: Evaluation, values: Values) -> list[Number]:
    """What contracts in force are owed, all or those of a provider, and apart from it each that begins later."""
    asked = {row.contract_id for row in of_party(of.project.contracts, values)} if values else None
    rows, later = (
        [row for row in owed_rows(of.project, of.plan, is_later) if asked is None or row.key in asked]
        for is_later in (False, True)
    )
    owed = [
        Number(title=row.name, value=row.figures["owed"], unit="usd", path=f"owed[contract_id={row.key}].usd")
        for row in rows
    ]
    if "contract" in values:
        return [
            *owed,
            *(Number(title=row.name, value=row.figures["owed"], unit="usd", name="usd") for row in later),
        ]
    parts = ((row.name, row.figures["owed"]) for row in rows)
    known = part_sum(parts) if values else owed_in_all(of.project, of.plan)
    path = "" if values else "owed_if_stopped_usd"
    owed = [
        Number(title=OWED["owed"].title, value=known.total, unit="usd", path=path, name="usd", known=known),
        *(owed if values else ()),
    ]
    for row in later:
        title = worded("not included: {contract}, starting {day},", contract=row.name, day=dated(row.from_s))
        owed.append(Number(title=title, value=row.figures["owed"], unit="usd", name="usd"))
    return owed


def notices(of: Evaluation, values: Values) -> list[Number]:
    """The last days for notice, the first first; of one contract also what it renews to and binds without it, though
    the plan lets it run on."""
    moments, numbers = {row.contract_id: row.order_by_s for row in of.advised.verdicts}, list[Number]()
    filed = {contract.contract_id: contract.end_s for contract in of.project.contracts}
    for held in of_party(committed(of), values):
        runs_on = "contract" in values and held.end_s is None and filed[held.contract_id] is not None
        row = held.ending(held.bound_until_s) if runs_on else held
        last_s = notice_by_s(row, row.end_s)
        if last_s is None or row.end_s is None:
            continue
        is_there = moments.get(row.contract_id) == last_s + 1
        path = f"contract_verdicts[contract_id={row.contract_id}].order_by" if is_there else ""
        title = worded("{contract}: notice by", contract=row.contract_id)
        numbers.append(
            Number(title=title, value=last_s + 1.0, unit="date", path=path, name="notice_by", last_s=last_s)
        )
        if "contract" in values:
            end_s = row.renewed_until_s(filed[row.contract_id] or row.end_s, row.end_s + 1)
            hours = (end_s - row.end_s) / HOUR_S
            usd = OWED.row({"gpus": row.gpus, "rate": row.owed_rate, "hours_left": hours})["owed"]
            numbers += [
                Number(
                    title=worded("without notice it renews until"),
                    value=float(end_s),
                    unit="date",
                    name="end",
                    last_s=end_s - 1,
                )
            ]
            return [*numbers, Number(title=worded("and commits"), value=usd, unit="usd", name="usd")]
    return sorted(numbers, key=lambda by: by.value or 0.0) or decisions_of(of, values)


def history(
    months: Sequence[MonthRow] | None, stop: IsCancelled, of: Evaluation, values: Values
) -> list[Number]:
    """Demand of the log's last months, or of one month, of all or of a class; or what contracts, or the class, cost."""
    numbers, pool = list[Number](), values.get("pool")
    cost = (("usd", "usd") if pool else ("paid_in_window", "paid_usd"), "usd")
    (field, name), unit = cost if "usd" in values else (("gpu_hours", "gpu_hours"), "gpu_hours")
    all_of_it = worded("Contracts") if unit == "usd" else worded("Demand")
    for row in [row for row in months or () if row.month.endswith(values.get("past", ""))][-MOST:]:
        subject = POOL_TITLES[pool] if pool else all_of_it
        title = worded("{subject}, {month}:", subject=subject, month=month_name(row))
        path = f"series[month={row.month}].{f'classes.{pool}.' if pool else ''}{name}"
        numbers.append(
            Number(
                title=title, value=getattr(row.classes[pool] if pool else row, field), unit=unit, path=path
            )
        )
    return numbers
