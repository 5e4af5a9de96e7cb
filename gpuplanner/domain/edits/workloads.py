"""What a planner does with workloads: move, label, divide, merge, limit and stop them, one or many."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.edits import find
from gpuplanner.domain.edits.dates import dated, drop_planned, spells_of
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.assumptions import check_share
from gpuplanner.domain.model.book.only import ANYBODY, Only, Sellers, check_only, sellers_of
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.hardware_needs import NEED_BY_NAME, NOTHING_SET, NeedValue, check_need
from gpuplanner.domain.model.plan.merged_cards import check_merges, merge_of, with_those_merged, without_cards
from gpuplanner.domain.model.plan.scenario import SEPARATED, Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import (
    FIRST,
    SECOND,
    Split,
    Splits,
    bare_key,
    check_split,
    divided_key,
    part_key,
    whole_key,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace

# --- What a planner does with workloads: move, label, pin, set what they need of hardware --------

Classes = Mapping[str, Classification]
"""By key of a workload, as in the audit of the project."""


def move_workloads(
    project: Project, scenario: str, keys: Collection[str], pool: Pool, classes: Classes | None = None
) -> Project:
    """Workloads put into a pool of a plan, which takes them out of review; their class stays what it is.

    A workload that the plan divides goes with all its parts; work that no log has is planned for the pool from then on.
    classes: where they are known, a workload that its class alone puts there stands there by that, as if nobody had
    moved it. Errors: PlannerError for Today, an unknown plan or an unknown workload.
    """
    plan = find.plan_named(project, scenario)
    works = find.planned_keys(project, plan).intersection(keys)
    cards = find.cards_of(project, plan, (key for key in keys if key not in works))
    planned = tuple(replace(work, pool=pool) if work.key in works else work for work in plan.planned)
    pools = {**plan.pools, **dict.fromkeys(cards, pool)} if cards else plan.pools
    if classes and plan.start == SEPARATED:
        sure = _sure_pools(project, plan, {key: classes[key] for key in cards if key in classes})
        pools = {key: place for key, place in pools.items() if sure.get(key) is not place}
    return find.with_plan(project, plan, replace(plan, pools=pools, planned=planned))


def label_workloads(project: Project, keys: Collection[str], label: Pool | None) -> Project:
    """Workloads given a class by the planner, which wins over everything else; None takes it back.

    Errors: PlannerError for an unknown workload.
    """
    if label is None:
        return find.with_values(project, labels=_without(project.labels, set(keys)))
    find.require_workloads(project, keys)
    return find.with_values(project, labels={**project.labels, **dict.fromkeys(keys, label)})


def set_need(project: Project, keys: Collection[str], name: str, value: NeedValue) -> Project:
    """A need of workloads' hardware (by its name in model/project.py) as the planner knows it, over what was inferred.

    Errors: PlannerError for an unknown workload or need, or a value that it cannot have.
    """
    find.require_workloads(project, keys)
    checked = check_need(name, value)
    own = {key: project.needs.get(key, NOTHING_SET).with_value(name, checked) for key in keys}
    return find.with_values(project, needs={**project.needs, **own})


def clear_need(project: Project, keys: Collection[str], name: str | None = None) -> Project:
    """What the planner set of one need (None: of all) of these workloads taken back: it is inferred again.

    Keys that no workload has are cleared too: what was set of them may be of an earlier log. Errors:
    PlannerError for an unknown need.
    """
    if name is not None and name not in NEED_BY_NAME:
        raise refusal(
            name, worded("no such need"), worded("use one of {known}", known=", ".join(NEED_BY_NAME))
        )
    cleared = dict(project.needs)
    for key in keys:
        own = cleared.pop(key, NOTHING_SET)
        own = NOTHING_SET if name is None else own.with_value(name, None)
        if not own.is_empty:
            cleared[key] = own
    return find.with_values(project, needs=cleared)


def pin_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that "Separate automatically" is to leave alone in a plan.

    Planned work is passed over: nothing separates it. Errors: PlannerError for Today, an unknown plan or
    workload.
    """
    plan = find.plan_named(project, scenario)
    works = find.planned_keys(project, plan)  # nothing separates them
    cards = find.cards_of(project, plan, (key for key in keys if key not in works))
    return find.with_plan(project, plan, replace(plan, pinned=plan.pinned | frozenset(cards)))


