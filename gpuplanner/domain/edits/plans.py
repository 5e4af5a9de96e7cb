"""What a planner does with plans and questions, what is decided of leaks, and the log of decisions."""

from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter, is_
from typing import Final

from gpuplanner.domain.audit.leak_list import leak_called, remedy_of
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.edits.find import plan_named, with_plan, with_values, workload_of, workloads_called
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, AssumptionValue, check_assumption
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import sellers_of
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.plan.scenario import (
    AS_TODAY,
    BEFORE_RENEWALS,
    DEMAND_CUTS,
    NUMBERS,
    SEPARATED,
    TODAY,
    Decision,
    HandLayer,
    LeakDecision,
    LeakStatus,
    Scenario,
    check_cut,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, iso_utc
from gpuplanner.lazy_dataclass import fields, replace

# --- What a planner does with plans: add, rename, delete them, and set what holds in one ---------

LATEST_PLAN_S = 100 * 365 * DAY_S
"""How long after the log a plan may begin: a year typed wrong is refused."""


def add_plan(project: Project, name: str, from_name: str | None = None, start: str = SEPARATED) -> Project:
    """A new plan, last of the tabs.

    from_name: a plan to copy with all that is in it; Today for a plan that starts as today; None for a fresh one
    that begins by `start` (SEPARATED or AS_TODAY). What all plans state of notice that was given is stated here too.
    Errors: PlannerError where the name is empty or taken.
    """
    wanted = _free_name(project, name)
    given = [set(plan.notice_given) for plan in project.scenarios if not plan.scratch_of]
    facts = tuple(sorted(set.intersection(*given))) if given else ()
    if from_name == TODAY:
        plan = Scenario(name=wanted, start=AS_TODAY, notice_given=facts)
    elif from_name is None:
        plan = Scenario(name=wanted, start=start, notice_given=facts)
    else:
        plan = replace(plan_named(project, from_name), name=wanted, scratch_of="")
    return replace(project, scenarios=(*project.scenarios, plan))


def duplicate_plan(project: Project, name: str) -> Project:
    """A copy of a plan right after it, named with the next free letter.

    Its log of decisions goes with it. Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, name)
    at = project.scenarios.index(plan) + 1
    copy = replace(plan, name=next_plan_name(project), scratch_of="")
    return replace(project, scenarios=(*project.scenarios[:at], copy, *project.scenarios[at:]))


def rename_plan(project: Project, name: str, new_name: str) -> Project:
    """A plan under another name. Errors: PlannerError where that is empty or taken.

    Blanks around and between words are tidied. Names differ by more than case. Scratch copies stay those of the plan.
    """
    plan = plan_named(project, name)
    wanted = _free_name(project, new_name, apart_from=name)
    renamed = with_plan(project, plan, replace(plan, name=wanted))
    return project if renamed is project else _with_scratch_of(renamed, name, wanted)


def delete_plan(project: Project, name: str) -> Project:
    """The project without a plan; scratch copies of it are then plans. Errors: PlannerError for the only plan there is.

    Errors: PlannerError, too, for Today or an unknown plan.
    """
    plan = plan_named(project, name)
    if len(project.scenarios) == 1:
        raise refusal(name, worded("it is the only plan"), worded("add another plan first"))
    left = replace(project, scenarios=tuple(other for other in project.scenarios if other is not plan))
    return _with_scratch_of(left, name, "")


def _with_scratch_of(project: Project, name: str, now: str) -> Project:
    """Scratch copies of a plan said to be of what it is called now."""
    plans = (replace(plan, scratch_of=now) if plan.scratch_of == name else plan for plan in project.scenarios)
    return with_values(project, scenarios=tuple(plans))


def shift_plan(project: Project, name: str, places: int) -> Project:
    """A plan so many tabs further right (below zero: left), as far as there are tabs.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, name)
    others = [other for other in project.scenarios if other is not plan]
    at = min(len(others), max(0, project.scenarios.index(plan) + places))
    order = (*others[:at], plan, *others[at:])
    return project if order == project.scenarios else replace(project, scenarios=order)


def next_plan_name(project: Project) -> str:
    """The first of Plan A, Plan B, ... Plan Z, Plan 27, ... that no plan has, nor one called so and then a dot.

    "Plan A · as signed" takes Plan A. Case does not matter.
    """
    taken = {plan.name.split(" \u00b7 ", 1)[0].casefold() for plan in project.scenarios}
    letters = [chr(ord("A") + number) for number in range(26)]
    numbers = [str(number) for number in range(27, 28 + len(taken))]
    return next(
        str(worded("Plan {mark}", mark=mark))
        for mark in letters + numbers
        if f"plan {mark}".casefold() not in taken
    )


