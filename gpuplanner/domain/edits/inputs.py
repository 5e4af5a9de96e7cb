"""What is loaded taken into a project, and what a planner says of it: class rules, names, models."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from operator import attrgetter
from typing import Final, TypeVar

from gpuplanner.domain.demand.own_rules import check_rule
from gpuplanner.domain.edits.find import require_workloads, with_values
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.contract import (
    CONTRACT_TERMS,
    LARGEST_TERM,
    MORE_TERMS,
    OF_A_RAMP,
    RATE_FIELD,
    Contract,
    Term,
    filed_term,
    last_of_ramp,
    parts_of_ramp,
    since_log,
    term_text,
    with_known_terms,
    with_terms,
)
from gpuplanner.domain.model.book.exchange import counted_rows
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import LEAST_RATIO, ModelMapping, check_mapping
from gpuplanner.domain.model.book.price_history import is_dated, joined, replaced, with_earlier
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.gpu_family import Same, with_same
from gpuplanner.domain.model.intake import KIND as INTERRUPTIONS
from gpuplanner.domain.model.intake import FileIntake, JobFacts, row_key, taken_back
from gpuplanner.domain.model.places import (
    NOTHING_CHOSEN,
    MeasuredPoint,
    Places,
    ServedModel,
    ServingChoice,
    Traffic,
    WeekRates,
)
from gpuplanner.domain.model.plan.planned_work import MOST_GPUS
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.trained import StatedRun, check_run
from gpuplanner.domain.model.window import Window
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What is loaded taken into a project: jobs, contracts, offers, the tokens of endpoints, and its title

KINDS_OF_PLACES: Final = ("users", "sites", "measured", "residency")
"""Kinds of files that hold places: what was read of them comes as places in which each has taken its place."""

LARGEST_RATE: Final = Decimal(10_000)
"""$ per GPU-hour."""
LONGEST_NOTICE_DAYS: Final = 36_500

Item = TypeVar("Item")
Priced = TypeVar("Priced", Contract, Offer)


def replace_contracts(project: Project, contracts: Iterable[Contract]) -> Project:
    """The project with these contracts and no others.

    GPU models are spelled as the project spells them, amounts count at its rates of exchange; of two of one
    id the later counts. What the planner said of a contract stays as long as its file says what it said then.
    """
    before = {contract.contract_id: contract for contract in project.contracts if contract.filed}
    kept = list[Contract]()
    for row in contracts:
        known, first = (with_known_terms(row, before.get(of)) for of in (row.contract_id, row.whole_id))
        if first.ramp == row.ramp:
            kept.append(known)
        elif row.contract_id == row.whole_id:
            kept += _as_ramp(first, project.contracts)
    return with_values(project, contracts=_by_id(_one_spelling(project, kept), attrgetter("contract_id")))


def _as_ramp(contract: Contract, before: Iterable[Contract]) -> tuple[Contract, ...]:
    """A contract in the parts of the ramp that it has now. before: contracts, those of its last ramp among them.

    A part of the same day, else the next that is new, keeps what the planner said of the one before; without a ramp
    all its GPUs are there from the day of its file on. Errors: PlannerError for what is no ramp.
    """
    text = contract.ramp or filed_term(contract, "ramp")
    terms = {"milli_gpus": filed_term(contract, "milli_gpus")}
    with suppress(ValueError, OverflowError):
        terms["milli_gpus"] = max(round(float(last_of_ramp(text)) * 1000), 1)
    if not contract.ramp:
        terms["start_s"] = filed_term(contract, "start_s")
    first, *later = parts_of_ramp(with_terms(replace(contract, contract_id=contract.whole_id), terms))
    days = {part.contract_id for part in later}
    was = {part.contract_id: part for part in before if part.whole_id == first.contract_id}
    was.pop(first.contract_id, None)
    moved = iter(sorted((part for day, part in was.items() if day not in days), key=attrgetter("start_s")))
    return first, *(
        _with_terms_before(part, was.get(part.contract_id) or next(moved, None)) for part in later
    )


def _with_terms_before(part: Contract, before: Contract | None) -> Contract:
    """A part of a ramp with what the planner said of it before, where its file says the same still."""
    if before is None:
        return part
    filed = {name: filed_term(part, name) for name in CONTRACT_TERMS if name not in OF_A_RAMP}
    filed_names = {name for name, text in before.filed if name in filed and term_text(filed[name]) == text}
    return with_terms(part, {**filed, **{name: getattr(before, name) for name in filed_names}})


OF_ALL_PARTS: Final = ("take_or_pay_percent", "cluster")
"""Terms of a ramp that count over all of its parts, whichever of them they are changed on."""


def change_contract(project: Project, contract_id: str, terms: Mapping[str, Term]) -> Project:
    """The project with terms of a contract as the planner knows them, beside what its file says.

    terms: by field (CONTRACT_TERMS); a rate is in the contract's own currency; None: unknown, no end, no notice.
    With a ramp the other terms are of this part. Errors: PlannerError for an unknown contract, and for what is no
    rate, count, span or notice.
    """
    contract = next((row for row in project.contracts if row.contract_id == contract_id), None)
    if contract is None:
        raise refusal(contract_id, worded("no such contract"), worded("use a contract listed in Contracts"))
    amounts = {name: value for name, value in terms.items() if not isinstance(value, str)}
    rate, notice = amounts.get(RATE_FIELD), amounts.get("notice_days")
    if rate is not None and not 0 < rate <= LARGEST_RATE:
        problem = worded("{value} is not allowed", value=f"{rate:f}"[:40])
        raise refusal(contract_id, problem, worded("enter $ per GPU-hour, over 0, at most 10,000"))
    if notice is not None and not 0 <= notice <= LONGEST_NOTICE_DAYS:
        problem = worded("{value} is not allowed", value=f"{notice}"[:40])
        raise refusal(contract_id, problem, worded("enter notice days, 0 or more"))
    for name, value in amounts.items():
        most = 100 if name.endswith("_percent") else LARGEST_TERM
        if name in MORE_TERMS and value is not None and not 0 <= value <= most:
            problem = worded(
                "{value} is not allowed for {term}", value=f"{value}"[:40], term=CONTRACT_TERMS[name]
            )
            raise refusal(contract_id, problem, worded("enter 0 to {most}", most=significant(most)))
    name = contract.whole_id
    if "ramp" not in terms:
        if contract.ramp_of and not terms.keys().isdisjoint(OF_A_RAMP):
            problem = worded("its GPUs and first day come from GPUs by day")
            raise refusal(contract_id, problem, worded("change them there"))
        changed = {
            row.contract_id: {term: terms[term] for term in OF_ALL_PARTS if term in terms}
            for row in project.contracts
            if row.whole_id == name
        } | {contract_id: terms}
        rows = [with_terms(row, changed.get(row.contract_id, {})) for row in project.contracts]
    else:
        of_part = {term: value for term, value in terms.items() if term not in OF_A_RAMP}
        before = change_contract(project, contract_id, of_part).contracts
        first = next(part for part in before if part.contract_id == name)
        parts = _as_ramp(with_terms(first, {"ramp": terms["ramp"]}), before)
        if not terms["ramp"]:
            parts = (with_terms(parts[0], {term: terms[term] for term in OF_A_RAMP if term in terms}),)
        rows = [*(part for part in before if part.whole_id != name), *parts]
    if (milli_gpus := sum(row.milli_gpus for row in rows if row.whole_id == name)) > MOST_GPUS * 1000:
        problem = worded(
            "{gpus} GPUs exceed a contract's limit", gpus=whole(min(milli_gpus // 1000, LARGEST_TERM))
        )
        raise refusal(contract_id, problem, worded("enter at most {most}", most=whole(MOST_GPUS)))
    return with_values(project, contracts=tuple(sorted(rows, key=attrgetter("contract_id"))))


def add_contracts(project: Project, contracts: Iterable[Contract]) -> Project:
    """The project with these contracts too; one with an id that is there already takes its place.

    Law: adding what is there already gives the project itself.
    """
    added = tuple(contracts)
    taken = {contract.whole_id for contract in added}  # the parts of its last ramp go with it
    others = (contract for contract in project.contracts if contract.whole_id not in taken)
    return replace_contracts(project, (*others, *added))


def replace_offers(project: Project, offers: Iterable[Offer], earlier: Iterable[Offer] = ()) -> Project:
    """The project with these offers and no others; dated rates that they take the place of are kept as earlier ones.

    earlier: more of these.
    """
    fresh, gone = replaced(project.offers, _one_spelling(project, offers))
    return with_offers(project, fresh, (*gone, *earlier))


def add_offers(project: Project, offers: Iterable[Offer], earlier: Iterable[Offer] = ()) -> Project:
    """The project with these offers too; of one that is there already the newer rate counts, the older is kept.

    What an offer may be is checked where it is read.
    """
    both, gone = joined(project.offers, _one_spelling(project, offers))
    return with_offers(project, both, (*gone, *earlier))


def without_taken_back(
    offers: Sequence[Offer], intake: Sequence[FileIntake]
) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """Offers without quotes whose vendor says in a later answer that it does not bid; then those quotes.

    intake: of all files that the project has, in the order in which they were read.
    """
    rows = taken_back(intake)
    gone = [
        offer
        for offer in offers
        if rows
        and (answered := answered_row(offer)) is not None
        and row_key(offer.provider or "", answered.reference, answered.row) in rows
    ]
    ids = {offer.offer_id for offer in gone}
    return tuple(offer for offer in offers if offer.offer_id not in ids), tuple(gone)


def with_offers(project: Project, offers: Iterable[Offer], gone: Iterable[Offer] = ()) -> Project:
    """The project with just these offers, each of its own id; gone: more dated rates that are kept as earlier ones.

    Of two of one id the later counts. Sorted by id.
    """
    now = _by_id(_one_spelling(project, offers), attrgetter("offer_id"))
    earlier = with_earlier(project.earlier_offers, _one_spelling(project, gone), now)
    return with_values(project, offers=now, earlier_offers=earlier)


@dataclass(frozen=True, slots=True, eq=False)
class LoadedJobs:
    """What job logs come to: the window, the cube over it, its workloads (sorted by key) and the facts of all jobs."""

    window: Window
    cube: Cube
    workloads: tuple[Workload, ...]
    jobs: JobFacts


def import_inputs(
    project: Project,
    *,
    jobs: LoadedJobs | None = None,
    contracts: Iterable[Contract] | None = None,
    offers: Iterable[Offer] | None = None,
    earlier_offers: Iterable[Offer] = (),
    places: Places | None = None,
    intake: Sequence[FileIntake] = (),
    adding: bool = False,
) -> Project:
    """What was read taken into the project; a part that is None stays as it is.

    Jobs always replace jobs (to add a log, read it together with those loaded: only so are duplicates found);
    contracts and offers replace too, or with `adding` join those loaded (earlier_offers: dated rates of them that do
    not count); places come as they are to be. The intake
    follows: a file of a kind that was replaced is no longer listed. Labels, rules, moves, pins and plans stay, also of
    workloads that are gone.
    """
    after = project
    if jobs is not None:
        spellings = _spellings(project)
        names = tuple(spellings.get(name.casefold(), name) for name in jobs.cube.gpu_models)
        cube = jobs.cube if names == jobs.cube.gpu_models else replace(jobs.cube, gpu_models=names)
        after = replace(after, window=jobs.window, cube=cube, workloads=jobs.workloads, jobs=jobs.jobs)
        if after.plan_from_s is not None and after.plan_from_s <= jobs.window.end_s:
            after = replace(after, plan_from_s=None)  # the log has come up to that day
    if contracts is not None:
        after = (add_contracts if adding else replace_contracts)(after, contracts)
    if contracts is not None or jobs is not None:
        clusters = {workload.cluster for workload in after.workloads}
        after = with_values(after, contracts=since_log(after.contracts, after.window.start_s, clusters))
    if offers is not None:
        after = (add_offers if adding else replace_offers)(after, offers, earlier_offers)
    if places is not None:
        after = with_values(after, places=places)
    replaced = {"jobs", "activity"} if jobs is not None else set()
    if not adding:
        replaced |= {"contracts"} if contracts is not None else set()
        replaced |= {"prices"} if offers is not None else set()
        replaced |= {file.kind for file in intake if file.kind in (*KINDS_OF_PLACES, INTERRUPTIONS)}
    new_paths = {(file.kind, file.path) for file in intake}
    kept = (
        file
        for file in project.intake
        if file.kind not in replaced and (file.kind, file.path) not in new_paths
    )
    files = (*kept, *intake)
    left, gone = without_taken_back(after.offers, files)
    if gone:
        after = with_offers(after, left, filter(is_dated, gone))
    return with_values(after, intake=files)


def set_traffic(project: Project, key: str, traffic: Traffic | None) -> Project:
    """The tokens of an endpoint (an empty key: of none of the log); None takes them away.

    Errors: PlannerError for an unknown workload.
    """
    return _with_endpoint(project, "traffic", key, traffic)


def _with_endpoint(project: Project, part: str, key: str, value: Traffic | ServingChoice | None) -> Project:
    """The project with a value for an endpoint; None takes its entry away."""
    entries = getattr(project, part)
    if value is None:
        return with_values(project, **{part: {other: of for other, of in entries.items() if other != key}})
    require_workloads(project, (key,) if key != NO_ENDPOINT else ())
    return with_values(project, **{part: {**entries, key: value}})


def set_title(project: Project, title: str) -> Project:
    """The project under another title.

    An empty title is none.
    """
    return with_values(project, title=title)


def _by_id(rows: Iterable[Item], id_of: Callable[[Item], str]) -> tuple[Item, ...]:
    """Rows by id, ascending; of two of one id the later counts."""
    latest = {id_of(row): row for row in rows}
    return tuple(latest[row_id] for row_id in sorted(latest))


def _spellings(project: Project) -> dict[str, str]:
    """The spelling in use of each GPU model, by its folded name; the log's before the contracts' and the offers'."""
    rows: tuple[Contract | Offer, ...] = (*project.contracts, *project.offers)
    used = (*project.cube.gpu_models, *(row.gpu_model for row in rows if row.gpu_model is not None))
    mapped = (name for mapping in project.mappings for name in (mapping.gpu_model, mapping.offer_model))
    return {name.casefold(): name for name in (*mapped, *reversed(used))}