def unpin_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that "Separate automatically" may move again in a plan.

    Keys that are not pinned are passed over. Errors: PlannerError for Today or an unknown plan.
    """
    plan = find.plan_named(project, scenario)
    cards = with_those_merged(keys, plan.merges)
    return find.with_plan(project, plan, replace(plan, pinned=plan.pinned - frozenset(cards)))


def separate_automatically(project: Project, scenario: str, classifications: Classes) -> Project:
    """Every workload of a plan that is not pinned and whose class is sure put into its class's pool.

    classifications: by key, as in the audit of this project; a workload without one stays where it is. So does one
    whose class is not sure: where the planner placed it, else in review. Nothing is decided for the planner.
    """
    plan = find.plan_named(project, scenario)
    sure = _sure_pools(project, plan, classifications)
    pools = {key: pool for key, pool in plan.pools.items() if key not in sure}
    if plan.start != SEPARATED:  # else where the plan starts is its class's pool already
        pools |= sure
    return find.with_plan(project, plan, replace(plan, pools=pools))


def _sure_pools(project: Project, plan: Scenario, classes: Classes) -> dict[str, Pool]:
    """The pools of classes that are sure, of workloads about which the planner decided nothing else."""
    review_below = project.assumptions_in(plan).review_below
    # who divides a workload, or merges some, has decided where they stand
    stays = plan.pinned.union(plan.splits, *plan.merges.values())
    return {
        key: result.pool
        for key, result in classes.items()
        if key not in stays and (result.is_settled or result.confidence >= review_below)
    }


# --- What was decided of workloads under former keys, so that it holds for those that they are now

Value = TypeVar("Value")
Former = Mapping[str, Sequence[str]]
"""By key of a workload: keys that its jobs had before."""


def decided_keys(project: Project) -> frozenset[str]:
    """Keys of all workloads that anything was decided of, whether the log has them or not.

    Parts count as what they are parts of. Decisions about leaks count by the key in their id.
    """
    by_key: list[Iterable[str]] = [
        project.labels,
        project.needs,
        project.notes,
        project.traffic,
        project.serving,
    ]
    for plan in project.scenarios:
        by_key += [plan.pools, plan.pinned, plan.splits, plan.spells, plan.only, *plan.merges.values()]
        by_key += [change.keys for change in plan.changes]
        by_key.append(leak_decision.leak_id.partition(":")[2] for leak_decision in plan.leak_decisions)
    return frozenset(bare_key(key) for keys in by_key for key in keys)


def carry_over(project: Project, former: Former) -> Project:
    """The project in which workloads have what was decided of them under former keys.

    What is decided of a workload itself stays; where former keys say different things none of them holds. The former
    keys keep theirs: a log that has them again finds all as it was. Law: without former keys it is the project itself.
    """
    if not former:
        return project
    return find.with_values(
        project,
        labels=carry_values(project.labels, former),
        needs=carry_values(project.needs, former),
        notes=carry_values(project.notes, former),
        traffic=carry_values(project.traffic, former),
        serving=carry_values(project.serving, former),
        scenarios=tuple(_carried_plan(plan, former) for plan in project.scenarios),
    )


def _carried_plan(plan: Scenario, former: Former) -> Scenario:
    """A plan in which all that was decided under former keys holds for those of now, too."""
    now: dict[str, list[str]] = {}
    for key, before in former.items():
        for old in before:
            now.setdefault(old, []).append(key)
    pinned = carry_values(dict.fromkeys(plan.pinned, True), former)
    decided = {leak_decision.leak_id for leak_decision in plan.leak_decisions}
    leaks = [
        replace(leak_decision, leak_id=f"{code}:{key}")
        for leak_decision in plan.leak_decisions
        for code, _, of in (leak_decision.leak_id.partition(":"),)
        for key in now.get(of, ())
        if f"{code}:{key}" not in decided
    ]
    return replace(
        plan,
        pools=carry_values(plan.pools, former),
        pinned=frozenset(pinned) if len(pinned) > len(plan.pinned) else plan.pinned,
        splits=carry_values(plan.splits, former),
        spells=carry_values(plan.spells, former),
        only=carry_values(plan.only, former),
        changes=tuple(
            replace(change, keys=add_successor_keys(change.keys, now))
            if now.keys() & set(change.keys)
            else change
            for change in plan.changes
        ),
        merges=carry_merges(plan.merges, now),
        leak_decisions=(*plan.leak_decisions, *{leak.leak_id: leak for leak in leaks}.values()),
    )


def carry_values(values: Mapping[str, Value], former: Former) -> Mapping[str, Value]:
    """The values with those of former keys, of their parts too (domain/model/plan/splits.py)."""
    of_whole: dict[str, dict[str, Value]] = {}
    for key, value in values.items():
        whole = bare_key(key)
        of_whole.setdefault(whole, {})[key[len(whole) :]] = value
    more: dict[str, Value] = {}
    for key, before in former.items():
        parts = [of_whole[old] for old in before if old in of_whole]
        if key not in of_whole and parts and all(part == parts[0] for part in parts):
            more |= {key + part: value for part, value in parts[0].items()}
    return {**values, **more} if more else values


def add_successor_keys(keys: Collection[str], now: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Keys with those that some of them have become, sorted."""
    return tuple(sorted({*keys, *(key for old in keys for key in now.get(old, ()))}))


