"""What people type (`wordings.csv`): each wording is understood as what it is, or not at all."""

import csv
import re
import shlex
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.ask import answers, fleet
from gpuplanner.domain.ask.answers import answer_question
from gpuplanner.domain.ask.changes import (
    Asked,
    Change,
    Question,
    answer_change,
    asked_of,
    meant_by,
    understood,
)
from gpuplanner.domain.ask.numbers import UNITS, Number, told
from gpuplanner.domain.ask.reading import Named, NotUnderstoodError, bare_question
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import NO_RANGE, NOT_YET, Uncertainty
from gpuplanner.domain.commitment.payments import owed_in_all, owed_rows
from gpuplanner.domain.commitment.plan.orders import most_bought
from gpuplanner.domain.commitment.uncertainty.limit_costs import CHECKED_ALONE
from gpuplanner.domain.edits.dates import plan_work
from gpuplanner.domain.edits.model_mappings import set_mapping
from gpuplanner.domain.edits.plans import set_assumption
from gpuplanner.domain.evaluation import Evaluation, evaluate_advice, evaluate_audit, with_outlook
from gpuplanner.domain.figures.typed import day
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import WholeDecisions
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, instant_s, iso_day
from gpuplanner.domain.reports.cash import CASH_BY_QUARTER
from gpuplanner.domain.reports.use import ENERGY_OF_TEAMS
from gpuplanner.files.demo.demo_project import PLANS
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import (
    gpu_families,
    read_question_figures,
    read_question_forms,
    read_tables,
)

VELA = "Vela Metal (illustrative)"


class Wording(NamedTuple):
    """A row of `wordings.csv`: what somebody types, the form that it is of, and the words of a call that do the same.

    form: empty where nothing is understood. words: empty for a question; for planned work its values; for a node its
    title.
    """

    about: str
    typed: str
    form: str
    words: str


def wordings() -> list[Wording]:
    with Path(__file__).with_name("wordings.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [Wording(*row) for row in rows]


UNDERSTOOD = [row for row in wordings() if row.form]
NOT_UNDERSTOOD = [row.typed for row in wordings() if not row.form]


@pytest.fixture(scope="module")
def asked(demo_path: Path) -> Asked:
    tables = read_tables()
    return asked_of(
        evaluate_audit(open_project(demo_path), PLANS[0], tables), gpu_families(), tables.node_gpus
    )


@pytest.mark.parametrize("row", UNDERSTOOD, ids=[row.typed for row in UNDERSTOOD])
def test_a_wording_is_what_it_says(asked: Asked, row: Wording) -> None:
    meant = understood(row.typed, read_question_forms(), asked)
    assert meant.form == row.form
    if not isinstance(meant, Change):
        assert row.words == ""
    elif row.form == "planned":
        work = meant.edit(asked.project).scenario(asked.plan).planned[-1]
        ends = "" if work.ends_s is None else iso_day(work.ends_s)
        parts = (work.pool.value, work.gpu_model, f"{work.gpus:g}", iso_day(work.begins_s), ends)
        assert ",".join((*parts, str(work.length_hours or ""))) == row.words
        assert meant.as_words[0] == "--planned"
    elif row.form == "node":
        assert (str(meant.title), meant.as_words) == (row.words, ())
    else:
        assert shlex.join(meant.as_words) == row.words


@pytest.mark.parametrize("text", NOT_UNDERSTOOD)
def test_what_fits_no_form_is_said_with_what_can_be_asked(asked: Asked, text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        understood(text, read_question_forms(), asked)


@pytest.mark.parametrize(
    "form", [one for one in read_question_forms() if one.example], ids=lambda one: one.form
)
def test_every_example_is_of_its_form(asked: Asked, form) -> None:
    assert understood(form.example, read_question_forms(), asked).form == form.form


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("stop training on 1 Feb", "stop team training on 1 feb"),
        ("training stops on 1 Feb", "team training stops on 1 feb"),
        ("only Azure for training", "only azure for pool training"),
        ("training x2 by March", "pool training x2 by march"),
        ("training grows 10% a month", ""),
    ],
)
def test_a_team_with_the_name_of_a_pool_is_asked_about(asked: Asked, text: str, instead: str) -> None:
    work = PlannedWork(name="tuning", pool=Pool.BURST, gpu_model="H100", gpus=8.0, team="training")
    both = replace(asked, project=plan_work(asked.project, asked.plan, (work,)))
    with pytest.raises(NotUnderstoodError) as fault:
        understood(text, read_question_forms(), both)
    assert not instead or instead in fault.value.instead
    for one in ("team training x2 by March", "pool training x2 by March", *fault.value.instead):
        assert understood(one, read_question_forms(), both).form


