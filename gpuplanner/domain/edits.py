"""Edits: Project -> Project, one function a gesture, and the words that Undo shows for each.

A no-op returns its argument, so `after is before` says that nothing happened. Today is read only: an edit of a
scenario is refused there with a PlannerError. Nothing loaded is ever forgotten: labels, moves and pins of a workload
that an import no longer brings stay in the project and hold again when it comes back.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, TypeVar

from gpuplanner.domain.audit.leak_words import leak_called, remedy_of
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.own_rules import check_rule
from gpuplanner.domain.demand.rule_proposals import rule_words
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, AssumptionValue, check_assumption
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, JobFacts
from gpuplanner.domain.model.needs import NEED_BY_NAME, NOTHING_SET, NeedValue, check_need
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.price_book import OFFER_FIELD_BY_NAME, OfferValue, check_offer, with_value
from gpuplanner.domain.model.price_case import PriceCase
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import (
    AS_TODAY,
    SEPARATED,
    TODAY,
    Decision,
    HandLayer,
    LeakDecision,
    LeakStatus,
    Scenario,
)
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.traffic import Traffic
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.model.workload import Workload

Item = TypeVar("Item")
Priced = TypeVar("Priced", Contract, Offer)


# ---------------------------------------------------------------- workloads


def move_workloads(project: Project, scenario: str, keys: Collection[str], pool: Pool) -> Project:
    """Workloads put into a pool of a plan, which takes them out of review; their class stays what it is.

    Errors: PlannerError for Today, an unknown plan or an unknown workload.
    """
    plan = _plan(project, scenario)
    _require_workloads(project, keys)
    if all(plan.pools.get(key) is pool for key in keys):
        return project
    return _with_plan(project, plan, replace(plan, pools={**plan.pools, **dict.fromkeys(keys, pool)}))


def label_workloads(project: Project, keys: Collection[str], label: Pool | None) -> Project:
    """Workloads given a class by the planner, which wins over everything else; None takes it back.

    Errors: PlannerError for an unknown workload.
    """
    if label is None:
        return _with(
            project, labels={key: pool for key, pool in project.labels.items() if key not in set(keys)}
        )
    _require_workloads(project, keys)
    return _with(project, labels={**project.labels, **dict.fromkeys(keys, label)})


def set_need(project: Project, keys: Collection[str], name: str, value: NeedValue) -> Project:
    """A need of workloads' hardware (by its name in model/needs.py) as the planner knows it, over what was inferred.

    Errors: PlannerError for an unknown workload or need, or a value that it cannot have.
    """
    _require_workloads(project, keys)
    checked = check_need(name, value)
    own = {key: project.needs.get(key, NOTHING_SET).with_value(name, checked) for key in keys}
    return _with(project, needs={**project.needs, **own})


def clear_need(project: Project, keys: Collection[str], name: str | None = None) -> Project:
    """What the planner set of one need (None: of all) of these workloads taken back: it is inferred again."""
    if name is not None and name not in NEED_BY_NAME:
        raise PlannerError(name, "usage", "no such need", "use one of " + ", ".join(NEED_BY_NAME))
    cleared = dict(project.needs)
    for key in keys:
        own = cleared.pop(key, NOTHING_SET)
        own = NOTHING_SET if name is None else own.with_value(name, None)
        if not own.is_empty:
            cleared[key] = own
    return _with(project, needs=cleared)


def pin_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that "Separate automatically" is to leave alone in a plan."""
    plan = _plan(project, scenario)
    _require_workloads(project, keys)
    return _with_plan(project, plan, replace(plan, pinned=plan.pinned | frozenset(keys)))