def set_assumption(project: Project, scenario: str | None, name: str, value: AssumptionValue) -> Project:
    """An assumption (by its --set name) changed in one plan, or with scenario None in the project.

    A plan keeps only what differs from the project: giving it the project's value takes its own away.
    Errors: PlannerError where the name is unknown, or the value out of range or of the wrong kind.
    """
    spec = SPEC_BY_NAME.get(name)
    if spec is None:
        raise refusal(
            name, worded("no such assumption"), worded("use one of {known}", known=", ".join(SPEC_BY_NAME))
        )
    checked = check_assumption(spec, value)
    shared = getattr(project.assumptions, spec.field)
    if scenario is None:
        values = project.assumptions.with_values({name: checked})
        return project if shared == checked else replace(project, assumptions=values)
    plan = plan_named(project, scenario)
    own = {other: set_value for other, set_value in plan.assumptions.items() if other != name}
    if shared != checked:
        own[name] = checked
    return with_plan(project, plan, replace(plan, assumptions=own))


def set_hand_layers(
    project: Project,
    scenario: str,
    pool: Pool,
    gpu_model: str | None,
    layers: Sequence[HandLayer] | None,
    is_rest_advised: bool = False,
) -> Project:
    """The committed layers of a pool and model set by hand in a plan; None takes them back to the advice.

    is_rest_advised: only these are held and all else is advised around them; otherwise the rest is paid by use.

    Errors: PlannerError for a negative size, a term under a month, or two layers of one term.
    """
    plan = plan_named(project, scenario)
    kept = {pair: own for pair, own in plan.hand_layers.items() if pair != (pool, gpu_model)}
    if layers is not None:
        terms = [layer.term_months for layer in layers]
        if any(layer.gpus < 0 or layer.term_months < 1 for layer in layers) or len(set(terms)) < len(terms):
            where = f"{pool}, {gpu_model or 'unknown model'}"
            problem = worded("a level is negative or repeated")
            raise refusal(where, problem, worded("enter a level of 0 or more per term"))
        kept[pool, gpu_model] = tuple(sorted(layers, key=lambda layer: -layer.term_months))
    around = plan.advised_around - {(pool, gpu_model)}
    if layers is not None and is_rest_advised:
        around |= {(pool, gpu_model)}
    return with_plan(project, plan, replace(plan, hand_layers=kept, advised_around=around))


def set_price_case(project: Project, scenario: str, case: PriceCase) -> Project:
    """Which rate of each offer counts in a plan: low, mid or high.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    return with_plan(project, plan, replace(plan, price_case=case))


def set_plan_from(project: Project, at_s: int | None) -> Project:
    """The moment that all plans begin, epoch seconds on a whole hour; None, or the window's end: where it ends.

    Errors: PlannerError where it lies in the log, or too far after it.
    """
    end_s = project.window.end_s
    if at_s is not None and (at_s < end_s or at_s > end_s + LATEST_PLAN_S or at_s % HOUR_S):
        problem = worded(
            "{at_s} is not a whole hour from the log's end, {end}", at_s=iso_utc(at_s), end=iso_utc(end_s)
        )
        raise refusal("plan from", problem, worded("choose a day after the log, within 100 years"))
    return with_values(project, plan_from_s=None if at_s == end_s else at_s)


def set_greenfield(project: Project, scenario: str, greenfield: bool) -> Project:
    """A plan that leaves the existing contracts out, or takes them in.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    return with_plan(project, plan, replace(plan, greenfield=greenfield))


def state_of_contracts(
    project: Project, scenario: str, statement: str, contract_ids: Collection[str], holds: bool = True
) -> Project:
    """A plan in which a statement holds of contracts, or holds no more: a field of Scenario that lists them.

    "notice_given": notice was given in time where its last day has passed; "runs_on": one of which a notice alone is
    known renews by its term; "kept", "ended": the plan lets it run on, or end as soon as it can.
    Errors: PlannerError for Today, an unknown plan or an unknown contract.
    """
    plan = plan_named(project, scenario)
    known = {contract.contract_id for contract in project.contracts}
    for contract_id in contract_ids:
        if contract_id not in known:
            problem = worded("no contract {contract_id!r}", contract_id=contract_id)
            raise refusal(
                statement.replace("_", " "), problem, worded("its contract_id is in the contracts file")
            )
    return with_plan(project, plan, plan.stating(statement, contract_ids, holds=holds))


