"""What is known of selected or merged cards, as sections of words: class, $, fit, spot, jobs."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, TypeVar

from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.domain.audit.energy import EnergyRow
from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.commitment.plan.orders import orders_by_row
from gpuplanner.domain.commitment.recursion.rates import Barrier, barrier_of, lost_share, with_checkpoint_of
from gpuplanner.domain.commitment.result import RunWay
from gpuplanner.domain.commitment.words.spot import spot_sentences
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.plan.cards import BOUGHT_APART, merged_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.card import CARD_PART
from gpuplanner.domain.figures.energy import ENERGY
from gpuplanner.domain.fit.fit_rows import worst_light
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import NEED_TITLES, WorkloadFit, rows_in_pool
from gpuplanner.domain.message import Text, lowered, worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.hardware_needs import NOTHING_SET
from gpuplanner.domain.model.plan.merged_cards import Merges
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.spells import NO_SPELL
from gpuplanner.domain.model.plan.splits import bare_key, whole_key
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.reports.serving import offer_terms
from gpuplanner.domain.reports.use import row_key
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.state.commitment_words import commit_words, days_words
from gpuplanner.ui.state.month_words import run_figures
from gpuplanner.ui.state.view_state import ViewState, is_planned
from gpuplanner.ui.words import dated_words, numbers
from gpuplanner.ui.words.lanes import lane_of

# --- Cards that a plan has merged, as the one card that the board shows: hours and dollars are the sums of theirs

_Row = TypeVar("_Row", Workload, WorkloadFit, WorkloadToday)
_KEY: Final = attrgetter("key")

Members = Mapping[str, tuple[str, ...]]
"""Key of the card that stands for others -> keys of all of them, itself first."""


def merges_of(shown: ViewState) -> Merges:
    """What the plan that is shown has merged; nothing of the past is merged."""
    evaluation = shown.evaluation
    return {} if shown.is_today else evaluation.project.scenario(evaluation.scenario).merges


class MergedCards:
    """Keeps the last answer: members and dollars that stayed the same are the same objects, so that nothing is redone.

    Law: over all cards, GPU-hours and $ a month are those of what was told.
    """

    def __init__(self) -> None:
        self._members: Members = {}
        self._names: Mapping[str, str] = {}
        self._usd: tuple[object, Members, Mapping[str, float | None]] = (None, {}, {})

    def show(self, shown: ViewState) -> ViewState:
        """The same with one card in place of those that are merged; itself where nothing is."""
        merges = merges_of(shown)
        groups = _groups(shown.cards, merges) if merges else {}
        if not groups:
            return shown
        members = {cards[0].key: tuple(card.key for card in cards) for _, cards in groups.values()}
        names = {cards[0].key: name for name, cards in groups.values()}
        if members != self._members or names != self._names:  # what is found by a name stands on the members
            self._members, self._names = members, names
        gone = _gone(members)
        one_of = {cards[0].key: _as_one(name, cards) for name, cards in groups.values()}
        cards = tuple(one_of.get(card.key, card) for card in shown.cards if card.key not in gone)
        return replace(shown, cards=cards, usd=self._dollars(shown), members=self._members)

    def _dollars(self, shown: ViewState) -> Mapping[str, float | None]:
        """Dollars by card with sums for merged ones; unknown if one of theirs is. Kept while nothing changed."""
        of, members, usd = self._usd
        if of is not shown.usd or members is not self._members:
            gone = _gone(self._members)
            usd = {key: value for key, value in shown.usd.items() if key not in gone}
            usd |= {key: known_sum(map(shown.usd.get, keys)) for key, keys in self._members.items()}
            self._usd = shown.usd, self._members, usd
        return usd


def _gone(members: Members) -> set[str]:
    """Keys of the cards that another stands for."""
    return {key for keys in members.values() for key in keys[1:]}


def _groups(
    cards: Sequence[CardFigures], merges: Merges
) -> dict[tuple[str, str], tuple[str, list[CardFigures]]]:
    """By name and pool, the cards that stand as one; those whose others an import no longer brings stand alone."""
    name_of = {key: name for name, keys in merges.items() for key in keys}
    groups: dict[tuple[str, str], tuple[str, list[CardFigures]]] = {}
    for card in cards:
        if (name := name_of.get(card.key)) is not None:
            groups.setdefault((name, card.pool.value), (name, []))[1].append(card)
    return {key: group for key, group in groups.items() if len(group[1]) > 1}


def _as_one(name: str, cards: Sequence[CardFigures]) -> CardFigures:
    """One card with the sums of these; its class is that of the most GPU-hours."""
    largest = max(cards, key=lambda card: card.gpu_hours_per_month)
    return replace(
        largest,
        key=cards[0].key,
        name=name,
        cluster=", ".join(dict.fromkeys(card.cluster for card in cards if card.cluster)),
        owner=", ".join(dict.fromkeys(card.owner for card in cards if card.owner)),
        in_review=False,
        is_pinned=all(card.is_pinned for card in cards),
        gpu_hours_per_month=sum(card.gpu_hours_per_month for card in cards),
        gpu_models=tuple(dict.fromkeys(model for card in cards for model in card.gpu_models)),
    )


def proposed_name(names: Sequence[str]) -> str:
    """What these have in common at their beginning; else the first and how many more."""
    common = names[0]
    for name in names[1:]:
        while common and not name.startswith(common):
            common = common[:-1]
    common = common.rstrip(" -_./:0123456789")
    return common if len(common) >= 3 else tr("{name} and {names} more", name=names[0], names=len(names) - 1)


def cards_words(cards: int, workloads: int) -> str:
    """12 workloads; where some are merged, 12 workloads on 10 cards."""
    words = numbers.counted(workloads or cards, "workload")
    if workloads in (0, cards):
        return words
    return tr("{words} on {cards}", words=words, cards=numbers.counted(cards, "card"))


# --- What is known of selected cards, as sections of words: class, $ today and in the plan, fit, spot, jobs

BARRIERS: Final = {Barrier(code): words for code, words in words_table("spot_barrier").items()}
LIGHTS: Final = {
    Light.RED: ("octagon", "red", worded("Does not fit")),
    Light.AMBER: ("triangle", "amber", worded("Over-specified")),
    Light.GREEN: ("tick", "green", worded("Fits")),
}
"""Light -> its icon, its palette role, its word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line: a figure at the right of its name, or a sentence (no figure). icon and role: a status before it.

    figure_id: what "Why this number?" answers for the figure.
    """

    text: Text
    figure: str = ""
    icon: str = ""
    role: str = "text"
    figure_id: str = ""

    def __post_init__(self) -> None:
        speak(self, "text", "figure")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines."""

    title: str
    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        speak(self, "title")


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """All of it. note_key: the workload that a note is of; "" where several cards are selected."""

    title: str
    under: str
    sections: tuple[Section, ...]
    note_key: str = ""
    note: str = ""
    is_part: bool = False
    is_merged: bool = False
    is_planned: bool = False

    def __post_init__(self) -> None:
        speak(self, "title", "under")


