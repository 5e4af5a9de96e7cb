"""Changes in words: what each form does to a plan, the options of a call that say the same, and what comes of it."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial, reduce
from itertools import count, islice
from typing import Any, Final

from gpuplanner.domain.ask.numbers import MOST, Answered, Number, first_day, told
from gpuplanner.domain.ask.reading import (
    BEFORE_PLAN,
    NO_FORM,
    Asked,
    Named,
    NotUnderstoodError,
    ambiguous,
    bare_question,
    nearest,
    places_of,
    respelled,
)
from gpuplanner.domain.commitment.plan.comparison import Horizon, horizon_row, more_words
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.commitment.words.horizons import HORIZON_NAMES
from gpuplanner.domain.edits import (
    dates,
    find,
    labels,
    model_mappings,
    plans,
    seller_limits,
    teams,
    workloads,
)
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.energy import ENERGY
from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.message import Text, capital, worded
from gpuplanner.domain.model.amounts import in_all
from gpuplanner.domain.model.book.contract import Contract, only_cluster_of, term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only, ratio_for
from gpuplanner.domain.model.errors import PlannerError, refusal
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Form, Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S, instant_s, iso_day, months_after
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

Edit = Callable[[Project], Project]
NODE: Final = "node"
_DATED: Final = frozenset({"change", "ends", "begins", "planned"})
"""Forms that may have a day."""
_JOINED: Final = lazy_re(r"(?i)\s*;\s*(?:and\s+)?|,?\s+(?:and|but|/)\s+|,\s+")
_SENTENCES: Final = lazy_re(r"[.?!:;]\s+|,\s+|\s+[\u2013\u2014-]\s+|\s+(?:so|and|but)\s+")
"""Between what is said around a question, and it."""
_CHANGED: Final = lazy_re(
    r"(?i)\d|\b(?:if|when|with|without|unless|except|instead|only|not|no|half|all|gone|assum|suppos|say|let|doubl|tripl|"
    r"halv|stop|end|fall|fell|drop|ris|grow|shrink|cut|cancel|clos|leav|lose|mov|add|need(?! numbers)|buy|sign|order|"
    r"switch|replac|us(?:e|ing)\b|(?:next|last|com(?:e|ing))(?! (?:up|board|meeting|review|call)\b)|more|less|fewer|"
    r"chang|start|begin|renew|expir|wait|bankrupt|lay)|n't\b"
)
"""What may change a question: it stands alone then."""
_NEGATED: Final = lazy_re(r"(?i)\s*(?:we\s+)?(?:do not|don't|cannot|can't|not|never)\b")
"""What begins so may be meant of all that is joined."""
_OF_BOTH: Final = lazy_re(
    r"^(stop|end|shut down|switch off|turn off|retire|terminate|kill|lose|drop|close|cancel) (?:teams )?"
    r"(.+?) and (.+?)((?: (?:from|on|as of|in) .+)?)$"
)
"""One verb, and a day, of two names."""
_ASKS: Final = lazy_re("(?:what|how|which|who|when|where|why|is|are|do|does|did) ")
"""What begins so is no step of demand or prices."""
LATELY_HOURS: Final = 96
A_NODE: Final = "one-more-node"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Change:
    """What a plan is asked with. as_words: the options that say the same, none where only a file can.

    is_kept: whether a plan can keep it; subject: what it is about, title: as it is called, usd_per_month: what that
    costs itself, where it is bought.
    """

    form: str
    as_words: tuple[str, ...]
    edit: Edit
    is_kept: bool = True
    subject: str = ""
    title: Text = ""
    usd_per_month: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is asked of a plan as it is. values: of the places of its form; read_as: without what was mistyped."""

    form: str
    values: Mapping[str, Any]
    read_as: str = ""


