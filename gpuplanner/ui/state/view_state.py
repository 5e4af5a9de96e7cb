"""State of the window: newest figures, advice that may be out of date, and their sources."""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from operator import attrgetter, is_not

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.listed_order import ListedOrder, with_choices
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.comparison import mean_usd
from gpuplanner.domain.commitment.result import Advice, CardCosts
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.evaluation import CardFigures, Evaluation, all_checks
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import (
    NO_PARTS,
    NOTHING_KNOWN,
    PartSum,
    known_sum,
    known_sums,
    largest_remainder,
    part_sum,
    whole_dollars,
)
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane, lane_of

# --- State of the window: newest figures, and advice that may be out of date ----------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ViewState:
    """An evaluation with the last known advice and outlook; is_settling: they belong to the state before.

    before: advice of the plan that a question refers to, once known; None without a question.
    usd: $ per month of each card by key: of the plan, as a mean of twelve months, or of the past on Today; None is
    unknown. month: the month shown alone; 0: none. first: the state of all months, if one month is shown.
    """

    evaluation: Evaluation
    advice: Advice | None
    outlook: Outlook | None
    is_settling: bool
    is_outlook_settling: bool
    usd: Mapping[str, float | None]
    cards: tuple[CardFigures, ...]  # as on the board; nothing is in review in the past
    # last known; may be from before an edit of needs
    fit: tuple[WorkloadFit, ...] | None = None
    # see ui/cards/details.py; for the board only
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    before: Advice | None = None
    month: int = 0
    first: "ViewState | None" = None

    @property
    def at_start(self) -> "ViewState":
        """The same plan over all twelve months."""
        return self.first or self

    @property
    def is_calculating(self) -> bool:
        """Whether `outlook_plan` hasn't finished once for the plan: savings, 12 months and decisions aren't known."""
        return not self.is_today and self.outlook is None

    @property
    def is_question(self) -> bool:
        """Whether it shows a question, next to the plan it refers to."""
        evaluation = self.evaluation
        return evaluation.project.plan_before(evaluation.scenario) is not None

    @property
    def is_today(self) -> bool:
        """Whether it shows the past, which is read-only."""
        return self.evaluation.scenario == TODAY

    @property
    def costs(self) -> CardCosts | None:
        """Costs of a plan's cards; None on Today, and before they are calculated."""
        return None if self.is_today or self.advice is None else self.advice.cards

    @property
    def idle_usd(self) -> Mapping[str | None, float | None]:
        """Idle cost of contracts by GPU model, $ per month, over the same period as the cards' $."""
        if self.costs is not None:
            return self.costs.idle_usd
        ran = (row for row in self.evaluation.audit.contracts if self.is_today and row.paid_gpu_hours)
        return known_sums((row.inputs.contract.gpu_model, row.unused_per_month) for row in ran)

    @property
    def spend_usd(self) -> float | None:
        """Total $ per month shown: the sum of columns and idle cost, with overflow on Today."""
        if self.is_today or self.advice is None:
            return self.evaluation.audit.spend if self.is_today else None
        if self.costs is None or self.month:
            return self.advice.totals.plan
        return mean_usd([month.plan_usd for month in self.advice.comparison])

    @property
    def listed_orders(self) -> tuple[ListedOrder, ...]:
        """The orders of the plan by number, with the user's choices; empty on Today and before they are known."""
        if self.outlook is None or self.is_today:
            return ()
        project = self.evaluation.project
        return with_choices(self.outlook.listed_orders, project.scenario(self.evaluation.scenario))

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Offers at the rates in force, $ per GPU-hour; on Today at mid rates."""
        project = self.evaluation.project
        return (
            project.offers if self.is_today else project.offers_in(project.scenario(self.evaluation.scenario))
        )

    @property
    def checks(self) -> tuple[Check, ...]:
        """Checks of the past, and of the plan if one is shown."""
        places = self.evaluation.project.places
        if self.is_today:
            return all_checks(self.evaluation.audit, None, None, places)
        return all_checks(self.evaluation.audit, self.advice, self.outlook, places, self.evaluation.waits)


def next_view_state(before: ViewState | None, evaluation: Evaluation) -> ViewState:
    """Return the state for an evaluation, with missing results taken from the state before.

    Advice and outlook are taken within one scenario and log, hardware fit within one log. An advice without the plan's
    whole decisions is not shown: a settled plan can save ten times as much.
    """
    before = None if before is None else before.at_start
    if evaluation.advice is not None and evaluation.advice.is_undecided:
        evaluation = replace(evaluation, advice=None)
    same = (
        before is not None
        and _is_one_plan(before.evaluation, evaluation)
        and before.evaluation.project.cube is evaluation.project.cube
    )
    old_advice = before.advice if same and before is not None else None
    if same and before is not None and before.evaluation.waits and not evaluation.waits:
        evaluation = replace(evaluation, waits=before.evaluation.waits)
    old_outlook = before.outlook if same and before is not None else None
    of_same_jobs = before is not None and before.evaluation.project.cube is evaluation.project.cube
    old_fit = before.fit if of_same_jobs and before is not None else None
    advice = evaluation.advice or old_advice
    if evaluation.scenario == TODAY:
        audit = evaluation.audit
        kept = before.usd if same and before is not None and before.evaluation.audit is audit else None
        usd = kept or {workload.key: workload.usd_per_month for workload in audit.workloads}
        cards = tuple(
            replace(card, in_review=False) if card.in_review else card for card in evaluation.figures.cards
        )
    else:
        costs = None if advice is None else advice.cards
        if advice is None:
            usd = {}
        elif costs is None:
            usd = advice.workload_usd
        else:
            usd = costs.usd
        cards = of_their_time(evaluation.figures.cards, costs, before)
    return ViewState(
        evaluation=evaluation,
        advice=advice,
        outlook=evaluation.outlook or old_outlook,
        is_settling=evaluation.advice is None or evaluation.advice.is_settling,
        is_outlook_settling=evaluation.outlook is None,
        usd=usd,
        cards=cards,
        fit=evaluation.fit or old_fit,
        before=evaluation.before or _before_of(before, evaluation),
    )


def of_their_time(
    cards: tuple[CardFigures, ...], costs: CardCosts | None, before: ViewState | None = None
) -> tuple[CardFigures, ...]:
    """Return cards with the GPU-hours that their dollars refer to; the objects of `before` where unchanged, for fast
    drops.
    """
    if costs is None:
        return cards
    shown, hours = list(cards), costs.gpu_hours
    places: Sequence[int] = range(len(cards))
    if before is not None and before.costs is not None and len(before.cards) == len(cards):
        shown = list(before.cards)
        changed = list(compress(places, map(is_not, cards, before.evaluation.figures.cards)))
        for place in changed:
            shown[place] = cards[place]
        places = changed if before.costs is costs else places
    for place in places:
        card = shown[place]
        expected = hours.get(card.key, cards[place].gpu_hours_per_month)
        if card.gpu_hours_per_month != expected:
            shown[place] = replace(card, gpu_hours_per_month=expected)
    return tuple(shown)


def _is_one_plan(before: Evaluation, now: Evaluation) -> bool:
    """Return whether both evaluations show one plan, or a question about it, so that the view does not jump."""
    asked_of = now.project.plan_before(now.scenario)
    return before.scenario == now.scenario or (asked_of is not None and asked_of.name == before.scenario)


def _before_of(before: ViewState | None, now: Evaluation) -> Advice | None:
    """Return the known advice of the plan that a question refers to, if plan and audit are unchanged."""
    plan = now.project.plan_before(now.scenario)
    if before is None or plan is None or before.evaluation.audit is not now.audit:
        return None
    then = before.evaluation
    if then.scenario == plan.name:
        is_final = then.advice is not None and not then.advice.is_settling
        return then.advice if is_final and then.project.scenario(plan.name).plans_as(plan) else None
    known = then.project.plan_before(then.scenario)
    return before.before if known is not None and known.plans_as(plan) else None


def lane_of_card(card: CardFigures) -> Lane:
    """Return the column of a card."""
    return Lane.REVIEW if card.in_review else lane_of(card.pool)


def is_planned(card: CardFigures) -> bool:
    """Return whether a card is planned work, which is not in the log."""
    return card.classification.source == "planned"


def class_lane(classification: Classification) -> Lane:
    """Return the column whose icon a badge shows: that of the class, not of the pool."""
    return lane_of(classification.pool)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneSums:
    """The heading of a column. Dollars are None if a card's are unknown.

    are_likely: for Review, whether every card counts in the pool of its likely class; as today, in its cluster's pool.
    """

    lane: Lane
    cards: int
    in_review: int
    gpu_hours_per_month: float
    usd_per_month: float | None
    review_usd_per_month: float | None
    whole_usd_per_month: int | None  # as shown; pools and idle contracts add up to the spend
    workloads: int = 0  # on those cards; merged cards have several
    known: PartSum = NO_PARTS  # known part of the dollars, if some are unknown
    are_likely: bool = True

    @property
    def dollars(self) -> PartSum:
        """Dollars as shown: whole, or a lower bound."""
        return self.known if self.whole_usd_per_month is None else PartSum(self.whole_usd_per_month)


@dataclass(frozen=True, slots=True, eq=False)
class LaneTotals:
    """The sums of a column, with what they are of; valid while cards and dollars (usd) are those objects."""

    cards: Sequence[CardFigures]
    usd: Mapping[str, float | None]
    usd_per_month: float | None
    gpu_hours_per_month: float


_KEY, _HOURS = attrgetter("key"), attrgetter("gpu_hours_per_month")


Change = Callable[[Lane, object, object], tuple[Sequence[CardFigures], Sequence[CardFigures]] | None]
"""Returns the cards that left a column and those that came, from its cards before and now; None for other changes."""


def lane_totals(
    usd: Mapping[str, float | None],
    lanes: Mapping[Lane, list[CardFigures]],
    known: Mapping[Lane, LaneTotals],
    change: Change = lambda lane, before, after: None,
) -> dict[Lane, LaneTotals]:
    """Return the sums of every column.

    known: earlier sums, for columns that did not change. change: finds the few cards that moved; what they come to is
    then subtracted and added, accurate to a millionth of a dollar and of a GPU-hour.
    """
    made = {}
    for lane, cards in lanes.items():
        before = known.get(lane)
        if before is None or before.usd is not usd:
            made[lane] = _totals(cards, usd)
        elif before.cards is cards:
            made[lane] = before
        else:
            made[lane] = _moved(before, change(lane, before.cards, cards), cards) or _totals(cards, usd)
    return made


def _totals(cards: Sequence[CardFigures], usd: Mapping[str, float | None]) -> LaneTotals:
    return LaneTotals(cards, usd, _dollars_of(cards, usd), float(sum(map(_HOURS, cards))))


def _moved(
    before: LaneTotals,
    moved: tuple[Sequence[CardFigures], Sequence[CardFigures]] | None,
    cards: Sequence[CardFigures],
) -> LaneTotals | None:
    """Return the sums once cards left and others came; None where that does not tell them."""
    if moved is None:
        return None
    left, came = (_totals(some, before.usd) for some in moved)
    if before.usd_per_month is None or left.usd_per_month is None or came.usd_per_month is None:
        return None
    return LaneTotals(
        cards,
        before.usd,
        before.usd_per_month - left.usd_per_month + came.usd_per_month,
        before.gpu_hours_per_month - left.gpu_hours_per_month + came.gpu_hours_per_month,
    )


def _dollars_of(cards: Sequence[CardFigures], usd: Mapping[str, float | None]) -> float | None:
    """Return the sum of the cards' dollars; None if one is unknown."""
    amounts = list(map(usd.get, map(_KEY, cards)))
    known = [amount for amount in amounts if amount is not None]
    return float(sum(known)) if len(known) == len(amounts) else None