def unpin_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that "Separate automatically" may move again in a plan."""
    plan = _plan(project, scenario)
    return _with_plan(project, plan, replace(plan, pinned=plan.pinned - frozenset(keys)))


def separate_automatically(
    project: Project, scenario: str, classifications: Mapping[str, Classification]
) -> Project:
    """Every workload of a plan that is not pinned put into its class's pool.

    classifications: by key, as in the audit of this project; a workload without one stays where it is. So does one
    whose class is not sure and that the planner placed; one that nobody placed stays in review, where it is counted in
    its class's pool anyhow (a plan that starts separated). It decides for the classifier, not for the planner.
    """
    plan = _plan(project, scenario)
    starts_separated = plan.start == SEPARATED
    review_below = project.assumptions_in(plan).review_below
    pools = dict(plan.pools)
    for key, found in classifications.items():
        if key in plan.pinned:
            continue
        sure = found.is_settled or found.confidence >= review_below
        if key in pools and not sure:
            continue  # decided by the planner, who knows better than a guess
        if not starts_separated:
            pools[key] = found.pool
        else:  # where the plan starts is its class's pool already
            pools.pop(key, None)
    return _with_plan(project, plan, replace(plan, pools=pools))


# ---------------------------------------------------------------- plans


def add_plan(project: Project, name: str, from_name: str | None = None, start: str = SEPARATED) -> Project:
    """A new plan, last of the tabs.

    from_name: a plan to copy with all that is in it; Today for a plan that starts as today; None for a fresh one
    that begins by `start` (SEPARATED or AS_TODAY). Errors: PlannerError where the name is empty or taken.
    """
    wanted = _free_name(project, name)
    if from_name == TODAY:
        plan = Scenario(wanted, AS_TODAY)
    elif from_name is None:
        plan = Scenario(wanted, start)
    else:
        plan = replace(_plan(project, from_name), name=wanted)
    return replace(project, scenarios=(*project.scenarios, plan))


def duplicate_plan(project: Project, name: str) -> Project:
    """A copy of a plan right after it, named with the next free letter."""
    plan = _plan(project, name)
    at = project.scenarios.index(plan) + 1
    copy = replace(plan, name=next_plan_name(project))
    return replace(project, scenarios=(*project.scenarios[:at], copy, *project.scenarios[at:]))


def rename_plan(project: Project, name: str, new_name: str) -> Project:
    """A plan under another name. Errors: PlannerError where that is empty or taken."""
    plan = _plan(project, name)
    return _with_plan(project, plan, replace(plan, name=_free_name(project, new_name, apart_from=name)))


def delete_plan(project: Project, name: str) -> Project:
    """The project without a plan. Errors: PlannerError for the only plan there is."""
    plan = _plan(project, name)
    if len(project.scenarios) == 1:
        raise PlannerError(name, "usage", "it is the only plan", "add another plan before you delete it")
    return replace(project, scenarios=tuple(other for other in project.scenarios if other is not plan))


def next_plan_name(project: Project) -> str:
    """The first of Plan A, Plan B, ... Plan Z, Plan 27, ... that no plan has."""
    taken = {plan.name.casefold() for plan in project.scenarios}
    letters = [chr(ord("A") + number) for number in range(26)]
    numbers = [str(number) for number in range(27, 28 + len(taken))]
    return next(f"Plan {mark}" for mark in letters + numbers if f"plan {mark}".casefold() not in taken)


def set_assumption(project: Project, scenario: str | None, name: str, value: AssumptionValue) -> Project:
    """An assumption (by its --set name) changed in one plan, or with scenario None in the project.

    A plan keeps only what differs from the project: giving it the project's value takes its own away.
    Errors: PlannerError where the name is unknown, or the value out of range or of the wrong kind.
    """
    spec = SPEC_BY_NAME.get(name)
    if spec is None:
        raise PlannerError(name, "usage", "no such assumption", "use one of " + ", ".join(SPEC_BY_NAME))
    checked = check_assumption(spec, value)
    shared = getattr(project.assumptions, spec.field)
    if scenario is None:
        return project if _is(shared, checked) else _with_shared_value(project, name, checked)
    plan = _plan(project, scenario)
    own = {other: set_value for other, set_value in plan.assumptions.items() if other != name}
    if not _is(shared, checked):
        own[name] = checked
    return _with_plan(project, plan, replace(plan, assumptions=own))


def set_hand_layers(
    project: Project, scenario: str, pool: Pool, gpu_model: str | None, layers: Sequence[HandLayer] | None
) -> Project:
    """The committed layers of a pool and model set by hand in a plan; None takes them back to the advice.

    Errors: PlannerError for a negative size, a term under a month, or two layers of one term.
    """
    plan = _plan(project, scenario)
    kept = {pair: own for pair, own in plan.hand_layers.items() if pair != (pool, gpu_model)}
    if layers is not None:
        terms = [layer.term_months for layer in layers]
        if any(layer.gpus < 0 or layer.term_months < 1 for layer in layers) or len(set(terms)) < len(terms):
            where = f"{pool}, {gpu_model or 'unknown model'}"
            raise PlannerError(
                where, "usage", "a level is negative or given twice", "enter one level of 0 or more a term"
            )
        longest_first = tuple(sorted(layers, key=lambda layer: -layer.term_months))
        if plan.hand_layers.get((pool, gpu_model)) == longest_first:
            return project
        kept[pool, gpu_model] = longest_first
    return _with_plan(project, plan, replace(plan, hand_layers=kept))


def set_price_case(project: Project, scenario: str, case: PriceCase) -> Project:
    """Which rate of each offer counts in a plan: low, mid or high."""
    plan = _plan(project, scenario)
    return _with_plan(project, plan, replace(plan, price_case=case))


def set_greenfield(project: Project, scenario: str, greenfield: bool) -> Project:
    """A plan that leaves the existing contracts out, or takes them in."""
    plan = _plan(project, scenario)
    return _with_plan(project, plan, replace(plan, greenfield=greenfield))


def add_decision(project: Project, scenario: str, at_s: int, what: str, reason: str = "") -> Project:
    """A line at the end of a plan's log of decisions; at_s in epoch seconds UTC."""
    plan = _plan(project, scenario)
    return _with_plan(project, plan, replace(plan, decisions=(*plan.decisions, Decision(at_s, what, reason))))