def accept_saving(project: Project, scenario: str, step: str, is_accepted: bool = True) -> Project:
    """A plan that has a cut of demand, one of DEMAND_CUTS, or has it no more.

    Errors: PlannerError for Today, an unknown plan or no such saving.
    """
    plan = plan_named(project, scenario)
    added = {check_cut(step)}
    taken = {*plan.accepted} | added if is_accepted else {*plan.accepted} - added
    return with_plan(project, plan, replace(plan, accepted=tuple(cut for cut in DEMAND_CUTS if cut in taken)))


def end_provider(project: Project, scenario: str, provider: str, at_s: int) -> Project:
    """A plan in which a provider stops on a day, epoch seconds: its contracts end and its offers close then.

    Errors: PlannerError for Today, an unknown plan, or a provider that no offer or contract names.
    """
    plan, known = plan_named(project, scenario), sellers_of(project.offers, project.contracts).providers
    named = next((name for name in known if name.casefold() == provider.strip().casefold()), None)
    if named is None:
        problem = worded("no offer or contract has this provider")
        raise refusal(provider, problem, worded("use one of {known}", known=", ".join(known)))
    return with_plan(project, plan, replace(plan, provider_ends={**plan.provider_ends, named: at_s}))


def set_gap_missing(project: Project, scenario: str, is_missing: bool) -> Project:
    """A plan that takes days without any job as missing in its log, or as idle.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    return with_plan(project, plan, replace(plan, is_gap_missing=is_missing))


def _free_name(project: Project, name: str, apart_from: str | None = None) -> str:
    """A name with its blanks tidied. Errors: PlannerError where it is empty, Today's, or that of a plan other
    than apart_from.
    """
    wanted = " ".join(name.split())
    if not wanted:
        raise refusal("plan", worded("it has no name"), worded("enter one"))
    taken = {
        TODAY.casefold(),
        *(plan.name.casefold() for plan in project.scenarios if plan.name != apart_from),
    }
    if wanted.casefold() in taken:
        raise refusal(wanted, worded("the name exists"), worded("enter another name"))
    return wanted


# --- Questions: what a planner tries out stands in a scratch copy beside the plan, until it is kept or discarded

LONGEST_NAME = 60
"""Letters of a name that is proposed."""


def asked_apart(before: Project, after: Project, scenario: str) -> Project:
    """What an edit changed in a plan, in a scratch copy right after it, and the plan as it was before.

    `after` itself where the edit changed more than that one plan, or nothing that it plans with, or a scratch copy.
    """
    plan, changed = _plan_of(before, scenario), _plan_of(after, scenario)
    if plan is None or changed is None or plan.scratch_of or changed.plans_as(plan):
        return after
    parts = (each.name for each in fields(Project) if each.name != "scenarios")
    if any(getattr(before, name) is not getattr(after, name) for name in parts):
        return after
    others = [[other for other in project.scenarios if other.name != scenario] for project in (before, after)]
    if others[0] != others[1]:
        return after
    name = free_plan_name(before, str(worded("{plan} \u00b7 what if", plan=scenario)))
    copy = replace(changed, name=name, scratch_of=scenario)
    at = before.scenarios.index(plan) + 1
    return replace(after, scenarios=(*before.scenarios[:at], copy, *before.scenarios[at:]))


def asks_nothing(project: Project, scenario: str) -> bool:
    """Whether a scratch copy says the same as its plan, but for its name, its log and numbers that were read."""
    plan = project.plan_before(scenario)
    if plan is None:
        return False
    asked = replace(_question(project, scenario), name=plan.name, scratch_of="")
    return bool(_BUT_LOG(asked) == _BUT_LOG(plan))


def keep_question(project: Project, scenario: str, proposed: str) -> Project:
    """A scratch copy as a plan of its own, under the name that is proposed, or that with a number where it is taken.

    Errors: PlannerError for what is no scratch copy.
    """
    plan = _question(project, scenario)
    name = free_plan_name(project, proposed[:LONGEST_NAME].strip(), apart_from=scenario)
    kept = with_plan(project, plan, replace(plan, scratch_of=""))
    return kept if name == scenario else rename_plan(kept, scenario, name)


def discard_question(project: Project, scenario: str) -> Project:
    """The project without a scratch copy. Errors: PlannerError for what is no scratch copy."""
    _question(project, scenario)
    return delete_plan(project, scenario)


def with_sound_questions(project: Project) -> Project:
    """Every scratch copy is of a plan of its own that is there; any other copy is a plan of its own too.

    Nothing of it is lost, and its log of decisions says what happened. A project of which that is so is itself.
    """
    own = {plan.name for plan in project.scenarios if not plan.scratch_of}
    at_s = project.plan_window.end_s
    plans = tuple(
        plan if not plan.scratch_of or plan.scratch_of in own else _freed(plan, at_s)
        for plan in project.scenarios
    )
    return with_values(project, scenarios=plans)


def with_renewals_noted(project: Project) -> Project:
    """Plans that were saved before renewals had to be stated say of which contracts that is now unknown.

    A line of their log of decisions; a project of which nothing is to be said is itself.
    """
    begins_s = project.plan_window.end_s
    names = [
        contract.contract_id
        for contract in project.contracts
        if contract.notice_days and contract.renews_months is None and (contract.end_s or 0) > begins_s
    ]
    note = worded("They end on time unless marked as renewing: {names}", names=", ".join(names))
    noted = (Decision(begins_s, note),) if names else ()
    old = BEFORE_RENEWALS
    plans = tuple(
        replace(plan, decisions=(*(decision for decision in plan.decisions if decision != old), *noted))
        if old in plan.decisions
        else plan
        for plan in project.scenarios
    )
    return with_values(project, scenarios=plans)


def _freed(plan: Scenario, at_s: int) -> Scenario:
    """A scratch copy of nothing as a plan of its own, with a line that says so. at_s: of a first line, UTC."""
    note = worded("Now a separate plan: its parent {plan} is not in this project", plan=plan.scratch_of)
    at_s = max((decision.at_s for decision in plan.decisions), default=at_s)
    return replace(plan, scratch_of="", decisions=(*plan.decisions, Decision(at_s, note)))


def free_plan_name(project: Project, name: str, apart_from: str = "") -> str:
    """A name, or the first of name 2, name 3, ... that no plan has, whatever its case."""
    taken = {plan.name.casefold() for plan in project.scenarios if plan.name != apart_from}
    tried, number = name, 2
    while tried.casefold() in taken:
        tried, number = f"{name} {number}", number + 1
    return tried


def _question(project: Project, scenario: str) -> Scenario:
    plan = plan_named(project, scenario)
    if not plan.scratch_of:
        raise refusal(scenario, worded("a plan, not a question"), worded("ask one in What if"))
    return plan


def _plan_of(project: Project, scenario: str) -> Scenario | None:
    return next((plan for plan in project.scenarios if plan.name == scenario), None)


# --- The log of decisions of a plan: what was decided, when, and why as far as the planner said

MOST_KEPT = 5_000
"""Lines of a log: the oldest without a reason make room, so that an afternoon of dragging does not fill a project."""


def add_decision(project: Project, scenario: str, at_s: int, action: Text, reason: Text = "") -> Project:
    """A line at the end of a plan's log of decisions; at_s in epoch seconds UTC.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    return with_plan(
        project, plan, replace(plan, decisions=(*plan.decisions, Decision(at_s, action, reason)))
    )