def lane_sums(
    shown: ViewState, lanes: Mapping[Lane, list[CardFigures]], totals: Mapping[Lane, LaneTotals] | None = None
) -> dict[Lane, LaneSums]:
    """Return the four headings; cards in review also count in their likely pool, so that the pools make the plan.

    lanes: cards by column. totals: their sums, if known.
    """
    usd = shown.usd
    totals = lane_totals(usd, lanes, {}) if totals is None else totals
    review = lanes[Lane.REVIEW]
    made: dict[Lane, LaneSums] = {}
    for pool in POOLS:
        lane = lane_of(pool)
        likely = known_sum([usd.get(card.key) for card in review if card.pool is pool])
        own = totals[lane].usd_per_month
        total = None if own is None or likely is None or not _has_money(shown) else own + likely
        count = len(lanes[lane])
        in_review = 0 if shown.is_today else shown.evaluation.figures.pools[pool].in_review
        of = _workloads_on(lanes[lane], shown)
        parts = (*lanes[lane], *(card for card in review if card.pool is pool)) if total is None else ()
        known = _known_of(parts, usd)
        hours = totals[lane].gpu_hours_per_month + sum(_HOURS(card) for card in review if card.pool is pool)
        made[lane] = LaneSums(
            lane=lane,
            cards=count,
            in_review=in_review,
            gpu_hours_per_month=hours,
            usd_per_month=total,
            review_usd_per_month=likely,
            whole_usd_per_month=whole_dollars(total),
            workloads=of,
            known=known,
        )
    hours = totals[Lane.REVIEW].gpu_hours_per_month
    usd_in_review = totals[Lane.REVIEW].usd_per_month if _has_money(shown) else None
    made[Lane.REVIEW] = LaneSums(
        lane=Lane.REVIEW,
        cards=len(review),
        in_review=0,
        gpu_hours_per_month=hours,
        usd_per_month=usd_in_review,
        review_usd_per_month=None,
        whole_usd_per_month=whole_dollars(usd_in_review),
        workloads=_workloads_on(review, shown),
        known=_known_of(review if usd_in_review is None else (), usd),
        are_likely=all(card.pool is card.classification.pool for card in review),
    )
    return made