def asked_of(
    evaluation: Evaluation,
    families: Families,
    node_gpus: Mapping[str, int],
    cloud: Callable[[str], str] = lambda name: "",
) -> Asked:
    """The plan of an evaluation as something to ask. node_gpus: GPUs of a node, by model; cloud: as `Asked` has it."""
    project, plan = evaluation.project, evaluation.figures.basis.plan
    classes = {row.key: row.classification.pool for row in evaluation.audit.workloads}
    pools = {card.key: card.pool for card in evaluation.figures.whole_cards}
    pools |= {work.key: work.pool for work in plan.planned}
    ordered: dict[str, float] = {}
    for order in evaluation.advice.orders if evaluation.advice else ():
        ordered[order.offer_id] = ordered.get(order.offer_id, 0.0) + order.bought_gpus
    return Asked(
        project=project,
        plan=evaluation.scenario,
        families=families,
        classes=classes,
        pools=pools,
        node_gpus=node_gpus,
        ordered=ordered,
        cloud=cloud,
    )


MOST_LETTERS: Final = 500


def understood(text: str, forms: tuple[Form, ...], asked: Asked) -> Change | Question:
    """What is meant by a question or a change.

    Errors: NotUnderstoodError where nothing is, or more than one thing, with three questions that may be asked instead;
    where it has over 500 letters, which no form has.
    """
    if len(text) > MOST_LETTERS:
        too_long = worded("A question has at most {letters} letters", letters=whole(MOST_LETTERS))
        forms_near = nearest(bare_question(text[:MOST_LETTERS], forms), forms)
        known = (form_near for form_near in forms_near if _tried(meant_by, form_near, forms, asked))
        raise NotUnderstoodError(too_long, tuple(islice(known, 3)))
    try:
        return meant_by(text, forms, asked)
    except NotUnderstoodError as fault:
        plain = bare_question(text, forms)
        respelt = respelled(plain, forms, asked)
        meant, words = _tried(meant_by, respelt, forms, asked), {*respelt.split()} - {*plain.split()}
        if isinstance(meant, Question) and words and not words & {*dates.MONTHS}:
            return replace(meant, read_as=respelt)
        near = dict.fromkeys((*fault.instead, respelt, *nearest(plain, forms)))
        can_be_asked = (text_near for text_near in near if _tried(meant_by, text_near, forms, asked))
        raise NotUnderstoodError(fault.what, tuple(islice(can_be_asked, 3))) from None


def _tried(read: Callable[..., Change | Question], *of: Any) -> Change | Question | None:
    """What is meant; None where nothing is."""
    try:
        return read(*of)
    except NotUnderstoodError:
        return None


def meant_by(text: str, forms: tuple[Form, ...], asked: Asked) -> Change | Question:
    """What is meant, of words as a whole, else of each of those that are joined; all of these have to be changes.

    Errors: NotUnderstoodError, with what could stand in a place that cannot be read.
    """
    try:
        return _meant_at_once(text, forms, asked)
    except NotUnderstoodError as fault:
        both = _OF_BOTH.sub(r"\1 \2\4;\1 \3\4", bare_question(text, forms))
        for parts in (_JOINED.split(text), both.split(";")):
            if len(parts) < 2 or any(map(_NEGATED.match, parts[:-1])):
                continue
            each = [_tried(_meant_at_once, part, forms, asked) for part in parts]
            if None not in each:
                return _joined([part for part in each if part], asked)
        asks = {
            part: _tried(_meant_at_once, part, forms, asked)
            for part in _SENTENCES.split(text)
            if part.strip()
        }
        questions = [hit for hit in asks.values() if isinstance(hit, Question)]
        around = [part for part, hit in asks.items() if not isinstance(hit, Question)]
        if len(questions) == 1 and around and not any(map(_CHANGED.search, around)):
            return questions[0]
        raise fault