def _one_spelling(project: Project, rows: Iterable[Priced]) -> list[Priced]:
    """Rows at the project's rates of exchange, each GPU model spelled as it does, or as the first row that names it."""
    spellings = _spellings(project)
    rows = counted_rows(rows, project.currency, project.exchange)

    def spelled(row: Priced) -> Priced:
        if row.gpu_model is None:
            return row
        name = spellings.setdefault(row.gpu_model.casefold(), row.gpu_model)
        return row if row.gpu_model == name else replace(row, gpu_model=name)

    return [spelled(row) for row in rows]


# --- What a planner says is one, though the files call it by two names, and taking that back -----


def say_same(project: Project, same: Iterable[Same]) -> Project:
    """The project with these decisions; of two of one name the later counts.

    What jobs are called is read from the kept rows: the caller reduces them again. Errors: PlannerError.
    """
    return with_values(project, same=with_same(project.same, same))


def take_back_same(project: Project, same: Iterable[Same]) -> Project:
    """The project without these decisions; those that it does not have are none.

    Names that files call by are asked about again where they do not match. The caller reduces the rows again.
    """
    gone = frozenset(same)
    return with_values(project, same=tuple(decision for decision in project.same if decision not in gone))


# --- What a planner says of GPU models: which may do the work of which, and what one GPU of them is worth