@given(
    st.sampled_from(["under", "at most", "keep spend below"]),
    st.sampled_from(["", "$", "\u20ac", "\u00a3"]),
    st.integers(1, 9_999_999),
    st.sampled_from(["", "k", "m", " thousand", " million", "bn", " points"]),
    st.sampled_from([" a month", "/month", " a year", " a week", ""]),
    st.booleans(),
)
def test_an_amount_is_what_is_written_or_nothing(
    asked: Asked, limit: str, sign: str, number: int, times: str, per: str, is_grouped: bool
) -> None:
    """Law: a budget that is understood is the number as it stands, in dollars a month."""
    text = f"{limit} {sign}{number:{',' if is_grouped else ''}}{times}{per}"
    try:
        meant = meant_by(text, read_question_forms(), asked)
    except NotUnderstoodError:
        return
    scale = {"": 1, "k": 1e3, " thousand": 1e3, "m": 1e6, " million": 1e6}[times.rstrip()]
    assert isinstance(meant, Change) and sign in ("", "$") and per in (" a month", "/month")
    (value,) = meant.edit(asked.project).scenario(asked.plan).assumptions.values()
    assert value == pytest.approx(number * scale) and (sign or scale > 1 or number >= 1000)


JOINED = {
    "no spot": ("spot", "no"),
    "nothing over 12 months": ("max_term_months", "12"),
    "under $400k a month": ("budget_usd_per_month", "400000"),
    "at most 60% with one provider": ("max_provider_share", "60%"),
    "order 3 months later": ("wait_months", "3"),
    "churn is 5% a month": ("lambda", "0.05"),
}


@given(st.permutations(list(JOINED)), st.integers(2, 4), st.sampled_from([" and ", "; ", " / ", ", and "]))
def test_changes_that_are_joined_are_all_of_them(
    asked: Asked, lines: list[str], many: int, between: str
) -> None:
    meant = meant_by(between.join(lines[:many]), read_question_forms(), asked)
    assert isinstance(meant, Change)
    assert meant.as_words[1::2] == tuple("=".join(JOINED[one]) for one in lines[:many])
    assert len(meant.edit(asked.project).scenario(asked.plan).assumptions) == many


def test_of_two_that_are_alike_it_is_asked_which(asked: Asked) -> None:
    work = PlannedWork(name="chat", pool=Pool.TRAINING, gpu_model="H100", gpus=8.0)
    both = replace(asked, project=plan_work(asked.project, asked.plan, (work,)))
    with pytest.raises(NotUnderstoodError, match="several meanings") as fault:
        understood("chat stops on 1 Feb", read_question_forms(), both)
    assert {one.partition(" stops")[0] for one in fault.value.instead} >= {"team chat", "//chat"}
    for one in fault.value.instead[:2]:
        assert understood(one, read_question_forms(), both).form == "ends"


@pytest.mark.parametrize("text", ["no {}", "only {} for team chat", "{} stops on 1 jan", "cap {} at 40%"])
@pytest.mark.parametrize("name", ["AWS", "AWS (illustrative rate)"])
def test_of_providers_one_of_which_begins_as_the_other_the_whole_name_counts(
    asked: Asked, text: str, name: str
) -> None:
    for called in (name, f"provider {name}"):
        meant = understood(text.format(called), read_question_forms(), asked)
        assert isinstance(meant, Change)
        assert all(f"provider:{name}" in word.split("=") for word in meant.as_words[1::2]) or (
            f"not:provider:{name}" in meant.as_words[1]
        )


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "names"),
    [("cash in the first quarter", {"2027 Q1"}), ("cash the coming quarter", {"2027 Q1"}),
     ("cash this quarter", {"2026 Q4"}), ("cash in Q3 2027", {"2027 Q3"}), ("2026 Q4 cash", {"2026 Q4"})],
)  # fmt: skip
def test_a_quarter_is_answered_with_that_one_alone(
    asked: Asked, demo_path: Path, text: str, names: set[str]
) -> None:
    meant = understood(text, read_question_forms(), asked)
    assert isinstance(meant, Question)
    of = evaluate_advice(open_project(demo_path), PLANS[0], read_tables())
    titles = (str(one.title) for one in answer_question(meant, of, ()).numbers)
    assert {" ".join(title.split()[-2:]) for title in titles} == names


@pytest.mark.parametrize(
    ("text", "first"), [("stop tean chat", "stop chat"), ("GPUs in Mrach", "gpus in march")]
)
def test_a_slip_of_the_pen_in_a_change_or_a_month_is_not_answered(
    asked: Asked, text: str, first: str
) -> None:
    with pytest.raises(NotUnderstoodError) as fault:
        understood(text, read_question_forms(), asked)
    assert fault.value.instead[0] == first and len(fault.value.instead) == 3