def details_of(cards: Sequence[CardFigures], shown: ViewState, facts: CardFacts) -> Details | None:
    """What the side sheet says of these cards; None of none."""
    if not cards:
        return None
    if len(cards) > 1:
        return _of_several(cards, shown)
    (card,) = cards
    if card.key in facts.members:
        return _of_merged(card, facts.members[card.key], shown)
    if is_planned(card):
        return _of_planned(card, shown)
    key = whole_key(card.key, facts.splits)
    workload, is_part = workload_named(key, shown.evaluation.project.workloads), key != card.key
    if workload is None:
        return None
    models = ", ".join(card.gpu_models) or tr("GPU model unknown")
    audit = shown.evaluation.audit
    at = bisect_left(audit.workloads, key, key=_KEY)
    today = _today_usd(card, workload, audit.workloads[at].usd_per_month)
    energy = () if is_part else _energy(audit.energy.workloads[at : at + 1])
    where = numbers.MIDDOT.join((card.cluster or tr("no cluster"), card.owner or tr("no owner"), models))
    sections = (
        _money(card, shown, today, energy),
        *_dates(key, shown),
        _class(card),
        _fit(card, key, workload, shown),
        _spot(card, workload, shown),
        *_guaranteed(key, shown),
        _jobs(card.key, workload, is_part),
    )
    return Details(
        title=card.name,
        under=where,
        sections=sections,
        note_key=key,
        note=facts.note(card.key),
        is_part=is_part,
    )