# ---------------------------------------------------------------- the planner's own class rules


def add_rule(project: Project, rule: ClassRule) -> Project:
    """A rule at the end of the planner's own; one of that id takes its place where it stands.

    Errors: PlannerError for a rule that cannot be (own_rules.check_rule).
    """
    return add_rules(project, (rule,))


def add_rules(project: Project, rules: Iterable[ClassRule]) -> Project:
    """Rules at the end of the planner's own, as from a file; one of an id that is there takes its place."""
    by_id = {rule.rule_id: rule for rule in project.rules}
    by_id.update((rule.rule_id, rule) for rule in rules)
    return replace_rules(project, by_id.values())


def remove_rule(project: Project, rule_id: str) -> Project:
    """The project without a rule. Errors: PlannerError for an unknown one."""
    _rule(project, rule_id)
    return _with(project, rules=tuple(rule for rule in project.rules if rule.rule_id != rule_id))


def move_rule(project: Project, rule_id: str, places: int) -> Project:
    """A rule so many places later (before: negative) in the order in which rules decide, as far as there are any."""
    rule = _rule(project, rule_id)
    others = [other for other in project.rules if other is not rule]
    at = min(max(project.rules.index(rule) + places, 0), len(others))
    return _with(project, rules=(*others[:at], rule, *others[at:]))


def replace_rules(project: Project, rules: Iterable[ClassRule]) -> Project:
    """The project with these rules of the planner's own and no others, in this order.

    Errors: PlannerError for a rule that cannot be, or two of one id.
    """
    wanted = tuple(rules)
    for rule in wanted:
        check_rule(rule)
    ids = [rule.rule_id for rule in wanted]
    for rule_id in ids:
        if ids.count(rule_id) > 1:
            raise PlannerError(rule_id, "usage", "there are two rules of that id", "give one another id")
    return _with(project, rules=wanted)


# ---------------------------------------------------------------- leaks


def accept_leak(
    project: Project, scenario: str, leak: Leak, classes: Mapping[str, Pool], at_s: int, owner: str = ""
) -> Project:
    """A leak taken into a plan: what a plan can show is done (its workloads put where they belong), the rest noted.

    classes: of the workloads, by key; at_s in epoch seconds UTC; owner: who is to do it. It says so in the log.
    Errors: PlannerError for Today or an unknown plan.
    """
    remedy = remedy_of(leak, classes)
    kept = [key for key in remedy.keys if _workload(project, key) is not None]
    after = move_workloads(project, scenario, kept, remedy.pool) if remedy.pool and kept else project
    done = f"{_called(project, kept)} to {remedy.pool}" if kept else "to be done, not in the plan's $"
    by = f"by {owner.strip()}" if owner.strip() else ""
    decision = LeakDecision(
        leak.leak_id, LeakStatus.ACCEPTED, at_s, "", owner.strip(), remedy.pool if kept else None, len(kept),
        leak.gpu_hours, leak.usd_per_month,
    )  # fmt: skip
    return _with_leak_decision(after, scenario, decision, f"Accept {leak_called(leak)}: {done}", by)


