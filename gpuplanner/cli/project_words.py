"""What the words of a call change in a project: rates and currency, assumptions, labels, plans, traffic."""

import argparse
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import Final

from gpuplanner.cli import option_values
from gpuplanner.cli.arguments import UsageError, as_usage_error
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.demand.pools import pools_in
from gpuplanner.domain.edits import (
    dates,
    endpoints,
    find,
    model_mappings,
    money,
    plans,
    seller_limits,
    teams,
    workloads,
)
from gpuplanner.domain.model.assumptions import AssumptionValue
from gpuplanner.domain.model.book.exchange import USD, Currency, currency_from, exchange_between
from gpuplanner.domain.model.book.only import ANYBODY, Only, both_of
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import KIND as INTERRUPTIONS_KIND
from gpuplanner.domain.model.intake import with_observed
from gpuplanner.domain.model.plan.merged_cards import with_those_merged
from gpuplanner.domain.model.plan.scenario import TODAY, Scenario
from gpuplanner.domain.model.plan.spells import NO_SPELL
from gpuplanner.domain.model.plan.splits import leaf_keys, whole_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import gpu_families, read_tables
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import replace


def no_project() -> Project:
    """Where a call names none: what else it says of money holds.

    One empty hour, without offers: only assumptions and rates count.
    """
    return Project(window=Window(0, 1), cube=empty_cube(1))


def with_money(project: Project, words: argparse.Namespace, *, in_dollars: bool) -> tuple[Project, Currency]:
    """The project at the rates that the call states, and the currency that it is reported in.

    in_dollars: count in US dollars, as JSON documents have it; else in that currency. Errors: UsageError.
    """
    stated = money.with_exchange(money.recounted(project), option_values.parse_exchange(words.fx))
    reported = currency_from(option_values.reporting_currency(words.set) or stated.currency, stated.exchange)
    return money.counted_in(stated, USD if in_dollars else reported.code), reported


def in_money_of(project: Project, settings: Mapping[str, AssumptionValue]) -> dict[str, AssumptionValue]:
    """Settings of a call, whose amounts are US dollars, in the money of a project.

    Errors: UsageError where the rate that this needs is not stated.
    """
    answer = dict(settings)
    for name in money.OF_MONEY:
        value = answer.get(name)
        if value is None or project.currency == USD:
            continue
        into = exchange_between(USD, project.currency, project.exchange)
        if into is None:
            code = project.currency
            raise UsageError(
                f"--set {name}: it is in US dollars; state the rate too, as in --fx {code}=1.08@2026-10-01"
            )
        answer[name] = float(value) * float(into)
    return answer


ASKING: Final = phrases(
    "set|assign|change|ends|begins|planned|only|share|greenfield|price_case|notice_given|runs_on|accept|gap"
)
"""Options that ask a question of a plan."""
OF_PROVIDER: Final = "provider:"
"""What stands before the name of a provider where --ends could name a workload."""


def unasked(words: argparse.Namespace, project: Project) -> argparse.Namespace | None:
    """The words of a call without those that ask a question of its plan; None where it has none of them.

    Classes that it gives to work that no log has go with that work.
    """
    asked = [option for option in ASKING if getattr(words, option, None)]
    if not asked or (asked == ["set"] and not option_values.parse_settings(words.set)):
        return None
    keys = {workload.key for workload in project.workloads}
    nothing = {"greenfield": False, "price_case": None, "gap": None}
    left = copy(words)
    for option in asked:
        setattr(left, option, nothing.get(option, ()))
    left.label = [text for text in words.label if text.rpartition("=")[0] in keys]
    return left


def _taken(project: Project, offer_id: str) -> Project:
    """The project with a quote that is taken as quoted. Errors: UsageError where no offer is called so."""
    try:
        return money.take_as_quoted(project, offer_id)
    except PlannerError as error:
        waiting = [offer.offer_id for offer in project.offers if undecided(offer) is not None]
        names = ", ".join(map(repr, waiting)) or "none is"
        raise UsageError(
            f"--take {offer_id!r}: {error.what}; name one that is undecided ({names})"
        ) from error