def set_mapping(
    project: Project, gpu_model: str, offer_model: str, ratio: float | None, pool: Pool | None = None
) -> Project:
    """Offers of one model may serve demand for another: one GPU of them is worth `ratio`; None: they may not.

    pool: whose demand alone; None: that of all.

    Names match without regard to case and are kept as the project spells them. Errors: PlannerError where no job or
    contract has the first model or no offer the second, or the ratio is out of range.
    """
    wanted = spelled(gpu_model, demand_models(project), worded("no job or contract has"))
    offered = spelled(offer_model, {offer.gpu_model for offer in project.offers}, worded("no offer has"))
    kept = {pair.key: pair for pair in project.mappings}
    made = ModelMapping(wanted, offered, ratio or LEAST_RATIO, pool)
    kept.pop(made.key, None)
    if ratio is not None:
        kept[made.key] = check_mapping(replace(made, ratio=ratio))
    return with_values(project, mappings=tuple(kept[key] for key in sorted(kept)))


def remove_mapping(project: Project, mapping: ModelMapping) -> Project:
    """The project without a mapping, also one of models that an import no longer brings.

    The project itself where it has no such mapping.
    """
    return with_values(project, mappings=tuple(pair for pair in project.mappings if pair != mapping))


def demand_models(project: Project) -> set[str]:
    """GPU models that jobs or contracts name: those for which there may be demand.

    As the project spells them; what the log leaves unknown is not among them.
    """
    contracts = {contract.gpu_model for contract in project.contracts if contract.gpu_model is not None}
    return contracts | set(project.cube.gpu_models)