def carry_merges(
    merges: Mapping[str, tuple[str, ...]], now: Mapping[str, Sequence[str]]
) -> Mapping[str, tuple[str, ...]]:
    """Merged cards with what their cards are now, each in the first of them."""
    taken = {key for keys in merges.values() for key in keys}
    answer = {}
    for name, keys in merges.items():
        more = {key for old in keys for key in now.get(old, ())} - taken
        taken |= more
        answer[name] = tuple(sorted({*keys, *more})) if more else keys
    return answer if answer != merges else merges


# --- Who alone may serve a workload, and how much of a plan one may have, as the planner says it


def limit_workloads(project: Project, scenario: str, keys: Collection[str], only: Only) -> Project:
    """Workloads of a plan, or work planned in it, that only some may serve; ANYBODY takes the limit back.

    The names are kept as offers and contracts spell them. Errors: PlannerError for Today, an unknown plan or workload,
    or a name that is none.
    """
    plan = find.plan_named(project, scenario)
    planned = find.planned_keys(project, plan)
    find.require_workloads(project, (key for key in keys if key not in planned))
    limits = dict(plan.only)
    for key in keys:
        spelled = check_only(key, sellers_in(project).spelled(only))
        if spelled == ANYBODY:
            limits.pop(key, None)
        else:
            limits[key] = spelled
    return find.with_plan(project, plan, replace(plan, only=limits))


def limit_share(project: Project, scenario: str, who: Only, share: float | None) -> Project:
    """A plan in which a provider or a region may have no more than a share of the first month's $, 0..1.

    None takes the limit back, and so does 1: all of it is no limit. Errors: PlannerError for Today, an unknown plan, a
    name that is none, or a share out of range.
    """
    plan = find.plan_named(project, scenario)
    spelled = sellers_in(project).spelled(who)
    check_share(spelled, 1.0 if share is None else share)
    left = {seller: value for seller, value in plan.shares.items() if seller != spelled}
    if share is not None and share < 1:
        left[spelled] = share
    return find.with_plan(project, plan, replace(plan, shares=dict(sorted(left.items()))))


def sellers_in(project: Project) -> Sellers:
    """Who sells in a project: the names of its offers and contracts."""
    return sellers_of(project.offers, project.contracts)


# --- What a planner does with one card of a plan: divide it into two parts, and merge them again; and a note on it

LONGEST_NOTE = 2000
"""Characters: a cell of a workbook holds 32,767, and a note is no document."""