def idle_rows(
    shown: ViewState, sums: Mapping[Lane, LaneSums]
) -> tuple[int | None, list[tuple[str | None, int | None]]]:
    """Return idle cost in whole dollars: the total, and by GPU model, largest first.

    Law: columns and idle cost as shown add up to the spend as shown, if all is known.
    """
    spend, is_known = whole_dollars(shown.spend_usd), bool(shown.idle_usd) or shown.spend_usd is not None
    whole = whole_dollars(known_sum(shown.idle_usd.values())) if is_known else None
    columns = [sums[lane_of(pool)].whole_usd_per_month for pool in POOLS]
    if whole is not None and spend is not None and None not in columns:
        whole = spend - sum(usd or 0 for usd in columns)
    rows = sorted(shown.idle_usd.items(), key=lambda row: -(row[1] or 0.0))
    usd = largest_remainder([usd for _, usd in rows], whole)
    return whole, [(model, of) for (model, _), of in zip(rows, usd, strict=True) if of != 0]


def _has_money(shown: ViewState) -> bool:
    """Return whether cards can have costs: there is a log, and a contract or an offer."""
    project = shown.evaluation.project
    return project.has_log and bool(project.offers or project.contracts)


def _known_of(cards: Sequence[CardFigures], usd: Mapping[str, float | None]) -> PartSum:
    """Return the known part of the cards' dollars; unknown without cards."""
    if not cards:
        return NOTHING_KNOWN
    total = part_sum((card.key, usd.get(card.key)) for card in cards)
    names = {card.key: card.name for card in cards}
    return replace(total, missing=tuple(names[str(key)] for key in total.missing))


