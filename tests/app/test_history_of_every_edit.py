"""Every edit that there is has a name in the history, and is undone and done again to the bit."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from gpuplanner.app.document import Document
from gpuplanner.domain import edits
from gpuplanner.domain.edits import (
    cards,
    contracts,
    dates,
    inputs,
    labels,
    money,
    needs,
    offers,
    plans,
    seller_limits,
    teams,
    training_runs,
    workloads,
)
from gpuplanner.domain.model.assumptions import ASSUMPTIONS, AssumptionSpec, AssumptionValue
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.trained import StatedRun, TrainedModel
from tests.app.test_random_walk import loaded

A, B = "Plan A", "Plan B"
KEYS = tuple(workload.key for workload in loaded().workloads)
EURO = ExchangeRate("EUR", Decimal("1.08"), "2026-10-01")
RUN = StatedRun(model=TrainedModel(name="m", parameters=8e9, active=8e9), tokens=1e12)
PLANNED = PlannedWork(name="batch", pool=Pool.BURST, gpu_model="H100", gpus=4.0)
Step = tuple[Callable[[Project], str], Callable[[Project], Project]]

STEPS: dict[str, Step] = {
    "import": (
        lambda p: labels.import_label(["contracts.csv"]),
        lambda p: inputs.import_inputs(p, contracts=p.contracts[:1]),
    ),
    "move": (
        lambda p: labels.move_label(p, KEYS[:2], Pool.INFERENCE),
        lambda p: workloads.move_workloads(p, A, KEYS[:2], Pool.INFERENCE),
    ),
    "label": (
        lambda p: labels.label_label(p, KEYS[:1], Pool.TRAINING),
        lambda p: workloads.label_workloads(p, KEYS[:1], Pool.TRAINING),
    ),
    "pin": (lambda p: labels.pin_label(p, KEYS[:1]), lambda p: workloads.pin_workloads(p, A, KEYS[:1])),
    "unpin": (lambda p: labels.unpin_label(p, KEYS[:1]), lambda p: workloads.unpin_workloads(p, A, KEYS[:1])),
    "split": (
        lambda p: labels.split_label(p, KEYS[0]),
        lambda p: cards.split_workload(p, A, KEYS[0], ShareSplit(300), Pool.BURST),
    ),
    "merge cards": (
        lambda p: labels.merge_cards_label("Night", 2),
        lambda p: cards.merge_cards(p, A, (f"{KEYS[0]}#2", KEYS[4]), "Night", Pool.BURST),
    ),
    "take apart": (
        lambda p: labels.take_apart_label("Night"),
        lambda p: cards.take_apart(p, A, (KEYS[4],)),
    ),
    "merge parts": (
        lambda p: labels.merge_label(p, KEYS[:1]),
        lambda p: cards.merge_parts(p, A, (f"{KEYS[0]}#1",)),
    ),
    "budget": (
        lambda p: labels.budget_label("ann", 500.0),
        lambda p: money.set_budget(p, "ann", 500.0),
    ),
    "budgets": (
        lambda p: labels.budgets_label(2),
        lambda p: money.add_budgets(p, {"ann": 600.0, "lab": 40.0}),
    ),
    "budgets in dollars": (
        lambda p: labels.budgets_label(1),
        lambda p: money.add_dollar_budgets(p, {"lab": 90.0}),
    ),
    "business": (
        lambda p: labels.business_label(1),
        lambda p: money.add_business(p, (BusinessFigure("orders", "2026-08", 5.0),)),
    ),
    "run": (lambda p: labels.run_label(RUN), lambda p: training_runs.state_run(p, 0, RUN)),
    "run dropped": (
        lambda p: labels.run_label(RUN, is_dropped=True),
        lambda p: training_runs.drop_run(p, 0),
    ),
    "note": (lambda p: labels.note_label(p, KEYS[1], "ends"), lambda p: cards.set_note(p, KEYS[1], "ends")),
    "dates": (
        lambda p: labels.dates_label(p, KEYS[:1]),
        lambda p: dates.date_workloads(p, A, KEYS[:1], p.window.end_s + 3600, None),
    ),
    "stop": (lambda p: labels.stop_label(p, KEYS[1:2]), lambda p: dates.stop_workloads(p, A, KEYS[1:2])),
    "stop a team": (
        lambda p: labels.stop_team_label(p, p.workloads[0].owner),
        lambda p: teams.stop_team(p, A, p.workloads[0].owner),
    ),
    "end": (
        lambda p: labels.ends_label(p, KEYS[2:3], p.window.end_s + 86_400),
        lambda p: dates.end_workloads(p, A, KEYS[2:3], p.window.end_s + 86_400),
    ),
    "begin": (
        lambda p: labels.begins_label(p, KEYS[2:3], p.window.end_s + 3600),
        lambda p: dates.begin_workloads(p, A, KEYS[2:3], p.window.end_s + 3600),
    ),
    "come back": (
        lambda p: labels.comes_back_label(p, KEYS[1:2]),
        lambda p: dates.bring_back(p, A, KEYS[1:2]),
    ),
    "plan work": (
        lambda p: labels.planned_label((PLANNED,)),
        lambda p: dates.plan_work(p, A, (PLANNED,)),
    ),
    "move planned": (
        lambda p: labels.move_label(p, (PLANNED.key,), Pool.TRAINING),
        lambda p: workloads.move_workloads(p, A, (PLANNED.key,), Pool.TRAINING),
    ),
    "change planned": (
        lambda p: labels.planned_label((PLANNED,), is_changed=True),
        lambda p: dates.change_planned(p, A, PLANNED.key, replace(PLANNED, gpus=9.0)),
    ),
    "drop planned": (
        lambda p: labels.drop_planned_label((PLANNED,)),
        lambda p: dates.drop_planned(p, A, (PLANNED.key,)),
    ),
    "change demand": (
        lambda p: labels.demand_change_label(1),
        lambda p: dates.change_demand(p, A, (DemandChange(target="all", keys=(), factor=2.0, from_s=p.window.end_s),)),
    ),
    "change prices": (
        lambda p: labels.price_change_label(1),
        lambda p: dates.change_prices(p, A, (PriceChange(p.offers[0].gpu_model, 0.8, p.window.end_s),)),
    ),
    "ask": (
        lambda p: labels.assumption_label("growth", 0.1),
        lambda p: plans.asked_apart(p, plans.set_assumption(p, A, "growth", 0.1), A),
    ),
    "keep": (
        lambda p: labels.plan_label("Keep", "Plan A \u00b7 10%"),
        lambda p: plans.keep_question(p, "Plan A \u00b7 what if", "Plan A \u00b7 10%"),
    ),
    "ask again": (
        lambda p: labels.assumption_label("growth", 0.2),
        lambda p: plans.asked_apart(p, plans.set_assumption(p, A, "growth", 0.2), A),
    ),
    "discard": (
        lambda p: labels.plan_label("Discard", "Plan A \u00b7 what if"),
        lambda p: plans.discard_question(p, "Plan A \u00b7 what if"),
    ),
    "currency": (
        lambda p: labels.currency_label("EUR"),
        lambda p: money.report_in(money.replace_exchange(money.forget_exchange(p, "CHF"), (EURO,)), "EUR"),
    ),
    "a share": (
        lambda p: labels.share_label(Only("CoreWeave"), 0.4),
        lambda p: seller_limits.limit_share(p, A, Only("CoreWeave"), 0.4),
    ),
    "only from": (
        lambda p: labels.only_label(p, KEYS[1:2], Only("CoreWeave")),
        lambda p: seller_limits.limit_workloads(p, A, KEYS[1:2], Only("CoreWeave")),
    ),
    "take note": (lambda p: labels.note_label(p, KEYS[1], ""), lambda p: cards.set_note(p, KEYS[1], "")),
    "need": (
        lambda p: labels.need_label(p, KEYS[:1], "nodes", 4),
        lambda p: needs.set_need(p, KEYS[:1], "nodes", 4),
    ),
    "clear need": (
        lambda p: labels.need_label(p, KEYS[:1], "nodes", None),
        lambda p: needs.clear_need(p, KEYS[:1], "nodes"),
    ),
    "new plan": (lambda p: labels.plan_label("Add", "C"), lambda p: plans.add_plan(p, "C", A)),
    "duplicate plan": (lambda p: labels.plan_label("Duplicate", A), lambda p: plans.duplicate_plan(p, A)),
    "move plan": (lambda p: labels.plan_label("Move right", A), lambda p: plans.shift_plan(p, A, 1)),
    "rename plan": (lambda p: labels.plan_label("Rename", "D"), lambda p: plans.rename_plan(p, "C", "D")),
    "delete plan": (lambda p: labels.plan_label("Delete", "D"), lambda p: plans.delete_plan(p, "D")),
    "greenfield": (lambda p: labels.greenfield_label(True), lambda p: plans.set_greenfield(p, A, True)),
    "saving": (
        lambda p: labels.saving_label("right_size", True),
        lambda p: plans.accept_saving(p, A, "right_size"),
    ),
    "notice": (
        lambda p: labels.notice_label(p.contracts[0].contract_id, True),
        lambda p: plans.state_of_contracts(p, A, "notice_given", (p.contracts[0].contract_id,)),
    ),
    "renewal": (
        lambda p: labels.renewal_label(p.contracts[0].contract_id, True),
        lambda p: plans.state_of_contracts(p, A, "runs_on", (p.contracts[0].contract_id,)),
    ),
    "rate": (
        lambda p: labels.rate_label("spare", Decimal("2.5")),
        lambda p: contracts.change_contract(
            contracts.add_contracts(
                p, (replace(p.contracts[0], contract_id="spare", rate_usd_per_gpu_hour=None),)
            ),
            "spare",
            {"rate_usd_per_gpu_hour": Decimal("2.5")},
        ),
    ),
    "provider": (
        lambda p: labels.asked_label("it stops"),
        lambda p: plans.end_provider(
            offers.replace_offers(p, [replace(one, provider="Vela") for one in p.offers]), A, "vela", p.window.end_s
        ),
    ),
    "gap": (lambda p: labels.gap_label(True), lambda p: plans.set_gap_missing(p, A, True)),
    "plan from": (
        lambda p: labels.plan_from_label(p.window.end_s + 86_400),
        lambda p: plans.set_plan_from(p, p.window.end_s + 86_400),
    ),
    "price case": (
        lambda p: labels.price_case_label(PriceCase.HIGH),
        lambda p: plans.set_price_case(p, A, PriceCase.HIGH),
    ),
    "level": (
        lambda p: labels.level_label(12, 3),
        lambda p: plans.set_hand_layers(p, A, Pool.BURST, "H100", (HandLayer(12, 3),)),
    ),
    "advice": (
        lambda p: labels.advice_label(Pool.BURST),
        lambda p: plans.set_hand_layers(p, A, Pool.BURST, "H100", None),
    ),
    **{
        f"{spec.name} of {plan or 'the project'}": (
            lambda p, spec=spec: labels.assumption_label(spec.name, other_value(p, spec)),
            lambda p, spec=spec, plan=plan: plans.set_assumption(p, plan, spec.name, other_value(p, spec)),
        )
        for spec in ASSUMPTIONS
        for plan in (A, None)
    },
}  # fmt: skip
"""One after the other: each has a name and changes something."""


def other_value(project: Project, spec: AssumptionSpec) -> AssumptionValue:
    """Another value of an assumption than the one it has: its least, or its most."""
    now = getattr(project.assumptions, spec.field)
    if spec.kind == "flag":
        return not now
    if spec.kind == "choice":
        return next(choice for choice in spec.choices if choice != now)
    other = spec.high if now == spec.low else spec.low
    return int(other) if spec.kind == "integer" else other


def test_every_step_has_a_name_and_is_undone_and_done_again_to_the_bit() -> None:
    document = Document(loaded())
    seen: list[tuple[str, Project]] = []
    for name, (label, edit) in STEPS.items():
        before = document.project
        after = edit(before)
        assert after is not before, name
        said = label(before)
        words = str(said)
        document.edit(said, after)
        assert words.strip() and words[0].isupper() and document.undo_stack.undoText() == words, name
        seen.append((words, before))
    last = document.project
    for words, before in reversed(seen):
        assert document.undo_stack.undoText() == words
        document.undo_stack.undo()
        assert document.project is before, words
    while document.undo_stack.canRedo():
        document.undo_stack.redo()
    assert document.project is last


def test_names_of_steps_tell_them_apart() -> None:
    project = loaded()
    of_plan = [label(project) for name, (label, _) in STEPS.items() if not name.endswith("of the project")]
    assert len(set(of_plan)) == len(of_plan)


IN_OTHER_TESTS = {
    "plan_as_sized",
    "set_measured",
    "set_rates",
    "say_same",
    "take_back_same",
    "accept_leak",
    "dismiss_leak",
    "reopen_leak",
    "add_offers",
    "replace_contracts",
    "add_rule",
    "add_rules",
    "move_rule",
    "remove_rule",
    "set_title",
    "replace_rules",
    "add_decision",
    "log_decision",
    "set_reason",
    "set_mapping",
    "remove_mapping",
    "set_traffic",
    "add_offer",
    "carry_over",
    "change_offer",
    "duplicate_offer",
    "take_as_quoted",
    "remove_offer",
    "set_served_model",
    "set_serving_term",
    "set_sized_row",
    "set_week",
    "with_exchange",
    "separate_automatically",
}
"""Edits that tests/ui walk through the window, where their labels are made, or that are part of an import."""

PARTS_OF_EDITS = {
    "counted_in",
    "dated",
    "recounted",
    "with_change",
    "with_endpoint",
    "with_offers",
    "with_plan",
    "with_renewals_noted",
    "with_sound_questions",
    "with_values",
}
"""What edits are made of: no gesture is one of these alone."""


def test_no_edit_is_left_out() -> None:
    verbs = {
        f"{room.__name__.rpartition('.')[2]}.{name}"
        for room in (getattr(edits, name) for name in edits.__all__)
        for name, made in vars(room).items()
        if inspect.isfunction(made)
        and made.__module__ == room.__name__
        and inspect.signature(made).return_annotation is Project
    }
    source = inspect.getsource(inspect.getmodule(other_value))  # type: ignore[arg-type]
    untested = {verb.partition(".")[2] for verb in verbs if f"{verb}(" not in source}
    assert {name for name in untested if not name.startswith("_")} == IN_OTHER_TESTS | PARTS_OF_EDITS