def _joined(parts: Sequence[Change | Question], asked: Asked) -> Change:
    """Changes as one, where it is no matter which comes first, and no step is of what another one is of, or ends.

    So options, which a call takes in an order of its own, say the same.

    Errors: NotUnderstoodError, also where some have a day and others could.
    """
    changes = [part for part in parts if isinstance(part, Change) and part.is_kept]
    if len(changes) < len(parts):
        raise NotUnderstoodError(worded("Join only changes. Ask questions alone"))
    at_once = iso_day(asked.begins_s)
    if len({at_once in change.as_words[-1] for change in changes if change.form in _DATED}) > 1:
        raise NotUnderstoodError(worded("Which change starts that day? Add a day to each"))
    try:
        both, back = (_edited(asked.project, each) for each in (changes, changes[::-1]))
    except PlannerError as error:
        raise NotUnderstoodError(error.what) from None
    before, after, other = (of.scenario(asked.plan) for of in (asked.project, both, back))
    planned = [change.subject for change in changes if change.form == "planned"]
    every, of_demand = {*asked.pools, *planned}, after.changes[len(before.changes) :]
    steps = [
        *(key for step in of_demand for key in step.keys or every),
        *(step.gpu_model for step in after.price_changes[len(before.price_changes) :]),
        *planned,
        *(key for key, _ in after.spells.items() ^ before.spells.items()),
        *(work.key for work in {*before.planned} - {*after.planned}),
    ]
    first, two = (
        (replace(of, changes=(), price_changes=()), {*of.changes, *of.price_changes}) for of in (after, other)
    )
    if len(set(steps)) < len(steps) or first != two or both.mappings != back.mappings:
        raise NotUnderstoodError(worded("Both change the same"))
    words = tuple(word for change in changes for word in change.as_words)
    return Change(
        form=" and ".join(change.form for change in changes),
        as_words=words,
        edit=partial(_edited, changes=changes),
    )


def _edited(project: Project, changes: Sequence[Change]) -> Project:
    """With one change after the other."""
    return reduce(lambda of, step: step.edit(of), changes, project)


def _meant_at_once(text: str, forms: tuple[Form, ...], asked: Asked) -> Change | Question:
    """As `meant_by`, of words as a whole."""
    readings: list[Change | Question] = []
    plain = bare_question(text, forms)
    try:
        readings = [_meant(form, values, asked) for form, values in places_of(text, forms, asked)]
        fault: NotUnderstoodError | None = None
    except NotUnderstoodError as error:
        fault = error
    try:
        readings += [_dated(plain, asked)]
    except PlannerError as error:
        if fault is None and not readings:
            is_step = error.where != plain or ("factor" in str(error.what) and not _ASKS.match(plain))
            why = worded("{where}: {name}", where=error.where, name=error.what) if is_step else None
            of_team = plain.replace(str(error.where), f"team {error.where}")
            fault = NotUnderstoodError(why or NO_FORM, (of_team,))
    kinds = {
        (item.form, item.as_words, item.subject)
        if isinstance(item, Change)
        else (item.form, str(item.values))
        for item in readings
    }
    if len(kinds) > 1:
        raise NotUnderstoodError(worded("That has several possible meanings"))
    if not readings:
        raise fault or NotUnderstoodError(NO_FORM)
    return readings[0]


def _meant(form: str, values: Mapping[str, Any], asked: Asked) -> Change | Question:
    """Errors: NotUnderstoodError where it cannot be."""
    make = _MADE.get(form)
    if make is None:
        return Question(form, values)
    try:
        change = make(values, asked)
        change.edit(asked.project)
    except PlannerError as error:
        raise NotUnderstoodError(
            worded("{where}: {what}; {remedy}", where=error.where, what=error.what, remedy=error.remedy)
        ) from None
    return replace(change, form=form)


def _dated(text: str, asked: Asked) -> Change:
    """A step of demand or prices, as `--change` reads it. Errors: PlannerError."""
    step = dates.read_change(text, asked.begins_s, dates.year_starts(asked.project, asked.plan))
    if step.from_s < asked.begins_s:
        raise refusal(iso_day(step.from_s), BEFORE_PLAN, worded("name a later day"))
    _check_pool(step.of, text, asked)
    kind = f"{step.kind}:" if step.kind else ""
    written = f"{kind}{step.of} x{step.factor!r} {'by' if step.by else 'from'} {iso_day(step.from_s)}"

    def edit(project: Project) -> Project:
        return dates.with_change(project, asked.plan, step, lambda: asked.classes, asked.families)

    before, after = (of.scenario(asked.plan).price_changes for of in (asked.project, edit(asked.project)))
    if after != before and "price" not in text:
        raise refusal(step.of, worded("may mean its demand or its prices"), worded("write price: first"))
    return Change(form="change", as_words=("--change", written), edit=edit)