def test_of_what_cannot_be_read_the_shortest_part_is_named(asked: Asked) -> None:
    with pytest.raises(NotUnderstoodError, match=r"x900$"):
        understood("how many X900 do we need in June", read_question_forms(), asked)


def numbers_of(text: str, asked: Asked, of: Evaluation) -> list[float | None]:
    meant = understood(text, read_question_forms(), asked)
    assert isinstance(meant, Question)
    return [one.value for one in answer_question(meant, of, read_question_figures()).numbers]


QUESTIONS_OF_CHECKS = {
    "below_40": "what is idle in {}",
    "contention": "what does overflow cost on {}",
    "separation_costs": "what does separating the pools cost",
}
QUESTION_OF_DECISION = "what should we do about {}"
NO_QUESTION = {"better_size", "idle_beside_orders", "review_pending"}


def test_a_check_and_a_decision_have_the_dollars_of_the_question_about_them(
    asked: Asked, demo_path: Path
) -> None:
    """Law over the demo: of each check with dollars, and of each decision about a contract."""
    of = with_outlook(evaluate_advice(open_project(demo_path), PLANS[0], read_tables()))
    dollars = {
        QUESTIONS_OF_CHECKS[check.code].format(check.subject): check.usd_per_month
        for check in of.checks
        if check.usd_per_month is not None and check.code not in NO_QUESTION
    }
    assert len(dollars) == 7
    assert of.outlook is not None
    dollars |= {
        QUESTION_OF_DECISION.format(row.contract_id): row.usd_12_months
        for row in of.outlook.open_decisions
        if row.contract_id
    }
    dollars |= {
        why.format(row.contract_id): row.usd_12_months
        for row in of.outlook.open_decisions
        for why in ("why replace {}", "why should we keep {}?", "what if we do not renew {}?")
        if row.contract_id
    }
    off = [each for each, usd in dollars.items() if numbers_of(each, asked, of)[0] != pytest.approx(usd)]
    assert off == []


def test_what_each_class_costs_adds_up_to_the_spend(asked: Asked, demo_path: Path) -> None:
    of = evaluate_audit(open_project(demo_path), PLANS[0], read_tables())
    each = numbers_of("spend by class", asked, of)
    alone = [
        numbers_of(f"what does {pool} cost", asked, of)[0] for pool in ("training", "inference", "burst")
    ]
    assert each == alone == numbers_of("how much do we spend on training, inference and burst", asked, of)
    assert sum(filter(None, each)) <= (of.audit.spend_parts.total or 0.0)


@pytest.mark.long
def test_gpus_offers_and_months_are_those_of_the_plan(asked: Asked, demo_path: Path) -> None:
    """By hand from the demo's files: 108 H100 committed and 68 held on demand, 188 and 84 of all models."""
    of = evaluate_advice(open_project(demo_path), PLANS[0], read_tables())
    assert of.advice is not None
    needed = {one.gpu_model: 0.0 for one in of.advice.pools}
    for pool in of.advice.pools:
        needed[pool.gpu_model] += pool.demand.mean_gpus
    assert numbers_of("how many GPUs do we have", asked, of) == [188, 84, pytest.approx(sum(needed.values()))]
    assert numbers_of("how many H100 do we have", asked, of) == [108, 68, pytest.approx(needed["H100"])]
    core = next(one.end_s for one in asked.project.contracts if one.contract_id == "atlas-core")
    before, after = (numbers_of(f"how many H100 GPUs do we need on {iso_day(at_s)}", asked, of)
                     for at_s in (core - DAY_S, core))  # fmt: skip
    assert before[0] == (after[0] or 0) + 64
    assert numbers_of("cheapest H100", asked, of) == [6.88, 2.25, 2.06]
    assert numbers_of("cheapest H100 over 12 months", asked, of) == [2.7]
    months = of.advice.comparison
    assert numbers_of("what do we spend in " + iso_day(months[3].start_s)[:7], asked, of) in (
        [months[at].plan_usd, months[at].do_nothing_usd] for at in (2, 3)
    )
    for days in (1, 20, 30):
        meant = understood(
            f"how many GPUs do we need on {iso_day((months[3].start_s // DAY_S + days) * DAY_S)}",
            read_question_forms(),
            asked,
        )
        assert isinstance(meant, Question)
        *_, needed_then = answer_question(meant, of, ()).numbers
        assert str(needed_then.title).endswith(f" {day(months[3].start_s)}:"), "the month that has the day"
    assert numbers_of("cash by fiscal year", asked, of) == pytest.approx(
        [sum(row.known["cash"].known for row in CASH_BY_QUARTER.rows(of) if str(row.name).startswith(year))
         for year in sorted({str(row.name)[:4] for row in CASH_BY_QUARTER.rows(of)})]
    )  # fmt: skip
    energy = of.advice.energy
    assert numbers_of("CO2 a year", asked, of) == [12 * energy.kg_co2_per_month, 12 * energy.kwh_per_month]