def workload_named(key: str, rows: Sequence[_Row]) -> _Row | None:
    """A workload by its key, or what is said of it. Law of Project: both are sorted by it."""
    at = bisect_left(rows, key, key=_KEY)
    return rows[at] if at < len(rows) and rows[at].key == key else None


def _today_usd(card: CardFigures, workload: Workload, usd: float | None) -> float | None:
    """What it costs today; of a part its share of the workload's, by GPU time."""
    if card.key == workload.key:
        return usd
    given = {
        "gpu_time": card.milli_gpu_seconds,
        "all_gpu_time": workload.milli_gpu_seconds,
        "all_cost_per_month": usd,
    }
    return CARD_PART.row(given)["cost_per_month"]


def _money(card: CardFigures, shown: ViewState, today: float | None, more: Sequence[Line] = ()) -> Section:
    """Dollars today and in the plan with the change between the whole amounts, and GPU-hours a month.

    more: lines below them.
    """
    is_whole = card.key == bare_key(card.key)
    asked = figure("workload_cost" if is_whole else "part_today", card.key)
    lines = [Line(text=tr("$ per month today"), figure=numbers.dollars(today), figure_id=asked)]
    if not shown.is_today:
        plan = shown.usd.get(card.key)
        in_plan = tr("$ per month in {scenario}", scenario=shown.evaluation.scenario)
        lines.append(Line(text=in_plan, figure=numbers.dollars(plan), figure_id=figure("card_usd", card.key)))
        if today is not None and plan is not None:
            change = numbers.dollar_change(round(plan) - round(today))
            lines.append(Line(text=tr("Change"), figure=change, figure_id=figure("card_change", card.key)))
    hours = numbers.whole(card.gpu_hours_per_month)
    lines.append(Line(text=tr("GPU-h per month"), figure=hours, figure_id=figure("card_hours", card.key)))
    return Section(tr("Cost and use"), (*lines, *more))


_DECIDED: Final = words_table("decided")


def class_of(classed: Classification) -> str:
    """Class and subtype in the planner's language."""
    title = lane_of(classed.pool).title
    return tr("{first}, {second}", first=title, second=tr(classed.subtype)) if classed.subtype else title


def _energy(rows: Sequence[EnergyRow]) -> tuple[Line, ...]:
    """What its jobs took of the window as a month, of a whole workload; nothing where nobody knows the power."""
    lines = []
    for row in rows:
        for key, value in (("kwh_per_month", row.kwh_per_month), ("kg_co2_per_month", row.kg_co2_per_month)):
            spec = ENERGY[key]
            if value is not None:
                title = tr("{title} today, {unit}", title=spec.title, unit=spec.unit.label)
                amount = numbers.of_unit(value, spec.unit.key)
                lines.append(Line(text=title, figure=amount, figure_id=figure(spec.why, row_key(row))))
    return tuple(lines)


def _dates(key: str, shown: ViewState) -> tuple[Section, ...]:
    """When the workload is there in the plan, and steps of its demand; nothing where nobody said anything."""
    if shown.is_today:
        return ()
    project, plan = shown.evaluation.project, shown.evaluation.figures.basis.plan
    words = dated_words.spell_words(plan.spells.get(key, NO_SPELL), project.plan_window.end_s)
    lines = [Line(text=numbers.capital(words), icon="clock", role="muted")] if words else []
    lines += _steps(key, shown)
    who = dated_words.only_words(plan, key)
    lines += [Line(text=who, role="muted")] if who else []
    return (Section(tr("In this plan"), tuple(lines)),) if lines else ()


def _steps(key: str, shown: ViewState) -> list[Line]:
    """The steps of demand in the plan that are about this workload."""
    project, plan = shown.evaluation.project, shown.evaluation.figures.basis.plan
    return [
        Line(text=tr("Demand: {step}", step=dated_words.change_words(project, change)))
        for change in plan.changes
        if not change.keys or key in change.keys
    ]