def _check_pool(name: str, text: str, asked: Asked) -> None:
    """Errors: NotUnderstoodError for the name of a pool that a team or a workload has, too."""
    others = {called.casefold() for kind in ("team", "workload") for called, _ in asked.names(kind)}
    if name.casefold() in others & set(Pool):
        instead = (text.replace(name, f"{kind} {name}") for kind in ("pool", "team"))
        raise NotUnderstoodError(ambiguous(name), tuple(instead))


def _set(name: str, value: float | bool, text: str, asked: Asked) -> Change:
    return Change(
        form="",
        as_words=("--set", f"{name}={text}"),
        edit=lambda project: plans.set_assumption(project, asked.plan, name, value),
    )


def _budget_of_what(values: Mapping[str, Any], asked: Asked) -> Change:
    """Errors: NotUnderstoodError always: an amount without its time is no budget."""
    again = f"under {values['money']:,.0f} {asked.project.currency} a month"
    raise NotUnderstoodError(worded("Is that per month? Say so"), (again,))


def _number(value: float) -> str:
    return f"{value:.12g}"


def _share(values: Mapping[str, Any], asked: Asked) -> Change:
    who: Named = values["who"]
    percent = _number(100 * values["percent"]) + "%"
    if not who.name:
        return _set("max_provider_share", values["percent"], percent, asked)
    only = Only(**{who.kind: who.name})
    edit = partial(seller_limits.limit_share, scenario=asked.plan, who=only, share=values["percent"])
    return Change(form="", as_words=("--share", f"{who.as_word}={percent}"), edit=edit)


def _keys(scope: Named, asked: Asked, project: Project) -> tuple[str, ...]:
    """Workloads of a scope; project: as it is by then, where something may have moved them or planned more."""
    plan = project.scenario(asked.plan)
    pools = {**asked.pools, **plan.pools, **{work.key: work.pool for work in plan.planned}}
    return teams.keys_meant(project, plan, scope.as_word, lambda: pools)


def _on(scopes: Sequence[Named], asked: Asked, do: Callable[..., Project], value: Only | Pool) -> Edit:
    """What is done to all workloads that scopes have by then."""

    def edit(project: Project) -> Project:
        keys = [key for scope in scopes for key in _keys(scope, asked, project)]
        return do(project, asked.plan, keys, value)

    return edit


def _limited(who: Only, mark: str, values: Mapping[str, Any], asked: Asked) -> Change:
    """Workloads that only some may serve; of all pools where no scope is named."""
    pools = set(asked.pools.values())
    scopes = (
        [values["scope"]]
        if "scope" in values
        else [Named("pool", pool.value) for pool in Pool if pool in pools]
    )
    words = tuple(word for scope in scopes for word in ("--only", f"{scope.as_word}={mark}"))
    return Change(form="", as_words=words, edit=_on(scopes, asked, seller_limits.limit_workloads, who))


def _only(values: Mapping[str, Any], asked: Asked) -> Change:
    seller: Named = values["seller"]
    return _limited(Only(**{seller.kind: seller.name}), seller.as_word, values, asked)


def _not_provider(values: Mapping[str, Any], asked: Asked) -> Change:
    name = values["provider"].name
    return _limited(Only(not_provider=name), f"not:provider:{name}", values, asked)


def _other_plan(values: Mapping[str, Any], asked: Asked) -> Change:
    """Another plan of the project in place of this one, which stays as it is."""
    other = asked.project.scenario(values["plan"].name)

    def edit(of: Project) -> Project:
        return find.with_plan(of, of.scenario(asked.plan), replace(other, name=asked.plan))

    return Change(form="", as_words=("--scenario", other.name), edit=edit, is_kept=False, subject=other.name)


def _pool(values: Mapping[str, Any], asked: Asked) -> Change:
    scope, pool = values["scope"], values["pool"]
    keys = _keys(scope, asked, asked.project)
    words = tuple(word for key in keys for word in ("--assign", f"{key}={pool.value}"))
    return Change(form="", as_words=words, edit=_on((scope,), asked, workloads.move_workloads, pool))


