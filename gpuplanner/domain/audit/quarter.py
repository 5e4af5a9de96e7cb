"""This quarter: four steps from the past to a decision, and today's work at the flat rate of each provider.

Source: docs/formulas/spend.md, This quarter.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from gpuplanner.domain.audit.leak_claims import Past, listed
from gpuplanner.domain.audit.leak_list import leak_called
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.spend.work_today import work_today
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.mix import FLAT
from gpuplanner.domain.figures.typed import amount, percent, way_ms, whole, worded_whole
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.placement import current_placement
from gpuplanner.lazy_dataclass import replace

# --- Today's work at flat rates: each provider at what it sells on demand or by the month


class FlatPart(NamedTuple):
    """Work of a class and GPU model: GPU-hours per month, a provider's rate for them (None: it has no offer), and what
    they cost today, $ per month (None: a rate is missing)."""

    pool: Pool
    gpu_model: str | None
    gpu_hours: float
    rate: float | None
    today: float | None


class FlatRate(NamedTuple):
    """One provider for the work of the window: the share of its GPU-hours that it can serve (0..1), $ per month of
    730 h for these, and the GPU models that it lacks. provider: empty where offers name none. same_work_now: today's
    cost of the work that it can serve; None: a rate is missing. parts: of all work."""

    provider: str
    served: float
    usd_per_month: float
    same_work_now: float | None
    lacks: tuple[str, ...]
    parts: tuple[FlatPart, ...]


def flat_rates(past: Past) -> list[FlatRate]:
    """Each provider with the cheapest eligible rate of each class and model, none of a term over a month and no spot.

    Only GPU-hours that jobs used are paid. Sorted by the share that it serves, largest first, then by $.
    """
    spent: dict[tuple[Pool, str | None], int] = {}
    for hours in past.clusters:
        for model, by_class in zip(hours.models, hours.demand.sum(axis=2).tolist(), strict=True):
            for pool, milli in zip(POOLS, by_class, strict=True):
                key = pool, model or hours.stand_in
                spent[key] = spent.get(key, 0) + milli
    rows, unit = [], MILLI_GPU_SECONDS_PER_GPU_HOUR * past.project.window.months
    today = work_today(past.clusters, past.rates, past.project.window.months)
    by_provider = grouped((offer.provider or "", offer) for offer in past.rates.offers)
    for provider, offers in by_provider.items():
        own = replace(past.rates, offers=tuple(offers))
        served, usd, lacks, parts, costs_today = 0, 0.0, set(), [], []
        for (pool, model), milli in spent.items():
            offer = next((o for o in own.steady(pool, model) if o.term_hours <= HOURS_PER_MONTH), None)
            rate = None if offer is None else offer.spread_rate or 0.0
            if milli:
                now = today.get((pool, model), 0.0)
                parts.append(
                    FlatPart(pool=pool, gpu_model=model, gpu_hours=milli / unit, rate=rate, today=now)
                )
            if rate is not None:
                served, usd = served + milli, usd + milli / unit * rate
                costs_today.append(today.get((pool, model), 0.0))
            elif milli:
                lacks.add(model or "")
        share = served / (sum(spent.values()) or 1)
        rows.append(
            FlatRate(
                provider=provider,
                served=share,
                usd_per_month=usd,
                same_work_now=known_sum(costs_today),
                lacks=tuple(sorted(lacks)),
                parts=tuple(parts),
            )
        )
    return sorted(rows, key=lambda row: (-row.served, row.usd_per_month, row.provider))


# --- The four steps

DONE, NEEDS_FILE, NEEDS_ANSWER = "done", "needs_file", "needs_answer"
OVER: Final = "over"
"""State for people of a step that is done and whose limit is broken; documents have `DONE`."""
FILES: Final[dict[str, Text]] = {
    "jobs": worded("job logs"),
    "contracts": worded("contracts"),
    "users": worded("users by city"),
    "sites": worded("sites"),
    "prices": worded("prices"),
}
"""Kinds of files in words."""
_UNKNOWN: Final = worded("Unknown")


Parts = tuple[tuple[Text, float | None, str], ...]
"""What $ are the sum of: each with its name, its $ and the kind of its figure."""


class Place(StrEnum):
    """Where the next action of a step is done."""

    NOWHERE = ""
    FILES = "files"
    NAMES = "names"  # that mean the same thing
    PLAN = "plan"  # its board
    PLACEMENT = "placement"
    CONTRACTS = "contracts"
    PRICES = "prices"


class Answer(NamedTuple):
    """What a step comes to.

    figure, usd_per_month: as in `Step`; None is unknown. result: figure in words. next_action: done at `place`. parts:
    of the $. amount: what the $ are. is_over: whether a limit is broken. same_work_now: today's $ per month of the work
    that the $ are for; None: unknown, or of no work.
    """

    figure: float | None
    usd_per_month: float | None
    result: Text
    next_action: Text
    place: Place
    parts: Parts = ()
    amount: Text = ""
    is_over: bool = False
    same_work_now: float | None = None


class Step(NamedTuple):
    """One of the four. missing: kinds of files.

    figure: 1: utilization in hours without training, 0..1; 2: mean network latency to 80% of users, ms one way; 3:
    contracts under 40%; 4: the largest share of the GPU-hours that one provider serves at flat rates, 0..1.
    usd_per_month: 1: stranded (audit estimate); 3: idle cost of these contracts, and burst on long ones; 4: that
    provider's price. None is unknown.
    """

    step: int
    missing: tuple[str, ...]
    answer: Answer

    @property
    def figure(self) -> float | None:
        return self.answer.figure

    @property
    def usd_per_month(self) -> float | None:
        return self.answer.usd_per_month

    @property
    def result(self) -> Text:
        """The figure in words."""
        return self.answer.result

    @property
    def next_action(self) -> Text:
        return self.answer.next_action

    @property
    def parts(self) -> Parts:
        """What the $ are the sum of."""
        return self.answer.parts

    @property
    def amount(self) -> Text:
        """What the $ are: the steps have unlike ones."""
        return self.answer.amount

    @property
    def state(self) -> str:
        """Done, or what it waits for; network latency alone has no dollars."""
        is_known = self.figure is not None and (self.usd_per_month is not None or self.step == LATENCY)
        if self.missing:
            return NEEDS_FILE
        if is_known:
            return DONE
        return NEEDS_ANSWER

    @property
    def shown_state(self) -> str:
        """The state for people, which says of a step that is done whether its limit is broken."""
        return OVER if self.state == DONE and self.answer.is_over else self.state


LATENCY: Final = 2


def quarter(project: Project, audit: Audit) -> list[Step]:
    """The four steps. A step without its files says which to import; unknown figures ask for what they need."""
    past = past_of(project, audit)
    inputs = (project.has_log, project.contracts, project.places.cities, project.places.sites, project.offers)
    absent = {kind for kind, has in zip(FILES, inputs, strict=True) if not has}
    steps = []
    for number, (needs, answer) in enumerate(_STEPS, 1):
        missing = tuple(kind for kind in needs if kind in absent)
        files = worded("Import {files}.", files=joined([FILES[kind] for kind in missing], ", "))
        waiting = _unknown(files, Place.FILES)
        steps.append(Step(number, missing, waiting if missing else answer(past, audit)))
    return steps


def _unknown(next_action: Text, place: Place) -> Answer:
    """Return the answer of a step whose figure is unknown."""
    return Answer(figure=None, usd_per_month=None, result=_UNKNOWN, next_action=next_action, place=place)


def _without_training(past: Past, audit: Audit) -> Answer:
    known = [row for row in audit.clusters if row.non_training_utilization is not None]
    paid = sum(row.non_training_paid_gpu_hours or 0.0 for row in known)
    usd = known_sum(row.stranded_audit for row in known)
    if not paid or usd is None:
        return _unsettled(audit)
    used = sum(row.non_training_used_gpu_hours or 0.0 for row in known) / paid
    every = [row.cluster for row in audit.clusters if all(past.members(row.cluster, pool) for pool in POOLS)]
    separate = worded("Separate training, inference and burst on {clusters}.", clusters=listed(every))
    words = worded("{used} used without training", used=percent(used, 1))
    parts = tuple((row.cluster, row.stranded_audit, CLUSTER["stranded_audit"].why) for row in known)
    return Answer(
        figure=used,
        usd_per_month=usd,
        result=words,
        next_action=separate if every else worded("No cluster holds all three classes."),
        place=Place.PLAN if every else Place.NOWHERE,
        parts=parts,
        amount=CLUSTER["stranded_audit"].title,
    )


def _latency(past: Past, audit: Audit) -> Answer:
    current = current_placement(past.project.places).current
    mean = current.mean_one_way_ms
    if mean is None:
        mark = worded("Mark sites in use: column current, or Placement.")
        return _unknown(mark, Place.PLACEMENT)
    limit = whole(LONGEST_MS)
    words = worded("{ms} ms one way to 80% of users; limit {limit} ms", ms=way_ms(mean), limit=limit)
    nearer = worded("Serve inference closer to users: see Placement.")
    is_over = current.service.is_over_80
    return Answer(
        figure=mean,
        usd_per_month=None,
        result=words,
        next_action=nearer if is_over else worded("Keep the current sites."),
        place=Place.PLACEMENT,
        is_over=is_over,
    )


def _under_40(past: Past, audit: Audit) -> Answer:
    under = [row for row in audit.contracts if row.below_40_percent]
    burst = [leak for leak in audit.leaks if leak.code == "permanent_burst"]
    if audit.unknown_contracts:
        return _unsettled(audit)
    contracts = worded_whole(len(under), "{count} contract under 40%", "{count} contracts under 40%")
    long = worded_whole(
        len(burst),
        "{count} cluster with burst on long contracts",
        "{count} clusters with burst on long contracts",
    )
    words = joined((contracts, *((long,) if burst else ())), "; ")
    names = listed([*(row.contract_id for row in under), *(leak.cluster for leak in burst)])
    parts: Parts = (
        *((row.contract_id, row.unused_per_month, CONTRACT["unused_per_month"].why) for row in under),
        *((leak_called(leak), leak.counted_per_month, "") for leak in burst),
    )
    usd = known_sum(usd for _, usd, _ in parts)
    shorter = worded("Match the term to the work: {names}.", names=names)
    action = shorter if under or burst else worded("Keep these contracts.")
    return Answer(
        figure=len(under),
        usd_per_month=usd,
        result=words,
        next_action=_unsettled(audit).next_action if usd is None else action,
        place=Place.CONTRACTS,
        parts=parts,
        amount=worded("Idle cost and permanent burst") if burst else titles.IDLE_COST,
    )


def _beside_flat_rates(past: Past, audit: Audit) -> Answer:
    best = next(iter(flat_rates(past)), None)
    if best is None or not best.served:
        return _unknown(worded("Enter on-demand or monthly rates."), Place.PRICES)
    who, share = best.provider or titles.NOT_STATED, percent(best.served)
    now = best.same_work_now
    today = worded("Same work today: {usd} per month. Ask for a quote.", usd=amount(now))
    unknown = worded("Same work today: unknown. Ask for a quote.")
    return Answer(
        figure=best.served,
        usd_per_month=best.usd_per_month,
        result=worded("{provider}: serves {share} of GPU-hours", provider=who, share=share),
        next_action=unknown if now is None else today,
        place=Place.PRICES,
        parts=((best.provider, best.usd_per_month, FLAT["usd_per_month"].why),),
        amount=worded("Price of {provider}", provider=who),
        same_work_now=now,
    )


def _unsettled(audit: Audit) -> Answer:
    """Return the answer of a step that waits for names or rates."""
    if audit.unknown_contracts:
        asked = listed(sorted(audit.unknown_contracts))
        names = worded("Match cluster or GPU model of {names} with the log.", names=asked)
        return _unknown(names, Place.NAMES)
    rates = worded("Enter missing contract rates, or choose a longer lookback period.")
    return _unknown(rates, Place.CONTRACTS)


_STEPS: Final = (
    (("jobs", "contracts"), _without_training),
    (("users", "sites"), _latency),
    (("jobs", "contracts"), _under_40),
    (("jobs", "prices"), _beside_flat_rates),
)
"""The files that each step reads, and its answer."""