def log_decision(
    before: Project,
    after: Project,
    scenario: str,
    at_s: int,
    action: Message,
    base: tuple[Decision, ...] | None = None,
) -> Project:
    """`after` with a line in the log of a plan that plans other than `before`; `after` itself where it does not.

    An edit that wrote a line of its own keeps it. base: the log to write after, where the line before was of the same
    gesture; None: the plan's own. Today, and what holds for all plans, is in no plan's log.
    """
    plan, old = _plan_of(after, scenario), _plan_of(before, scenario)
    if plan is None or (old is not None and (plan.plans_as(old) or plan.decisions is not old.decisions)):
        return after
    kept = plan.decisions if base is None else base
    if len(kept) >= MOST_KEPT:
        at = next((place for place, decision in enumerate(kept) if not decision.reason), 0)
        kept = (*kept[:at], *kept[at + 1 :])
    return with_plan(after, plan, replace(plan, decisions=(*kept, Decision(at_s, action))))


def set_reason(project: Project, scenario: str, number: int, reason: str) -> Project:
    """The reason of a line of a plan's log, counted from 0; empty takes it away.

    Errors: PlannerError where there is no such line.
    """
    plan = plan_named(project, scenario)
    if not 0 <= number < len(plan.decisions):
        raise refusal(scenario, worded("no such decision"), worded("choose one of its log"))
    changed = replace(plan.decisions[number], reason=" ".join(reason.split()))
    decisions = (*plan.decisions[:number], changed, *plan.decisions[number + 1 :])
    return with_plan(project, plan, replace(plan, decisions=decisions))