def _ends(values: Mapping[str, Any], asked: Asked) -> Change:
    """A provider ends in whichever spelling contracts and offers name it."""
    named, at_s = values["ends"], values.get("day", asked.begins_s)
    end: Mapping[str, Callable[[Project, str, str, int], Project]] = {
        "provider": plans.end_provider,
        "team": teams.stop_team,
        "workload": lambda of, plan, key, at: dates.end_workloads(of, plan, (key,), at),
    }
    names = asked.spellings(named.name) if named.kind == "provider" else [named.name]
    words = tuple(
        word for name in names for word in ("--ends", f"{Named(named.kind, name).as_word}={iso_day(at_s)}")
    )
    return Change(
        form="",
        as_words=words,
        edit=lambda of: reduce(lambda done, name: end[named.kind](done, asked.plan, name, at_s), names, of),
    )


def find_running_work(project: Project) -> set[str]:
    """Workloads that held GPUs in the last days of the log, by key."""
    since = project.window.hours - LATELY_HOURS
    return {
        workload.key
        for place, workload in enumerate(project.workloads)
        if (project.cube.hours_of(place)[0] >= since).any()
    }


def _begins(values: Mapping[str, Any], asked: Asked) -> Change:
    """What has ended comes back; of a team that runs in part, what does not run."""
    named, at_s = values["begins"], values.get("day", asked.begins_s)
    every, spells = _keys(named, asked, asked.project), asked.project.scenario(asked.plan).spells
    running = find_running_work(asked.project)
    keys = tuple(key for key in every if key in spells or key not in running)
    if not keys:
        raise NotUnderstoodError(worded("{name} runs without an end in this plan", name=named.name))
    named_as = (named.as_word,) if len(keys) == len(every) else keys
    words = tuple(word for name in named_as for word in ("--begins", f"{name}={iso_day(at_s)}"))
    edit = partial(dates.begin_workloads, scenario=asked.plan, keys=keys, begins_s=at_s)
    return Change(form="", as_words=words, edit=edit)


def _mapped(values: Mapping[str, Any], asked: Asked) -> Change:
    model, other, pool = values["model"], values["offered"], values.get("pool")
    ratio = values.get("ratio") or ratio_for(asked.project.mappings, model, other, pool)
    if ratio is None or (model == other):
        problem = worded("Unknown: how many {model} replace one {other}", model=model, other=other)
        whose = f" for {pool}" if pool else ""
        raise NotUnderstoodError(problem, (f"{other} instead of {model}{whose} at 1.5",))
    words = ("--map-model", f"{f'{pool}:' if pool else ''}{model}={other}:{_number(ratio)}")
    title = labels.mapping_label(model, other, ratio, pool)
    return Change(
        form="",
        as_words=words,
        edit=lambda project: model_mappings.set_mapping(project, model, other, ratio, pool),
        title=title,
    )


def _planned(values: Mapping[str, Any], asked: Asked) -> Change:
    """Planned work: training unless something else is named; for good where no length is."""
    begins_s, (many, unit) = values.get("day", asked.begins_s), values.get("span", (None, ""))
    ends_s = values.get("until")
    if unit == "months":
        until = months_after(datetime.fromtimestamp(begins_s, UTC).isoformat()[:19] + "Z", many)
        ends_s = None if until is None else instant_s(until)
    name = f"{_number(values['count'])} {values['model']} from {iso_day(begins_s)}"
    taken = {called for pair in asked.names("workload") for called in pair}
    name = next(free for at in count(1) if (free := name if at == 1 else f"{name} ({at})") not in taken)
    cluster = only_cluster_of(asked.project.contracts, values["model"])
    work = PlannedWork(
        name=name,
        pool=values.get("pool", Pool.TRAINING),
        gpu_model=values["model"],
        gpus=float(values["count"]),
        cluster=cluster,
        begins_s=begins_s,
        ends_s=ends_s,
        length_hours=many if unit == "hours" else None,
    )
    written = {
        "name": name,
        "pool": work.pool.value,
        "cluster": cluster,
        "gpu_model": work.gpu_model,
        "gpus": _number(work.gpus),
        "begins": iso_day(begins_s),
        "ends": "" if ends_s is None else iso_day(ends_s),
        "length_hours": str(work.length_hours or ""),
    }
    words = ("--planned", ",".join(f"{field}={value}" for field, value in written.items() if value))
    return Change(
        form="",
        as_words=words,
        edit=lambda project: dates.plan_work(project, asked.plan, (work,)),
        subject=work.key,
    )