def split_workload(
    project: Project, scenario: str, key: str, split: Split, pool: Pool | None = None
) -> Project:
    """A workload (or a part of one) that stands as two parts in a plan, where it stood; the log is as it was.

    pool: where the second part goes; None leaves it beside the first. Pins and pools of the whole go to its parts and
    are kept for it. Errors: PlannerError for Today, an unknown plan or workload, one that is divided already, or a
    split that leaves a part empty.
    """
    plan = find.plan_named(project, scenario)
    find.require_workloads(project, (whole_key(key, plan.splits),))
    check_split(split)
    if key in plan.splits:
        raise refusal(key, worded("it is already split"), worded("split a part, or merge first"))
    merged = merge_of(key, plan.merges)
    if merged is not None:
        problem = worded("it is merged into \u201c{merged}\u201d", merged=merged)
        raise refusal(key, problem, worded("split that first"))
    parts = part_key(key, FIRST), part_key(key, SECOND)
    pools = dict(plan.pools)
    if key in pools:
        pools.update(dict.fromkeys(parts, pools[key]))
    if pool is not None:
        pools[parts[1]] = pool
    pinned = plan.pinned | frozenset(parts) if key in plan.pinned else plan.pinned
    splits = {**plan.splits, key: split}
    return find.with_plan(project, plan, replace(plan, splits=splits, pools=pools, pinned=pinned))