def spelled(name: str, known: set[str], who: Message) -> str:
    """A GPU model as the project spells it, without regard to case. Errors: PlannerError where nobody has it: `who`.

    who: the beginning of the message, as "no job or contract names".
    """
    match = next((model for model in sorted(known) if model.casefold() == name.strip().casefold()), None)
    if match is None:
        choices = ", ".join(sorted(known)) or "none"
        problem = worded("{who} the GPU model {name}", who=who, name=repr(name))
        raise refusal(name, problem, worded("use one of {known}", known=choices))
    return match


# --- What a planner says of inference: which model an endpoint serves, its requests, and the row that is drawn

NO_ENDPOINT: Final = ""
"""The key of what is sized for no workload of the log."""


def set_served_model(project: Project, key: str, model: ServedModel | None) -> Project:
    """The model that an endpoint serves; the row that was drawn for another model is let go.

    Errors: PlannerError for an unknown workload.
    """
    own = project.serving.get(key, NOTHING_CHOSEN)
    if own.model == model and not own.rates:
        return project
    return _with_choice(project, key, ServingChoice(model=model, week=own.week))


def set_week(project: Project, key: str, week: WeekRates | None) -> Project:
    """The requests of an endpoint by hour of the week; None: those of its traffic. Errors: as set_served_model.

    An empty key is the endpoint beside the log.
    """
    return _with_choice(project, key, replace(project.serving.get(key, NOTHING_CHOSEN), week=week))