def _of_planned(card: CardFigures, shown: ViewState) -> Details | None:
    """What is planned that no log has."""
    project, plan = shown.evaluation.project, shown.evaluation.figures.basis.plan
    if (work := next((work for work in plan.planned if work.key == card.key), None)) is None:
        return None
    usd = tr("$ per month in {scenario}", scenario=shown.evaluation.scenario)
    hours = numbers.whole(card.gpu_hours_per_month)
    money = [
        Line(
            text=usd, figure=numbers.dollars(shown.usd.get(card.key)), figure_id=figure("card_usd", card.key)
        ),
        Line(text=tr("GPU-h per month"), figure=hours, figure_id=figure("card_hours", card.key)),
        *_run_lines(card, work, shown),
    ]
    begins_s = project.plan_window.end_s
    lines = [
        Line(text=dated_words.work_gpus_words(work)),
        Line(text=numbers.capital(dated_words.work_hours_words(work))),
        Line(text=numbers.capital(dated_words.work_spell_words(work, begins_s)), icon="clock", role="muted"),
        *(Line(text=who, role="muted") for who in (dated_words.only_words(plan, work.key),) if who),
        *_steps(card.key, shown),
        Line(text=tr("Not in a log, so without growth."), role="muted"),
    ]
    if not work.cluster:
        lines.append(Line(text=tr("No cluster: no existing contract serves it."), role="muted"))
    return Details(
        title=card.name,
        under=numbers.MIDDOT.join(
            (tr("planned"), card.cluster or tr("no cluster"), card.owner or tr("no owner"))
        ),
        sections=(Section(tr("Cost and use"), tuple(money)), Section(tr("Planned"), tuple(lines))),
        is_planned=True,
    )


def _run_lines(card: CardFigures, work: PlannedWork, shown: ViewState) -> Iterator[Line]:
    """Of work with an end or a length, which is bought apart: its $, and what it is bought by."""
    run = next((run for run in run_figures(shown) if run.key == card.key), None)
    if run is None or shown.advice is None:
        return
    is_for_good = work.every_hours is not None and work.ends_s is None
    whole = tr("$ of 60 months, repeated") if is_for_good else tr("$ of the whole run")
    yield Line(text=whole, figure=numbers.dollars(run.usd), figure_id=figure("planned_run_usd", card.key))
    if run.usd is not None and run.use_usd is not None and round(run.use_usd) > round(run.usd):
        yield Line(text=tr("On demand only"), figure=numbers.dollars(run.use_usd))
    for option in run.ways:
        yield _mean_month(option)
    for row in orders_by_row(shown.advice.orders[at] for at in run.orders):
        when = numbers.capital(days_words(row))
        yield Line(text=f"{commit_words(row)} {when}.", icon="contract", role="muted")
    if run.idle_contract_gpus > 0:
        gpus = numbers.gpus(run.idle_contract_gpus)
        yield Line(text=tr("First uses up to {gpus} idle contract GPUs.", gpus=gpus), role="muted")
    yield Line(text=spoken(BOUGHT_APART), role="muted")


def _class(card: CardFigures) -> Section:
    """The class with how sure it is, its reasons, the runner-up and who decided."""
    classed = card.classification
    sure = numbers.whole_percent(classed.confidence)
    lines = [
        Line(text=class_of(classed), figure=sure, figure_id=figure("card_class", card.key)),
        *(Line(text=f"\u2022 {spoken(reason)}", role="muted") for reason in classed.reasons),
    ]
    if classed.runner_up is not None:
        lines.append(Line(text=tr("Else {runner_up}", runner_up=classed.runner_up), role="muted"))
    decided = tr("Decided {source}", source=_DECIDED.get(classed.source, classed.source))
    lines.append(Line(text=decided, role="muted"))
    if card.in_review:
        lines.append(
            Line(text=tr("In review: press T, I or B to set its class."), icon="review", role="muted")
        )
    elif card.pool is not classed.pool:
        lines.append(Line(text=tr("In {pool}, not in its class's pool.", pool=card.pool), role="muted"))
    return Section(tr("Class"), tuple(lines))


