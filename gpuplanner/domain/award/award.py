"""The award of the rows of an RFQ, at least cost in all: lines, vendors, and savings of each quote."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.award.division import Bounds, Candidate, LeastCost, divide, least_cost
from gpuplanner.domain.award.qualifying import Conditions, Considered, considered, expired
from gpuplanner.domain.commitment.asked_rows import AskedRow, is_of_term
from gpuplanner.domain.figures.award import AWARD, QUOTE, VENDOR
from gpuplanner.domain.figures.figure import by_row, floats
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.book.remark import taken_as_quoted, undecided
from gpuplanner.domain.model.intake import SentRow
from gpuplanner.lazy_dataclass import dataclass, replace

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Awarded:
    """What one offer is given of one row; figures by the keys of AWARD, money in that of the project.

    gpus: of the row's model that are served; bought_gpus: of the offer's own. rate, upfront_per_gpu: as quoted.
    term_hours: of all terms of the row.
    """

    row: AskedRow
    offer: Offer
    nodes: int
    gpus: float
    bought_gpus: float
    rate: float
    upfront_per_gpu: float
    term_months: int
    term_hours: float
    plan_rate: float | None
    liability: float
    prepaid: float
    at_plan_rate: float | None
    saves_beside_plan: float | None


def line_key(line: Awarded) -> str:
    """The subject of a line: its row and its offer."""
    return f"{line.row.name} {line.offer.offer_id}"


@dataclass(frozen=True, slots=True)
class OpenRow:
    """Nodes of a row that nobody serves. is_quoted: offers qualify for it, and a limit keeps them from these nodes."""

    row: AskedRow
    nodes: int
    is_quoted: bool

    @property
    def gpus(self) -> int:
        """GPUs that are left open."""
        return self.nodes * self.row.node_gpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """One provider of the award; figures by the keys of VENDOR. provider None: offers that name none.

    cost_without, saves: of the award without all of its offers; None where opens_gpus more stay open then.
    """

    provider: str | None
    awarded: float
    awarded_share: float | None
    cost_with: float = 0.0
    cost_without: float | None = None
    saves: float | None = None
    opens_gpus: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """One offer beside all that is asked for; figures by the keys of QUOTE.

    rows: those that it qualifies for; against: why it qualifies for none, of the row that it is nearest to. unknown:
    what it does not state that was asked for. awarded_gpus: of its own model. opens_gpus: that stay open without it.
    market: lowest and highest rate, (0, 0) where it is not known. tried: rates for worth_rate, each with whether the
    advice signs at it. if_taken: $ in all that an undecided one would be awarded once it is taken as quoted, for
    if_taken_gpus of its own model; None where nothing is to be decided, or where this plan asks for nothing that it
    would qualify for: with it taken the plan may.
    """

    offer: Offer
    rows: tuple[AskedRow, ...]
    against: tuple[Message, ...]
    unknown: tuple[Message, ...]
    awarded_gpus: float
    rate: float | None
    cost_with: float | None
    cost_without: float | None
    saves: float | None
    saves_beside_plan: float | None
    opens_gpus: float = 0.0
    market: tuple[float, float] = (0.0, 0.0)
    is_far_from_market: bool | None = None
    worth_rate: float | None = None
    why_not_worth: Message | None = None
    tried: tuple[tuple[float, bool], ...] = ()
    margin: float | None = None
    margin_share: float | None = None
    if_taken: float | None = None
    if_taken_gpus: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """The cheapest list price for a row, beside which its quotes stand: never an award. rate: $ per GPU-hour, what is
    paid upfront spread over the term; liability: $ of all terms of the row."""

    row: AskedRow
    offer: Offer
    rate: float
    liability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """The award of some rows. rows: those that are firm; options: those that are wanted only if young demand lasts, of
    which nothing is awarded. considered: every offer beside every firm row of its model. shared: $ that shares of
    providers are of where they are limited: of the award without that limit. unread: answers that are no offer, for a
    cell of theirs cannot be read. unasked: what of the plan no vendor is asked for. benchmarks: of list prices, by row.
    gone: reference and number of each row that was answered and is no order of the plan any more."""

    rows: tuple[AskedRow, ...]
    options: tuple[AskedRow, ...]
    conditions: Conditions
    considered: tuple[Considered, ...]
    awarded: tuple[Awarded, ...]
    open: tuple[OpenRow, ...]
    vendors: tuple[Vendor, ...]
    shared: float | None
    quotes: tuple[Quote, ...]
    unread: tuple[SentRow, ...] = ()
    unasked: Message = NO_WORDS
    benchmarks: tuple[Benchmark, ...] = ()
    gone: tuple[tuple[str, str], ...] = ()

    @property
    def liability(self) -> float:
        """$ of all terms that are awarded, in all; 0 where nothing is."""
        return sum(line.liability for line in self.awarded)

    @property
    def prepaid(self) -> float:
        """$ of it that are paid upfront."""
        return sum(line.prepaid for line in self.awarded)

    @property
    def asked_gpus(self) -> int:
        """GPUs of all firm rows."""
        return sum(row.gpus for row in self.rows)

    @property
    def open_gpus(self) -> int:
        """GPUs of them that stay open."""
        return sum(row.gpus for row in self.open)


def award_of(
    asked: Sequence[AskedRow],
    offers: Sequence[Offer],
    conditions: Conditions,
    is_cancelled: IsCancelled = lambda: False,
) -> Award | None:
    """The award of the firm rows; None where it is cancelled.

    Source: docs/formulas/quotes.md, Award. Errors: PlannerError where it is too large to be solved to the end.
    """
    rows = tuple(row for row in asked if not row.is_option)
    split = _split(rows, asked, offers, conditions)
    candidates, bounds, awarded, left = split.candidates, split.bounds, split.awarded, split.open
    nodes, node_gpus = [row.gpus // row.node_gpus for row in rows], [row.node_gpus for row in rows]
    given = {line.offer.offer_id: frozenset({line.offer.offer_id}) for line in awarded}
    vendors = {
        provider: frozenset(candidate.offer_id for candidate in candidates if candidate.provider == provider)
        for provider in dict.fromkeys(line.offer.provider for line in awarded)
    }
    without: dict[frozenset[str], LeastCost] = {}
    for theirs in dict.fromkeys((*given.values(), *vendors.values())):  # a vendor's only offer is one of both
        if is_cancelled():
            return None
        others = [candidate for candidate in candidates if candidate.offer_id not in theirs]
        without[theirs] = least_cost(nodes, node_gpus, others, bounds)
    if_taken = {}
    for offer in offers:
        if is_cancelled():
            return None
        if undecided(offer) is not None:
            taken = tuple(taken_as_quoted(each) if each is offer else each for each in offers)
            after = _split(rows, asked, taken, conditions)
            its = [each for each in after.awarded if each.offer.offer_id == offer.offer_id]
            if any(each.qualifies for each in after.pairs if each.offer.offer_id == offer.offer_id):
                usd = sum(each.liability for each in its)
                if_taken[offer.offer_id] = sum(each.bought_gpus for each in its), usd
    without_each = {offer_id: without[theirs] for offer_id, theirs in given.items()}
    without_vendors = {provider: without[theirs] for provider, theirs in vendors.items()}
    options = tuple(row for row in asked if row.is_option)
    quotes = (
        replace(quote, if_taken_gpus=gpus, if_taken=usd)
        for quote in _quotes(offers, split.pairs, awarded, left, without_each, conditions)
        for gpus, usd in (if_taken.get(quote.offer.offer_id, (None, None)),)
    )
    return Award(
        rows=rows,
        options=options,
        conditions=conditions,
        considered=split.pairs,
        awarded=awarded,
        open=left,
        vendors=_vendors(awarded, split.shared, sum(row.gpus for row in left), without_vendors),
        shared=split.shared,
        quotes=tuple(quotes),
    )


def benchmarks_of(
    rows: Sequence[AskedRow], offers: Sequence[Offer], conditions: Conditions
) -> tuple[Benchmark, ...]:
    """The cheapest of some list prices for each firm row that one of them qualifies for, by row."""
    cheapest: dict[str, Benchmark] = {}
    for pair in considered(rows, offers, conditions):
        rate = pair.offer.spread_rate
        if not pair.qualifies or rate is None or pair.ratio != 1:
            continue
        hours = pair.offer.term_hours * pair.row.terms
        benchmark = Benchmark(
            row=pair.row, offer=pair.offer, rate=rate, liability=pair.row.gpus * hours * rate
        )
        before = cheapest.get(pair.row.name)
        if before is None or benchmark.rate < before.rate:
            cheapest[pair.row.name] = benchmark
    return tuple(cheapest[row.name] for row in rows if row.name in cheapest)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Split:
    """How firm rows are divided among offers: what was chosen among and within which bounds, and what came of it."""

    pairs: tuple[Considered, ...]
    candidates: list[Candidate]
    bounds: Bounds
    shared: float | None
    awarded: tuple[Awarded, ...]
    open: tuple[OpenRow, ...]


def _split(
    rows: Sequence[AskedRow], asked: Sequence[AskedRow], offers: Sequence[Offer], conditions: Conditions
) -> _Split:
    """The firm rows among all of what is asked for, divided. Errors: as of `award_of`."""
    pairs = _enough_asked(considered(asked, offers, conditions))
    fit = [pair for pair in pairs if pair.qualifies]
    candidates, nodes = _candidates(rows, fit), [row.gpus // row.node_gpus for row in rows]
    node_gpus, bounds = [row.node_gpus for row in rows], _bounds(fit, conditions)
    shared: float | None = None
    most, shares = conditions.max_share, conditions.shares
    if most is not None or shares:
        _, shared = least_cost(nodes, node_gpus, candidates, bounds)
        of_whom = {who: frozenset(o.offer_id for o in offers if who.allows(o)) for who in shares}
        bounds = replace(
            bounds,
            of_provider=None if most is None else most * shared,
            of_offers=tuple((of_whom[who], share * shared) for who, share in shares.items()),
        )
    division = divide(nodes, node_gpus, candidates, bounds)
    awarded = _awarded(fit, division.nodes, division.units, {offer.offer_id: offer for offer in offers})
    left = tuple(
        OpenRow(row, count, any(pair.row is row for pair in fit))
        for row, count in zip(rows, division.open, strict=True)
        if count
    )
    return _Split(
        pairs=pairs, candidates=candidates, bounds=bounds, shared=shared, awarded=awarded, open=left
    )


def _enough_asked(pairs: Sequence[Considered]) -> tuple[Considered, ...]:
    """The same, without offers that are sold for more GPUs than all rows together ask of them."""
    asked: dict[str, float] = {}
    for pair in pairs:
        if pair.qualifies:
            gpus = pair.row.gpus / pair.ratio
            asked[pair.offer.offer_id] = asked.get(pair.offer.offer_id, 0.0) + gpus
    answer = []
    for pair in pairs:
        least, all_of_it = pair.offer.min_gpus, asked.get(pair.offer.offer_id, 0.0)
        if pair.qualifies and least is not None and least > all_of_it + pair.unit_gpus * (pair.ratio != 1):
            words = worded(
                "sold from {least} GPUs, asked for {gpus}", least=whole(least), gpus=whole(all_of_it)
            )
            answer.append(replace(pair, against=(words,)))
        else:
            answer.append(pair)
    return tuple(answer)


def _candidates(rows: Sequence[AskedRow], fit: Sequence[Considered]) -> list[Candidate]:
    """What the division chooses among, in the order of the offers that qualify."""
    place_of = {row.name: place for place, row in enumerate(rows)}
    costs = by_row(
        AWARD.worked_out(_inputs(fit, [float(pair.unit_gpus) for pair in fit]), ["liability", "prepaid"])
    )
    return [
        Candidate(
            row=place_of[pair.row.name],
            offer_id=pair.offer.offer_id,
            provider=pair.offer.provider,
            unit_gpus=pair.unit_gpus,
            units_a_node=pair.row.node_gpus / pair.ratio / pair.unit_gpus,
            cost=usd["liability"] or 0.0,
            prepaid=usd["prepaid"] or 0.0,
            is_exact=pair.ratio == 1,
        )
        for pair, usd in zip(fit, costs, strict=True)
    ]


def _inputs(fit: Sequence[Considered], bought_gpus: Sequence[float]) -> dict[str, Any]:
    """What the figures of AWARD stand on, a column each, for so many GPUs of each offer."""
    return {
        "bought_gpus": floats(bought_gpus),
        "rate": floats([pair.offer.rate for pair in fit]),
        "upfront_per_gpu": floats([pair.offer.upfront for pair in fit]),
        "term_hours": floats([pair.offer.term_hours * pair.row.terms for pair in fit]),
    }


def _bounds(fit: Sequence[Considered], conditions: Conditions) -> Bounds:
    """The least and the most of each offer, and what may be prepaid."""
    offers = {pair.offer.offer_id: pair.offer for pair in fit}
    return Bounds(
        least={key: offer.min_gpus for key, offer in offers.items() if offer.min_gpus},
        most={key: offer.max_gpus for key, offer in offers.items() if offer.max_gpus is not None},
        prepaid=conditions.max_prepaid,
    )


def plan_rate(row: AskedRow) -> float | None:
    """$ per GPU-hour that the plan counts with for a row, what is paid upfront spread over the term.

    The mean of its orders by GPUs; None where one of them has no rate.
    """
    return listed_rate(row, {})


def listed_rate(row: AskedRow, offers: Mapping[str, Offer]) -> float | None:
    """The same at the lists of today, beside which the offer of a list stands: no price has fallen yet.

    offers: by offer_id, of one that is not among them the plan's rate counts; None where one has no rate.
    """
    total = 0.0
    for order in row.orders:
        offer = offers.get(order.offer_id)
        rate = order.spread_rate if offer is None else offer.spread_rate
        if rate is None:
            return None
        total += order.bought_gpus * rate
    bought = sum(order.bought_gpus for order in row.orders)
    return total / bought if bought else None


def _awarded(
    fit: Sequence[Considered], nodes: Sequence[int], units: Sequence[int], offers: Mapping[str, Offer]
) -> tuple[Awarded, ...]:
    """A line for each offer of each row that is given something, with its figures.

    A quote is firm for its start, so it stands beside what the plan counts with then.
    """
    given = [place for place, count in enumerate(nodes) if count]
    taken = [fit[place] for place in given]
    inputs = _inputs(taken, [float(units[place] * fit[place].unit_gpus) for place in given])
    inputs["gpus"] = floats([float(nodes[place] * fit[place].row.node_gpus) for place in given])
    inputs["plan_rate"] = floats(
        [plan_rate(pair.row) if answered_row(pair.offer) else listed_rate(pair.row, offers) for pair in taken]
    )
    keys = ("liability", "prepaid", "at_plan_rate", "saves_beside_plan")
    amounts: list[dict[str, Any]] = by_row(AWARD.worked_out(inputs, keys))
    return tuple(
        Awarded(
            row=fit[place].row,
            offer=fit[place].offer,
            nodes=nodes[place],
            term_months=fit[place].offer.term_months,
            **{key: of[key] for key in (*_INPUT_KEYS, *keys)},
        )
        for place, of in zip(given, amounts, strict=True)
    )


_INPUT_KEYS: Final = ("gpus", "bought_gpus", "rate", "upfront_per_gpu", "term_hours", "plan_rate")


def _vendors(
    awarded: Sequence[Awarded],
    shared: float | None,
    open_gpus: float,
    without: Mapping[str | None, LeastCost],
) -> tuple[Vendor, ...]:
    """Providers by name, with what each has. shared: $ that shares are of; None: of all that is awarded.

    open_gpus: of the award; without: of it without each of them.
    """
    sums: dict[str | None, float] = {}
    for line in awarded:
        sums[line.offer.provider] = sums.get(line.offer.provider, 0.0) + line.liability
    names = sorted(sums, key=lambda name: (name is None, name or ""))
    parts = floats([sums[name] for name in names])
    in_all = floats([sum(sums.values()) if shared is None else shared] * len(names))
    total = sum(sums.values())
    opens = [without[name].open_gpus - open_gpus for name in names]
    costs = [
        max(without[name].usd, total) if more <= 0 else None for name, more in zip(names, opens, strict=True)
    ]
    inputs = {
        "awarded": parts,
        "awarded_in_all": in_all,
        "cost_with": floats([total] * len(names)),
        "cost_without": floats(costs),
    }
    amounts = by_row(VENDOR.worked_out(inputs, ["awarded_share", "saves"]))
    return tuple(
        Vendor(
            provider=name,
            awarded=sums[name],
            awarded_share=of["awarded_share"],
            cost_with=total,
            cost_without=cost,
            saves=of["saves"],
            opens_gpus=more,
        )
        for name, cost, more, of in zip(names, costs, opens, amounts, strict=True)
    )


def _quotes(
    offers: Sequence[Offer],
    pairs: Sequence[Considered],
    awarded: Sequence[Awarded],
    left: Sequence[OpenRow],
    without: Mapping[str, LeastCost],
    conditions: Conditions,
) -> tuple[Quote, ...]:
    """Every commitment on offer: those that are given something first, then those that qualify, by provider and id.

    without: by offer_id GPUs open and cost of the award without it, of those that are given something.
    """
    beside: dict[str, list[Considered]] = {}
    for pair in pairs:
        beside.setdefault(pair.offer.offer_id, []).append(pair)
    total = sum(line.liability for line in awarded)
    open_gpus = sum(row.gpus for row in left)
    quotes = []
    for offer in offers:
        if not offer.term_months:
            continue
        own_pairs = beside.get(offer.offer_id, [])
        fit = [pair for pair in own_pairs if pair.qualifies]
        given = [line for line in awarded if line.offer.offer_id == offer.offer_id]
        opens, cost = without.get(offer.offer_id, LeastCost(float(open_gpus), total))
        is_alike = opens <= open_gpus
        cost_without = max(cost, total) if fit and is_alike else None
        inputs = {"cost_with": total if fit else None, "cost_without": cost_without}
        beside_plan = [line.saves_beside_plan for line in given]
        quotes.append(
            Quote(
                offer=offer,
                rows=tuple(pair.row for pair in fit),
                against=() if fit else _against(offer, own_pairs, conditions),
                unknown=tuple(dict.fromkeys(words for pair in fit for words in pair.unknown)),
                awarded_gpus=sum(line.bought_gpus for line in given),
                rate=offer.rate,
                cost_with=inputs["cost_with"],
                cost_without=cost_without,
                saves=QUOTE.row(inputs, ["saves"])["saves"],
                saves_beside_plan=sum(saved or 0.0 for saved in beside_plan)
                if given and None not in beside_plan
                else None,
                opens_gpus=opens - open_gpus if fit else 0.0,
            )
        )
    quotes.sort(
        key=lambda row: (not row.awarded_gpus, not row.rows, row.offer.provider or "", row.offer.offer_id)
    )
    return tuple(quotes)


def _against(offer: Offer, pairs: Sequence[Considered], conditions: Conditions) -> tuple[Message, ...]:
    """Why an offer qualifies for nothing: of the row against which least speaks, one of its term before others. That it
    expired is said also where nobody asks for it any more."""
    if not pairs:
        why = worded("no RFQ row asks for its GPU model or a mapped one")
        return tuple(filter(None, (expired(offer, conditions), why, undecided(offer))))
    return min(pairs, key=lambda pair: (not is_of_term(pair.offer, pair.row), len(pair.against))).against