def merge_parts(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """What was divided into these parts whole again, where it stood before; keys may also name what was divided.

    Law: split_workload, then anything done to the parts, then this, is the plan as it was.
    """
    plan = find.plan_named(project, scenario)
    divided = (key if key in plan.splits else divided_key(key, plan.splits) for key in keys)
    wholes = {*filter(None, divided)}
    gone = {part for whole in wholes for part in _parts_under(whole, plan.splits)}
    splits, pools = _without(plan.splits, wholes | gone), _without(plan.pools, gone)
    pinned, merges = plan.pinned - gone, without_cards(plan.merges, gone)
    after = replace(plan, splits=splits, pools=pools, pinned=pinned, merges=merges)
    return find.with_plan(project, plan, after)


def set_note(project: Project, key: str, text: str) -> Project:
    """What the planner writes about a workload, in every plan; empty text takes it away.

    Errors: PlannerError for an unknown workload, or a text that is too long.
    """
    written = text.strip()
    if not written:
        return find.with_values(project, notes=_without(project.notes, {key}))
    find.require_workloads(project, (key,))
    if len(written) > LONGEST_NOTE:
        raise refusal(
            "note",
            worded("it has {written} characters", written=whole(len(written))),
            worded("shorten it to {longest_note}", longest_note=whole(LONGEST_NOTE)),
        )
    return find.with_values(project, notes={**project.notes, key: written})


def whole_keys(plan: Scenario, keys: Collection[str]) -> tuple[str, ...]:
    """The workloads that cards of a plan, and those merged with them, are of, each once.

    In the order of the cards.
    """
    cards = with_those_merged(keys, plan.merges)
    return tuple(dict.fromkeys(whole_key(key, plan.splits) for key in cards))


def _parts_under(key: str, splits: Splits) -> set[str]:
    """The parts of what was divided, and theirs."""
    if key not in splits:
        return set()
    parts = {part_key(key, FIRST), part_key(key, SECOND)}
    return parts.union(*(_parts_under(part, splits) for part in parts))


def _without(values: Mapping[str, Value], keys: Collection[str | None]) -> dict[str, Value]:
    """The values without those of some keys."""
    return {key: value for key, value in values.items() if key not in keys}


# --- What a planner does with several cards of a plan: make them one, named, and take that apart again


def merge_cards(project: Project, scenario: str, keys: Collection[str], name: str, pool: Pool) -> Project:
    """Cards of a plan that stand as one in a pool and are moved, pinned and labelled as one; the log is as it was.

    Those that were merged with one of them are in it too. Nothing is added up twice: each workload keeps its demand
    and its dollars. It is a move of all of them to the pool.
    Errors: PlannerError for Today, an unknown plan or workload, fewer than two cards, or a name that is taken.
    """
    plan = find.plan_named(project, scenario)
    cards = tuple(sorted(set(find.cards_of(project, plan, keys))))
    others = without_cards(plan.merges, cards)
    called = " ".join(name.split())
    if called in others:
        raise refusal(called, worded("another merged card has this name"), worded("enter another one"))
    if len(cards) < 2:
        raise refusal(called or "name", worded("one card is not merged"), worded("select two or more cards"))
    merges = {**others, called: cards}
    check_merges(merges)
    pools = {**plan.pools, **dict.fromkeys(cards, pool)}
    pinned = plan.pinned | frozenset(cards) if plan.pinned & frozenset(cards) else plan.pinned
    return find.with_plan(project, plan, replace(plan, merges=merges, pools=pools, pinned=pinned))


def take_apart(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """The cards that these are merged with stand alone again, in the pool where the merged card stood.

    Law: merge_cards, then this, is move_workloads; where one was pinned all of them stay pinned.
    Errors: PlannerError for Today or an unknown plan.
    """
    plan = find.plan_named(project, scenario)
    merges = without_cards(plan.merges, with_those_merged(keys, plan.merges))
    return find.with_plan(project, plan, replace(plan, merges=merges))


# --- Workloads that are spoken of together: those of a team, those that stand in a pool; and a team that stops

POOL: Final = "pool:"
"""What stands before the name of a pool where a workload's key could stand."""


def team_meant(project: Project, plan: Scenario, text: str) -> str | None:
    """The name of the team that a text means, as it was written; None for a workload's key or a pool."""
    is_key = find.workload_of(project, text) is not None or text in find.planned_keys(project, plan)
    return None if is_key or not text.startswith(find.TEAM) else text.removeprefix(find.TEAM).strip()


def keys_meant(
    project: Project, plan: Scenario, text: str, pools: Callable[[], Mapping[str, Pool]]
) -> tuple[str, ...]:
    """The workloads that a text means: one by its key, those of `team:NAME`, or those that stand in `pool:NAME`.

    A key that is there wins; one that is not comes back as it is. Where none is called just so, names match without
    regard to case. pools: where each workload stands in the plan, by key, asked only for a pool.
    Errors: PlannerError where there is no such team or pool.
    """
    if find.workload_of(project, text) is not None or text in find.planned_keys(project, plan):
        return (text,)
    kind = next((kind for kind in (find.TEAM, POOL) if text.startswith(kind)), None)
    if kind is None:
        return (text,)
    name = text.removeprefix(kind)
    if kind == find.TEAM:
        teams = find.teams_of(project, plan)
        meant_keys = tuple(key for team in find.teams_called(project, plan, name) for key in teams[team])
        known = [team or find.NOBODY for team in teams]
    else:
        meant = name.strip().casefold()
        meant_keys = tuple(sorted(key for key, pool in pools().items() if pool == meant))
        known = [pool.value for pool in Pool]
    if not meant_keys:
        remedy = worded("use one of {known}", known=", ".join(known))
        raise refusal(text, worded("no workload has it"), remedy)
    return meant_keys


def stop_team(project: Project, scenario: str, team: str, from_s: int | None = None) -> Project:
    """Every workload of a team, and work planned for it, over from a moment on.

    from_s: epoch seconds; None: when the plan begins. What ends before stays as it is; what would begin later is not
    there at all, and planned work of a length that would then still run is taken out.
    Errors: PlannerError for Today, an unknown plan or a team without workloads.
    """
    plan = find.plan_named(project, scenario)
    begins_s = project.plan_window.end_s
    at_s = begins_s if from_s is None else from_s
    keys = keys_meant(project, plan, f"{find.TEAM}{team}", dict)
    of_length = {work.key: work for work in plan.planned if work.length_hours is not None}
    gone, spells = [], dict[str, Spell]()
    works = find.planned_keys(project, plan)
    for key, own in spells_of(project, plan, keys).items():
        spell = of_length[key].spell(begins_s) if key in works and key in of_length else own
        if spell.ends_s is not None and spell.ends_s <= at_s:
            continue
        is_later = spell.begins_s is not None and spell.begins_s >= at_s
        if key in works and (is_later or key in of_length):
            gone.append(key)
        else:
            spells[key] = Spell(None, begins_s) if is_later else replace(spell, ends_s=at_s)
    return dated(drop_planned(project, scenario, gone), scenario, spells)