def dismiss_leak(project: Project, scenario: str, leak: Leak, reason: str, at_s: int) -> Project:
    """A leak that the planner does not count in a plan, and why; it stays in the audit, and in the log.

    Errors: PlannerError for Today, an unknown plan, or without a reason.
    """
    if not reason.strip():
        raise PlannerError(
            leak_called(leak), "usage", "no reason is given", "say why it is none, for who reads the log"
        )
    decision = LeakDecision(
        leak.leak_id, LeakStatus.DISMISSED, at_s, reason.strip(), gpu_hours=leak.gpu_hours,
        usd_per_month=leak.usd_per_month,
    )  # fmt: skip
    return _with_leak_decision(project, scenario, decision, f"Dismiss {leak_called(leak)}", reason.strip())


def reopen_leak(project: Project, scenario: str, leak: Leak, at_s: int) -> Project:
    """A leak open again in a plan, whatever was decided; workloads that accepting it moved stay where they are."""
    plan = _plan(project, scenario)
    kept = tuple(one for one in plan.leak_decisions if one.leak_id != leak.leak_id)
    if kept == plan.leak_decisions:
        return project
    after = _with_plan(project, plan, replace(plan, leak_decisions=kept))
    return add_decision(after, scenario, at_s, f"Reopen {leak_called(leak)}")


def _with_leak_decision(
    project: Project, scenario: str, decision: LeakDecision, what: str, reason: str
) -> Project:
    """The project with a decision and its line in the log; the project itself where the same was decided before."""
    plan = _plan(project, scenario)
    before = plan.decision_on(decision.leak_id)
    if before is not None and replace(before, at_s=decision.at_s) == decision:
        return project
    others = (one for one in plan.leak_decisions if one.leak_id != decision.leak_id)
    decided = tuple(sorted((*others, decision), key=attrgetter("leak_id")))
    after = _with_plan(project, plan, replace(plan, leak_decisions=decided))
    return add_decision(after, scenario, decision.at_s, what, reason)


# ---------------------------------------------------------------- what is loaded


def replace_contracts(project: Project, contracts: Iterable[Contract]) -> Project:
    """The project with these contracts and no others."""
    return _with(project, contracts=_by_id(_one_spelling(project, contracts), attrgetter("contract_id")))


def add_contracts(project: Project, contracts: Iterable[Contract]) -> Project:
    """The project with these contracts too; one with an id that is there already takes its place."""
    return replace_contracts(project, (*project.contracts, *contracts))


def replace_offers(project: Project, offers: Iterable[Offer]) -> Project:
    """The project with these offers and no others."""
    return _with(project, offers=_by_id(_one_spelling(project, offers), attrgetter("offer_id")))


def add_offers(project: Project, offers: Iterable[Offer]) -> Project:
    """The project with these offers too; one with an id that is there already takes its place."""
    return replace_offers(project, (*project.offers, *offers))


def add_offer(project: Project, offer: Offer) -> Project:
    """An offer more in the price book. Errors: PlannerError where its id is taken, or it cannot be."""
    _require_free_offer_id(project, offer.offer_id)
    return add_offers(project, (check_offer(offer),))


def change_offer(project: Project, offer_id: str, field: str, value: OfferValue) -> Project:
    """One field of an offer (a name in model/price_book.py) as the planner knows it; None: unknown.

    Errors: PlannerError for an unknown offer or field, a value that it cannot have, or an id that is taken.
    """
    before = _offer(project, offer_id)
    after = with_value(before, field, value)
    if after.offer_id != offer_id:
        _require_free_offer_id(project, after.offer_id)
    others = (offer for offer in project.offers if offer is not before)
    return replace_offers(project, (*others, after))