def sentence_of(text: str, asked: Asked, of: Evaluation) -> str:
    meant = understood(text, read_question_forms(), asked)
    assert isinstance(meant, Question)
    return str(answer_question(meant, of, read_question_figures()).sentence)


@pytest.mark.long
def test_spend_use_and_rates_are_those_of_what_is_named(asked: Asked, demo_path: Path) -> None:
    """Laws: providers, and regions, come to what all contracts are paid; one of them is the same alone."""
    of = with_outlook(evaluate_advice(open_project(demo_path), PLANS[0], read_tables()))
    use = of.audit.use
    assert use is not None and of.advice is not None and of.outlook is not None
    paid = {str(row.name): row.cost_per_month for row in use.contracts}
    for kind in ("provider", "region", "country"):
        each = fleet.by_seller(of, {"kind": kind})
        assert sum(one.value or 0.0 for one in each) == pytest.approx(
            sum(one or 0.0 for one in paid.values())
        )
    both = tuple(replace(one, country="DE;NO") for one in of.project.contracts)
    (each,) = fleet.by_seller(replace(of, project=replace(of.project, contracts=both)), {"kind": "country"})
    assert str(each.title).endswith(" Germany, Norway")
    assert numbers_of("spend in the United States", asked, of) == [
        paid["borealis-held"] + paid["borealis-reserved"]
    ]
    assert numbers_of("what do we spend on H200", asked, of) == [paid["atlas-h200"]]
    assert numbers_of("what do we pay AWS?", asked, of) == [paid["borealis-held"]]
    assert numbers_of(f"our {VELA} bill", asked, of) == [
        pytest.approx(sum(usd or 0.0 for name, usd in paid.items()
                          if name.startswith("atlas") or name == "borealis-b200"))
    ]  # fmt: skip
    assert sentence_of("what do we pay Azure", asked, of) == "There is none."
    assert numbers_of("what is the rate of atlas-core", asked, of) == [2.75]
    assert numbers_of("what do we pay for atlas-core", asked, of) == [paid["atlas-core"]]
    rows = {str(row.name): row.utilization for row in (*use.clusters, *use.gpu_models, *use.contracts)}
    for text, name in (("utilisation of cluster cedar", "cedar"), ("how well do we use the H200s", "H200"),
                       ("how much of atlas-core is used", "atlas-core")):  # fmt: skip
        assert numbers_of(text, asked, of) == [rows[name]]
    least = numbers_of("which cluster is used least", asked, of)
    assert least == sorted(row.utilization or 0.0 for row in use.clusters)
    hours = {str(row.name): row.gpu_hours for row in use.teams}
    assert numbers_of("gpu hours of team vision", asked, of) == [hours["vision"]]
    assert numbers_of("how many GPU-hours did we use", asked, of) == [use.everything.gpu_hours]
    assert sum(one or 0.0 for one in numbers_of("training vs inference", asked, of)) == pytest.approx(1)
    idle = {one.gpu_model: one.cost_per_month for one in of.advice.idle_existing}
    assert numbers_of("What do we pay for idle A100?", asked, of) == [idle["A100"]]
    assert of.totals is not None
    many = {one.gpu_model: one.gpus for one in of.totals.gpus_to_sign}
    in_all, *each = numbers_of(
        "how many GPUs should I order", asked, of
    )  # as the list of what to sign has it
    now = seen_in(asked.project).to_approve(of.advice.orders)
    assert in_all == most_bought(now) == sum(many.values()) and sorted(each) == sorted(many.values())
    assert numbers_of("how many B200 should we order", asked, of) == [
        many[one] for one in many if one == "B200"
    ]
    on_spot = [one for one in of.outlook.spot if one.on_spot]
    assert numbers_of("which workloads are on spot", asked, of)[0] == len(on_spot)
    of_today, plan = of.audit.energy.kg_co2_per_month, of.advice.energy.kg_co2_per_month
    assert numbers_of("what's our carbon footprint", asked, of)[:2] == [plan, of_today]
    assert sentence_of("what do our limits cost", asked, of) == "No limit set."
    assert (
        numbers_of("what does team chat cost", asked, of)[1]
        == numbers_of("which team spends most", asked, of)[0]
    )


