"""Edits of the small plan of `worlds`: what each changes and how it is called; and dated changes in words."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any, Final

from gpuplanner.domain.edits import (
    cards,
    class_rules,
    contracts,
    dates,
    find,
    inputs,
    labels,
    model_mappings,
    money,
    needs,
    offers,
    plans,
    same_names,
    seller_limits,
    successors,
    teams,
    workloads,
)
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import ShareSplit, TimeSplit
from gpuplanner.domain.model.project import BusinessFigure, Project
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import gpu_families
from tests.domain.edits import two_workloads
from tests.golden.tables import Table
from tests.shown import refusal, refusal_lines, shown_changes

FOLDER: Final = "tables_edits"
PLAN: Final = two_workloads.PLAN
FIRST: Final = two_workloads.TRAINS
SECOND: Final = two_workloads.SERVES
BEGINS_S: Final = two_workloads.PLAN_S
NEW: Final = PlannedWork(
    name="new", pool=Pool.TRAINING, gpu_model="H100", gpus=4.0, cluster="c1", team="ops", length_hours=50
)
RULES: Final = tuple(
    ClassRule(
        rule_id=name, field="name", pattern=name, pool=Pool.BURST, subtype="", confidence=0.97, reason=""
    )
    for name in ("load", "eval", "batch")
)
Edit = Callable[[Project], Project]


@cache
def base() -> Project:
    """The small plan with planned work, a pin, a note, a limit, rules, a budget and a change of prices."""
    project = two_workloads.project()
    project = replace(project, workloads=(project.workloads[0], replace(project.workloads[1], owner="ops")))
    project = dates.plan_work(project, PLAN, (NEW,))
    project = workloads.pin_workloads(project, PLAN, (SECOND,))
    project = cards.set_note(project, FIRST, "keep")
    project = seller_limits.limit_workloads(project, PLAN, (FIRST,), Only("Ada"))
    project = class_rules.add_rules(project, RULES[:2])
    project = money.add_budgets(project, {"team": 500.0})
    return dates.change_prices(project, PLAN, (PriceChange("H100", 0.8, BEGINS_S + 31 * DAY_S),))


def divided(project: Project) -> Project:
    """Return the project with the second workload in two parts, one of which bursts."""
    return cards.split_workload(project, PLAN, SECOND, ShareSplit(250), Pool.BURST)


def _edits() -> Mapping[str, Edit]:
    """Return edits by name; each takes the project."""
    day = BEGINS_S + 40 * DAY_S
    keys, parts = (FIRST, SECOND), (f"{SECOND}#1", f"{SECOND}#2")
    offer = replace(base().offers[0], offer_id="new", rate_usd_per_gpu_hour=Decimal("3.3"))
    held = replace(base().contracts[0], contract_id="K9", milli_gpus=2000)
    return {
        "move": lambda project: workloads.move_workloads(project, PLAN, keys, Pool.BURST),
        "move nobody": lambda project: workloads.move_workloads(project, PLAN, ("nobody",), Pool.BURST),
        "label": lambda project: workloads.label_workloads(project, keys, Pool.INFERENCE),
        "take label back": lambda project: workloads.label_workloads(project, keys, None),
        "need": lambda project: needs.set_need(project, keys, "memory_gb_per_gpu", 80.0),
        "pin": lambda project: workloads.pin_workloads(project, PLAN, keys),
        "unpin": lambda project: workloads.unpin_workloads(project, PLAN, keys),
        "limit": lambda project: seller_limits.limit_workloads(project, PLAN, keys, Only("bo")),
        "limit to nobody": lambda project: seller_limits.limit_workloads(project, PLAN, keys, Only("nobody")),
        "take limit back": lambda project: seller_limits.limit_workloads(project, PLAN, keys, Only()),
        "share": lambda project: seller_limits.limit_share(project, PLAN, Only("ada"), 0.4),
        "share of all": lambda project: seller_limits.limit_share(project, PLAN, Only("ada"), 1.0),
        "share over all": lambda project: seller_limits.limit_share(project, PLAN, Only("ada"), 1.5),
        "split": lambda project: cards.split_workload(project, PLAN, FIRST, TimeSplit(day), Pool.INFERENCE),
        "split again": lambda project: cards.split_workload(divided(project), PLAN, SECOND, ShareSplit(500)),
        "split a part": lambda project: cards.split_workload(
            divided(project), PLAN, parts[0], ShareSplit(500)
        ),
        "split off all": lambda project: cards.split_workload(project, PLAN, FIRST, ShareSplit(1000)),
        "merge parts": lambda project: cards.merge_parts(divided(project), PLAN, parts),
        "move a part": lambda project: workloads.move_workloads(
            divided(project), PLAN, parts[1:], Pool.TRAINING
        ),
        "pin parts": lambda project: workloads.pin_workloads(divided(project), PLAN, parts),
        "divide": divided,
        "merge others": lambda project: cards.merge_parts(project, PLAN, keys),
        "note": lambda project: cards.set_note(project, FIRST, " new note "),
        "no note": lambda project: cards.set_note(project, FIRST, "  "),
        "long note": lambda project: cards.set_note(project, FIRST, "x" * 2001),
        "merge cards": lambda project: cards.merge_cards(project, PLAN, keys, "both", Pool.TRAINING),
        "merge one card": lambda project: cards.merge_cards(project, PLAN, (FIRST,), "both", Pool.TRAINING),
        "take apart": lambda project: cards.take_apart(
            cards.merge_cards(project, PLAN, keys, "both", Pool.TRAINING), PLAN, (FIRST,)
        ),
        "stop team": lambda project: teams.stop_team(project, PLAN, "ops", day),
        "stop nobody": lambda project: teams.stop_team(project, PLAN, "nobody"),
        "dates": lambda project: dates.date_workloads(project, PLAN, keys, BEGINS_S, day),
        "no dates": lambda project: dates.date_workloads(project, PLAN, keys, None, None),
        "dates of planned": lambda project: dates.date_workloads(project, PLAN, (NEW.key,), day, None),
        "end of planned": lambda project: dates.date_workloads(project, PLAN, (NEW.key,), None, day),
        "end": lambda project: dates.end_workloads(project, PLAN, keys, day),
        "begin": lambda project: dates.begin_workloads(project, PLAN, keys, day),
        "begin after the end": lambda project: dates.dated(project, PLAN, {FIRST: Spell(day, day)}),
        "stop": lambda project: dates.stop_workloads(project, PLAN, keys),
        "bring back": lambda project: dates.bring_back(
            dates.stop_workloads(project, PLAN, keys), PLAN, (FIRST,)
        ),
        "plan work": lambda project: dates.plan_work(project, PLAN, (replace(NEW, name="more"),)),
        "plan it again": lambda project: dates.plan_work(project, PLAN, (NEW,)),
        "change planned": lambda project: dates.change_planned(
            project, PLAN, NEW.key, replace(NEW, gpus=8.0)
        ),
        "drop planned": lambda project: dates.drop_planned(project, PLAN, (NEW.key, "nobody")),
        "contract": lambda project: contracts.change_contract(
            project, "K1", {"milli_gpus": 6000, "notice_days": 30}
        ),
        "contract of nobody": lambda project: contracts.change_contract(project, "K7", {"milli_gpus": 6000}),
        "add contracts": lambda project: contracts.add_contracts(project, (held,)),
        "replace contracts": lambda project: contracts.replace_contracts(
            project, (held, project.contracts[0])
        ),
        "add offers": lambda project: offers.add_offers(project, (offer,)),
        "replace offers": lambda project: offers.replace_offers(project, (offer, project.offers[1])),
        "title": lambda project: inputs.set_title(project, " Title "),
        "same": lambda project: same_names.say_same(project, (Same(SameKind.MODEL, "h100 pcie", "H100"),)),
        "mapping": lambda project: model_mappings.set_mapping(project, "a100", "h100", 2.0),
        "mapping of itself": lambda project: model_mappings.set_mapping(project, "H100", "H100", 2.0),
        "rule": lambda project: class_rules.add_rule(project, RULES[2]),
        "rule again": lambda project: class_rules.add_rule(project, replace(RULES[0], pool=Pool.TRAINING)),
        "rules": lambda project: class_rules.replace_rules(project, RULES[1:]),
        "move rule down": lambda project: class_rules.move_rule(project, "load", 1),
        "move rule too far": lambda project: class_rules.move_rule(project, "load", -1),
        "remove rule": lambda project: class_rules.remove_rule(project, "eval"),
        "exchange": lambda project: money.with_exchange(
            project, (ExchangeRate("EUR", Decimal("1.1"), "2026-01-01"),)
        ),
        "report in euros": lambda project: money.report_in(
            money.with_exchange(project, (ExchangeRate("EUR", Decimal("1.25"), "2026-01-01"),)), "EUR"
        ),
        "report in krona": lambda project: money.report_in(project, "SEK"),
        "forget exchange": lambda project: money.forget_exchange(project, "EUR"),
        "add offer": lambda project: money.add_offer(project, offer),
        "add offer again": lambda project: money.add_offer(project, project.offers[0]),
        "change offer": lambda project: money.change_offer(project, "y1", "max_gpus", 64),
        "change offer badly": lambda project: money.change_offer(project, "y1", "max_gpus", -1),
        "duplicate offer": lambda project: money.duplicate_offer(money.duplicate_offer(project, "y1"), "y1"),
        "remove offer": lambda project: money.remove_offer(project, "y1"),
        "budget": lambda project: money.set_budget(project, "ops", 900.0),
        "no budget": lambda project: money.set_budget(project, "team", None),
        "budgets": lambda project: money.add_dollar_budgets(project, {"ops": 10.0}),
        "business": lambda project: money.add_business(project, (BusinessFigure("orders", "2026-01", 5.0),)),
        "plan": lambda project: plans.add_plan(project, "Plan B"),
        "duplicate plan": lambda project: plans.duplicate_plan(project, PLAN),
        "rename plan": lambda project: plans.rename_plan(project, PLAN, "Other"),
        "rename as today": lambda project: plans.rename_plan(project, PLAN, "Today"),
        "delete plan": lambda project: plans.delete_plan(plans.add_plan(project, "Plan B"), "Plan B"),
        "shift plan": lambda project: plans.shift_plan(plans.add_plan(project, "Plan B"), PLAN, 1),
        "assumption": lambda project: plans.set_assumption(project, PLAN, "wacc", 0.2),
        "assumption of all": lambda project: plans.set_assumption(project, None, "wacc", 0.2),
        "assumption out of range": lambda project: plans.set_assumption(project, PLAN, "wacc", -3.0),
        "price case": lambda project: plans.set_price_case(project, PLAN, PriceCase.LOW),
        "plan from": lambda project: plans.set_plan_from(project, day),
        "greenfield": lambda project: plans.set_greenfield(project, PLAN, True),
        "accept saving": lambda project: plans.accept_saving(project, PLAN, "right_size"),
        "end provider": lambda project: plans.end_provider(project, PLAN, "ada", day),
        "gap missing": lambda project: plans.set_gap_missing(project, PLAN, True),
        "decision": lambda project: plans.add_decision(project, PLAN, day, "signed", "cheap"),
    }


def edit_lines(_: str) -> str:
    """Return what each edit changes; `the same` where it returns its argument."""
    project = base()
    lines = []
    for name, edit in _edits().items():
        try:
            after = edit(project)
        except (PlannerError, KeyError) as error:
            lines.append(f"{name}: refused, {getattr(error, 'code', 'unknown')}")
            continue
        changes = "the same" if after is project else shown_changes(project, after)
        lines.append(f"{name}: " + changes.replace("\n", "\n  "))
    return "\n".join(lines)


CHANGES: Final = (
    "inference x2 by 2027-03",
    "H100 -20% by May",
    "demand:all=2@2026-12-01",
    "training doubles by next quarter",
    "burst halves",
    "H100 prices fall 20% from 2026-06-01",
    "prices +15%",
    "prices of all +15%",
    "price:H100 x0.5",
    "team:team +10% from 1 June",
    "team ops grows 20% a month",
    "team ops x3 within 2 months",
    "load-000 x1.5 from 3rd of March 2026",
    "load-000 goes up half by friday",
    "everything triples on 2026-02-01",
    "a100s -10%",
    "nobody x2",
    "price:nobody x2",
    "H100 = 0",
    "H100 = 1001 ",
    "all x1001",
    "demand +5% by q3",
    "demand +5% by q1 2027",
    "inference traffic rises by 30 percent by next year",
    "the training pool shrinks 5%",
    "H100 price = 0.9 @ 2026-04-01",
    "demand: inference −25% from next week",
    "new x2",
    "all grows",
    "x2",
    "all x2 by soon",
    "H100 prices quadruple",
)
DAYS: Final = (
    "2026-05-01",
    "2026-05-01 06:00",
    "2026-05",
    "May",
    "January",
    "5 May",
    "May 5",
    "May 5, 2027",
    "1st of June",
    "31 February",
    "next month",
    "next quarter",
    "next year",
    "next week",
    "monday",
    "friday",
    "in 3 months",
    "10 days",
    "2 weeks from now",
    "in 1 year",
    "q1",
    "q4 2026",
    "q2 2027",
    "soon",
    "",
    "2026-05-01T06:30",
)


def change_lines(_: str) -> str:
    """Return how dated changes in words are read, and what they change in the plan."""
    project, families = base(), gpu_families()
    classes = {FIRST: Pool.TRAINING, SECOND: Pool.INFERENCE}
    lines = []
    for text in CHANGES:
        lines.append(f"{text!r}: {refusal(lambda text=text: dates.read_change(text, BEGINS_S, 4))}")
        try:
            change = dates.read_change(text, BEGINS_S, 4)
            after = dates.with_change(project, PLAN, change, lambda: classes, families)
        except PlannerError as error:
            lines.append(f"  refused, {error.code} {error.where}")
            continue
        lines.append("  " + shown_changes(project, after).replace("\n", "\n  "))
    return "\n".join(lines)


def day_lines(_: str) -> str:
    """Return the moment of each day in words, for fiscal years that start in January and in April."""
    return "\n".join(
        f"{text!r}: {refusal(lambda text=text: dates.read_day_s(text, BEGINS_S + 17 * DAY_S))}, "
        f"{refusal(lambda text=text: dates.read_day_s(text, BEGINS_S + 17 * DAY_S, 4))}"
        for text in DAYS
    )


def meant_lines(_: str) -> str:
    """Return whom names mean: teams, workloads, cards."""
    project = base()
    plan = project.scenario(PLAN)
    asked: Mapping[str, Callable[[], Any]] = {
        "teams": lambda: find.teams_of(project, plan),
        "team ops": lambda: teams.team_meant(project, plan, "OPS"),
        "team of nobody": lambda: teams.team_meant(project, plan, "nobody"),
        "cards": lambda: find.cards_of(project, plan, (FIRST, SECOND)),
        "one called": lambda: find.workloads_called(project, (FIRST,)),
        "several called": lambda: find.workloads_called(project, (FIRST, SECOND)),
        "planned": lambda: find.planned_keys(project, plan),
        "whole": lambda: cards.whole_keys(plan, (f"{SECOND}#1", FIRST)),
        "decided": lambda: successors.decided_keys(project),
        "next name": lambda: plans.next_plan_name(project),
        "free name": lambda: plans.free_plan_name(project, PLAN),
        "copied offer": lambda: money.copied_offer_id(project, "y1"),
        "models": lambda: model_mappings.demand_models(project),
        "wacc of euros": lambda: money.default_in_money(
            SPEC_BY_NAME["wacc"], replace(project, currency="EUR")
        ),
        "year starts": lambda: dates.year_starts(project, PLAN),
        "label of two moved": lambda: labels.move_label(project, (FIRST, SECOND), Pool.BURST),
        "label of a stop": lambda: labels.stop_label(project, (FIRST,), BEGINS_S),
    }
    return refusal_lines(asked.items())


TABLES: Final = {
    "edits.txt": Table(text_of=edit_lines, cases=("the small plan",)),
    "changes.txt": Table(text_of=change_lines, cases=("dated changes in words",)),
    "days.txt": Table(text_of=day_lines, cases=("days in words",)),
    "meant.txt": Table(text_of=meant_lines, cases=("whom names mean",)),
}