def _fit(card: CardFigures, key: str, workload: Workload, shown: ViewState) -> Section:
    """Hardware fit as its class, and as the pool it stands in where that is another."""
    if (fit := fit_of(key, shown)) is None:
        return Section(tr("Hardware fit"), (Line(text=tr("Calculating…"), role="muted"),))
    lines = list(_fit_lines(tr("As {pool}", pool=fit.pool), fit.light, fit.reasons))
    if card.pool is not fit.pool:
        lines += _fit_lines(tr("As {pool}", pool=card.pool), *fit_words(fit, workload, card.pool, shown))
    return Section(tr("Hardware fit"), tuple(lines))


def fit_words(
    fit: WorkloadFit, workload: Workload, pool: Pool, shown: ViewState
) -> tuple[Light | None, Text]:
    """How a workload fits in a pool on what it runs on, and why not better: the worst first."""
    if pool is fit.pool:
        return fit.light, fit.reasons
    rows = rows_in_pool(fit, workload, pool, shown.evaluation.project.needs.get(fit.key, NOTHING_SET))
    bad = sorted((row for row in rows if row.reason), key=lambda row: -(row.light or 0))
    reasons = "; ".join(tr("{title}: {value}", title=NEED_TITLES[row.need], value=row.reason) for row in bad)
    return worst_light(rows), reasons


def _fit_lines(subject: str, light: Light | None, reasons: Text) -> Iterator[Line]:
    """A light in words with its reasons; unknown where the needs are."""
    if light is None:
        yield Line(text=tr("{what}: needs unknown", what=subject), role="muted")
        return
    drawn, role, words = LIGHTS[light]
    yield Line(text=tr("{title}: {value}", title=subject, value=lowered(words)), icon=drawn, role=role)
    if reasons:
        yield Line(text=reasons, role="muted")


def fit_of(key: str, shown: ViewState) -> WorkloadFit | None:
    """The fit of a workload, as far as known."""
    return workload_named(key, shown.fit or ())


def spot_words(workload: Workload, pool: Pool, shown: ViewState) -> Line:
    """Whether a workload may use spot in a pool, and what it would lose there."""
    project = shown.evaluation.project
    plan = None if shown.is_today else project.scenario(shown.evaluation.scenario)
    assumptions = project.assumptions if plan is None else project.assumptions_in(plan)
    row = workload_named(workload.key, shown.evaluation.audit.workloads)
    barrier = barrier_of(assumptions, workload, pool, None if row is None else row.classification)
    if barrier is not None:
        return Line(text=spoken(BARRIERS[barrier]), role="muted")
    classed = None if row is None else row.classification
    own = with_checkpoint_of(assumptions, workload, classed, project.needs)
    if (lost := lost_share(own, workload.max_nodes or 1, workload.longest_job_s)) >= 1:
        return Line(text=tr("Interrupted too often to progress"), icon="interruption", role="amber")
    return Line(text=tr("May use spot; share of work lost"), figure=numbers.percent(lost))


def _guaranteed(key: str, shown: ViewState) -> Iterator[Section]:
    """Of training of the log that comes back: what it costs to hold its GPUs. key: may end with its class."""
    ways = () if shown.is_today or shown.advice is None else shown.advice.logged_ways
    if lines := tuple(_mean_month(option) for option in ways if f"{key}/".startswith(f"{option.work.key}/")):
        yield Section(tr("Guaranteed capacity"), lines)


def _mean_month(option: RunWay) -> Line:
    name = tr("A mean month, {term}", term=spoken(offer_terms(option.offer)))
    return Line(text=name, figure=numbers.dollars(option.cost_per_month))


def _spot(card: CardFigures, workload: Workload, shown: ViewState) -> Section:
    """Whether spot capacity may serve it, and what that would lose."""
    line = spot_words(workload, card.pool, shown)
    asked = figure("card_lost", card.key) if line.figure else ""
    advice = () if shown.is_today or shown.outlook is None else shown.outlook.spot
    kept_off = (spot for spot in advice if spot.key == workload.key and spot.barrier)
    sentences = (
        Line(text=spoken(words), role="muted") for spot in kept_off for words in spot_sentences(spot)
    )
    return Section(tr("Spot"), (replace(line, figure_id=asked), *sentences))


