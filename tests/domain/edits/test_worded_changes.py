"""Dated changes in words: what is written is read back to the letter, and what is said by people is understood."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment.payments import quarters
from gpuplanner.domain.edits.dates import change_demand, read_change, read_day_s, with_change
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import gpu_families
from tests.app.test_random_walk import loaded
from tests.some_of import examples

BEGINS_S = int(datetime(2026, 12, 1, tzinfo=UTC).timestamp())
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Zl", "Zp")), min_size=1).map(
    str.strip
)
FACTORS = st.one_of(
    st.floats(0.0, 1000.0).map(lambda value: round(value, 12)), st.sampled_from((2.0, 0.5, 1e-05))
)
HOURS = st.integers(0, 2_000_000).map(lambda hour: 3600 * hour)


def day(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).date().isoformat()


@pytest.mark.long
@settings(max_examples=examples(40))
@given(NAMES.filter(bool), FACTORS, HOURS, st.booleans(), st.booleans())
def test_what_is_written_is_read_back_to_the_letter(
    name: str, factor: float, at_s: int, is_by: bool, is_price: bool
) -> None:
    kind, moment = "price" if is_price else "demand", datetime.fromtimestamp(at_s, UTC)
    text = f"{kind}:{name} x{factor!r} {'by' if is_by else 'from'} {moment:%Y-%m-%dT%H:%M:%SZ}"
    said = read_change(text, BEGINS_S)
    assert (said.kind, said.of, said.factor, said.from_s, said.by) == (kind, name, factor, at_s, is_by)


@pytest.mark.parametrize(
    ("text", "of", "factor", "when", "is_by"),
    [
        ("inference x2 by March", "inference", 2.0, "2027-03-01", True),
        ("H100 -20% by May", "H100", 0.8, "2027-05-01", True),
        ("H100 \u221220% from 2027-05", "H100", 0.8, "2027-05-01", False),
        ("team chat +15% on 12 Dec", "team chat", 1.15, "2026-12-12", False),
        ("all \u00d7 1.5 by Mar 2028", "all", 1.5, "2028-03-01", True),
        ("prices of H100 x0.8 from 2027-05-03", "H100", 0.8, "2027-05-03", False),
        ("team chat +50%", "team chat", 1.5, "2026-12-01", False),  # at once: the plan's first day
        ("team chat grows by half", "team chat", 1.5, "2026-12-01", False),
        ("inference goes up 30 per cent by Q2", "inference", 1.3, "2027-04-01", True),
        ("inference x2 within 6 months", "inference", 2.0, "2027-06-01", True),
        ("training quadruples from Q4", "training", 4.0, "2027-10-01", False),
        ("prices +15% by 2027-11", "prices", 1.15, "2027-11-01", True),
        ("inference doubles by March", "inference", 2.0, "2027-03-01", True),
        ("team chat halves from 2027-05", "team chat", 0.5, "2027-05-01", False),
        ("H100 prices fall 20% by May", "H100", 0.8, "2027-05-01", True),
        ("prices of H100 rise by 15% on 12 Dec", "H100", 1.15, "2026-12-12", False),
        ("all grows 10 percent by March", "all", 1.1, "2027-03-01", True),
        ("all demand drops by 12.5% from March", "all demand", 0.875, "2027-03-01", False),
        ("demand:main/ml/x=2=2@2026-12-05", "main/ml/x=2", 2.0, "2026-12-05", False),
    ],
)
def test_people_say_it_like_this(text: str, of: str, factor: float, when: str, is_by: bool) -> None:
    said = read_change(text, BEGINS_S)
    assert (said.of, said.factor, day(said.from_s), said.by) == (of, factor, when, is_by)


@pytest.mark.parametrize("starts", range(1, 13))
def test_a_quarter_begins_when_cash_says_that_it_does(starts: int) -> None:
    """Law: a quarter of the fiscal year is the same span wherever it is named; without a year it is the next one."""
    rows = list(quarters(BEGINS_S, BEGINS_S + 800 * DAY_S, starts))[1:-1]
    for name, from_s, _ in rows:
        year, of = name.split()
        assert read_day_s(f"{of} {year}", BEGINS_S, starts) == from_s
    for _, from_s, _ in rows[:4]:
        of = next(name for name, at_s, _ in rows if at_s == from_s).split()[1]
        assert read_day_s(of, from_s, starts) == read_day_s(of, from_s - DAY_S, starts) == from_s


@pytest.mark.parametrize("text", ["everything grows 10% a month", "growth 10% per month", "H100 -2% monthly"])
def test_a_rate_per_month_is_no_step_and_its_place_is_said(text: str) -> None:
    with pytest.raises(PlannerError, match="per month") as refused:
        read_change(text, 0)
    assert "Growth or Price decline" in str(refused.value.remedy)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no change specified"),
        ("inference by March", "no change specified"),
        ("inference x2 by", "no change specified"),
        ("inference falls by March", "no change specified"),
        ("inference x2 by Smarch", "not a day"),
        ("inference x2 by 31 Feb", "not a day"),
        ("inference x2 by 2027-03-01T05:30", "not a whole hour"),
    ],
)
def test_what_says_nothing_is_refused_with_a_remedy(text: str, why: str) -> None:
    with pytest.raises(PlannerError, match=why) as refused:
        read_change(text, BEGINS_S)
    assert str(refused.value.remedy).startswith("write")


def said(project: Project, text: str) -> Project:
    plan = project.scenarios[0].name
    classes = {workload.key: Pool.BURST for workload in project.workloads}
    return with_change(
        project, plan, read_change(text, project.window.end_s), lambda: classes, gpu_families()
    )


def test_what_is_called_so_is_found() -> None:
    project = loaded()
    workload, model = project.workloads[0], project.offers[0].gpu_model
    plan = said(project, f"{model.lower()} -20% by 2030-01").scenarios[0]
    assert plan.price_changes == (PriceChange(model, 0.8, 1_893_456_000, True),)
    of = {
        text: said(project, f"{text} x2 from 2030-01").scenarios[0].changes[0]
        for text in (
            "everything",
            "burst demand",
            "the burst pool",
            "pool burst",
            workload.key,
            f"team {workload.owner}",
        )
    }
    every = tuple(each.key for each in project.workloads)
    mine = tuple(each.key for each in project.workloads if each.owner == workload.owner)
    assert [(one.target, one.keys) for one in of.values()] == [
        ("all", ()),
        *[("burst", every)] * 3,
        (workload.key, (workload.key,)),
        (f"team:{workload.owner}", mine),
    ]
    for text, why in (
        ("nobody x2 by 2030-01", "no workload, class, team or GPU model has this name"),
        ("price:B300 x2 by 2030-01", "no offer has"),
        ("demand:nobody x2 by 2030-01", "no such workload"),
        ("all x2000 by 2030-01", "is not allowed"),
    ):
        with pytest.raises(PlannerError, match=why):
            said(project, text)


@pytest.mark.parametrize(
    "text",
    [
        "prices +15% by 2030-01",
        "all prices rise 15% by 2030-01",
        "Every price x1.15 by 2030-01",
        "every  price rises 15% by 2030-01",
        "price:all=1.15",
    ],
)
def test_all_prices_are_those_of_every_gpu_model_on_offer(text: str) -> None:
    project = loaded()
    offered = sorted({offer.gpu_model for offer in project.offers})
    steps = said(project, text).scenarios[0].price_changes
    assert [(step.gpu_model, step.factor) for step in steps] == [(model, 1.15) for model in offered]
    with pytest.raises(PlannerError, match="no GPU model"):
        said(replace(project, offers=()), text)


@pytest.mark.parametrize("text", ["burst x2 by 2030-03", "prices x1.5 from 2030-03"])
def test_a_change_that_the_plan_has_is_refused_and_what_both_would_be_is_said(text: str) -> None:
    """Steps multiply: kept twice, a doubling was a quadrupling without a word."""
    once = said(loaded(), text)
    with pytest.raises(PlannerError, match="already has") as refused:
        said(once, text)
    assert f" {4 if 'x2' in text else 2.25:g}" in str(refused.value.remedy)
    other = said(once, text.replace("2030-03", "2030-04"))  # of another day it is another change
    plan, more = once.scenarios[0], other.scenarios[0]
    assert len(more.changes) + len(more.price_changes) > len(plan.changes) + len(plan.price_changes)


def test_a_change_that_an_older_project_has_twice_can_be_taken_out() -> None:
    once = said(loaded(), "burst x2 by 2030-03")
    plan = once.scenarios[0]
    thrice = replace(once, scenarios=(replace(plan, changes=plan.changes * 3), *once.scenarios[1:]))
    assert change_demand(thrice, plan.name, plan.changes * 2).scenarios[0].changes == plan.changes * 2


def test_a_workload_that_is_called_prices_is_asked_about() -> None:
    project = loaded()
    named = replace(project.workloads[0], name="prices")
    project = replace(project, workloads=(named, *project.workloads[1:]))
    with pytest.raises(PlannerError, match="a workload and a price have this name"):
        said(project, "prices x2 from 2030-01")
    assert said(project, "demand:prices x2 from 2030-01").scenarios[0].changes[0].keys == (named.key,)
    assert said(project, "prices of all x2 from 2030-01").scenarios[0].price_changes


@pytest.mark.parametrize("text", ["March", "1 Mar", "Q2", "next month", "next year"])
def test_a_log_that_counts_from_0_has_no_months_with_names(text: str) -> None:
    with pytest.raises(PlannerError, match="no dates"):
        read_day_s(text, 150 * DAY_S)


def test_a_log_that_counts_from_0_has_days_ahead_and_days_with_their_year() -> None:
    assert read_day_s("in 3 months", 150 * DAY_S) == read_day_s("1970-08-31", 150 * DAY_S)