def with_words(project: Project, words: argparse.Namespace) -> Project:
    """The project with what --scenario, --set, --assign, --label, --greenfield and the options of plans say.

    Errors: UsageError; PlannerError where a file cannot be read.
    """
    plan = _scenario(project, words.scenario)
    case = getattr(words, "price_case", None)
    dated = any(
        getattr(words, option, None)
        for option in phrases("ends|begins|planned|change|only|share|notice_given|runs_on|accept|gap")
    )
    if plan is None and (words.assign or getattr(words, "greenfield", False) or case is not None or dated):
        changing = "--assign, --greenfield, --price-case, --only, --share and dates"
        raise UsageError(f"{TODAY} is read only; name a plan with --scenario for {changing}")
    keys = {workload.key for workload in project.workloads}
    labels, pools = (
        option_values.parse_pools(words.label, "label"),
        option_values.parse_pools(words.assign, "assign"),
    )
    splits = {} if plan is None else plan.splits
    unlogged = {key: labels.pop(key) for key in [*labels] if key not in keys}
    settings = in_money_of(project, option_values.parse_settings(words.set))
    project = _with_interruptions(project, words)
    project = replace(
        project, labels={**project.labels, **labels}, assumptions=project.assumptions.with_values(settings)
    )
    project = _with_plan_from(project, getattr(words, "plan_from", None))
    project = _with_mappings(project, getattr(words, "map_model", ()))
    for offer_id in getattr(words, "take", ()):
        project = _taken(project, offer_id)
    project = _with_traffic(project, getattr(words, "traffic", ()))
    project = _with_budgets(project, getattr(words, "budgets", ()))
    project = _with_business(project, getattr(words, "business", ()))
    if plan is None:
        for key in unlogged:
            raise _no_workload(key)
        return project
    project, plan = _with_dates(project, plan, words)
    works = find.planned_keys(project, plan)
    for key, pool in unlogged.items():
        if key not in works:
            raise _no_workload(key)
        pools.setdefault(key, pool)  # of planned work the class is the pool
    for key in pools:
        if key not in works and whole_key(key, splits) not in keys:
            raise _no_workload(key)
    for key in works.intersection(pools):
        project = workloads.move_workloads(project, plan.name, (key,), pools.pop(key))
    plan = project.scenario(plan.name)
    named = {leaf: pool for key, pool in pools.items() for leaf in leaf_keys(key, splits)}
    with_them = {
        card: pool for leaf, pool in named.items() for card in with_those_merged((leaf,), plan.merges)
    }
    changed = replace(
        plan,
        pools={**plan.pools, **with_them, **named},  # what is named itself goes where it is said
        assumptions={name: value for name, value in plan.assumptions.items() if name not in settings},
        greenfield=plan.greenfield or getattr(words, "greenfield", False),
        price_case=plan.price_case if case is None else option_values.parse_price_case(case),
        is_gap_missing=plan.is_gap_missing
        if (gap := getattr(words, "gap", None)) is None
        else gap == "missing",
    )
    project = replace(
        project, scenarios=tuple(changed if scenario is plan else scenario for scenario in project.scenarios)
    )
    try:
        for statement in ("notice_given", "runs_on"):
            ids = getattr(words, statement, None) or ()
            project = plans.state_of_contracts(project, changed.name, statement, ids)
        for step in getattr(words, "accept", None) or ():
            project = plans.accept_saving(project, changed.name, step)
        project = _with_limits(project, changed.name, getattr(words, "only", ()))
        for who, share in map(option_values.parse_share, getattr(words, "share", ())):
            project = seller_limits.limit_share(project, changed.name, who, share)
        return project
    except PlannerError as error:
        raise _of_usage(error) from None


def _with_budgets(project: Project, paths: Sequence[str]) -> Project:
    """The project with the budgets of these files too, which are US dollars.

    Errors: UsageError where the rate that this needs is not stated; PlannerError where a file cannot be read.
    """
    if not paths:
        return project
    from gpuplanner.files.lists.budgets import BUDGETS

    read = BUDGETS.read_files(paths).or_refused()
    try:
        after = money.add_dollar_budgets(project, dict(read.values))
    except PlannerError as error:
        raise UsageError(
            f"--budgets: {error.what}; state it, as in --fx {project.currency}=1.08@2026-10-01"
        ) from None
    return replace(after, intake=(*project.intake, *read.intake))