def _jobs(key: str, workload: Workload, is_part: bool) -> Section:
    """Counts, peak and longest job; a count of nodes that no job states is unknown."""
    nodes = "" if workload.max_nodes is None else figure("card_nodes", key)
    peak, longest = workload.peak_milli_gpus / 1000, workload.longest_job_s / 3600
    lines = [
        Line(text=tr("Jobs"), figure=numbers.whole(workload.jobs), figure_id=figure("card_jobs", key)),
        Line(text=tr("Peak GPUs"), figure=numbers.gpus(peak), figure_id=figure("card_peak", key)),
        Line(text=tr("Most nodes per job"), figure=numbers.whole(workload.max_nodes), figure_id=nodes),
        Line(
            text=tr("Longest job"),
            figure=f"{numbers.one_decimal(longest)} h",
            figure_id=figure("card_longest", key),
        ),
    ]
    if workload.last_end_s is not None:
        lines.append(Line(text=tr("Last ran"), figure=numbers.date(workload.last_end_s - 1)))
    return Section(tr("Jobs of the whole workload") if is_part else tr("Jobs"), tuple(lines))


def _of_merged(card: CardFigures, keys: Sequence[str], shown: ViewState) -> Details:
    """What merged cards are together, and each of them with what it costs."""
    of = {each.key: each for each in shown.evaluation.figures.cards if each.key in set(keys)}
    advice, costs = shown.advice, shown.costs
    # not those of `shown`, whose first card has the dollars of all
    if costs is not None:
        plan_usd = costs.usd
    elif advice is not None:
        plan_usd = advice.workload_usd
    else:
        plan_usd = {}
    usd = {key: plan_usd.get(key) for key in of}
    order = sorted(of, key=lambda key: (-(usd[key] or 0.0), key))
    whole = largest_remainder([usd[key] for key in order], known_sum(usd.values()))
    subject = merged_subject(card.name, card.pool)
    in_plan = tr("$ per month in {scenario}", scenario=shown.evaluation.scenario)
    dollars = shown.usd.get(card.key)
    hours = numbers.whole(card.gpu_hours_per_month)
    together = (
        Line(text=in_plan, figure=numbers.dollars(dollars), figure_id=figure("merged_usd", subject)),
        Line(text=tr("GPU-h per month"), figure=hours, figure_id=figure("merged_hours", subject)),
    )
    parts = tuple(
        Line(text=of[key].name, figure=numbers.dollars(usd), figure_id=figure("card_usd", key))
        for key, usd in zip(order, whole, strict=True)
    )
    cards, pool = numbers.counted(len(keys), "card"), lane_of(card.pool).title
    return Details(
        title=card.name,
        under=tr("{cards} merged \u00b7 {pool}", cards=cards, pool=pool),
        sections=(Section(tr("Cost and use"), together), Section(tr("Parts, $ per month"), parts)),
        is_merged=True,
    )


def _of_several(cards: Sequence[CardFigures], shown: ViewState) -> Details:
    """Several cards together: their sums and how many are of each class. Dollars are unknown if one's are."""
    total = known_sum([shown.usd.get(card.key) for card in cards])
    hours = sum(card.gpu_hours_per_month for card in cards)
    workloads = [workload for card in cards for workload in _workloads_of(card, shown)]
    where = tr("today") if shown.is_today else tr("in {scenario}", scenario=shown.evaluation.scenario)
    per_month = tr("$ per month {where}", where=where)
    lines = (
        Line(text=per_month, figure=numbers.dollars(total), figure_id=figure("selected_usd")),
        Line(text=tr("GPU-h per month"), figure=numbers.whole(hours), figure_id=figure("selected_hours")),
    )
    classes = tuple(
        Line(
            text=lane_of(pool).title,
            figure=numbers.whole(count),
            figure_id=figure("selected_class", pool.value),
        )
        for pool in POOLS
        if (count := sum(card.classification.pool is pool for card in workloads))
    )
    return Details(
        title=tr("{cards} selected", cards=cards_words(len(cards), len(workloads))),
        under=tr("Total"),
        sections=(Section(tr("Cost and use"), lines), Section(tr("Classes"), classes)),
    )


def _workloads_of(card: CardFigures, shown: ViewState) -> list[CardFigures]:
    """The cards that a card stands for; itself where it stands for none."""
    keys = frozenset(shown.members.get(card.key, ()))
    return [each for each in shown.evaluation.figures.cards if each.key in keys] if keys else [card]