def _growth(values: Mapping[str, Any], asked: Asked) -> Change:
    is_less = values["verb"].startswith(("fall", "shrink", "drop"))
    rate = -values["percent"] if is_less else values["percent"]
    of = values["all_or_pool"]
    _check_pool(of, of, asked)
    return _set(f"growth_{of}" if of in set(Pool) else "growth", rate, _number(rate), asked)


def _node(values: Mapping[str, Any], asked: Asked) -> Change:
    """Units of the cheapest term that can be had at once, as a contract from the plan's first day on."""
    model, project = values["model"], asked.project
    offers = [offer for offer in project.offers_in(project.scenario(asked.plan)) if offer.gpu_model == model]
    node = asked.node_gpus.get(model) or max((offer.unit_gpus or 0 for offer in offers), default=0)
    if not node:
        raise NotUnderstoodError(worded("GPUs per node of {model} are unknown", model=model))
    gpus = node * values.get("count", 1)
    now = [
        offer
        for offer in offers
        if can_be_had(offer, asked.begins_s)
        and offer.sells(gpus)
        and (offer.max_gpus is None or gpus <= offer.max_gpus - asked.ordered.get(offer.offer_id, 0.0))
    ]
    if not now:
        problem = worded("No term has {gpus} GPUs of {model} left", gpus=whole(gpus), model=model)
        raise NotUnderstoodError(problem)
    best = min(now, key=lambda offer: (offer.spread_rate or 0.0, offer.offer_id))
    begins_s = asked.begins_s + int(best.lead_time_hours * HOUR_S)
    cluster = next((contract.cluster for contract in project.contracts if contract.gpu_model == model), "")
    rate, ends_s = best.spread_rate or 0.0, begins_s + int(best.term_hours * HOUR_S)
    contract = Contract(
        contract_id=A_NODE,
        cluster=cluster,
        gpu_model=model,
        milli_gpus=1000 * gpus,
        rate_usd_per_gpu_hour=Decimal(str(rate)),
        start_s=begins_s,
        end_s=ends_s,
        provider=best.provider,
        pricing_category=PricingCategory.COMMITTED,
        term_months=best.term_months,
        currency=project.currency,
        region=best.region,
        interconnect=best.interconnect,
        bare_metal=best.bare_metal,
    )
    title = worded(
        "{offer} at {provider}, {term}, costs",
        offer=best.offer_id,
        provider=best.provider or worded("an unnamed provider"),
        term=term_words(best.term_months, best.term_days),
    )

    def edit(of: Project) -> Project:
        return replace(
            of, contracts=tuple(sorted((*of.contracts, contract), key=lambda row: row.contract_id))
        )

    usd = gpus * rate * HOURS_PER_MONTH
    return Change(
        form=NODE, as_words=(), edit=edit, is_kept=False, subject=model, title=title, usd_per_month=usd
    )


def can_be_had(offer: Offer, begins_s: int) -> bool:
    """Whether it is a rented term with a rate that can be ordered now and is there within a month."""
    is_there = (offer.starts_s or 0) <= begins_s and (offer.ends_s is None or offer.ends_s > begins_s)
    is_term = offer.pricing_category is PricingCategory.COMMITTED and bool(offer.term_hours)
    is_soon = (offer.lead_time_hours or 0.0) * HOUR_S <= MONTH_S and offer.is_open_on(begins_s)
    return bool(offer.spread_rate) and is_there and is_term and is_soon


