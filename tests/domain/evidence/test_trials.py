"""Answers about price cases, limits, backtests and plans side by side, with rows that are written here."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.result import Layer, with_figures
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.evidence.trace import figure, read
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
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan_inputs import Limit, PriceCase
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain import worlds


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
    case = CasePlan(
        case=PriceCase.HIGH,
        plan_usd_per_month=1.0,
        do_nothing_usd_per_month=2.0,
        savings_vs_do_nothing_usd_per_month=1.0,
        priced_offers=3,
        at_mid=1,
        changed_layers=(),
        advice=replace(advice, pools=pools),
    )
    return replace(evidence, cases=(replace(case, case=PriceCase.LOW, advice=None), case))


YEAR = Layer(
    existing=False,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    offer_id="y1",
    gpus=4.0,
    busy_gpus=3.0,
    rate=2.5,
)


HELD = Layer(
    existing=True,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    offer_id=None,
    gpus=1.0,
    busy_gpus=1.0,
    rate=2.0,
)


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