def duplicate_offer(project: Project, offer_id: str) -> Project:
    """A copy of an offer under the id that `copied_offer_id` gives."""
    offer = _offer(project, offer_id)
    return add_offers(project, (replace(offer, offer_id=copied_offer_id(project, offer_id)),))


def remove_offer(project: Project, offer_id: str) -> Project:
    """The price book without an offer. Errors: PlannerError for an unknown one."""
    gone = _offer(project, offer_id)
    return replace_offers(project, (offer for offer in project.offers if offer is not gone))


def copied_offer_id(project: Project, offer_id: str) -> str:
    """The first of `x copy`, `x copy 2`, `x copy 3`, ... that no offer has."""
    taken = {offer.offer_id for offer in project.offers}
    names = (f"{offer_id} copy{f' {number}' if number > 1 else ''}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


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
    intake: Sequence[FileIntake] = (),
    adding: bool = False,
) -> Project:
    """What was read taken into the project; a part that is None stays as it is.

    Jobs always replace jobs (to add a log, read it together with those loaded: only so are duplicates found);
    contracts and offers replace too, or with `adding` join those loaded. The intake follows: a file of a kind that
    was replaced is no longer listed. Labels, rules, moves, pins and plans stay, also of workloads that are gone.
    """
    after = project
    if jobs is not None:
        names = _spelled_as(_spellings(project), jobs.cube.gpu_models)
        cube = jobs.cube if names == jobs.cube.gpu_models else replace(jobs.cube, gpu_models=names)
        after = replace(after, window=jobs.window, cube=cube, workloads=jobs.workloads, jobs=jobs.jobs)
    if contracts is not None:
        after = (add_contracts if adding else replace_contracts)(after, contracts)
    if offers is not None:
        after = (add_offers if adding else replace_offers)(after, offers)
    replaced = {"jobs", "activity"} if jobs is not None else set()
    if not adding:
        replaced |= {"contracts"} if contracts is not None else set()
        replaced |= {"prices"} if offers is not None else set()
    new_paths = {(file.kind, file.path) for file in intake}
    kept = (
        file
        for file in project.intake
        if file.kind not in replaced and (file.kind, file.path) not in new_paths
    )
    return _with(after, intake=(*kept, *intake))


def set_traffic(project: Project, key: str, traffic: Traffic | None) -> Project:
    """The tokens of an endpoint; None takes them away. Errors: PlannerError for an unknown workload."""
    if traffic is None:
        return _with(project, traffic={other: of for other, of in project.traffic.items() if other != key})
    _require_workloads(project, (key,))
    return _with(project, traffic={**project.traffic, key: traffic})


def set_title(project: Project, title: str) -> Project:
    """The project under another title."""
    return _with(project, title=title)


# ---------------------------------------------------------------- words for Undo


def move_label(project: Project, keys: Collection[str], pool: Pool) -> str:
    """Move agent-rollouts to burst; Move 12 workloads to training."""
    return f"Move {_called(project, keys)} to {pool}"


def label_label(project: Project, keys: Collection[str], label: Pool | None) -> str:
    """Label vllm-chat as inference; Take the label from 3 workloads."""
    called = _called(project, keys)
    return f"Take the label from {called}" if label is None else f"Label {called} as {label}"


def need_label(project: Project, keys: Collection[str], name: str, value: NeedValue) -> str:
    """Set memory per GPU of llama-sft to 40 GB; Take back nodes of 3 workloads."""
    spec, called = NEED_BY_NAME[name], _called(project, keys)
    title = spec.title if spec.title.startswith("KV") else spec.title[0].lower() + spec.title[1:]
    if value is None:
        return f"Take back {title} of {called}"
    if isinstance(value, bool):
        return f"Set {title} of {called} to {'yes' if value else 'no'}"
    said = f"{value:,.10g} {spec.unit}" if isinstance(value, int | float) else value
    return f"Set {title} of {called} to {said}"


def add_rule_label(rule: ClassRule) -> str:
    """Add rule: names with “rollout” are burst."""
    return f"Add rule: {rule_words(rule)}"