Made = Callable[[Mapping[str, Any], Asked], Change]
_MADE: Final[Mapping[str, Made]] = {
    "budget": lambda v, asked: _set("budget_usd_per_month", v["money"], _number(v["money"]), asked),
    "budget_of_what": _budget_of_what,
    "share": _share,
    "term": lambda v, asked: _set("max_term_months", v["months"], str(v["months"]), asked),
    "no_spot": lambda v, asked: _set("spot", False, "no", asked),
    "power": lambda v, asked: replace(
        _set("power_limit_kw", v["kw"], _number(v["kw"]), asked), subject=_number(v["kw"])
    ),
    "grid": lambda v, asked: _set("grid_kg_co2_per_kwh", v["grid"], _number(v["grid"]), asked),
    "wait": lambda v, asked: _set("wait_months", v["months"], str(v["months"]), asked),
    "churn": lambda v, asked: _set("lambda", v["percent"], _number(v["percent"]), asked),
    "price_fall": lambda v, asked: _set("delta", v["percent"], _number(v["percent"]), asked),
    "growth": _growth,
    "planned": _planned,
    "ends": _ends,
    "begins": _begins,
    "only": _only,
    "not_provider": _not_provider,
    "pool": _pool,
    "other_plan": _other_plan,
    "mapped": _mapped,
    NODE: _node,
}


# --- What the plan comes to with a change, beside the plan without -------------------------------

LEAST_GPUS: Final = 0.5
"""Less than half a GPU more is no order of its own."""


def answer_change(change: Change, before: Advice, after: Advice) -> Answered:
    """What a plan comes to with a change. before, after: the advice without and with it."""
    year, month = (horizon_row(span, after, before) for span in (Horizon.TWELVE_MONTHS, Horizon.NEXT_MONTH))
    path, known = "horizons[horizon=twelve_months].", in_all(month.plan_sum for month in after.comparison)
    # a call counts with its mappings before anything is asked of it
    is_bare = "mapped" in change.form or not change.is_kept
    moved = "" if is_bare else "horizons[horizon={}].change_usd"
    numbers: Sequence[Number] = (
        Number(
            title=HORIZON_NAMES[Horizon.TWELVE_MONTHS],
            value=year.plan,
            unit="usd",
            path=f"{path}plan_usd",
            known=known,
        ),
        Number(
            title=worded("Change"),
            value=year.changed,
            unit="usd",
            path=moved.format("twelve_months"),
            name="change_usd",
        ),
        Number(
            title=capital(worded("next month")),
            value=month.changed,
            unit="usd",
            path=moved.format("next_month"),
            name="change_usd",
        ),
    )
    failed = _failures(change, before, after)
    if change.form in _OWN:
        numbers = _OWN[change.form](change, numbers[1], before, after)
        sentence = told(numbers)
    elif failed or year.plan is None or year.changed is None or month.changed is None:
        numbers = (*numbers[: max(1, MOST - len(failed))], *failed)  # the cost stays beside what fails
        sentence = told(numbers)
    else:
        sentence = worded(
            "{plan} costs {usd} in twelve months, {year}, and {month} in its first month.",
            plan=change.subject or titles.THE_PLAN,
            usd=amount(year.plan),
            year=more_words(year.changed),
            month=more_words(month.changed),
        )
    if any(number.name == "wait" for number in numbers):
        sentence += worded(
            " Its wait is unknown, because no log has it. To see it in Waiting, plan recurring work."
        )
    return Answered(
        form=change.form,
        sentence=sentence,
        numbers=tuple(numbers[:MOST]),
        as_words=change.as_words,
        is_of_file=not change.as_words,
    )


def unserved_hours(of: Advice) -> float:
    return sum(row.unserved_gpu_hours for row in of.comparison)


def _unserved(before: Advice, after: Advice) -> Number:
    """GPU-hours more that nobody serves."""
    hours = unserved_hours(after) - unserved_hours(before)
    return Number(
        title=worded("Change of unserved work"), value=hours, unit="gpu_hours", name="unserved_gpu_hours"
    )


def _failures(change: Change, before: Advice, after: Advice) -> Sequence[Number]:
    """What a change asks for and the plan does not keep to, and what nobody serves because of it."""
    numbers, checks = list[Number](), {check.code for check in after.checks}
    limits = change.form.split(" and ")
    if "budget" in limits and "over_budget" in checks:
        worst = max(after.comparison, key=lambda month: month.plan_usd or 0.0)
        path = f"comparison[{worst.month}].plan_usd"
        numbers.append(
            Number(
                title=worded("over the budget, its worst month"), value=worst.plan_usd, unit="usd", path=path
            )
        )
    if "power" in limits and "over_power_limit" in checks:
        title = worded("over the power limit, largest hour")
        numbers.append(Number(title=title, value=after.energy.peak_kw, unit="kw", path="energy.peak_kw"))
    unserved = _unserved(before, after)
    return [*numbers, unserved] if abs(unserved.value or 0.0) > 1 else numbers