def set_sized_row(
    project: Project, key: str, gpu_model: str, precision: str, tensor_parallel: int
) -> Project:
    """The row that is drawn for an endpoint; an empty GPU model: that of least cost. Errors: as set_served_model.

    The row need not be there: one that is not is passed over when it is drawn.
    """
    own = project.serving.get(key, NOTHING_CHOSEN)
    row = replace(own, gpu_model=gpu_model, precision=precision, tensor_parallel=tensor_parallel)
    return _with_choice(project, key, row)


def set_serving_term(project: Project, key: str, term_months: int) -> Project:
    """The term whose rates price an endpoint's sizing; 0: by the hour. Errors: as set_served_model."""
    own = project.serving.get(key, NOTHING_CHOSEN)
    return _with_choice(project, key, replace(own, term_months=term_months))


def set_rates(project: Project, key: str, rates: tuple[tuple[str, float], ...]) -> Project:
    """Requests a second of one GPU of each model, in place of the model of an endpoint. Errors: as set_served_model."""
    own = project.serving.get(key, NOTHING_CHOSEN)
    return _with_choice(project, key, ServingChoice(week=own.week, term_months=own.term_months, rates=rates))


def set_measured(project: Project, key: str, measured: Iterable[MeasuredPoint]) -> Project:
    """Measurements of an endpoint's model, beside those that it has; of one point the newest counts; none: all go.

    Errors: as set_served_model.
    """
    own = project.serving.get(key, NOTHING_CHOSEN)
    added = tuple(measured)
    points = {replace(point, tokens_per_s=0.0, source=""): point for point in (*own.measured, *added)}
    return _with_choice(project, key, replace(own, measured=tuple(points.values()) if added else ()))