def change_rule_label(rule: ClassRule) -> str:
    """Change rule: names with “rollout” are burst."""
    return f"Change rule: {rule_words(rule)}"


def remove_rule_label(rule: ClassRule) -> str:
    """Remove rule: names with “rollout” are burst."""
    return f"Remove rule: {rule_words(rule)}"


def move_rule_label(rule: ClassRule, places: int) -> str:
    """Move rule up: names with “rollout” are burst."""
    return f"Move rule {'up' if places < 0 else 'down'}: {rule_words(rule)}"


def import_rules_label(count: int) -> str:
    """Import 12 rules."""
    return f"Import {count:,} {'rule' if count == 1 else 'rules'}"


def pin_label(project: Project, keys: Collection[str]) -> str:
    """Pin vllm-chat-prod."""
    return f"Pin {_called(project, keys)}"


def unpin_label(project: Project, keys: Collection[str]) -> str:
    """Unpin vllm-chat-prod."""
    return f"Unpin {_called(project, keys)}"


SEPARATE_LABEL: Final = "Separate automatically"


def price_case_label(case: PriceCase) -> str:
    """Count with low rates."""
    return f"Count with {case} rates"


def offer_label(offer_id: str, field: str, value: OfferValue) -> str:
    """Change rate of bm-h100-12 to $2.75 per GPU-hour; Change as of of bm-h100-12 to unknown."""
    spec = OFFER_FIELD_BY_NAME[field]
    title = spec.title[:1].lower() + spec.title[1:]
    return f"Change {title} of {offer_id} to {spec.said(value)}"


def offers_label(verb: str, offer_id: str) -> str:
    """Add offer x; Duplicate offer x; Remove offer x."""
    return f"{verb} offer {offer_id}"


def greenfield_label(greenfield: bool) -> str:
    """The words for leaving existing contracts out of a plan, or taking them in again."""
    return "Plan without existing contracts" if greenfield else "Plan with existing contracts"


def level_label(term_months: int, gpus: int) -> str:
    """Set 12-month level to 10 GPUs."""
    return f"Set {term_months}-month level to {gpus:,} {'GPU' if gpus == 1 else 'GPUs'}"


def advice_label(pool: Pool) -> str:
    """Take the advice for inference: the levels set by hand are let go."""
    return f"Take the advice for {pool}"


def assumption_label(name: str, value: AssumptionValue) -> str:
    """Change churn to 3%; Change planning horizon to 48 months; Change growth, burst to not set."""
    spec = SPEC_BY_NAME[name]
    title = spec.title[0].lower() + spec.title[1:]
    if value is None:
        return f"Change {title} to not set"
    if spec.kind == "flag":
        return f"Change {title} to {'yes' if value else 'no'}"
    if spec.kind == "ratio":
        return f"Change {title} to {value * 100:.10g}%"
    return f"Change {title} to {value:,.10g} {spec.unit}"


def plan_label(verb: str, name: str) -> str:
    """Add Plan B; Rename Plan B; Delete Plan B; Duplicate Plan B."""
    return f"{verb} {name}"


def leak_label(verb: str, leak: Leak) -> str:
    """Accept idle after training, atlas; Dismiss held for the peak, atlas; Reopen work that failed, cedar."""
    called = leak_called(leak)
    return f"{verb} {called[0].lower()}{called[1:]}"


def traffic_label(project: Project, key: str, traffic: Traffic | None) -> str:
    """Read traffic of vllm-chat; Take the traffic from vllm-chat."""
    called = _called(project, (key,))
    return f"Take the traffic from {called}" if traffic is None else f"Read traffic of {called}"


def settings_label(title: str) -> str:
    """Use growth as the log shows it."""
    return f"Use {title[0].lower()}{title[1:]}"


def window_label(words: str) -> str:
    """Change the window to last 30 days."""
    return f"Change the window to {words}"


def import_label(paths: Sequence[str]) -> str:
    """Import jobs.csv; Import 3 files."""
    if len(paths) == 1:
        return "Import " + paths[0].replace("\\", "/").rsplit("/", 1)[-1]
    return f"Import {len(paths)} files"


# ---------------------------------------------------------------- what the gestures share