@pytest.mark.long
def test_what_is_said_of_teams_models_and_failures_is_that_of_the_audit(
    asked: Asked, demo_path: Path
) -> None:
    """Laws: shares of teams and mean GPUs come to all, a rate lies between those of its contracts."""
    of = with_outlook(evaluate_advice(open_project(demo_path), PLANS[0], read_tables()))
    use, project = of.audit.use, asked.project
    assert use is not None and of.outlook is not None and of.advice is not None
    teams = {str(row.name): row for row in use.teams}
    assert numbers_of("share of GPU-hours of team chat", asked, of) == [teams["chat"].share]
    assert numbers_of("how many GPUs does team chat use", asked, of) == [teams["chat"].mean_gpus]
    assert numbers_of("utilization of team video", asked, of) == [teams["video"].activity]
    assert numbers_of("energy of team chat", asked, of) == [
        row.kwh_per_month for row in ENERGY_OF_TEAMS.rows(of.audit) if row.name == "chat"
    ]
    failed = sum(one.gpu_hours for one in of.audit.leaks if one.code == "failed_work")
    share = numbers_of("how much of our GPU time failed", asked, of)[0]
    assert share == pytest.approx(failed / sum(row.gpu_hours for row in use.teams))
    (rate,) = numbers_of("what do we pay per H200-hour", asked, of)
    assert rate in [one.rate for one in project.contracts if one.gpu_model == "H200"]
    h100 = [one.rate for one in project.contracts if one.gpu_model == "H100"]
    assert min(h100) < numbers_of("our average rate for H100", asked, of)[0] < max(h100)
    assert numbers_of("NPV", asked, of) == [of.outlook.npv_usd]
    assert numbers_of("how many A100 are idle", asked, of) == [
        one.gpus for one in of.advice.idle_existing if one.gpu_model == "A100"
    ]
    pays = {(pool.pool, one.offer_id): one.break_even for pool in of.advice.pools for one in pool.break_even}
    found = numbers_of("break-even of vela-h100-36m", asked, of)
    assert found == sorted(value for (_, offer), value in pays.items() if offer == "vela-h100-36m"), (
        "the lowest first"
    )


@pytest.mark.long
def test_another_plan_stands_beside_the_one_that_is_shown_and_changes_nothing(asked: Asked) -> None:
    meant = understood("what does plan B cost", read_question_forms(), asked)
    assert isinstance(meant, Change) and not meant.is_kept
    project, tables = meant.edit(asked.project), read_tables()
    other, own = (evaluate_advice(asked.project, name, tables).advice for name in (PLANS[1], PLANS[0]))
    assert other is not None and own is not None
    found = answer_change(meant, own, other)
    year, more, _ = found.numbers
    assert project.scenario(PLANS[0]) == replace(project.scenario(PLANS[1]), name=PLANS[0])
    assert year.value == sum(one.plan_usd or 0.0 for one in other.comparison)
    assert more.path == "" and str(found.sentence).startswith(f"{PLANS[1]} costs $")


