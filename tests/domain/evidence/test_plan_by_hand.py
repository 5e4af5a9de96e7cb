"""Answers about plans at their edges: price cases, limits, backtests, plans side by side, checks, files and sizings."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.result import Layer, with_figures
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.evidence import serving
from gpuplanner.domain.evidence.inputs import TEAMS, WHOLE, week_subject
from gpuplanner.domain.evidence.layers import PlanEvidence
from gpuplanner.domain.evidence.serving import OF_PLACES, OF_SIZING
from gpuplanner.domain.evidence.totals import check_subject
from gpuplanner.domain.evidence.trace import Trace, figure, read
from gpuplanner.domain.evidence.trials import (
    MOST_USD,
    OF_COMPARISON,
    POINTS,
    POINTS_COLUMN,
    answer,
    as_written,
    layer_subject,
    less_first,
)
from gpuplanner.domain.figures.writing import MONEY, MONEY_PER_MONTH
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.plan_inputs import Limit, PriceCase
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain import worlds
from tests.domain.reports.reported_results import MODEL, sizing
from tests.domain.tables import plain

# --- Price cases: 12 months in two pools of one model, and in one pool of two


def case_with(*layers: Layer) -> PlanEvidence:
    """The high case, in which every row has these layers."""
    evidence = worlds.evidence_of_trials()
    advice = worlds.plan().advised
    pools = tuple(
        replace(
            plan, layers=with_figures(tuple(replace(layer, gpus=layer.gpus + at) for layer in layers), 4.0)
        )
        for at, plan in enumerate(advice.pools)
    )
    case = CasePlan(PriceCase.HIGH, 1.0, 2.0, 1.0, 3, 1, (), replace(advice, pools=pools))
    return replace(evidence, cases=(replace(case, case=PriceCase.LOW, advice=None), case))


YEAR = Layer(False, PricingCategory.COMMITTED, 12, "y1", 4.0, 3.0, 2.5)
HELD = Layer(True, PricingCategory.COMMITTED, 12, None, 1.0, 1.0, 2.0)


@pytest.mark.parametrize(
    # burst A100 has 4, inference H100 5 and training H100 6
    ("pool", "model", "term", "gpus"),
    [
        ("training", "H100", 12, 6.0),
        ("inference", "H100", 12, 5.0),
        ("burst", "A100", 12, 4.0),
        ("burst", "H100", 12, 0.0),
        ("training", "H100", 24, 0.0),
        ("training", None, 12, 0.0),
    ],
)
def test_new_commitments_of_a_case_are_of_one_pool_model_and_term(
    pool: str, model: str | None, term: int, gpus: float
) -> None:
    trace = answer(case_with(YEAR, HELD), figure("case_layer", layer_subject(pool, model, term), "high"))
    assert trace.value == gpus and len(trace.rows) == (gpus > 0)
    assert bool(str(trace.note)) is (gpus == 0)
    assert layer_subject(pool, model, term) == f"{pool}\t{model or ''}\t{term}"


def test_a_case_without_a_plan_has_no_layers() -> None:
    subject = figure("case_layer", layer_subject("training", "H100", 12), "low")
    assert answer(case_with(YEAR), subject).value == 0.0
    assert answer(case_with(YEAR), "case_plan:low:").rows == ()
    idle = len(worlds.plan().advised.idle_existing)
    # burst has none of a layer of no GPUs, the rows behind it have 1 and 2
    assert len(answer(case_with(replace(YEAR, gpus=0.0)), "case_plan:high:").rows) == 2 + idle


# --- Limits, backtests


def test_a_limit_is_found_by_its_words_in_either_case() -> None:
    evidence = worlds.evidence_of_trials()
    (first,) = evidence.outlook.limits
    other = replace(first, limit=Limit("share", 0.5, Only("Bo")), inputs={**first.inputs, "plan": 30_000.0})
    seen = replace(evidence, outlook=replace(evidence.outlook, limits=(first, other)))
    for limit, usd in ((first, 1000.0), (other, 3000.0)):
        words = str(limit.limit.words)
        for subject in (words, words.upper(), words.lower()):
            assert answer(seen, figure("limit_cost", subject)).value == pytest.approx(usd)
    with pytest.raises(StopIteration):
        answer(seen, figure("limit_cost", "nothing"))


@pytest.mark.parametrize(
    ("usd", "as_set", "more"),
    [(330.0, 360.0, -30.0), (None, 360.0, None), (330.0, None, None), (None, None, None)],
)
def test_a_setting_is_compared_where_both_are_known(
    usd: float | None, as_set: float | None, more: float | None
) -> None:
    evidence = worlds.evidence_of_trials()
    first, other = evidence.variants
    changed = replace(evidence, variants=(replace(first, usd=as_set), replace(other, usd=usd)))
    trace = answer(changed, figure("variant_beside", other.name))
    assert trace.value == more
    assert [row.values for row in trace.rows] == [(usd,), (None if as_set is None else -as_set,)]


@pytest.mark.parametrize(
    ("value", "written", "shown", "has_note"),
    [
        (100.4, 100, 100, False),
        (100.4, 101, 101, True),
        (100.0, 103, 103, True),
        (100.0, 104, 100.0, False),
        (103.0, 100, 100, True),
        (100.4, None, 100.4, False),
        (None, 100, None, False),
    ],
)
def test_a_figure_is_shown_as_it_is_written_unless_it_is_of_another_moment(
    value: float | None, written: int | None, shown: float | None, has_note: bool
) -> None:
    assert MOST_USD == 3
    trace = as_written(read("Sum", value, "usd", "source"), written)
    assert (trace.value, bool(str(trace.note))) == (shown, has_note)
    assert trace.symbols[0].value == shown  # type: ignore[union-attr]


# --- Plans side by side


@pytest.mark.parametrize(
    ("kind", "unit", "said_as", "column"),
    [
        ("plan_usd::", "usd", "per month", ""),
        ("plan_utilization::", "exact", str(POINTS), str(POINTS_COLUMN)),
        ("plan_lock_in::", "exact", "$-weighted months", "$-weighted months"),
        ("plan_longest::", "exact", "months", "Months"),
    ],
)
def test_a_difference_has_the_unit_of_its_figure_and_shares_differ_in_points(
    kind: str, unit: str, said_as: str, column: str
) -> None:
    trace = OF_COMPARISON.answer(worlds.compared(), less_first(1, kind))
    assert (trace.unit, str(trace.said_as)) == (unit, said_as)
    if column:
        assert [str(shown.title) for shown in trace.columns] == [column]
    else:
        assert [shown.unit for shown in trace.columns] == ["usd"]
    values = [row.values[0] for row in trace.rows]
    assert all(isinstance(value, int | float) for value in values)
    assert trace.value == pytest.approx(sum(value for value in values if isinstance(value, int | float)))


def test_a_difference_is_unknown_where_either_figure_is() -> None:
    compared = worlds.compared()
    first, other = compared.sides
    assert other.plan.advice is not None
    totals = replace(other.plan.advice.totals, lock_in_months=None)
    unknown = replace(other, plan=replace(other.plan, advice=replace(other.plan.advice, totals=totals)))
    for sides in ((first, unknown), (unknown, first)):
        trace = OF_COMPARISON.answer(replace(compared, sides=sides), less_first(1, "plan_lock_in::"))
        assert trace.value is None


def test_a_side_is_one_of_the_plans() -> None:
    compared = worlds.compared()
    assert [compared.side(scope).plan.scenario for scope in ("0", "1")] == ["Plan A", "Q"]
    for scope in ("2", "-1", "", "x"):
        with pytest.raises(KeyError):
            compared.side(scope)


def test_workloads_that_move_are_listed_by_their_hours() -> None:
    compared = worlds.compared()
    (steps,) = compared.ways
    moved = replace(
        steps[1], hours={"a": 5.0, "b": 50.0, "c": 20.0}, names={name: name.upper() for name in "abc"}
    )
    trace = OF_COMPARISON.answer(
        replace(compared, ways=((steps[0], moved),)), figure("moved_hours", "1", "1")
    )
    assert trace.value == 75.0
    assert [(row.name, row.values) for row in trace.rows] == [("B", (50.0,)), ("C", (20.0,)), ("A", (5.0,))]


# --- Horizons


@pytest.mark.parametrize(
    ("kind", "month"), [("ahead_plan", "month_plan"), ("ahead_nothing", "month_nothing")]
)
def test_twelve_months_open_each_month_of_the_same_figure(kind: str, month: str) -> None:
    evidence = worlds.evidence_of_plan(worlds.plan())
    trace = answer(evidence, f"{kind}::twelve_months")
    assert [row.opens for row in trace.rows] == [figure(month, str(at)) for at in range(12)]
    each = [answer(evidence, row.opens).value for row in trace.rows]
    assert [row.values[0] for row in trace.rows] == pytest.approx(each)
    assert trace.value == pytest.approx(sum(value or 0.0 for value in each))
    assert answer(evidence, f"{kind}::next_month").value == pytest.approx(each[0])
    assert answer(evidence, f"{kind}::month_12").value == pytest.approx(each[11])


# --- What a check costs


@pytest.mark.parametrize(("code", "is_whole"), [("order_by_passed", True), ("idle_beside_orders", False)])
def test_a_check_costs_a_month_or_all_of_a_renewal(code: str, is_whole: bool) -> None:
    evidence = worlds.evidence_of_plan(worlds.plan())
    assert evidence.advice is not None
    base: Any = next(iter(worlds.divided().advised.checks))
    checks = tuple(
        replace(base, code=code, subject=name, usd_per_month=usd)
        for name, usd in (("K1", 12.4), ("K2", None))
    )
    changed = replace(evidence, advice=replace(evidence.advice, checks=checks))
    assert [check_subject(check) for check in checks] == [f"{code}\tK1\t12", f"{code}\tK2\t0"]
    traces = [answer(changed, figure("check_usd", check_subject(check))) for check in checks]
    assert [trace.value for trace in traces] == [12.4, None]
    unit = MONEY if is_whole else MONEY_PER_MONTH
    assert {str(trace.said_as) for trace in traces} == {str(unit.per)}
    for words in (str(traces[0].title), str(traces[0].words)):
        assert ("Idle" in words or "idle" in words) is not is_whole


# --- What is loaded, and how it was used


def loaded(*files: FileIntake) -> Trace:
    evidence = worlds.evidence_of_plan(worlds.plan())
    return answer(replace(evidence, project=replace(evidence.project, intake=files)), "loaded_jobs::")


def test_jobs_are_listed_by_file_where_each_was_counted() -> None:
    jobs = FileIntake("a/b\\c.csv", "jobs", "own", 9, 5, 1, 2, 1, jobs_in_window=4)
    other = replace(jobs, path="d.csv", jobs_in_window=3)
    prices = FileIntake("p.csv", "prices", "own", 9, 5, 1, 2, 1)
    trace = loaded(jobs, prices, other)
    assert [(row.name, row.values) for row in trace.rows] == [
        ("c.csv", (9, 1, 2, 1, 5, 4)),
        ("d.csv", (9, 1, 2, 1, 5, 3)),
    ]
    uncounted = loaded(jobs, replace(other, jobs_in_window=None))
    assert len(uncounted.rows) == 1 and uncounted.rows[0].name not in ("c.csv", "d.csv")


def today() -> PlanEvidence:
    evidence = worlds.evidence_of_plan(worlds.plan(), is_today=True)
    works = tuple(
        replace(work, owner=owner, milli_gpu_seconds=spent)
        for work, owner, spent in zip(
            evidence.project.workloads, ("a", "b", "a"), (3_600_000, 7_200_000, 0), strict=True
        )
    )
    use = evidence.audit.use
    assert use is not None
    teams = tuple(replace(use.teams[0], name=name) for name in ("a", "b"))
    return replace(
        evidence,
        project=replace(evidence.project, workloads=works),
        audit=replace(evidence.audit, use=replace(use, teams=teams)),
    )


@pytest.mark.parametrize(
    ("subject", "asked", "paid"),
    [("a", ["load-000", "load-002"], ["load-000"]), ("b", ["load-001"], ["load-001"])],
)
def test_a_team_uses_and_pays_for_its_own_workloads(subject: str, asked: list[str], paid: list[str]) -> None:
    assert [str(row.name) for row in answer(today(), figure("use_hours", subject, TEAMS)).rows] == asked
    assert [str(row.name) for row in answer(today(), figure("use_usd", subject, TEAMS)).rows] == paid


def test_all_teams_use_and_pay_for_all_workloads() -> None:
    assert len(answer(today(), figure("use_hours", WHOLE, TEAMS)).rows) == 3
    assert len(answer(today(), figure("use_usd", WHOLE, TEAMS)).rows) == 2


def test_an_hour_of_the_week_of_a_team_has_a_subject_and_a_whole_day_too() -> None:
    row: Any = SimpleNamespace(subject="a\tb")
    assert week_subject(row, 3, 14) == "3-14\ta\tb"
    assert week_subject(row, 3, 0) == "3-0\ta\tb" and week_subject(row, 3, None) == "3-\ta\tb"
    evidence = worlds.evidence_of_plan(worlds.plan(), is_today=True)
    use = evidence.audit.use
    assert use is not None
    named = replace(use.clusters[0], name="a\tb")
    changed = replace(evidence, audit=replace(evidence.audit, use=replace(use, clusters=(named,))))
    hour = answer(changed, figure("use_week", week_subject(named, 3, 4), "clusters"))
    whole = answer(changed, figure("use_week", week_subject(named, 3, None), "clusters"))
    assert "04:00" in str(hour.title) and ":00" not in str(whole.title)


def test_what_went_into_an_hour_of_the_week_leads_to_figures_that_there_are() -> None:
    evidence = today()
    use = evidence.audit.use
    assert use is not None
    cells = (figure("use_week", week_subject(row, 3, 4), TEAMS) for row in (*use.teams, use.everything))
    led = [row.opens for cell in cells for row in answer(evidence, cell).rows if row.opens]
    assert led and all(answer(evidence, opens).rows for opens in led)


# --- A sized endpoint: 20 requests a second, 5 on a replica


ROW = "H100\tBF16\t2"


def size(kind: str, scope: str = "", subject: str = ROW, **changes: Any) -> Trace:
    of = sizing()
    costs = tuple(
        replace(cost, row=replace(cost.row, **changes)) if cost.row.gpu_model == "H100" else cost
        for cost in of.costs
    )
    return OF_SIZING.answer(replace(of, costs=costs), figure(kind, subject, scope))


def numbers(text: object) -> list[str]:
    return [word.strip("().,;%:") for word in str(text).split() if any(letter.isdigit() for letter in word)]


def test_memory_says_of_how_large_a_model_it_is() -> None:
    assert numbers(size("size_memory").note)[0] == "8.0"
    of = sizing()
    bare = replace(of, choice=replace(of.choice, rates={"H100": 5.0}, model=None))  # type: ignore[arg-type]
    assert bare.model is None and MODEL.parameters == 8_000_000_000
    trace = OF_SIZING.answer(bare, figure("size_memory", ROW))
    assert numbers(trace.note)[0] == "0.0"


def test_replicas_say_the_peak_in_four_digits() -> None:
    of = sizing()
    load = replace(of.load, hours=tuple(replace(hour, requests_per_s=12.34567) for hour in of.load.hours))
    costs = tuple(replace(cost, row=replace(cost.row, requests_per_s=5.123456)) for cost in of.costs)
    trace = OF_SIZING.answer(replace(of, load=load, costs=costs), figure("size_replicas", ROW))
    assert numbers(trace.rows[0].name)[0] == "12.35" and "5.123" in numbers(trace.rows[0].name)
    unknown = size("size_replicas", requests_per_s=None)
    assert "\u00f7" not in str(unknown.rows[0].name)


def test_what_is_not_known_of_a_first_token_is_nothing() -> None:
    assert numbers(size("size_ttft").note)[:2] == ["25", "80.0"]
    assert numbers(size("size_ttft", way_share=None, busy_at_peak=None).note)[:2] == ["0", "0.0"]
    assert numbers(size("size_ttft", busy_at_peak=0.12345).note)[1] == "12.3"


def test_a_token_is_said_with_its_requests_and_the_band_of_its_formula() -> None:
    words = size("size_tpot", low=0.123456, high=1.98765).rows[0].name
    assert numbers(words) == ["30", "80", "0.12", "2"]
    unknown = size("size_tpot", concurrency=None, low=None, high=None).rows[0].name
    assert numbers(unknown) == ["0", "80", "0", "0"]


def test_a_ratio_is_said_in_three_digits() -> None:
    of = sizing()
    ratios = tuple(replace(match, ratio=0.123456, low=0.0987654, high=0.222222) for match in of.ratios)
    trace = OF_SIZING.answer(replace(of, ratios=ratios), figure("size_ratio", "A100", "ratio"))
    assert trace.value == 0.123456
    assert {"0.123", "0.0988", "0.222"} <= set(numbers(trace.rows[0].name))


@pytest.mark.parametrize(("site_id", "words"), [("east", "London east"), (None, "London")])
def test_a_way_is_called_by_its_city_and_its_site_where_there_is_one(
    site_id: str | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leg = SimpleNamespace(city=SimpleNamespace(city="London"), site_id=site_id, one_way_ms=3.0)
    monkeypatch.setattr(serving, "_leg", lambda evidence, subject: leg)
    trace = OF_PLACES.answer(worlds.evidence_of_places(), figure("city_both", "London"))
    assert trace.value == 6.0 and plain(trace.title).strip().endswith(words)