def _plan(project: Project, name: str) -> Scenario:
    if name == TODAY:
        raise PlannerError(
            TODAY, "usage", "it shows the past and is read only", "make a plan and change that"
        )
    try:
        return project.scenario(name)
    except KeyError:
        known = ", ".join(plan.name for plan in project.scenarios)
        raise PlannerError(name, "usage", "no such plan", f"use one of {known}") from None


def _rule(project: Project, rule_id: str) -> ClassRule:
    for rule in project.rules:
        if rule.rule_id == rule_id:
            return rule
    raise PlannerError(rule_id, "usage", "no such rule", "use one that the list of rules shows")


def _offer(project: Project, offer_id: str) -> Offer:
    for offer in project.offers:
        if offer.offer_id == offer_id:
            return offer
    raise PlannerError(offer_id, "usage", "no such offer", "use one that the panel Prices lists")


def _require_free_offer_id(project: Project, offer_id: str) -> None:
    if any(offer.offer_id == offer_id for offer in project.offers):
        raise PlannerError(offer_id, "usage", "there is an offer of that id", "enter another id")


def _with_plan(project: Project, before: Scenario, after: Scenario) -> Project:
    if after == before:
        return project
    return replace(project, scenarios=tuple(after if plan is before else plan for plan in project.scenarios))


def _with(project: Project, **values: object) -> Project:
    if all(getattr(project, name) == value for name, value in values.items()):
        return project
    return replace(project, **values)  # type: ignore[arg-type]


def _with_shared_value(project: Project, name: str, value: AssumptionValue) -> Project:
    return replace(project, assumptions=project.assumptions.with_values({name: value}))


def _require_workloads(project: Project, keys: Iterable[str]) -> None:
    for key in keys:
        if _workload(project, key) is None:
            raise PlannerError(key, "usage", "no such workload", "use a key that the audit lists")


def _workload(project: Project, key: str) -> Workload | None:
    at = bisect_left(project.workloads, key, key=attrgetter("key"))  # sorted by key: a law of Project
    found = project.workloads[at : at + 1]
    return found[0] if found and found[0].key == key else None


def _called(project: Project, keys: Collection[str]) -> str:
    if len(keys) != 1:
        return f"{len(keys):,} workloads"
    (key,) = keys
    workload = _workload(project, key)
    return key if workload is None else workload.name


def _free_name(project: Project, name: str, apart_from: str | None = None) -> str:
    wanted = " ".join(name.split())
    if not wanted:
        raise PlannerError("plan", "usage", "it has no name", "enter one")
    taken = {
        TODAY.casefold(),
        *(plan.name.casefold() for plan in project.scenarios if plan.name != apart_from),
    }
    if wanted.casefold() in taken:
        raise PlannerError(wanted, "usage", "there is one of that name", "enter another name")
    return wanted


def _is(one: AssumptionValue, other: AssumptionValue) -> bool:
    return one is other if one is None or other is None else one == other


def _by_id(rows: Iterable[Item], id_of: Callable[[Item], str]) -> tuple[Item, ...]:
    latest = {id_of(row): row for row in rows}
    return tuple(latest[row_id] for row_id in sorted(latest))


def _spellings(project: Project) -> dict[str, str]:
    """The spelling in use of each GPU model, by its folded name; the log's before the contracts' and the offers'."""
    rows: tuple[Contract | Offer, ...] = (*project.contracts, *project.offers)
    used = (*project.cube.gpu_models, *(row.gpu_model for row in rows if row.gpu_model is not None))
    return {name.casefold(): name for name in reversed(used)}


def _spelled_as(spellings: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(spellings.get(name.casefold(), name) for name in names)


def _one_spelling(project: Project, rows: Iterable[Priced]) -> list[Priced]:
    """Rows with each GPU model spelled as the project does, or as the first row that names it."""
    spellings = _spellings(project)

    def spelled(row: Priced) -> Priced:
        if row.gpu_model is None:
            return row
        name = spellings.setdefault(row.gpu_model.casefold(), row.gpu_model)
        return row if row.gpu_model == name else replace(row, gpu_model=name)

    return [spelled(row) for row in rows]