def test_who_waits_names_every_pool_and_one_that_is_asked_for_alone(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    def waits(queueing: object, _: object) -> list[SimpleNamespace]:
        hours = (7.0, 8.0, 30.0) if queueing == "ended" else (1.0, 2.0, 3.0)
        return [
            SimpleNamespace(pool=pool, waits=SimpleNamespace(p90_h=each))
            for pool, each in zip(Pool, hours, strict=True)
        ]

    monkeypatch.setattr(answers, "pool_waits", waits)
    monkeypatch.setattr(answers, "Queueing", lambda *_: "ended")
    of, log = evaluate_audit(asked.project, PLANS[0], read_tables()), SimpleNamespace(log=None)
    for text, count in (
        ("who waits", 3),
        ("who waits if atlas-surge ends", 6),
        ("how long will training wait", 1),
    ):
        meant = understood(text, read_question_forms(), asked)
        assert isinstance(meant, Question)
        found = answer_question(meant, of, (), log)
        assert len(found.numbers) == count and "and more" not in str(found.sentence)
    assert [row.path for row in found.numbers] == ["waiting[pool=training].p90_h"]


def test_waits_of_the_log_are_the_mean_p90_and_the_longest_or_unknown(asked: Asked) -> None:
    """By hand: 1 and 3 hours; what the log does not say of a job is no wait."""
    of, known = evaluate_audit(asked.project, PLANS[0], read_tables()), np.array([True, True, False])
    log = SimpleNamespace(measured=lambda _: known, wait_s=np.array([3600, 10800, 99999]))
    meant = Question("waited", {})
    found = answer_question(meant, of, (), SimpleNamespace(log=log)).numbers
    assert [one.value for one in found] == [2.0, 3.0, 3.0]
    known[:] = False
    for read in (None, SimpleNamespace(log=log)):
        assert [one.value for one in answer_question(meant, of, (), read).numbers] == [None]


@pytest.mark.long
def test_what_limits_do_is_said_of_each_also_of_one_that_is_checked_alone(asked: Asked) -> None:
    project = set_assumption(asked.project, asked.plan, "power_limit_kw", 100.0)
    project = set_assumption(project, asked.plan, "max_term_months", 12)
    of = with_outlook(evaluate_advice(project, PLANS[0], read_tables()))
    assert of.outlook is not None
    said = sentence_of("which limits are not kept", asked, of)
    assert str(CHECKED_ALONE) in said and len(of.outlook.limits) == 2
    assert numbers_of("limits", asked, of) == [one.limit_cost for one in of.outlook.limits]


@pytest.mark.long
def test_ends_are_those_of_the_span_or_the_quarter_also_beyond_the_plan(
    asked: Asked, demo_path: Path
) -> None:
    of = evaluate_advice(open_project(demo_path), PLANS[0], read_tables())
    ends = {one.contract_id: one.end_s for one in asked.project.contracts
            if one.is_committed and one.end_s and one.end_s > asked.begins_s}  # fmt: skip
    first = min(ends.values())
    days = -(-(first - asked.begins_s) // DAY_S)
    assert numbers_of(f"which contracts end in the next {days} days", asked, of) == [first]
    assert numbers_of(f"which contracts end within {days - 2} days", asked, of) == []
    assert sentence_of("which contracts end in q1 2020", asked, of).endswith(" ends then.")
    core = next(one for one in asked.project.contracts if one.contract_id == "atlas-core")
    far = replace(core, contract_id="far", end_s=asked.begins_s + 5 * 365 * DAY_S)
    longer = replace(asked.project, contracts=tuple(sorted((*asked.project.contracts, far),
                                                           key=lambda one: one.contract_id)))  # fmt: skip
    later = evaluate_audit(longer, PLANS[0], read_tables())
    assert numbers_of("which contracts end in q3 2031", asked, later) == [far.end_s]


@pytest.mark.long
def test_what_is_beyond_the_plan_is_unknown_and_never_none(asked: Asked, demo_path: Path) -> None:
    of = evaluate_advice(open_project(demo_path), PLANS[0], read_tables())
    for text in ("cash in Q1 2031", "what do we spend in March 2031"):
        assert sentence_of(text, asked, of).startswith("Unknown")


@pytest.mark.long
def test_spend_by_cluster_and_by_gpu_model_is_today_s(demo_path: Path) -> None:
    """Also where the cheapest offer of a model is none that the work that overflows may use."""
    project = open_project(demo_path)
    slow = tuple(replace(one, offer_id=f"slow-{one.offer_id}", interconnect="ethernet",
                         rate_usd_per_gpu_hour=Decimal("0.5"))
                 for one in project.offers if one.pricing_category is PricingCategory.STANDARD)  # fmt: skip
    of = evaluate_audit(replace(project, offers=(*project.offers, *slow)), PLANS[0], read_tables())
    for form in ("clusters", "models"):
        each = answers.list_numbers(Question(form, {}), of)
        assert sum(one.value for one in each) == pytest.approx(of.audit.spend), form


def test_of_what_is_ranked_the_unknown_are_counted() -> None:
    numbers = [Number(title=name, value=value, unit="usd_per_month", path="")
               for name, value in (("a", 3.0), ("b", 2.0), ("c", 1.0), ("d", None), ("e", None))]  # fmt: skip
    assert str(told(numbers)).endswith(", 2 unknown.")
    assert "$1" in str(told(numbers[:3])) and "unknown" not in str(told(numbers[:3]))


@pytest.mark.parametrize(("text", "kg"), [("CO2 of the plan at 50 g/kWh", 0.05),
                                          ("the grid is 0.2 kg CO2/kWh", 0.2)])  # fmt: skip
def test_a_grid_is_kg_of_a_kwh(asked: Asked, text: str, kg: float) -> None:
    meant = understood(text, read_question_forms(), asked)
    assert isinstance(meant, Change) and meant.as_words == ("--set", f"grid_kg_co2_per_kwh={kg}")


@pytest.mark.parametrize(
    ("text", "why", "first"),
    [
        ("What did we pay for lots of idle A100?", "No matching question", ""),
        ("what is the lead time for B200", "No matching question", ""),
        ("cheapest V100 on demand", "No offer is called v100", ""),
        (
            "chat doubles by March",
            "no workload, class, team or GPU model has this name",
            "team chat doubles by march",
        ),
        ("CO2 on a grid of 1.500 kg/kWh", "is ambiguous", ""),
        ("CO2 on a grid of 50", "No matching question", ""),
    ],
)
def test_what_is_no_name_is_not_called_one(asked: Asked, text: str, why: str, first: str) -> None:
    with pytest.raises(NotUnderstoodError, match=why) as fault:
        understood(text, read_question_forms(), asked)
    assert not first or fault.value.instead[0] == first


@pytest.mark.parametrize(
    "text", ["Move chat to another provider", "H200 instead of X900 at 2", "stop tema chat"]
)
def test_what_can_be_asked_instead_is_understood_itself(asked: Asked, text: str) -> None:
    with pytest.raises(NotUnderstoodError) as fault:
        understood(text, read_question_forms(), asked)
    for one in fault.value.instead:
        assert understood(one, read_question_forms(), asked).form


def test_a_ratio_that_nothing_states_is_asked_for_and_one_for_all_holds_for_each(asked: Asked) -> None:
    with pytest.raises(NotUnderstoodError, match=r"H100 .* H200") as fault:
        understood("H200 instead of H100 for inference", read_question_forms(), asked)
    assert understood(f"{fault.value.instead[0]}", read_question_forms(), asked).form == "mapped"
    stated = replace(asked, project=set_mapping(asked.project, "H100", "H200", 1.6))
    meant = understood("H200 instead of H100 for inference", read_question_forms(), stated)
    assert isinstance(meant, Change) and meant.as_words[1] == "inference:H100=H200:1.6"


def test_the_first_word_of_a_provider_is_its_name_where_no_other_begins_so(asked: Asked) -> None:
    for name in ("Vela", "vela metal"):
        meant = understood(f"at most 60% with {name}", read_question_forms(), asked)
        assert isinstance(meant, Change) and meant.as_words == ("--share", f"provider:{VELA}=60%")


def test_every_spelling_of_a_provider_stops_with_it(asked: Asked) -> None:
    """Contracts are with Amazon, offers with AWS: both end."""
    project, spelled = asked.project, ("Amazon", "AWS")
    contracts = tuple(replace(row, provider="Amazon") for row in project.contracts[:1])
    offers = tuple(replace(row, provider="AWS") for row in project.offers[:1])
    clouds = replace(
        asked,
        project=replace(project, contracts=contracts, offers=offers),
        cloud=lambda name: "AWS" if name.casefold() in ("amazon", "aws", "ec2") else "",
    )
    for name in ("AWS", "amazon", "EC2"):
        meant = understood(f"cancel {name}", read_question_forms(), clouds)
        assert isinstance(meant, Change)
        ends = meant.edit(clouds.project).scenario(asked.plan).provider_ends
        assert {*ends} == {*spelled}
    with pytest.raises(NotUnderstoodError):  # a share of which of them?
        understood("at most 60% with AWS", read_question_forms(), clouds)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("We meet the board on Monday. What do we waste most?", "leaks"),
        ("The bill is too high, what should we do this quarter?", "next"),
        ("10% less budget", "budget_less"),
        ("cost comparison for the board", "compare"),
        ("why no 36 months", "no_term"),
    ],
)
def test_a_long_question_is_the_form_in_it(asked: Asked, text: str, form: str) -> None:
    assert understood(text, read_question_forms(), asked).form == form