def _of_power(change: Change, year: Number, before: Advice, after: Advice) -> Sequence[Number]:
    """The largest hour: the limit is checked and not kept."""
    peak_kw = after.energy.peak_kw
    numbers = [Number(title=ENERGY["peak_kw"].title, value=peak_kw, unit="kw", path="energy.peak_kw")]
    if peak_kw is not None:
        over = peak_kw - float(change.subject)
        if over > 0:
            title = worded("No: over the limit (checked, not enforced) by")
        else:
            title = worded("Yes: below the limit by")
        numbers.append(Number(title=title, value=abs(over), unit="kw", name="over_kw"))
    return tuple(numbers)


def _of_planned(change: Change, year: Number, before: Advice, after: Advice) -> Sequence[Number]:
    """By when it has to be signed, what it costs in twelve months, and how long it waits, which is not known yet; or
    what of it nobody serves.

    What has an end has orders of its own; what is there for good has those that are larger than without it.
    """
    was, now = (_bought(of) for of in (before, after))
    certain = [(at, order) for at, order in enumerate(after.orders) if order.is_certain]
    added = [pair for pair in certain if pair[1].run == change.subject] or [
        (at, order) for at, order in certain if now[_start(order)] > was[_start(order)] + LEAST_GPUS
    ]
    path, failed = "horizons[horizon=twelve_months].change_usd", _failures(change, before, after)
    return (
        *(
            first_day(worded("Order by"), added)
            or [Number(title=worded("To order"), value=0.0, unit="gpus", name="gpus")]
        ),
        Number(title=worded("In twelve months"), value=year.value, unit="usd", path=path),
        *(failed or [Number(title=worded("Wait"), value=None, unit="hours", name="wait")]),
    )


def _start(order: Order) -> tuple[object, ...]:
    """What orders have in common that serve the same from the same moment on, whichever offer they are of."""
    return order.pool, order.gpu_model, order.start_s


def _bought(of: Advice) -> Mapping[tuple[object, ...], float]:
    """GPUs that are ordered for good, by what starts when."""
    gpus = defaultdict[tuple[object, ...], float](float)
    for order in of.orders:
        gpus[_start(order)] += order.gpus if order.is_certain and not order.run else 0.0
    return gpus


def _of_node(change: Change, year: Number, before: Advice, after: Advice) -> Sequence[Number]:
    """What a node more costs a month, what it serves in the first, and what that leaves unserved in twelve."""

    def served(of: Advice) -> float:
        layers = [
            layer
            for pool in of.pools
            if pool.gpu_model == change.subject
            for layer in pool.layers
            if layer.existing
        ]
        return sum(layer.busy_gpus * layer.paid_hours for layer in layers)

    return (
        Number(title=change.title, value=change.usd_per_month, unit="usd_per_month", name="usd"),
        Number(
            title=worded("and serve"),
            value=served(after) - served(before),
            unit="gpu_hours",
            name="gpu_hours",
        ),
        _unserved(before, after),
    )


def _of_grid(change: Change, year: Number, before: Advice, after: Advice) -> Sequence[Number]:
    """CO2 of the plan on the grid that is stated, and on those that were."""
    was, now = (of.energy.kg_co2_per_month for of in (before, after))
    return (
        Number(title=CO2_IN_PLAN, value=now, unit="kg_per_month", path=CO2_PATH),
        Number(
            title=worded("without it"), value=was, unit="kg_per_month", name="kg_co2_per_month_without_it"
        ),
    )


CO2_PATH: Final = "energy.kg_co2_per_month"
CO2_IN_PLAN: Final = worded("CO2 in the plan")
_OWN: Final = {"power": _of_power, "planned": _of_planned, "grid": _of_grid, NODE: _of_node}
"""Forms with numbers of their own."""