def _workloads_on(cards: list[CardFigures], shown: ViewState) -> int:
    """Return the number of workloads on these cards; merged cards have several."""
    members = shown.members
    if not members:
        return len(cards)
    return len(cards) + sum(len(members[card.key]) - 1 for card in cards if card.key in members)


# --- Sources of the figures shown: jobs, contracts, offers and their files; for Why and under charts

Pairs = tuple[tuple[Text, str], ...]
"""Names with the text next to each."""


def source_words(shown: ViewState) -> str:
    """Return the source line: Source: 1,204 jobs (jobs.csv), 4 contracts (contracts.csv) · 3 Jul – 30 Sep 2026, UTC ·
    Plan A.
    """
    window = shown.evaluation.project.window
    inputs = [
        tr("{name} ({note})", name=count, note=name) if name else count
        for count, name in inputs_of(shown)[:3]  # jobs, contracts, offers
    ]
    parts = (
        tr("Source: {inputs}", inputs=", ".join(map(str, inputs))),
        tr("{value}, UTC", value=numbers.span(window.start_s, window.end_s)),
        shown.evaluation.scenario,
    )
    return numbers.MIDDOT.join(parts)


def inputs_of(shown: ViewState, *, of_places: bool = False) -> Pairs:
    """Return inputs with their files: jobs, contracts, offers and the window, or users and sites with of_places.

    Pairs of words and file; the file is empty if the project has none of this kind.
    """
    project = shown.evaluation.project
    of_kind: dict[str, list[str]] = {}
    for file in project.intake:
        of_kind.setdefault(file.kind, []).append(file.path.replace("\\", "/").rsplit("/", 1)[-1])

    def named(kind: str) -> str:
        """Return the name of a kind's only file, or the number of files; empty for none."""
        files = of_kind.get(kind, [])
        if len(files) == 1:
            return files[0]
        if files:
            return tr("{files} files", files=len(files))
        return ""

    if of_places:
        places = project.places
        return (
            (numbers.counted(len(places.cities), "city", "cities"), named("users")),
            (numbers.counted(len(places.sites), "site"), named("sites")),
            (numbers.counted(len(places.measured), "latency measurement"), named("measured")),
            (
                numbers.counted(len(places.residency), "rule of data residency", "rules of data residency"),
                named("residency"),
            ),
        )
    prices = [named("prices")]
    if not shown.is_today:
        case = project.scenario(shown.evaluation.scenario).price_case
        prices += [tr("{case} rates", case=case)] * (case is not PriceCase.MID)
    return (
        (numbers.counted(project.jobs.count, "job"), named("jobs")),
        (numbers.counted(len(project.contracts), "contract"), named("contracts")),
        (numbers.counted(len(project.offers), "offer"), ", ".join(filter(None, prices))),
        (
            tr("730 hours in a month"),
            tr("lookback period {hours} h", hours=numbers.whole(project.window.hours)),
        ),
    )
