"""Edits of the small plan of `worlds`: what each changes and how it is called; and dated changes in words."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any, Final

from gpuplanner.domain.edits import dates, find, inputs, labels, money, plans, workloads
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.plan_inputs import PlannedWork, ShareSplit, Spell, TimeSplit
from gpuplanner.domain.model.project import BusinessFigure, Project
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import gpu_families
from tests.domain.edits import two_workloads
from tests.golden.tables import Table
from tests.shown import refusal, shown_changes

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
    project = workloads.set_note(project, FIRST, "keep")
    project = workloads.limit_workloads(project, PLAN, (FIRST,), Only("Ada"))
    project = inputs.add_rules(project, RULES[:2])
    project = money.add_budgets(project, {"team": 500.0})
    return dates.change_prices(
        project, PLAN, (dates.plan_inputs.PriceChange("H100", 0.8, BEGINS_S + 31 * DAY_S),)
    )


def divided(project: Project) -> Project:
    """Return the project with the second workload in two parts, one of which bursts."""
    return workloads.split_workload(project, PLAN, SECOND, ShareSplit(250), Pool.BURST)


def _edits() -> Mapping[str, Edit]:
    """Return edits by name; each takes the project."""
    day = BEGINS_S + 40 * DAY_S
    keys, parts = (FIRST, SECOND), (f"{SECOND}#1", f"{SECOND}#2")
    offer = replace(base().offers[0], offer_id="new", rate_usd_per_gpu_hour=Decimal("3.3"))
    held = replace(base().contracts[0], contract_id="K9", milli_gpus=2000)
    return {
        "move": lambda of: workloads.move_workloads(of, PLAN, keys, Pool.BURST),
        "move nobody": lambda of: workloads.move_workloads(of, PLAN, ("nobody",), Pool.BURST),
        "label": lambda of: workloads.label_workloads(of, keys, Pool.INFERENCE),
        "take label back": lambda of: workloads.label_workloads(of, keys, None),
        "need": lambda of: workloads.set_need(of, keys, "memory_gb_per_gpu", 80.0),
        "pin": lambda of: workloads.pin_workloads(of, PLAN, keys),
        "unpin": lambda of: workloads.unpin_workloads(of, PLAN, keys),
        "limit": lambda of: workloads.limit_workloads(of, PLAN, keys, Only("bo")),
        "limit to nobody": lambda of: workloads.limit_workloads(of, PLAN, keys, Only("nobody")),
        "take limit back": lambda of: workloads.limit_workloads(of, PLAN, keys, Only()),
        "share": lambda of: workloads.limit_share(of, PLAN, Only("ada"), 0.4),
        "share of all": lambda of: workloads.limit_share(of, PLAN, Only("ada"), 1.0),
        "share over all": lambda of: workloads.limit_share(of, PLAN, Only("ada"), 1.5),
        "split": lambda of: workloads.split_workload(of, PLAN, FIRST, TimeSplit(day), Pool.INFERENCE),
        "split again": lambda of: workloads.split_workload(divided(of), PLAN, SECOND, ShareSplit(500)),
        "split a part": lambda of: workloads.split_workload(divided(of), PLAN, parts[0], ShareSplit(500)),
        "split off all": lambda of: workloads.split_workload(of, PLAN, FIRST, ShareSplit(1000)),
        "merge parts": lambda of: workloads.merge_parts(divided(of), PLAN, parts),
        "move a part": lambda of: workloads.move_workloads(divided(of), PLAN, parts[1:], Pool.TRAINING),
        "pin parts": lambda of: workloads.pin_workloads(divided(of), PLAN, parts),
        "divide": divided,
        "merge others": lambda of: workloads.merge_parts(of, PLAN, keys),
        "note": lambda of: workloads.set_note(of, FIRST, " new note "),
        "no note": lambda of: workloads.set_note(of, FIRST, "  "),
        "long note": lambda of: workloads.set_note(of, FIRST, "x" * 2001),
        "merge cards": lambda of: workloads.merge_cards(of, PLAN, keys, "both", Pool.TRAINING),
        "merge one card": lambda of: workloads.merge_cards(of, PLAN, (FIRST,), "both", Pool.TRAINING),
        "take apart": lambda of: workloads.take_apart(
            workloads.merge_cards(of, PLAN, keys, "both", Pool.TRAINING), PLAN, (FIRST,)
        ),
        "stop team": lambda of: workloads.stop_team(of, PLAN, "ops", day),
        "stop nobody": lambda of: workloads.stop_team(of, PLAN, "nobody"),
        "dates": lambda of: dates.date_workloads(of, PLAN, keys, BEGINS_S, day),
        "no dates": lambda of: dates.date_workloads(of, PLAN, keys, None, None),
        "dates of planned": lambda of: dates.date_workloads(of, PLAN, (NEW.key,), day, None),
        "end of planned": lambda of: dates.date_workloads(of, PLAN, (NEW.key,), None, day),
        "end": lambda of: dates.end_workloads(of, PLAN, keys, day),
        "begin": lambda of: dates.begin_workloads(of, PLAN, keys, day),
        "begin after the end": lambda of: dates.dated(of, PLAN, {FIRST: Spell(day, day)}),
        "stop": lambda of: dates.stop_workloads(of, PLAN, keys),
        "bring back": lambda of: dates.bring_back(dates.stop_workloads(of, PLAN, keys), PLAN, (FIRST,)),
        "plan work": lambda of: dates.plan_work(of, PLAN, (replace(NEW, name="more"),)),
        "plan it again": lambda of: dates.plan_work(of, PLAN, (NEW,)),
        "change planned": lambda of: dates.change_planned(of, PLAN, NEW.key, replace(NEW, gpus=8.0)),
        "drop planned": lambda of: dates.drop_planned(of, PLAN, (NEW.key, "nobody")),
        "contract": lambda of: inputs.change_contract(of, "K1", {"milli_gpus": 6000, "notice_days": 30}),
        "contract of nobody": lambda of: inputs.change_contract(of, "K7", {"milli_gpus": 6000}),
        "add contracts": lambda of: inputs.add_contracts(of, (held,)),
        "replace contracts": lambda of: inputs.replace_contracts(of, (held, of.contracts[0])),
        "add offers": lambda of: inputs.add_offers(of, (offer,)),
        "replace offers": lambda of: inputs.replace_offers(of, (offer, of.offers[1])),
        "title": lambda of: inputs.set_title(of, " Title "),
        "same": lambda of: inputs.say_same(of, (Same(SameKind.MODEL, "h100 pcie", "H100"),)),
        "mapping": lambda of: inputs.set_mapping(of, "a100", "h100", 2.0),
        "mapping of itself": lambda of: inputs.set_mapping(of, "H100", "H100", 2.0),
        "rule": lambda of: inputs.add_rule(of, RULES[2]),
        "rule again": lambda of: inputs.add_rule(of, replace(RULES[0], pool=Pool.TRAINING)),
        "rules": lambda of: inputs.replace_rules(of, RULES[1:]),
        "move rule down": lambda of: inputs.move_rule(of, "load", 1),
        "move rule too far": lambda of: inputs.move_rule(of, "load", -1),
        "remove rule": lambda of: inputs.remove_rule(of, "eval"),
        "exchange": lambda of: money.with_exchange(of, (ExchangeRate("EUR", Decimal("1.1"), "2026-01-01"),)),
        "report in euros": lambda of: money.report_in(
            money.with_exchange(of, (ExchangeRate("EUR", Decimal("1.25"), "2026-01-01"),)), "EUR"
        ),
        "report in krona": lambda of: money.report_in(of, "SEK"),
        "forget exchange": lambda of: money.forget_exchange(of, "EUR"),
        "add offer": lambda of: money.add_offer(of, offer),
        "add offer again": lambda of: money.add_offer(of, of.offers[0]),
        "change offer": lambda of: money.change_offer(of, "y1", "max_gpus", 64),
        "change offer badly": lambda of: money.change_offer(of, "y1", "max_gpus", -1),
        "duplicate offer": lambda of: money.duplicate_offer(money.duplicate_offer(of, "y1"), "y1"),
        "remove offer": lambda of: money.remove_offer(of, "y1"),
        "budget": lambda of: money.set_budget(of, "ops", 900.0),
        "no budget": lambda of: money.set_budget(of, "team", None),
        "budgets": lambda of: money.add_dollar_budgets(of, {"ops": 10.0}),
        "business": lambda of: money.add_business(of, (BusinessFigure("orders", "2026-01", 5.0),)),
        "plan": lambda of: plans.add_plan(of, "Plan B"),
        "duplicate plan": lambda of: plans.duplicate_plan(of, PLAN),
        "rename plan": lambda of: plans.rename_plan(of, PLAN, "Other"),
        "rename as today": lambda of: plans.rename_plan(of, PLAN, "Today"),
        "delete plan": lambda of: plans.delete_plan(plans.add_plan(of, "Plan B"), "Plan B"),
        "shift plan": lambda of: plans.shift_plan(plans.add_plan(of, "Plan B"), PLAN, 1),
        "assumption": lambda of: plans.set_assumption(of, PLAN, "wacc", 0.2),
        "assumption of all": lambda of: plans.set_assumption(of, None, "wacc", 0.2),
        "assumption out of range": lambda of: plans.set_assumption(of, PLAN, "wacc", -3.0),
        "price case": lambda of: plans.set_price_case(of, PLAN, PriceCase.LOW),
        "plan from": lambda of: plans.set_plan_from(of, day),
        "greenfield": lambda of: plans.set_greenfield(of, PLAN, True),
        "accept saving": lambda of: plans.accept_saving(of, PLAN, "right_size"),
        "end provider": lambda of: plans.end_provider(of, PLAN, "ada", day),
        "gap missing": lambda of: plans.set_gap_missing(of, PLAN, True),
        "decision": lambda of: plans.add_decision(of, PLAN, day, "signed", "cheap"),
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
        "team ops": lambda: workloads.team_meant(project, plan, "OPS"),
        "team of nobody": lambda: workloads.team_meant(project, plan, "nobody"),
        "cards": lambda: find.cards_of(project, plan, (FIRST, SECOND)),
        "one called": lambda: find.workloads_called(project, (FIRST,)),
        "several called": lambda: find.workloads_called(project, (FIRST, SECOND)),
        "planned": lambda: find.planned_keys(project, plan),
        "whole": lambda: workloads.whole_keys(plan, (f"{SECOND}#1", FIRST)),
        "decided": lambda: workloads.decided_keys(project),
        "next name": lambda: plans.next_plan_name(project),
        "free name": lambda: plans.free_plan_name(project, PLAN),
        "copied offer": lambda: money.copied_offer_id(project, "y1"),
        "models": lambda: inputs.demand_models(project),
        "wacc of euros": lambda: money.default_in_money(
            SPEC_BY_NAME["wacc"], replace(project, currency="EUR")
        ),
        "year starts": lambda: dates.year_starts(project, PLAN),
        "label of two moved": lambda: labels.move_label(project, (FIRST, SECOND), Pool.BURST),
        "label of a stop": lambda: labels.stop_label(project, (FIRST,), BEGINS_S),
    }
    return "\n".join(f"{name}: {refusal(call)}" for name, call in asked.items())


TABLES: Final = {
    "edits.txt": Table(text_of=edit_lines, cases=("the small plan",)),
    "changes.txt": Table(text_of=change_lines, cases=("dated changes in words",)),
    "days.txt": Table(text_of=day_lines, cases=("days in words",)),
    "meant.txt": Table(text_of=meant_lines, cases=("whom names mean",)),
}