def _with_business(project: Project, paths: Sequence[str]) -> Project:
    """The project with the business figures of these files too.

    Errors: PlannerError where a file cannot be read.
    """
    if not paths:
        return project
    from gpuplanner.files.lists.business_figures import BUSINESS

    read = BUSINESS.read_files(paths).or_refused()
    return replace(money.add_business(project, read.values), intake=(*project.intake, *read.intake))


def _no_workload(key: str) -> UsageError:
    """The message for a key that no workload has."""
    return UsageError(f"no workload {key!r} in this log; audit --json lists the keys")


def _with_plan_from(project: Project, text: str | None) -> Project:
    """The project whose plans begin on the day of --plan-from. Errors: UsageError for one inside the window."""
    if text is None:
        return project
    with as_usage_error(f"--plan-from {text!r}"):
        return plans.set_plan_from(project, option_values.parse_bound(text, "plan-from"))


def _with_dates(project: Project, plan: Scenario, words: argparse.Namespace) -> tuple[Project, Scenario]:
    """The project and its plan with what --planned, --begins, --ends and --change say. Errors: UsageError."""
    paths = getattr(words, "planned", ())
    try:
        if paths:
            from gpuplanner.files.lists.planned_work import import_planned

            read = import_planned([path for path in paths if not option_values.is_work(path)], words.timezone)
            if read.refused:
                raise read.refused[0]
            written = tuple(
                option_values.parse_work(text, words.timezone)
                for text in paths
                if option_values.is_work(text)
            )
            planned = dates.plan_work(project, plan.name, (*read.works, *written))
            project = respelled(replace(planned, intake=(*project.intake, *read.intake)), gpu_families())
        project = _with_spells(project, plan.name, words)
        for text in getattr(words, "change", ()):
            project = _with_change(project, plan.name, text)
    except PlannerError as error:
        raise _of_usage(error) from None
    return project, project.scenario(plan.name)


def _of_usage(error: PlannerError) -> PlannerError | UsageError:
    """What a call says wrong is a fault of usage; anything else stays what it is."""
    return UsageError(f"{error.where}: {error.what}; {error.remedy}") if error.code == "usage" else error


def _with_spells(project: Project, plan: str, words: argparse.Namespace) -> Project:
    """Both dates of a workload may be given, in either order; of a team first, so that a workload's own count."""
    given: dict[str, dict[str, int]] = {}
    for option in ("begins", "ends"):
        for text in getattr(words, option, ()):
            named, equals, day = text.rpartition("=")
            if not equals or not named:
                raise UsageError(f"--{option} {text!r}: write KEY=DATE; audit --json lists the keys")
            if option == "ends" and named.startswith(OF_PROVIDER):
                project = plans.end_provider(
                    project, plan, named.removeprefix(OF_PROVIDER), option_values.parse_bound(day, option)
                )
                continue
            team = teams.team_meant(project, project.scenario(plan), named) if option == "ends" else None
            if team is not None:
                project = teams.stop_team(project, plan, team, option_values.parse_bound(day, option))
                continue
            for key in _keys_meant(project, plan, named):
                given.setdefault(key, {})[option] = option_values.parse_bound(day, option)
    planned = {work.key: work for work in project.scenario(plan).planned}
    for key, bounds in given.items():
        own = planned.get(key) or project.scenario(plan).spells.get(key, NO_SPELL)
        begins_s, ends_s = bounds.get("begins", own.begins_s), bounds.get("ends", own.ends_s)
        project = dates.date_workloads(project, plan, (key,), begins_s, ends_s)
    return project