@pytest.mark.parametrize(
    "text",
    [
        "We lose half of the users, what do we spend?",
        "Assume AWS is gone. What does the plan cost?",
        "Only Azure. What does the plan save?",
        "Team chat stops. What do we spend?",
        "Prices fall next year. What does the plan cost?",
    ],
)
def test_what_may_change_a_question_leaves_it_unread(asked: Asked, text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        understood(text, read_question_forms(), asked)


def test_a_ratio_that_nothing_states_is_asked_for(asked: Asked) -> None:
    with pytest.raises(NotUnderstoodError, match="replace one"):
        understood("H200 instead of H100", read_question_forms(), asked)


def test_polite_words_and_case_do_not_matter() -> None:
    assert (
        bare_question("  Please  show me  WHAT IF inference x2 by March? ", read_question_forms())
        == "inference x2 by march"
    )


def test_what_is_planned_twice_is_there_twice(asked: Asked) -> None:
    forms, kept = read_question_forms(), asked
    for text in ("512 H100 for 30 days from 1 Feb", "512 H100 for 60 days from 1 Feb for inference"):
        change = understood(text, forms, kept)
        assert isinstance(change, Change)
        kept = replace(kept, project=change.edit(kept.project))
    assert len(kept.project.scenario(asked.plan).planned) == 2


def test_an_offer_without_a_limit_has_room_beside_its_orders(asked: Asked) -> None:
    ordered = {"vela-h100-36m": 24.0, "vela-h100-24m": 49.0}
    node = understood("one more H100 node", read_question_forms(), replace(asked, ordered=ordered))
    assert isinstance(node, Change) and str(node.title).startswith("vela-h100-24m at")


def test_a_contract_that_begins_later_is_owed_apart(asked: Asked) -> None:
    """It is in no sum of what is owed, and the answer says so; one that begins with the plan is in force."""
    core = next(one for one in asked.project.contracts if one.contract_id == "atlas-core")
    begins_s = asked.begins_s
    later = replace(core, contract_id="later", start_s=begins_s + 31 * DAY_S, end_s=begins_s + 61 * DAY_S)
    at_once = replace(later, contract_id="at-once", start_s=begins_s)
    both = replace(asked.project, contracts=tuple(sorted((*asked.project.contracts, later, at_once),
                                                         key=lambda one: one.contract_id)))  # fmt: skip
    before, of = (evaluate_audit(project, PLANS[0], read_tables()) for project in (asked.project, both))
    owed, owed_before = (owed_in_all(one.project, one.plan) for one in (of, before))
    assert owed.known - owed_before.known == pytest.approx(64 * 2.75 * 24 * 61)
    assert {row.key for row in owed_rows(of.project, of.plan)} & {"later", "at-once"} == {"at-once"}
    answer = answer_question(Question("owed", {}), of, ())
    assert [one.value for one in answer.numbers] == [owed.total, pytest.approx(64 * 2.75 * 24 * 30)]
    assert re.search(r": later, \D* 1 Nov 2026, \$126,720\.", str(answer.sentence))
    assert len(answer_question(Question("owed", {}), before, ()).numbers) == 1
    alone = answer_question(Question("owed", {"contract": Named("contract", "later")}), of, ())
    assert [one.value for one in alone.numbers] == [pytest.approx(64 * 2.75 * 24 * 30)]


def test_an_end_is_told_of_what_is_paid_by_use_and_a_renewal_goes_by_the_day_that_was_filed(
    asked: Asked,
) -> None:
    """On demand until a day has an end too; monthly from 31 October it ends on 30 November, then on 31 December."""
    core = next(one for one in asked.project.contracts if one.contract_id == "atlas-core")
    by_use = replace(core, pricing_category=PricingCategory.STANDARD)
    monthly = replace(core, end_s=instant_s("2026-10-31"), notice_days=31, renews_months=1)
    of_contract = {"contract": Named("contract", "atlas-core")}
    for held, form, day_of_end in (
        (by_use, "contract", iso_day(core.end_s or 0)),
        (monthly, "contract", "2026-11-30"),
        (monthly, "notice", "2026-12-31"),
    ):
        ends = () if held is by_use else (("atlas-core", instant_s("2026-11-30")),)
        of = evaluate_audit(replace(asked.project, contracts=(held,)), PLANS[0], read_tables())
        advised = replace(of, advice=SimpleNamespace(verdicts=(), whole_decisions=WholeDecisions(ends)))  # type: ignore[arg-type]
        found = answers.list_numbers(Question(form, of_contract), advised)
        assert [iso_day(int(one.value or 0)) for one in found if one.name == "end"] == [day_of_end]


@pytest.mark.long
def test_a_range_is_told_where_people_are_shown_it_and_nowhere_else(demo_path: Path) -> None:
    of = evaluate_advice(open_project(demo_path), PLANS[0], read_tables())
    assert of.advice is not None and of.advice.totals.plan is not None and of.project.window.hours > 672
    plan, found = of.advice.totals.plan, {}
    for low in (plan - 1, plan + 1):
        band = Uncertainty(
            p10_usd_per_month=low,
            p50_usd_per_month=plan,
            p90_usd_per_month=plan + 2,
            year_p10_usd=1.0,
            year_p90_usd=3.0,
        )
        outlook = replace(NOT_YET, uncertainty=band)
        found[low] = answer_question(
            Question("range", {}), replace(of, outlook=outlook), read_question_figures()
        )
    shown, hidden = found.values()
    assert [one.value for one in shown.numbers] == [1.0, 3.0, plan + 2]
    assert [one.value for one in hidden.numbers] == [None] * 3
    assert str(hidden.sentence) == f"{NO_RANGE}."


def test_one_of_a_unit_is_told_as_one() -> None:
    assert [str(UNITS[unit](count)) for unit in ("months", "gpus") for count in (1.0, 1.5, 2.0)] == [
        "1.0 month", "1.5 months", "2.0 months", "1 GPU", "1.5 GPUs", "2 GPUs",
    ]  # fmt: skip