def _with_choice(project: Project, key: str, choice: ServingChoice) -> Project:
    """The project with a choice for an endpoint; where nothing is chosen its entry goes."""
    return _with_endpoint(project, "serving", key, None if choice == NOTHING_CHOSEN else choice)


# --- What a planner states of training runs -----------------------------------------------------


def state_run(project: Project, at: int, run: StatedRun) -> Project:
    """A run in the place of another, or after the last. Errors: PlannerError for a number that it cannot have."""
    return with_values(project, runs=(*project.runs[:at], check_run(run), *project.runs[at + 1 :]))


def drop_run(project: Project, at: int) -> Project:
    """The project without one of its runs."""
    return with_values(project, runs=(*project.runs[:at], *project.runs[at + 1 :]))


# --- What a planner does with class rules of their own: add, change, order, remove them ----------


def add_rule(project: Project, rule: ClassRule) -> Project:
    """A rule at the end of the planner's own; one of that id takes its place where it stands.

    Errors: PlannerError for a rule that cannot be (own_rules.check_rule).
    """
    return add_rules(project, (rule,))


def add_rules(project: Project, rules: Iterable[ClassRule]) -> Project:
    """Rules at the end of the planner's own, as from a file; one of an id that is there takes its place.

    Errors: PlannerError for a rule that cannot be.
    """
    by_id = {rule.rule_id: rule for rule in project.rules}
    by_id.update((rule.rule_id, rule) for rule in rules)
    return replace_rules(project, by_id.values())


def remove_rule(project: Project, rule_id: str) -> Project:
    """The project without a rule. Errors: PlannerError for an unknown one.

    What it decided is decided by the rules after it, or by the product's own.
    """
    _rule(project, rule_id)
    return with_values(project, rules=tuple(rule for rule in project.rules if rule.rule_id != rule_id))


def move_rule(project: Project, rule_id: str, places: int) -> Project:
    """A rule so many places later (before: negative) in the order in which rules decide, as far as there are any.

    Errors: PlannerError for an unknown rule.
    """
    rule = _rule(project, rule_id)
    others = [other for other in project.rules if other is not rule]
    at = min(max(project.rules.index(rule) + places, 0), len(others))
    return with_values(project, rules=(*others[:at], rule, *others[at:]))


def replace_rules(project: Project, rules: Iterable[ClassRule]) -> Project:
    """The project with these rules of the planner's own and no others, in this order.

    Errors: PlannerError for a rule that cannot be, or two of one id.
    """
    wanted = tuple(rules)
    for rule in wanted:
        check_rule(rule)
    for rule_id, count in Counter(rule.rule_id for rule in wanted).items():
        if count > 1:
            raise refusal(rule_id, worded("two rules have this id"), worded("change one id"))
    return with_values(project, rules=wanted)


def _rule(project: Project, rule_id: str) -> ClassRule:
    """Errors: PlannerError where no rule of the planner's own has that id."""
    for rule in project.rules:
        if rule.rule_id == rule_id:
            return rule
    raise refusal(rule_id, worded("no such rule"), worded("use a listed rule"))