def _keys_meant(project: Project, plan: str, text: str) -> tuple[str, ...]:
    """The workloads of KEY, team:NAME or pool:NAME. Errors: PlannerError where there is no such team or pool."""

    def pools() -> dict[str, Pool]:
        scenario, works = project.scenario(plan), find.planned_keys(project, project.scenario(plan))
        found = classify(project.workloads, project.cube, project.labels, read_tables(), project.rules)
        stands = pools_in(project, scenario, found)
        logged = {one.key: pool for one, pool in zip(project.workloads, stands, strict=True)}
        return logged | {work.key: work.pool for work in scenario.planned if work.key in works}

    return teams.keys_meant(project, project.scenario(plan), text, pools)


def _with_limits(project: Project, plan: str, texts: Sequence[str]) -> Project:
    """A provider and a region of one workload hold together; of two that name a provider the last."""
    said: dict[str, Only] = {}
    for text in texts:
        named, only = option_values.parse_only(text)
        for key in _keys_meant(project, plan, named):
            said[key] = both_of(said.get(key, ANYBODY), only)
    for key, only in said.items():
        project = seller_limits.limit_workloads(project, plan, (key,), only)
    return project


def _with_change(project: Project, plan: str, text: str) -> Project:
    """The project with one step more, of demand or of prices. Errors: UsageError."""

    def classes() -> dict[str, Pool]:
        found = classify(project.workloads, project.cube, project.labels, read_tables(), project.rules)
        return {one.key: of.pool for one, of in zip(project.workloads, found, strict=True)}

    with as_usage_error(f"--change {text!r}"):
        change = dates.read_change(text, project.plan_window.end_s, dates.year_starts(project, plan))
        return dates.with_change(project, plan, change, classes, gpu_families())


def _with_interruptions(project: Project, words: argparse.Namespace) -> Project:
    """The project with what --interruptions observed as its assumption. Errors: PlannerError of a refused file."""
    paths = getattr(words, "interruptions", ())
    if not paths:
        return project
    from gpuplanner.files.lists.interruptions import import_interruptions

    read = import_interruptions(paths, words.timezone)
    if read.refused:
        raise read.refused[0]
    intake = (*(file for file in project.intake if file.kind != INTERRUPTIONS_KIND), *read.intake)
    return replace(project, intake=intake, assumptions=with_observed(project.assumptions, read.intake))


def _with_mappings(project: Project, texts: Sequence[str]) -> Project:
    """The project with what --map-model says. Errors: UsageError where a model is unknown or a ratio out of range."""
    for model, other, ratio, pool in option_values.parse_mappings(texts):
        with as_usage_error(f"--map-model {model}={other}:{ratio:g}"):
            offered = {offer.gpu_model for offer in project.offers}
            wanted = _known_as(model, model_mappings.demand_models(project))
            project = model_mappings.set_mapping(project, wanted, _known_as(other, offered), ratio, pool)
    return project


def _known_as(name: str, known: Collection[str]) -> str:
    """A GPU model as the project calls it, however it is written; the name itself where nothing there is of it."""
    return dates.known_model(name, known, gpu_families()) or name


def _with_traffic(project: Project, texts: Sequence[str]) -> Project:
    """The project with the tokens of endpoints. Errors: UsageError; PlannerError where a file cannot be read."""
    from gpuplanner.files.lists.traffic_tables import read_traffic

    keys = {workload.key for workload in project.workloads}
    for text in texts:
        cuts = [at for at, letter in enumerate(text) if letter == "=" and text[:at] in keys]
        if not cuts:
            raise UsageError(f"--traffic {text!r}: write KEY=FILE; audit --json lists the keys")
        traffic, intake = read_traffic(text[cuts[-1] + 1 :])
        project = replace(
            endpoints.set_traffic(project, text[: cuts[-1]], traffic), intake=(*project.intake, intake)
        )
    return project


def _scenario(project: Project, name: str | None) -> Scenario | None:
    """The plan of that name, the first without one; None for Today, which is no plan of the project."""
    if name is None:
        return project.scenarios[0]
    for scenario in project.scenarios:
        if scenario.name == name:
            return scenario
    if name == TODAY:
        return None
    raise UsageError(
        f"no plan {name!r}; there are "
        + ", ".join(repr(title) for title in (TODAY, *(plan.name for plan in project.scenarios)))
    )