_BUT_PLANS: Final = attrgetter(*(each.name for each in fields(Project) if each.name != "scenarios"))
_BUT_LOG: Final = attrgetter(
    *(each.name for each in fields(Scenario) if each.name not in ("decisions", *NUMBERS))
)


def say_the_same(before: Project, other: Project) -> bool:
    """Whether two projects differ in nothing but what the logs of their plans say, and numbers that were read.

    Parts compare by identity, plans by value without these: a cheap question after every edit.
    """
    is_same = all(map(is_, _BUT_PLANS(before), _BUT_PLANS(other)))
    return is_same and list(map(_BUT_LOG, before.scenarios)) == list(map(_BUT_LOG, other.scenarios))


# --- What a planner decides about leaks: accept one into a plan, dismiss it, open it again -------


def accept_leak(
    project: Project, scenario: str, leak: Leak, classes: Mapping[str, Pool], at_s: int, owner: str = ""
) -> Project:
    """A leak taken into a plan: what a plan can show is done (its workloads put where they belong), the rest noted.

    classes: of the workloads, by key; at_s in epoch seconds UTC; owner: who is to do it. It says so in the log.
    Errors: PlannerError for Today or an unknown plan.
    """
    remedy = remedy_of(leak, classes)
    kept = [key for key in remedy.keys if workload_of(project, key) is not None]
    after = move_workloads(project, scenario, kept, remedy.pool) if remedy.pool and kept else project
    if kept:
        done = worded("{project} to {pool}", project=workloads_called(project, kept), pool=remedy.pool or "")
    else:
        done = worded("to do, not in plan cost")
    by = worded("by {owner}", owner=owner.strip()) if owner.strip() else ""
    decision = LeakDecision(
        leak_id=leak.leak_id,
        status=LeakStatus.ACCEPTED,
        at_s=at_s,
        reason="",
        owner=owner.strip(),
        pool=remedy.pool if kept else None,
        workloads=len(kept),
        gpu_hours=leak.gpu_hours,
        usd_per_month=leak.leaked_per_month,
    )
    return _with_leak_decision(
        after, scenario, decision, worded("Accept {leak}: {done}", leak=leak_called(leak), done=done), by
    )


def dismiss_leak(project: Project, scenario: str, leak: Leak, reason: str, at_s: int) -> Project:
    """A leak that the planner does not count in a plan, and why; it stays in the audit, and in the log.

    Errors: PlannerError for Today, an unknown plan, or without a reason.
    """
    if not reason.strip():
        problem = worded("no reason is given")
        raise refusal(leak_called(leak), problem, worded("enter a reason for the log's readers"))
    decision = LeakDecision(
        leak_id=leak.leak_id,
        status=LeakStatus.DISMISSED,
        at_s=at_s,
        reason=reason.strip(),
        gpu_hours=leak.gpu_hours,
        usd_per_month=leak.leaked_per_month,
    )
    return _with_leak_decision(
        project, scenario, decision, worded("Dismiss {leak}", leak=leak_called(leak)), reason.strip()
    )


def reopen_leak(project: Project, scenario: str, leak: Leak, at_s: int) -> Project:
    """A leak open again in a plan, whatever was decided; workloads that accepting it moved stay where they are.

    at_s: epoch seconds UTC, for the log of decisions. A leak that nothing was decided about changes nothing.
    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    kept = tuple(row for row in plan.leak_decisions if row.leak_id != leak.leak_id)
    if kept == plan.leak_decisions:
        return project
    after = with_plan(project, plan, replace(plan, leak_decisions=kept))
    return add_decision(after, scenario, at_s, worded("Reopen {leak}", leak=leak_called(leak)))


def _with_leak_decision(
    project: Project, scenario: str, decision: LeakDecision, action: Message, reason: Text
) -> Project:
    """The project with a decision and its line in the log; the project itself where the same was decided before."""
    plan = plan_named(project, scenario)
    before = plan.decision_on(decision.leak_id)
    if before is not None and replace(before, at_s=decision.at_s) == decision:
        return project
    others = (row for row in plan.leak_decisions if row.leak_id != decision.leak_id)
    decided = tuple(sorted((*others, decision), key=attrgetter("leak_id")))
    after = with_plan(project, plan, replace(plan, leak_decisions=decided))
    return add_decision(after, scenario, decision.at_s, action, reason)
